"""The engines with real processes. Ray takes seconds to start, so its tests are slow ones."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from sweeping import Listener, make, play_once

from pixelplan.errors import InputError
from pixelplan.experiments.engines.local import LocalEngine
from pixelplan.experiments.engines.ray import FOLDER_PREFIX, RayEngine
from pixelplan.experiments.folder import ExperimentFolder, read_results
from pixelplan.experiments.sweep import Sweep, locked

if TYPE_CHECKING:
    from collections.abc import Callable

    from pixelplan.experiments.engines.engine import Ended, Engine
    from pixelplan.experiments.spec import Episode
    from pixelplan.play.run_folder import Files

SHORT = make().episodes[0]
LONG = make(settings={}, columns={"long": {"calls": 500}}).episodes[0]
"""Would take a quarter of an hour."""

MAKERS: dict[str, Callable[[], Engine]] = {"local": lambda: LocalEngine(2), "ray": lambda: RayEngine(cores=2)}
PLAYERS = {"local": "pixelplan.system.child_process", "ray": "ray::play_to_files"}
"""How the processes that play show up in the list of processes."""

engines = pytest.mark.parametrize("kind", ["local", pytest.param("ray", marks=pytest.mark.slow)])


def wait(engine: Engine) -> Ended:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        if (ended := engine.wait(1.0)) is not None:
            return ended
    raise AssertionError("nothing has ended")


def the_same(files: Files | None) -> tuple[Any, ...]:
    """Return what must be the same wherever an episode is played."""
    assert files is not None
    run = msgspec.json.decode(files["run.json"])
    return (run["settings"], run["result"], run["versions"], sorted(files))


def find_players(kind: str) -> list[int]:
    """Return the processes below this one that play."""
    columns = ["ps", "-wweo", "pid,ppid,args"]
    table = subprocess.run(columns, capture_output=True, text=True, check=True).stdout
    rows = [line.split(maxsplit=2) for line in table.splitlines()[1:]]
    below = {str(os.getpid())}
    for _ in range(5):
        below |= {child for child, parent, _ in rows if parent in below}
    return [int(child) for child, _, arguments in rows if child in below and PLAYERS[kind] in arguments]


def wait_for_player(kind: str) -> int:
    deadline = time.monotonic() + 60
    while not (players := find_players(kind)):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    return players[0]


@engines
def test_an_episode_is_the_same_wherever_it_is_played(kind: str) -> None:
    episodes = make().episodes
    with MAKERS[kind]() as engine:
        assert engine.cores() == 2
        for episode in episodes:
            engine.start(episode)
        ended = [wait(engine) for _ in episodes]
    assert {end.episode.name for end in ended} == {episode.name for episode in episodes}
    for end in ended:
        assert the_same(end.files) == the_same(play_once(end.episode.settings))


@engines
def test_an_error_is_told_and_the_engine_goes_on(kind: str) -> None:
    wrong = replace(SHORT, settings=replace(SHORT.settings, game="carnival"))
    with MAKERS[kind]() as engine:
        engine.start(wrong)
        ended = wait(engine)
        assert ended.files is None
        assert ended.error.startswith("InputError: carnival has a screen of 214 lines")
        engine.start(SHORT)
        assert wait(engine).files is not None


@engines
def test_a_killed_player_costs_its_episode_only(kind: str) -> None:
    with MAKERS[kind]() as engine:
        engine.start(LONG)
        player = wait_for_player(kind)
        engine.start(SHORT)
        os.kill(player, signal.SIGKILL)
        ended = {end.episode.name: end for end in (wait(engine), wait(engine))}
    assert ended[LONG.name].files is None
    assert "died" in ended[LONG.name].error
    assert ended[SHORT.name].files is not None


@engines
def test_an_idle_player_that_was_killed_is_replaced(kind: str) -> None:
    with MAKERS[kind]() as engine:
        engine.start(SHORT)
        assert wait(engine).files is not None
        for player in find_players(kind):
            os.kill(player, signal.SIGKILL)
        engine.start(SHORT)
        ended = wait(engine)
        if ended.files is None:
            assert "died" in ended.error
            engine.start(SHORT)
            ended = wait(engine)
        assert ended.files is not None


@pytest.mark.slow
def test_an_episode_with_more_workers_than_cores_is_played_by_ray_too() -> None:
    episode = make(settings={"decisions": 1, "noops": 0, "workers": 3}).episodes[0]
    with RayEngine(cores=2) as engine:
        engine.start(episode)
        assert wait(engine).files is not None


@pytest.mark.slow
@engines
def test_a_sweep_plays_the_episode_of_a_killed_player_again(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listener = Listener()
    settings = {"decisions": 10, "noops": 0}
    experiment = make(settings=settings, games=["pong"], columns={"ras": {"calls": 100}})
    folder = ExperimentFolder(tmp_path)
    with locked(folder), MAKERS[kind]() as engine:
        start = engine.start

        def start_and_kill(episode: Episode) -> None:
            monkeypatch.setattr(engine, "start", start)
            start(episode)
            os.kill(wait_for_player(kind), signal.SIGKILL)

        monkeypatch.setattr(engine, "start", start_and_kill)
        sweep = Sweep(experiment, folder, listener)
        sweep.accept(may_set_aside=False)
        sweep.play(engine)
    assert sweep.failed == []
    assert len(listener.lines) == 1
    assert "failed" in listener.lines[0]
    assert "died" in listener.lines[0]
    assert read_results(tmp_path).missing == ()


@engines
def test_nothing_is_left_when_an_engine_is_left_early(kind: str) -> None:
    with MAKERS[kind]() as engine:
        engine.start(LONG)
        wait_for_player(kind)
    deadline = time.monotonic() + 10
    while find_players(kind):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert list(Path("/tmp").glob(f"{FOLDER_PREFIX}{os.getpid()}-*")) == []


@pytest.mark.slow
def test_ray_leaves_no_token_and_tells_nobody(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    with RayEngine(cores=1):
        assert os.environ["RAY_USAGE_STATS_ENABLED"] == "0"
        assert os.environ["RAY_AUTH_MODE"] == "disabled"
    assert list(tmp_path.rglob("*token*")) == []


@pytest.mark.slow
def test_an_address_without_a_cluster_is_refused_in_one_line() -> None:
    with pytest.raises(InputError, match="no Ray cluster at"), RayEngine(cores=1, address="127.0.0.1:1"):
        pass
