"""Standard input, output and error, also where some of them are closed."""

from __future__ import annotations

import contextlib
import fcntl
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

STANDARD = {0: ("stdin", "r"), 1: ("stdout", "w"), 2: ("stderr", "w")}


def open_closed_streams() -> None:
    """Let a closed stream be the null device. Otherwise the next file opened would take its place."""
    for descriptor, (name, mode) in STANDARD.items():
        try:
            os.fstat(descriptor)
        except OSError:
            # The lowest free number is taken, which is this one.
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: PTH123, SIM115
    for stream in (sys.stdout, sys.stderr):
        # Names of files may be in no encoding at all; to be told one in part is better than not to be told.
        with contextlib.suppress(AttributeError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


def name_of(descriptor: int, path: Path) -> str:
    """Return a name of an open file for libraries that take names in UTF-8 only."""
    return f"/proc/self/fd/{descriptor}" if sys.platform == "linux" else str(path)


def above_standard(descriptor: int) -> int:
    """Return a descriptor that is none of a standard stream, which a child process has anew."""
    if descriptor not in STANDARD:
        return descriptor
    higher = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, len(STANDARD))
    os.close(descriptor)
    return higher
