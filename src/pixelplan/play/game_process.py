"""The process of a game that runs in real time, and the player's end of its channel."""

from __future__ import annotations

import contextlib
import select
import socket
import time
from typing import TYPE_CHECKING

from pixelplan.play.running_game import Order, PeriodReport, RunningGame
from pixelplan.system.child_process import ChildProcess, framed, receive

if TYPE_CHECKING:
    from types import TracebackType

    from pixelplan.play.settings import EpisodeSettings


class GameProcess:
    """A game that runs by itself, as its player sees it."""

    def __init__(self, settings: EpisodeSettings) -> None:
        self._process = ChildProcess(run_game, settings)

    def __enter__(self) -> GameProcess:
        """Return the game."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """End the process."""
        self._process.end()

    def put(self, order: Order) -> None:
        """Give an order. The first one starts the game."""
        # The game may have ended meanwhile; its last report says so.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self._process.channel.sendall(framed(order))

    def next_report(self) -> PeriodReport:
        """Wait for the next report."""
        try:
            report: PeriodReport = receive(self._process.channel)
        except (EOFError, ConnectionResetError):
            raise ChildProcessError("the process of the played game has ended") from None
        return report


def run_game(channel: socket.socket, settings: EpisodeSettings) -> None:
    """Run a game, in its own process, from the player's first order on."""
    inbox = Inbox(channel)
    outbox = Outbox(channel)
    game = RunningGame(settings, time.monotonic, outbox.flush_for)
    inbox.wait()
    for report in game.run(inbox.newest):
        outbox.add(report)
    outbox.flush_all()


class Inbox:
    """The newest order that the player has sent."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self._order = Order(0, ())

    def wait(self) -> None:
        """Wait for the first order."""
        select.select([self._channel], [], [])
        self.newest()

    def newest(self) -> Order:
        """Return the newest order that has come so far."""
        while select.select([self._channel], [], [], 0)[0]:
            self._order = receive(self._channel)
        return self._order


class Outbox:
    """Reports on their way to the player. A player that does not read them does not stop the game."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self._bytes = bytearray()

    def add(self, report: PeriodReport) -> None:
        """Send a report as soon as the player takes it."""
        self._bytes += framed(report)
        self._flush()

    def flush_for(self, seconds: float) -> None:
        """Let time pass, until the next tick."""
        self._flush()
        time.sleep(seconds)

    def flush_all(self) -> None:
        """Wait until the player has taken everything."""
        self._channel.sendall(self._bytes)

    def _flush(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while self._bytes:
                sent = self._channel.send(self._bytes, socket.MSG_DONTWAIT)
                del self._bytes[:sent]
