"""The running game in its process. A busy machine may take its time: nothing here depends on speed."""

import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import av
import numpy as np
import pytest

from pixelplan.play.episode import PlayedDecision, PlayedEpisode
from pixelplan.play.game_process import GameProcess, Inbox, Outbox
from pixelplan.play.realtime import play_in_real_time
from pixelplan.play.running_game import Order, PeriodReport, RunningGame, Taken
from pixelplan.play.settings import EpisodeSettings
from pixelplan.play.summary import summarise
from pixelplan.simulators.atari import NOOP
from pixelplan.system.child_process import framed, receive
from pixelplan.system.cores import usable_cores
from worlds import Clock

FIRE, RIGHT, LEFT = 1, 3, 4
GENEROUS_SECONDS = 60.0


def settings(**changes: object) -> EpisodeSettings:
    defaults = {"game": "breakout", "realtime": True, "noops": 0, "max_frames": 60}
    return EpisodeSettings(**defaults | changes)  # type: ignore[arg-type]


def read_all(game: GameProcess) -> list[PeriodReport]:
    """Read to the final report."""
    reports = [game.next_report()]
    while not reports[-1].is_final:
        reports.append(game.next_report())
    return reports


def process_id(game: GameProcess) -> int:
    return game._process.process_id


def is_running(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    return True


def check_reports(reports: list[PeriodReport], settings: EpisodeSettings) -> None:
    """None is missing, and each says how the game stands after the actions before it."""
    episode = PlayedEpisode(settings)
    frame_seconds: list[float] = []
    for period, report in enumerate(reports):
        assert report.period == period
        assert (report.frames, report.score) == (episode.frames, episode.score)
        assert report.sighting.state == episode.game.clone()
        assert np.array_equal(report.sighting.screen(), episode.game.screen())
        assert report.is_final == episode.is_over() == (period == len(reports) - 1)
        frame_seconds += report.frame_seconds
        episode.play(report.taken.action)
    assert len(frame_seconds) == episode.frames
    assert frame_seconds == sorted(frame_seconds)
    assert all(seconds >= frame / 60 for frame, seconds in enumerate(frame_seconds)), "none before its tick"


def test_the_reports_of_a_game() -> None:
    """The order for its start says all that it plays."""
    with GameProcess(settings(noops=9, seed=1)) as game:
        game.put(Order(0, (FIRE, RIGHT, LEFT)))
        reports = read_all(game)
        with pytest.raises(ChildProcessError):
            game.next_report()
    taken = [(FIRE, False), (RIGHT, True), (LEFT, True), (NOOP, True), (NOOP, False)]
    assert [report.taken for report in reports] == taken
    check_reports(reports, settings(noops=9, seed=1))


@pytest.mark.slow
def test_the_first_order_starts_the_game() -> None:
    """However late it comes: nobody is late before."""
    with GameProcess(settings(max_frames=15)) as game:
        assert select.select([game._process.channel], [], [], 1.5)[0] == []
        game.put(Order(0, (FIRE,)))
        reports = read_all(game)
    assert reports[0].taken == Taken(FIRE, is_late=False)
    check_reports(reports, settings(max_frames=15))


def test_an_order_for_each_period() -> None:
    """Each is put as soon as there is a report; whether it comes in time depends on the machine."""
    with GameProcess(settings(max_frames=50)) as game:
        reports: list[PeriodReport] = []
        while not reports or not reports[-1].is_final:
            game.put(Order(len(reports), (RIGHT if len(reports) % 2 else LEFT,)))
            reports.append(game.next_report())
    check_reports(reports, settings(max_frames=50))
    for report in reports[:-1]:
        assert report.taken in [Taken(RIGHT if report.period % 2 else LEFT, False), Taken(NOOP, True)]
    assert not reports[0].taken.is_late, "the first order starts the game"


@pytest.mark.slow
def test_a_player_that_reads_nothing_loses_nothing() -> None:
    """More reports than the channel holds wait for it."""
    long = settings(max_frames=60, frameskip=2)
    with GameProcess(long) as game:
        game.put(Order(0, (FIRE,)))
        time.sleep(1.5)
        reports = read_all(game)
    assert len(reports) == 31
    check_reports(reports, long)


@pytest.fixture
def channel() -> Iterator[tuple[socket.socket, socket.socket]]:
    """Yield both ends of a channel."""
    here, there = socket.socketpair()
    with here, there:
        yield here, there


def test_an_outbox_does_not_wait_for_its_reader(channel: tuple[socket.socket, socket.socket]) -> None:
    """However much is in it; all of it arrives, in order."""
    clock = Clock()
    game = RunningGame(settings(frameskip=1), clock, clock.advance)
    reports = list(game.run(lambda: Order(0, (FIRE,))))
    here, there = channel
    outbox = Outbox(here)

    def add_all() -> None:
        for report in reports:
            outbox.add(report)
            outbox.flush_for(0.0)

    adding = threading.Thread(target=add_all, daemon=True)
    adding.start()
    adding.join(GENEROUS_SECONDS)
    assert not adding.is_alive()
    assert sum(len(framed(report)) for report in reports) > 1_000_000, "this is more than a channel holds"

    def flush_all() -> None:
        # The end of the channel would tell that something is missing.
        with here:
            outbox.flush_all()

    flushing = threading.Thread(target=flush_all, daemon=True)
    flushing.start()
    assert [receive(there) for _ in reports] == reports
    flushing.join(GENEROUS_SECONDS)
    assert not flushing.is_alive()


def test_the_inbox_holds_the_newest_order(channel: tuple[socket.socket, socket.socket]) -> None:
    here, there = channel
    inbox = Inbox(here)
    there.sendall(framed(Order(0, (FIRE,))))
    inbox.wait()
    assert inbox.newest() == inbox.newest() == Order(0, (FIRE,))
    for period in (1, 2, 3):
        there.sendall(framed(Order(period, (LEFT, RIGHT))))
    assert inbox.newest() == inbox.newest() == Order(3, (LEFT, RIGHT))
    there.close()
    with pytest.raises(EOFError):
        inbox.newest()


@pytest.mark.parametrize("is_begun", [False, True])
def test_a_game_that_dies_is_told_of(is_begun: bool) -> None:
    """Reports that were sent before may be read first."""
    with GameProcess(settings(max_frames=18_000)) as game:
        if is_begun:
            game.put(Order(0, (FIRE,)))
            assert game.next_report().period == 0
        os.kill(process_id(game), signal.SIGKILL)
        with pytest.raises(ChildProcessError, match="the process of the played game has ended"):
            read_all(game)
        # The player may be about to say something.
        game.put(Order(1, (FIRE,)))
        with pytest.raises(ChildProcessError):
            game.next_report()


@pytest.mark.parametrize("frameskip", [15, 18_000])
@pytest.mark.parametrize("is_begun", [False, True])
def test_a_game_ends_with_its_player(is_begun: bool, frameskip: int) -> None:
    """Even in the middle of a period of five minutes."""
    with GameProcess(settings(max_frames=18_000, frameskip=frameskip)) as game:
        if is_begun:
            game.put(Order(0, (FIRE,)))
            assert game.next_report().frames == 0
        assert is_running(process_id(game))
    assert not is_running(process_id(game))


def test_a_game_ends_when_its_player_fails() -> None:
    processes = []

    def fail() -> None:
        with GameProcess(settings(max_frames=18_000)) as game:
            processes.append(process_id(game))
            game.put(Order(0, (FIRE,)))
            raise OSError("the planner is gone")

    with pytest.raises(OSError, match="the planner is gone"):
        fail()
    assert not is_running(processes[0])


def test_an_episode_in_real_time() -> None:
    """What is told of it is what comes of its actions."""
    shown: list[PlayedDecision] = []
    result = play_in_real_time(settings(max_frames=70), on_decision=shown.append, traces_nodes=True)
    episode = PlayedEpisode(result.settings)
    assert [played.reward for played in result.played] == [
        episode.play(played.action) for played in result.played
    ]
    assert (result.score, result.frames) == (episode.score, episode.frames)
    assert result.frames == len(result.frame_seconds) == 70
    assert shown == list(result.played)
    summary = summarise(result)
    assert summary["mispredicted"] == 0
    assert summary["late"] == sum(played.is_late for played in result.played)
    for played in result.played:
        assert played.is_late or played.action == played.decision.action
        assert played.decision.trace.visits is not None


def test_an_interrupted_episode_in_real_time() -> None:
    """Ctrl-C comes when the first action has been played."""

    def interrupt(_: PlayedDecision) -> None:
        raise KeyboardInterrupt

    result = play_in_real_time(settings(calls=2, max_frames=18_000), on_decision=interrupt)
    assert result.is_interrupted
    assert [played.frames for played in result.played] == [15]
    assert len(result.frame_seconds) == 15


def test_a_game_that_is_over_before_it_begins() -> None:
    """The process is ended though it was never told to start."""
    result = play_in_real_time(settings(game="assault", noops=400, seed=1))
    assert result.played == ()
    assert result.frames == 0


def pixelplan(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "pixelplan", *arguments]


@pytest.mark.slow
def test_the_command_line_plays_in_real_time(tmp_path: Path) -> None:
    out, video = tmp_path / "run", tmp_path / "game.mp4"
    length = ["--max-frames", "60", "--noops", "0"]
    arguments = ["--realtime", *length, "--json", "--video", str(video), "--out", str(out)]
    playing = subprocess.run(pixelplan("play", "pong", *arguments), capture_output=True, text=True)
    assert (playing.returncode, playing.stderr) == (0, "")
    summary = json.loads(playing.stdout)
    assert (summary["frames"], summary["decisions"], summary["interrupted"]) == (60, 4, False)
    assert 0 <= summary["late"] < 4, "the first one never is"
    assert summary["mispredicted"] == 0
    assert summary["settings"]["workers"] == usable_cores()
    with av.open(str(video)) as container:
        assert sum(1 for _ in container.decode(video=0)) == 1 + 60
    replaying = subprocess.run(pixelplan("replay", str(out)), capture_output=True, text=True)
    assert (replaying.returncode, replaying.stderr) == (0, "")
    assert replaying.stdout == f"pong: score {summary['score']} in 60 frames, as recorded\n"


def children(process_id: int) -> list[int]:
    """Return the processes that a process has started."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            # The name, in parentheses, may hold anything.
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            continue
        if parent == process_id:
            found.append(int(stat.parent.name))
    return found


def test_a_game_that_dies_gets_one_line(tmp_path: Path) -> None:
    """And leaves nothing behind."""
    files = ["--video", str(tmp_path / "game.mp4"), "--out", str(tmp_path / "run")]
    playing = subprocess.Popen(
        pixelplan("play", "pong", "--realtime", "--workers", "0", "--noops", "0", *files),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not (found := children(playing.pid)):
        assert playing.poll() is None
        time.sleep(0.1)
    (game,) = found
    os.kill(game, signal.SIGKILL)
    output, errors = playing.communicate(timeout=GENEROUS_SECONDS)
    assert playing.returncode == 2
    assert output == ""
    assert errors == "pixelplan: the process of the played game has ended (see pixelplan play --help)\n"
    assert list(tmp_path.iterdir()) == []
