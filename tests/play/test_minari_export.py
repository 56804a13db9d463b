from __future__ import annotations

import importlib
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import minari  # type: ignore[import-untyped]
import numpy as np
import pytest
from minari.dataset.minari_dataset import parse_dataset_id  # type: ignore[import-untyped]

from pixelplan.errors import InputError
from pixelplan.play import minari_export
from pixelplan.play.episode import play_episode
from pixelplan.play.minari_export import Observations, check_dataset_id, export_runs, read_exportable_run
from pixelplan.play.replay import replay_episode
from pixelplan.play.run_folder import RunFolderWriter
from pixelplan.play.settings import EpisodeSettings

if TYPE_CHECKING:
    from pixelplan.play.recorded_run import Run

ID = "atari/breakout-v0"
QUICK = EpisodeSettings(game="breakout", calls=8, decisions=9, features="ram-bytes")


def record(settings: EpisodeSettings, folder: Path) -> Run:
    with RunFolderWriter(folder) as writer:
        writer.write(play_episode(settings))
    return read_exportable_run(folder)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run]:
    """Two episodes; the first begins without no-op actions, as Gymnasium's do."""
    folder = tmp_path_factory.mktemp("runs")
    settings = {"one": replace(QUICK, noops=0), "two": replace(QUICK, seed=3, decisions=5)}
    return {name: record(settings[name], folder / name) for name in settings}


@pytest.fixture(autouse=True)
def datasets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "datasets"))
    return tmp_path / "datasets"


def test_a_dataset_holds_what_the_run_folders_hold(runs: dict[str, Run], datasets: Path) -> None:
    assert export_runs(runs, ID) == datasets / ID
    dataset = minari.load_dataset(ID)
    assert (dataset.total_episodes, dataset.total_steps) == (2, 14)
    assert dataset.action_space.n == 18
    for episode, run in zip(dataset, runs.values(), strict=True):
        decisions = run.decisions
        assert episode.actions.tolist() == [record.action for record in decisions]
        assert episode.rewards.tolist() == [record.reward for record in decisions]
        assert episode.rewards.dtype == np.float64
        assert episode.observations.shape == (len(episode.actions) + 1, 210, 160, 3)
        assert episode.observations[0] in dataset.observation_space
        for name in ("value", "simulator_calls", "late", "mispredicted"):
            assert episode.infos[name][:-1].tolist() == [getattr(record, name) for record in decisions]
        assert np.isnan(episode.infos["value"][-1])
        for name in ("score", "lives", "frames"):
            assert episode.infos[name][1:].tolist() == [getattr(record, name) for record in decisions]
        assert (episode.infos["frames"][0], episode.infos["lives"][0]) == (0, 5)


def test_an_episode_tells_where_it_comes_from(runs: dict[str, Run]) -> None:
    export_runs(runs, ID, observations="ram")
    dataset = minari.load_dataset(ID)
    assert dataset.storage.metadata["algorithm_name"] == "rollout-iw"
    told = dataset.storage.get_episode_metadata([0, 1])
    for metadata, (name, run) in zip(told, runs.items(), strict=True):
        assert (metadata["run"], metadata["seed"]) == (name, run.settings.seed)
        assert metadata["total_steps"] == run.result["decisions"]
        assert json.loads(metadata["settings"])["calls"] == 8
        assert json.loads(metadata["result"]) == run.result
        assert json.loads(metadata["versions"]) == run.versions


def test_observations_are_what_a_replay_shows(runs: dict[str, Run]) -> None:
    export_runs(runs, ID)
    for episode, run in zip(minari.load_dataset(ID), runs.values(), strict=True):
        shown: list[np.ndarray] = []
        replay_episode(run, lambda game: shown.append(game.game.rgb()))  # noqa: B023
        last = len(shown) - 1
        frames = [last - run.result["frames"] + frame for frame in episode.infos["frames"]]
        assert np.array_equal(episode.observations, [shown[frame] for frame in frames])
        assert not np.array_equal(episode.observations[0], episode.observations[-1])


@pytest.mark.parametrize("observations", ["rgb", "grayscale", "ram"])
def test_the_recovered_environment_gives_the_same_episode(
    observations: Observations, runs: dict[str, Run]
) -> None:
    export_runs(runs, ID, observations=observations)
    dataset = minari.load_dataset(ID)
    environment = dataset.recover_environment()
    assert environment.observation_space == dataset.observation_space
    assert environment.action_space == dataset.action_space
    episode = dataset[0]
    observation, info = environment.reset(seed=1)
    for step, action in enumerate(episode.actions):
        assert np.array_equal(observation, episode.observations[step])
        assert info["lives"] == episode.infos["lives"][step]
        observation, reward, terminated, _, info = environment.step(action)
        assert (reward, terminated) == (episode.rewards[step], episode.terminations[step])
    assert np.array_equal(observation, episode.observations[-1])
    environment.close()


@pytest.mark.parametrize("block", [1, 3, 8])
def test_blocks_do_not_show(block: int, runs: dict[str, Run], monkeypatch: pytest.MonkeyPatch) -> None:
    export_runs(runs, ID, observations="ram")
    monkeypatch.setattr(minari_export, "BLOCK_DECISIONS", block)
    export_runs(runs, "atari/blocks-v0", observations="ram")
    whole, blocks = minari.load_dataset(ID), minari.load_dataset("atari/blocks-v0")
    assert blocks.total_steps == whole.total_steps
    for one, other in zip(whole, blocks, strict=True):
        for name in ("observations", "actions", "rewards", "terminations", "truncations"):
            assert np.array_equal(getattr(one, name), getattr(other, name))
        for name, column in one.infos.items():
            np.testing.assert_array_equal(column, other.infos[name])


def test_a_game_that_is_over_has_terminated(tmp_path: Path) -> None:
    settings = EpisodeSettings(game="kaboom", calls=1, frameskip=400, features="ram-bytes", noops=0)
    export_runs({"over": record(settings, tmp_path / "over")}, "atari/kaboom-v0", observations="ram")
    episode = minari.load_dataset("atari/kaboom-v0")[0]
    assert episode.terminations.tolist() == [False] * (len(episode) - 1) + [True]
    assert not episode.truncations.any()


def test_a_game_that_goes_on_is_truncated(runs: dict[str, Run], tmp_path: Path) -> None:
    limited = record(replace(QUICK, decisions=None, max_frames=40), tmp_path / "limited")
    export_runs({**runs, "limited": limited}, ID, observations="ram")
    for episode in minari.load_dataset(ID):
        assert episode.truncations.tolist() == [False] * (len(episode) - 1) + [True]
        assert not episode.terminations.any()
    assert episode.infos["frames"].tolist() == [0, 15, 30, 40]


def test_screens_are_packed(runs: dict[str, Run]) -> None:
    place = export_runs(runs, ID)
    screens = sum(len(run.decisions) + 1 for run in runs.values())
    assert (place / "data" / "main_data.hdf5").stat().st_size < screens * 210 * 160 * 3 / 10


@pytest.mark.parametrize("dataset_id", ["breakout-v0", ID, "my-lab/atari_2600/ra-s_1-v12"])
def test_ids_of_minari(dataset_id: str, runs: dict[str, Run]) -> None:
    assert parse_dataset_id(dataset_id)
    export_runs(runs, dataset_id, observations="ram")
    assert minari.load_dataset(dataset_id).spec.dataset_id == dataset_id
    assert list(minari.list_local_datasets()) == [dataset_id]


@pytest.mark.parametrize(
    "dataset_id",
    [
        *("", "breakout", "atari/breakout", "breakout-v", "-v0", "/breakout-v0", "../breakout-v0"),
        *("atari//breakout-v0", "a/breakout-v0", "data/breakout-v0", "atari/data/breakout-v0"),
        *("atari/breakout-v0/more-v0", "atari/break out-v0", "atari/breakout-v0\n"),
    ],
)
def test_other_ids_are_refused(dataset_id: str, datasets: Path) -> None:
    with pytest.raises(InputError, match="looks like atari/breakout-v0"):
        check_dataset_id(dataset_id)
    assert not datasets.exists()


def test_a_dataset_is_not_overwritten(runs: dict[str, Run]) -> None:
    export_runs(runs, ID, observations="ram")
    with pytest.raises(InputError, match="exists already"):
        export_runs({"two": runs["two"]}, ID, observations="ram")
    assert minari.load_dataset(ID).total_episodes == 2


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"game": "pong"}, "one game, and here are breakout, pong: choose with --game"),
        ({"frameskip": 5}, "one frameskip, and here are 5, 15"),
        ({"sticky": 0.25}, r"one sticky, and here are 0.0, 0.25"),
    ],
)
def test_episodes_of_different_worlds_are_kept_apart(
    changes: dict[str, object], message: str, runs: dict[str, Run], datasets: Path
) -> None:
    other = replace(runs["two"], settings=replace(runs["two"].settings, **changes))  # type: ignore[arg-type]
    with pytest.raises(InputError, match=message):
        export_runs({"one": runs["one"], "other": other}, ID)
    assert list(datasets.iterdir()) == []


def test_a_replay_that_differs_is_named_and_nothing_is_written(runs: dict[str, Run], datasets: Path) -> None:
    decisions = list(runs["two"].decisions)
    decisions[3] = replace(decisions[3], reward=decisions[3].reward + 1)
    other = replace(runs["two"], decisions=tuple(decisions))
    with pytest.raises(InputError, match=r"^other: .* at decision 3"):
        export_runs({"one": runs["one"], "other": other}, ID, observations="ram")
    assert list(datasets.iterdir()) == []


def test_a_score_that_differs_is_noticed(runs: dict[str, Run], datasets: Path) -> None:
    other = replace(runs["two"], result={**runs["two"].result, "score": -1})
    with pytest.raises(InputError, match="other: the replay ends with score"):
        export_runs({"other": other}, ID, observations="ram")
    assert list(datasets.iterdir()) == []


@pytest.mark.parametrize("seen", [1, 12])
def test_an_interruption_leaves_nothing(seen: int, runs: dict[str, Run], datasets: Path) -> None:
    left = seen

    def interrupt() -> None:
        nonlocal left
        left -= 1
        if left == 0:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export_runs(runs, ID, on_decision=interrupt, observations="ram")
    assert list(datasets.iterdir()) == []
    export_runs(runs, ID, observations="ram")
    assert minari.load_dataset(ID).total_episodes == 2


def test_a_run_without_decisions_cannot_be_exported(tmp_path: Path) -> None:
    result = play_episode(replace(QUICK, decisions=1))
    with RunFolderWriter(tmp_path / "empty") as writer:
        writer.write(replace(result, played=(), score=0))
    with pytest.raises(InputError, match="has no decisions"):
        read_exportable_run(tmp_path / "empty")


def test_without_minari_there_is_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "pixelplan.play.minari_export")
    monkeypatch.setitem(sys.modules, "minari.namespace", None)
    with pytest.raises(InputError, match=r"pip install 'pixelplan\[minari\]'"):
        importlib.import_module("pixelplan.play.minari_export")
