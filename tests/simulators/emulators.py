"""Emulators that delay, hang, die or keep a log, for the workers of a pool, and a look at processes.

Workers import these classes by name. What an emulator is told and what it tells is in a folder that the
environment names: workers inherit that.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING

from pixelplan.simulators.ale import AleEmulator

if TYPE_CHECKING:
    from pixelplan.features.observation import Observe
    from pixelplan.planning.simulator import Action
    from pixelplan.simulators.emulator import Outcome

FOLDER = "PIXELPLAN_EMULATOR_FOLDER"
LONGEST_DELAY_SECONDS = 0.005
FOREVER_SECONDS = 3_600.0
PATIENCE_SECONDS = 30.0
"""How long to wait for what happens at once on an idle machine."""


def folder() -> Path:
    """Return where emulators and tests leave messages for each other."""
    return Path(os.environ[FOLDER])


def log_lines() -> list[str]:
    """Return what emulators have noted so far."""
    log = folder() / "log"
    return log.read_text().splitlines() if log.exists() else []


def note(line: str) -> None:
    """Add a line to the log, in one write: other processes do that too."""
    with (folder() / "log").open("a") as log:
        log.write(f"{line}\n")


class DelayedEmulator(AleEmulator):
    """Takes a little longer, by another time in each call and in each run."""

    def act(self, action: Action, observe: Observe) -> Outcome:
        time.sleep(SystemRandom().uniform(0, LONGEST_DELAY_SECONDS))
        return super().act(action, observe)


class LoggingEmulator(AleEmulator):
    """Notes what it is asked for."""

    def restore(self, state: bytes) -> None:
        note("restore")
        super().restore(state)

    def act(self, action: Action, observe: Observe) -> Outcome:
        note(f"act {action}")
        return super().act(action, observe)


class GatedEmulator(LoggingEmulator):
    """Acts only after the gate has been opened: hangs, if that never happens."""

    def act(self, action: Action, observe: Observe) -> Outcome:
        note(f"begin {action}")
        while not (folder() / "gate").exists():
            time.sleep(0.001)
        return super().act(action, observe)


class HangingEmulator(AleEmulator):
    """Hangs once for each time that it was told to."""

    def act(self, action: Action, observe: Observe) -> Outcome:
        with contextlib.suppress(FileNotFoundError):
            # Only one process can take the file away.
            (folder() / "hang").unlink()
            time.sleep(FOREVER_SECONDS)
        return super().act(action, observe)


class DoomedEmulator(AleEmulator):
    """Ends its process as soon as it is made."""

    def __init__(self, game: str, *, frameskip: int, seed: int) -> None:
        super().__init__(game, frameskip=frameskip, seed=seed)
        os._exit(3)


def _stat(process_id: int) -> tuple[str, int] | None:
    """Return a process's condition and its parent; None if there is no such process."""
    try:
        text = Path(f"/proc/{process_id}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return None
    condition, parent = text.rpartition(")")[2].split()[:2]
    return condition, int(parent)


def has_ended(process_id: int) -> bool:
    """Say whether a process is gone, or only waits for its parent to ask what became of it."""
    stat = _stat(process_id)
    return stat is None or stat[0] in "ZX"


def children(process_id: int) -> set[int]:
    """Return all children of a process, ended ones that it has not asked about too."""
    ids = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdecimal()]
    return {child for child in ids if (stat := _stat(child)) is not None and stat[1] == process_id}


def memory_files(process_id: int) -> set[str]:
    """Return the inodes of the pools' memories that a process has mapped."""
    try:
        lines = Path(f"/proc/{process_id}/maps").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return set()
    return {line.split()[4] for line in lines if "/memfd:pixelplan" in line}


def wait_until(condition: Callable[[], bool]) -> bool:
    """Wait until a condition holds; say False if it takes too long."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.005)
    return True
