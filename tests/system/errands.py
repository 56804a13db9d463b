"""What child processes do for their tests, in a module that they import in no time."""

import os
import socket
import sys
import time
from pathlib import Path

from pixelplan.system.child_process import framed, receive

FOREVER_SECONDS = 3_600.0


def echo(channel: socket.socket, *arguments: object) -> None:
    """Send back the arguments, and then every message."""
    channel.sendall(framed(arguments))
    while True:
        channel.sendall(framed(receive(channel)))


def describe(channel: socket.socket) -> None:
    """Tell what the child is and has."""
    # The list itself is read through a descriptor, which is closed by then.
    entries = [entry for entry in Path("/proc/self/fd").iterdir() if entry.exists()]
    description = {
        "niceness": os.nice(0),
        "session": os.getsid(0),
        "group": os.getpgrp(),
        "descriptors": {int(entry.name) for entry in entries} - {channel.fileno()},
        "input": sys.stdin.read(),
    }
    channel.sendall(framed(description))


def read_descriptor(channel: socket.socket, descriptor: int) -> None:
    channel.sendall(framed(os.read(descriptor, 100)))


def ignore_channel(channel: socket.socket) -> None:
    """Do not look at the channel any more, once the parent knows that this has begun."""
    channel.sendall(framed("deaf"))
    time.sleep(FOREVER_SECONDS)
