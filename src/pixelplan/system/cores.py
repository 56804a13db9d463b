"""The cores of this machine."""

from __future__ import annotations

import contextlib
import math
import os
import sys
from pathlib import Path


def usable_cores() -> int:
    """Return the number of cores that this process may use: those it may run on, or its share if less.

    0 where a pool cannot be made, for lack of anonymous shared memory: everywhere but on Linux.
    """
    if sys.platform != "linux":
        return 0
    cores = len(os.sched_getaffinity(0))
    with contextlib.suppress(OSError, ValueError):
        # "max", or the microseconds that a container has in a period of so many.
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text().split()
        cores = min(cores, math.ceil(int(quota) / int(period)))
    return cores
