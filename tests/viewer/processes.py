"""Processes, as the kernel tells of them."""

from __future__ import annotations

import time
from pathlib import Path


def children_of(process_id: int) -> list[int]:
    """Return the ids of the processes that one has started, and of those that they have."""
    children: list[int] = []
    for task in Path(f"/proc/{process_id}/task").iterdir():
        for child in map(int, (task / "children").read_text().split()):
            children += [child, *children_of(child)]
    return children


def wait_for_the_end_of(process_ids: list[int]) -> None:
    """Wait until none of some processes runs any more."""
    while any(map(is_running, process_ids)):
        time.sleep(0.01)


def is_running(process_id: int) -> bool:
    """Say whether there is such a process, and it has not ended."""
    try:
        return Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
