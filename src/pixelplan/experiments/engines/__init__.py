"""Engines: where the episodes of an experiment are played, on this machine or on many."""
