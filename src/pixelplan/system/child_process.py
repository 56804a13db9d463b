"""Processes that end with the one that started them, and a channel to each.

Each child is a new Python interpreter, not a fork. It shares nothing with its parent but the arguments that
it is handed. It ends when its channel does. A child that is too busy to look ends when its parent dies.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import pickle
import signal
import socket
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from pixelplan.system.streams import above_standard

if TYPE_CHECKING:
    from collections.abc import Callable

PR_SET_PDEATHSIG = 1
BOOTSTRAP = "from pixelplan.system.child_process import main; main()"
LENGTH_BYTES = 8
END_SECONDS = 1.0
"""Seconds that a child may take to end by itself."""


class ChildProcess:
    """A child that runs one function. Its arguments are its end of the channel, then those handed over."""

    def __init__(
        self,
        function: Callable[..., None],
        *arguments: object,
        descriptors: tuple[int, ...] = (),
        niceness: int = 0,
    ) -> None:
        message = framed((function, arguments))
        self.channel, childs_end = map(_above_standard, socket.socketpair())
        with childs_end:
            self._process = subprocess.Popen(
                # -P: nothing is imported from the folder in which this was started.
                [
                    sys.executable,
                    "-P",
                    "-c",
                    BOOTSTRAP,
                    *map(str, (os.getpid(), childs_end.fileno(), niceness)),
                ],
                pass_fds=(childs_end.fileno(), *descriptors),
                stdin=subprocess.DEVNULL,
                # Ctrl-C is for the parent, which then ends its children.
                start_new_session=True,
                env=os.environ
                | {
                    "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
                    # NumPy's threads for linear algebra would only cost time.
                    "OPENBLAS_NUM_THREADS": "1",
                },
            )
        # If the child has ended already, the end of the channel will tell.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self.channel.sendall(message)

    @property
    def process_id(self) -> int:
        """Its process id."""
        return self._process.pid

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()
        self._process.wait()
        self.channel.close()

    def end(self) -> None:
        """Let it end by itself, or kill it if it does not."""
        self.channel.close()
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()


def _above_standard(end: socket.socket) -> socket.socket:
    """Return a socket whose number is none of a standard stream, which the child has anew."""
    return socket.socket(fileno=above_standard(end.detach()))


def main() -> None:
    """Run the parent's function, in the child."""
    parent, descriptor, niceness = map(int, sys.argv[1:])
    os.nice(niceness)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        return
    with socket.socket(fileno=descriptor) as channel:
        try:
            function, arguments = receive(channel)
            function(channel, *arguments)
        except (EOFError, BrokenPipeError, ConnectionResetError):
            # The parent wants no more.
            return


def framed(message: object) -> bytes:
    """Return a message as it goes through a channel: its length, and the message pickled."""
    content = pickle.dumps(message)
    return len(content).to_bytes(LENGTH_BYTES) + content


def receive(channel: socket.socket) -> Any:  # noqa: ANN401
    """Wait for a message; EOFError if the channel has ended."""
    return pickle.loads(_receive_bytes(channel, int.from_bytes(_receive_bytes(channel, LENGTH_BYTES))))


def _receive_bytes(channel: socket.socket, size: int) -> bytes:
    content = channel.recv(size, socket.MSG_WAITALL)
    if len(content) < size:
        raise EOFError
    return content
