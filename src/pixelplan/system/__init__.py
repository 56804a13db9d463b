"""Processes, whole files, cores, code by name: a leaf that knows nothing of planning; any room may use it."""
