"""Processes, whole files, cores, code by name: a leaf that knows nothing of planning, and that all may use."""
