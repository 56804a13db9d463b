from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest

from pixelplan.system import interrupts


@pytest.fixture
def _caught() -> Iterator[None]:
    with interrupts.caught():
        yield


def send(number: int = signal.SIGINT) -> None:
    os.kill(os.getpid(), number)


@pytest.mark.usefixtures("_caught")
@pytest.mark.parametrize("number", interrupts.SIGNALS)
def test_the_first_signal_raises_and_the_next_ones_are_noted(number: int) -> None:
    with pytest.raises(KeyboardInterrupt):
        send(number)
    send(number)
    send(signal.SIGTERM)
    assert interrupts.were_noted()


@pytest.mark.usefixtures("_caught")
def test_a_held_signal_is_raised_where_it_costs_nothing() -> None:
    done = []

    def save() -> None:
        with interrupts.held():
            send()
            send()
            done.append("whole")

    with pytest.raises(KeyboardInterrupt):
        save()
    assert done == ["whole"]
    interrupts.hold()
    send()
    with pytest.raises(KeyboardInterrupt):
        interrupts.check()


@pytest.mark.usefixtures("_caught")
def test_a_signal_that_got_lost_in_a_callback_does_not_make_a_program_endless(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(KeyboardInterrupt):
        send()
    monkeypatch.setattr(interrupts, "LOST_SECONDS", 0.0)
    with pytest.raises(KeyboardInterrupt):
        send()


def test_signals_that_are_ignored_stay_so_and_handlers_come_back() -> None:
    before = signal.getsignal(signal.SIGTERM)
    ignored = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with interrupts.caught():
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
            assert signal.getsignal(signal.SIGTERM) is not before
        assert signal.getsignal(signal.SIGTERM) is before
    finally:
        signal.signal(signal.SIGHUP, ignored)
