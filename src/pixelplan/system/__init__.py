"""Processes, whole files, cores, code by name: a leaf that knows nothing of planning; all rooms may use it."""
