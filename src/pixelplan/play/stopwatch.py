"""A stopwatch for wall-clock time and for CPU time."""

from __future__ import annotations

import os
import time


class Stopwatch:
    """Runs from when it is made. CPU time includes child processes, as soon as they have ended."""

    def __init__(self) -> None:
        self._started = time.perf_counter()
        self._cpu_started = _cpu_seconds()

    def wall_seconds(self) -> float:
        """Return the time since the start."""
        return time.perf_counter() - self._started

    def cpu_seconds(self) -> float:
        """Return the CPU time since the start."""
        return _cpu_seconds() - self._cpu_started


def _cpu_seconds() -> float:
    return sum(os.times()[:4])
