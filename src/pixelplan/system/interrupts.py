"""Signals that end a program: raised where nothing can be lost, and noted everywhere else.

The first signal raises KeyboardInterrupt. Those that follow are noted only, so that what the first one has
begun comes to its end. If the first one got lost in a callback, one that comes a second later raises again.
"""

from __future__ import annotations

import contextlib
import signal
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
LOST_SECONDS = 1.0
"""Seconds after which a signal that has stopped nothing is taken for lost."""


class _State:
    """What has been noted since a command began."""

    is_held = False
    """Whether signals are noted only."""
    count = 0
    raised_at = -LOST_SECONDS


_state = _State()


def catch() -> None:
    """Take all signals that would end the program. Whoever has one ignored, as nohup has, wants it so."""
    for number in SIGNALS:
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _note)


def ignore() -> None:
    """Ignore signals from here on: the program ends anyway, and its exit code must tell how it went."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)


@contextlib.contextmanager
def caught() -> Iterator[None]:
    """Take all signals as long as a command runs."""
    _state.is_held, _state.count, _state.raised_at = False, 0, -LOST_SECONDS
    before = {number: signal.getsignal(number) for number in SIGNALS}
    catch()
    try:
        yield
    finally:
        hold()
        for number, handler in before.items():
            signal.signal(number, handler)


def _note(number: int, frame: object) -> None:  # noqa: ARG001
    _state.count += 1
    now = time.monotonic()
    if not _state.is_held and now - _state.raised_at >= LOST_SECONDS:
        _state.raised_at = now
        raise KeyboardInterrupt


def hold() -> None:
    """From here on note signals only: something is there that must not be lost."""
    _state.is_held = True


def allow() -> None:
    """From here on a signal may raise again; raise what was noted meanwhile."""
    _state.is_held = False
    check()


def check() -> None:
    """Raise KeyboardInterrupt if a signal was noted."""
    if _state.count > 0:
        raise KeyboardInterrupt


def were_noted() -> bool:
    """Say whether there was a signal since the command began."""
    return _state.count > 0


@contextlib.contextmanager
def held() -> Iterator[None]:
    """Note signals only, and raise afterwards what was noted."""
    was_held, count = _state.is_held, _state.count
    hold()
    try:
        yield
    finally:
        _state.is_held = was_held
    if _state.count > count and not was_held:
        _state.raised_at = time.monotonic()
        raise KeyboardInterrupt
