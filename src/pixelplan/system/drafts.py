"""Drafts: a file or folder is made beside its place, hidden, and put there when it is complete.

The place is reserved while its draft is made, so that nobody else makes the same. A draft that a killed
process has left is removed by the next one that makes the same.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import re
import shutil
import tempfile
from pathlib import Path

DRAFT_NAME = re.compile(r"\..*\.draft-[a-z0-9_]{8}", re.DOTALL)
"""As those that tempfile makes."""
TAKEN = (errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR, errno.EISDIR)
"""Errors that say that something else has a name."""


class Draft:
    """A draft of one place, and the right to it."""

    def __init__(self, place: Path, *, is_folder: bool = False) -> None:
        """Reserve a place. FileExistsError: somebody else is making it now."""
        if DRAFT_NAME.fullmatch(place.name):
            raise OSError(errno.EINVAL, "drafts have such names", str(place))
        place.parent.mkdir(parents=True, exist_ok=True)
        self.place = place
        self._lock_path = place.with_name(f".{place.name}.draft.lock")
        self._lock = _lock(self._lock_path, place)
        prefix = f".{place.name}.draft-"
        try:
            # Whoever made these is no more, for the lock is ours.
            for left in place.parent.iterdir():
                if left.name.startswith(prefix) and len(left.name) == len(prefix) + 8:
                    remove(left)
            self.path = _make(place.parent, prefix, is_folder=is_folder)
        except BaseException:
            self._release()
            raise

    def finish(self) -> Path:
        """Put what was made in its place, or beside it if that was taken meanwhile; return where it is."""
        place, number = self.place, 1
        while True:
            try:
                self.path.replace(place)
                break
            except OSError as error:
                if error.errno not in TAKEN:
                    raise
            number += 1
            place = self.place.with_name(f"{self.place.stem}-{number}{self.place.suffix}")
        self._release()
        return place

    def discard(self) -> None:
        """Leave nothing of the draft. Nothing is done to one that is finished."""
        if self._lock >= 0:
            remove(self.path)
            self._release()

    def _release(self) -> None:
        if self._lock >= 0:
            self._lock_path.unlink(missing_ok=True)
            os.close(self._lock)
            self._lock = -1


def _lock(path: Path, place: Path) -> int:
    """Lock a file; it is unlocked with the death of this process at the latest."""
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            raise FileExistsError(errno.EEXIST, "another program is writing it now", str(place)) from None
        with contextlib.suppress(FileNotFoundError):
            # It may have been removed by its former owner after we opened it.
            if os.fstat(descriptor).st_ino == path.stat().st_ino:
                return descriptor
        os.close(descriptor)


def _make(folder: Path, prefix: str, *, is_folder: bool) -> Path:
    if is_folder:
        return Path(tempfile.mkdtemp(prefix=prefix, dir=folder))
    descriptor, path = tempfile.mkstemp(prefix=prefix, dir=folder)
    os.close(descriptor)
    return Path(path)


def remove(path: Path) -> None:
    """Remove a file or a folder, if it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def resolved(path: Path) -> Path:
    """Return a path without links; OSError if they lead in a circle."""
    try:
        return path.resolve()
    except RuntimeError:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path)) from None


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file so that it is complete or as it was."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    draft = Draft(path)
    try:
        draft.path.write_bytes(content.encode() if isinstance(content, str) else content)
        draft.path.chmod(0o644)
        draft.finish()
    finally:
        draft.discard()
