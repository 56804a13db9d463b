from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from processes import children_of, wait_for_the_end_of
from spectating import Page
from websockets.sync.client import connect
from websockets.typing import Origin

from pixelplan.cli import run
from pixelplan.play.episode import play_episode
from pixelplan.play.run_folder import RunFolderWriter
from pixelplan.play.settings import EpisodeSettings
from pixelplan.viewer.server import open_socket

GENEROUS_SECONDS = 60


def complaint(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Return the one line that wrong input gets."""
    assert run(["watch", "--no-browser", *arguments]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.count("\n") == 1
    return output.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "say which game to play, or which run to --replay"),
        (["pong", "--replay", "."], "but not both"),
        (["pnog"], "did you mean pong?"),
        (["carnival"], "214 lines"),
        (["pong", "--port", "65536"], "cannot listen at 127.0.0.1, port 65536"),
        (["pong", "--port", "-1"], "cannot listen at 127.0.0.1, port -1"),
        (["pong", "--port", "http"], "--port"),
        (["pong", "--host", "192.0.2.1", "--port", "0"], "cannot listen at 192.0.2.1"),
        (["pong", "--calls", "0"], "calls must be at least 1"),
        (["--replay", "nowhere"], "nowhere does not exist"),
    ],
)
def test_wrong_input(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert message in complaint(arguments, capsys)


def test_a_port_that_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    with open_socket("127.0.0.1", 0) as listener:
        port = str(listener.getsockname()[1])
        assert f"port {port}" in complaint(["pong", "--port", port], capsys)


def test_runs_without_traces_and_broken_ones(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = EpisodeSettings(game="pong", calls=5, decisions=1)
    with RunFolderWriter(tmp_path / "one") as writer:
        writer.write(play_episode(settings))
    assert "has no trees: play with --out and --trace" in complaint(["--replay", str(tmp_path)], capsys)
    (tmp_path / "one" / "nodes.parquet").write_bytes(b"nothing")
    assert "has no sound nodes.parquet" in complaint(["--replay", str(tmp_path)], capsys)


@pytest.fixture(
    params=[
        ["pong", "--seconds", "0.1", "--workers", "2"],
        pytest.param(["pong", "--realtime"], marks=pytest.mark.slow),
    ],
    ids=str,
)
def watched(request: pytest.FixtureRequest) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "pixelplan", "watch", *request.param, "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        yield process
        process.kill()


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)])
def test_an_interrupt_ends_it_and_all_its_processes(
    watched: subprocess.Popen[str], number: signal.Signals
) -> None:
    assert watched.stdout is not None
    found = re.fullmatch(r"http://(127\.0\.0\.1:\d+)/\n", watched.stdout.readline())
    assert found is not None
    assert watched.stdout.readline() == "Ctrl-C ends it.\n"
    page = Page()
    with connect(f"ws://{found[1]}/socket", origin=Origin(f"http://{found[1]}"), close_timeout=0.1) as client:
        while "decision" not in page.told:
            page.take(client.recv(GENEROUS_SECONDS))
        children = children_of(watched.pid)
        assert len(children) > 2, "the planner's process and its own"
        watched.send_signal(number)
        rest, errors = watched.communicate(timeout=GENEROUS_SECONDS)
    assert (watched.returncode, rest, errors) == (0, "", "")
    wait_for_the_end_of(children)
