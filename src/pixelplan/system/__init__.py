"""Processes, whole files, cores, code by name: a leaf that knows nothing of planning. All rooms may use it."""
