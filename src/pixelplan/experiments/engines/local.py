"""Episodes in processes of this machine."""

from __future__ import annotations

import contextlib
import selectors
from typing import TYPE_CHECKING, Any, Self

from pixelplan.experiments.engines.engine import Ended
from pixelplan.experiments.playing import play_to_files
from pixelplan.system.child_process import ChildProcess, framed, receive

if TYPE_CHECKING:
    import socket
    from types import TracebackType

    from pixelplan.experiments.spec import Episode


class LocalEngine:
    """Child processes, each of which plays one episode after another."""

    def __init__(self, cores: int) -> None:
        self._cores = cores
        self._idle: list[ChildProcess] = []
        self._selector = selectors.DefaultSelector()

    def __enter__(self) -> Self:
        """Return the engine; processes are made when they are needed."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """End all processes."""
        busy = [key.data[0] for key in self._selector.get_map().values()]
        for child in (*busy, *self._idle):
            child.kill()
        self._selector.close()

    def cores(self) -> int:
        """Return the number of cores."""
        return self._cores

    def start(self, episode: Episode) -> None:
        """Begin to play an episode, in an idle process or a new one."""
        child = self._idle.pop() if self._idle else ChildProcess(serve)
        self._selector.register(child.channel, selectors.EVENT_READ, (child, episode))
        # If the child has died meanwhile, the end of its channel will tell.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            child.channel.sendall(framed(episode.settings))

    def wait(self, seconds: float) -> Ended | None:
        """Return an episode that has ended, or None if none has after so many seconds."""
        for key, _ in self._selector.select(seconds):
            child, episode = key.data
            self._selector.unregister(child.channel)
            try:
                ended = Ended(episode=episode, **receive(child.channel))
            except (EOFError, ConnectionResetError):
                child.kill()
                return Ended(episode=episode, error="the process that played it has died")
            self._idle.append(child)
            return ended
        return None


def serve(channel: socket.socket) -> None:
    """Play, in a child, the episodes that come through the channel."""
    while True:
        settings = receive(channel)
        try:
            answer: dict[str, Any] = {"files": play_to_files(settings)}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        channel.sendall(framed(answer))
