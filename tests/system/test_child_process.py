"""Child processes: what they are handed, how they end, and that they do."""

import importlib
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from emulators import PATIENCE_SECONDS, children
from errands import describe, echo, ignore_channel, read_descriptor
from hypothesis import given
from hypothesis import strategies as st

from pixelplan.system import child_process
from pixelplan.system.child_process import BOOTSTRAP, ChildProcess, framed, receive

ChildMaker = Callable[..., ChildProcess]

messages = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.tuples(inner, inner),
)


@pytest.fixture
def start() -> Iterator[ChildMaker]:
    """Start children, and leave none behind if the test fails."""
    started: list[ChildProcess] = []

    def start(*arguments: Any, **options: Any) -> ChildProcess:  # noqa: ANN401
        started.append(ChildProcess(*arguments, **options))
        return started[-1]

    yield start
    for child in started:
        child.kill()


@given(message=messages)
def test_a_message_arrives_as_it_was_sent(message: object) -> None:
    here, there = socket.socketpair()
    with here, there:
        here.sendall(framed(message) + framed("next"))
        assert receive(there) == message
        assert receive(there) == "next"


def test_a_message_larger_than_the_channel_arrives_in_one_piece() -> None:
    here, there = socket.socketpair()
    message = os.urandom(3_000_000)
    with here, there:
        sender = threading.Thread(target=here.sendall, args=(framed(message),))
        sender.start()
        assert receive(there) == message
        sender.join()


@given(message=messages, cut=st.floats(0, 1, exclude_max=True))
def test_a_message_that_was_cut_off_is_no_message(message: object, cut: float) -> None:
    content = framed(message)
    here, there = socket.socketpair()
    with there:
        with here:
            here.sendall(content[: int(cut * len(content))])
        with pytest.raises(EOFError):
            receive(there)


def test_a_child_gets_its_arguments_and_messages(start: ChildMaker) -> None:
    child = start(echo, "one", {2: [3.0]})
    assert receive(child.channel) == ("one", {2: [3.0]})
    child.channel.sendall(framed("and so on"))
    assert receive(child.channel) == "and so on"


def test_a_child_ends_with_its_channel(start: ChildMaker, capfd: pytest.CaptureFixture[str]) -> None:
    """Of itself, and without a word of complaint."""
    child = start(echo)
    receive(child.channel)
    child.channel.close()
    assert child._process.wait(PATIENCE_SECONDS) == 0
    assert capfd.readouterr() == ("", "")


def test_a_child_ends_although_its_channel_ended_before_it_began(
    start: ChildMaker, capfd: pytest.CaptureFixture[str]
) -> None:
    """Its own interpreter has hardly started by then."""
    child = start(echo)
    child.channel.close()
    assert child._process.wait(PATIENCE_SECONDS) == 0
    assert capfd.readouterr() == ("", "")


def test_to_end_is_to_wait_for_a_child(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child_process, "END_SECONDS", PATIENCE_SECONDS)
    before = children(os.getpid())
    child = ChildProcess(echo)
    receive(child.channel)
    child.end()
    assert child._process.returncode == 0
    assert children(os.getpid()) <= before


def test_to_end_is_to_kill_a_child_that_does_not_end(
    start: ChildMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(child_process, "END_SECONDS", 0.05)
    before = children(os.getpid())
    child = start(ignore_channel)
    assert receive(child.channel) == "deaf"
    child.end()
    assert child._process.returncode == -signal.SIGKILL
    assert children(os.getpid()) <= before


def test_a_killed_child_is_gone_at_once(start: ChildMaker) -> None:
    before = children(os.getpid())
    child = start(ignore_channel)
    child.kill()
    assert children(os.getpid()) <= before
    assert child.channel.fileno() == -1


def test_a_child_finds_what_its_parent_finds(
    start: ChildMaker, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Also modules in folders that only the running parent knows."""
    (tmp_path / "unheard_of.py").write_text("def answer(channel): channel.sendall(b'42')\n")
    monkeypatch.syspath_prepend(tmp_path)
    child = start(importlib.import_module("unheard_of").answer)
    assert child.channel.recv(2) == b"42"


def test_a_child_is_apart_from_its_parent(start: ChildMaker) -> None:
    """Ctrl-C and the end of the terminal go to its parent's group and session; input too."""
    child = start(describe)
    description = receive(child.channel)
    assert description["session"] == description["group"] == child.process_id
    assert description["input"] == ""


@pytest.mark.parametrize("niceness", [0, 3])
def test_a_child_is_as_nice_as_it_is_told_to_be(start: ChildMaker, niceness: int) -> None:
    assert receive(start(describe, niceness=niceness).channel)["niceness"] == min(os.nice(0) + niceness, 19)


def test_a_child_has_no_descriptors_but_those_it_was_handed(start: ChildMaker) -> None:
    """Not the channels of its siblings, which would not end when the parent does."""
    first = start(echo)
    reading, writing = os.pipe()
    for descriptor in (reading, writing):
        os.set_inheritable(descriptor, True)
    try:
        child = start(describe, descriptors=(reading,))
        assert receive(child.channel)["descriptors"] == {0, 1, 2, reading}
        os.write(writing, b"handed over")
        assert receive(start(read_descriptor, reading, descriptors=(reading,)).channel) == b"handed over"
    finally:
        os.close(reading)
        os.close(writing)
    assert receive(first.channel) == ()


def test_a_child_does_not_notice_an_interrupt(start: ChildMaker) -> None:
    """Not even one that someone sends to it directly: its parent will end it."""
    child = start(echo)
    receive(child.channel)
    os.kill(child.process_id, signal.SIGINT)
    child.channel.sendall(framed("still here"))
    assert receive(child.channel) == "still here"


INTERRUPTED = """
import os, signal
from pixelplan.system.child_process import ChildProcess, framed, receive
from errands import echo
# A shell that starts tests in the background has them ignore interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)
child = ChildProcess(echo)
try:
    # The child's interpreter has just begun to start.
    os.killpg(os.getpgrp(), signal.SIGINT)
    signal.pause()
except KeyboardInterrupt:
    pass
receive(child.channel)
child.channel.sendall(framed("the child goes on"))
print(receive(child.channel))
child.end()
"""


def test_an_interrupt_of_the_parents_group_is_for_the_parent_alone() -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-c", INTERRUPTED]
    # A group of its own, so that the signal does not reach this test.
    run = subprocess.run(command, env=environment, capture_output=True, text=True, start_new_session=True)
    assert (run.returncode, run.stdout, run.stderr) == (0, "the child goes on\n", "")


def test_a_child_whose_parent_is_gone_does_nothing() -> None:
    """The parent may die before the child has asked to be told of that."""
    here, there = socket.socketpair()
    with here, there:
        here.sendall(framed((echo, ())))
        here.shutdown(socket.SHUT_WR)
        some_other_process = os.getppid()
        arguments = map(str, (some_other_process, there.fileno(), 0))
        command = [sys.executable, "-c", BOOTSTRAP, *arguments]
        assert subprocess.run(command, pass_fds=[there.fileno()]).returncode == 0
        assert receive(there) == (echo, ()), "the child has not even read what to do"


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_function_that_cannot_be_sent_leaves_no_child() -> None:
    before = children(os.getpid())
    with pytest.raises(AttributeError, match="pickle"):
        ChildProcess(lambda _: None)
    assert children(os.getpid()) <= before
