from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import numpy as np
import numpy.typing as npt
import pytest

from pixelplan.errors import InputError
from pixelplan.planning.case import Case
from pixelplan.planning.settings import PRESETS
from pixelplan.play.episode import EpisodeResult, play_episode
from pixelplan.play.recorded_run import read_backgrounds, read_nodes, read_run
from pixelplan.play.replay import replay_episode
from pixelplan.play.run_folder import RunFolderWriter
from pixelplan.play.settings import EpisodeSettings
from pixelplan.play.trace import VISIT
from pixelplan.simulators.atari import AtariSimulator, AtariState

if TYPE_CHECKING:
    from pixelplan.planning.simulator import Action, Transition
    from pixelplan.simulators.ale import AtariGame


@pytest.fixture(scope="module", params=["ras", "iw", "best"])
def result(request: pytest.FixtureRequest) -> EpisodeResult:
    preset = PRESETS[request.param]
    settings = EpisodeSettings(game="seaquest", calls=30, decisions=10, seed=4, **vars(preset))
    return play_episode(settings, traces_nodes=True)


@pytest.fixture
def folder(result: EpisodeResult, tmp_path: Path) -> Path:
    with RunFolderWriter(tmp_path / "runs" / "one") as writer:
        writer.write(result)
    return tmp_path / "runs" / "one"


def test_a_run_is_read_back_as_it_was_written(folder: Path, result: EpisodeResult) -> None:
    run = read_run(folder)
    assert run.settings == result.settings
    assert run.result["score"] == result.score
    assert [record.action for record in run.decisions] == [played.decision.action for played in result.played]
    assert sorted(path.name for path in folder.iterdir()) == [
        "background.npz",
        "decisions.parquet",
        "nodes.parquet",
        "run.json",
    ]
    assert [path.name for path in folder.parent.iterdir()] == ["one"]


def test_the_decisions_say_what_the_lookaheads_did(folder: Path, result: EpisodeResult) -> None:
    decisions = read_run(folder).decisions
    traces = [played.decision.trace for played in result.played]
    for case in range(1, 5):
        assert [getattr(record, f"case_{case}") for record in decisions] == [
            trace.cases[case] for trace in traces
        ]
    assert [record.dead_ends for record in decisions] == [trace.cases[Case.DEAD_END] for trace in traces]
    assert [record.too_deep for record in decisions] == [trace.cases[Case.TOO_DEEP] for trace in traces]
    assert [record.twins for record in decisions] == [trace.cases[Case.TWIN] for trace in traces]
    assert [record.followed for record in decisions] == [trace.cases[Case.FOLLOWED] for trace in traces]
    assert [record.ending for record in decisions] == [trace.ending.value for trace in traces]
    assert [record.simulator_calls for record in decisions] == [trace.simulator_calls for trace in traces]
    assert [record.branch for record in decisions] == [played.decision.branch for played in result.played]
    assert [record.chosen for record in decisions] == [record.action for record in decisions]
    assert [record.seconds for record in decisions] == [trace.seconds for trace in traces]


def test_the_nodes_form_a_tree_in_visiting_order(folder: Path) -> None:
    rows = duckdb.execute(
        f"SELECT decision, id, parent, action, reward, depth, \"case\", solved FROM '{folder}/nodes.parquet'"
    ).fetchall()
    depths: dict[int, int] = {}
    decision_of_depths = -1
    for decision, node, parent, _, _, depth, _, _ in rows:
        if decision != decision_of_depths:
            assert (parent, depth) == (-1, 0)
            depths, decision_of_depths = {node: 0}, decision
        else:
            assert depth == depths[parent] + 1
            depths[node] = depth
    assert decision_of_depths == 9


def test_the_nodes_are_read_back_as_they_were_visited(folder: Path, result: EpisodeResult) -> None:
    for rows, played in zip(read_nodes(folder), result.played, strict=True):
        visits = played.decision.trace.visits
        assert visits is not None
        assert np.array_equal(rows, visits)
    assert {1, 2} <= set(np.concatenate(read_nodes(folder))["case"].tolist())


def test_the_lives_of_a_root_are_those_of_the_game(folder: Path) -> None:
    lives = [int(rows["lives"][0]) for rows in read_nodes(folder)]
    assert lives[1:] == [record.lives for record in read_run(folder).decisions][:-1]
    assert lives[0] > 0


def rewrite_nodes(folder: Path, query: str) -> None:
    duckdb.execute(f"CREATE OR REPLACE TABLE nodes AS FROM '{folder}/nodes.parquet'")
    duckdb.execute(f"COPY ({query}) TO '{folder}/nodes.parquet'")


def test_nodes_of_a_version_without_lives_are_read(folder: Path) -> None:
    before = read_nodes(folder)
    rewrite_nodes(folder, "SELECT * EXCLUDE lives FROM nodes")
    for old, new in zip(before, read_nodes(folder), strict=True):
        assert (new["lives"] == -1).all()
        assert all(np.array_equal(old[name], new[name]) for name in VISIT.names or () if name != "lives")


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("SELECT * FROM nodes WHERE decision < 9", "the nodes of decision 9 are no tree"),
        ("SELECT * REPLACE (decision + 1 AS decision) FROM nodes", "does not have the decisions"),
        ("SELECT * FROM nodes WHERE decision <> 4 OR parent <> -1", "the nodes of decision 4 are no tree"),
        ("SELECT * EXCLUDE parent FROM nodes", "parent"),
        (
            "SELECT * REPLACE ('up' AS action) FROM nodes",
            "column action: whole numbers expected, not VARCHAR",
        ),
    ],
)
def test_nodes_that_do_not_fit_are_refused(folder: Path, query: str, message: str) -> None:
    rewrite_nodes(folder, query)
    with pytest.raises(InputError, match=f"has no sound nodes.parquet: .*{message}"):
        read_nodes(folder)


def test_a_folder_without_nodes_is_told(folder: Path) -> None:
    (folder / "nodes.parquet").unlink()
    with pytest.raises(InputError, match=r"has no nodes\.parquet: play with --trace"):
        read_nodes(folder)


class WatchedSimulator(AtariSimulator):
    """Notes the background of each call, by decision."""

    def __init__(self, game: AtariGame, features: str) -> None:
        self.seen: list[list[npt.NDArray[np.uint8]]] = []
        super().__init__(game, features=features)

    def start_decision(self) -> None:
        super().start_decision()
        self.seen.append([])

    def transition(self, state: AtariState, action: Action) -> Transition:
        self.seen[-1].append(self._background.colours.copy())
        return super().transition(state, action)


def test_each_decision_has_its_background(tmp_path: Path) -> None:
    simulators: list[WatchedSimulator] = []

    def make(settings: EpisodeSettings, game: AtariGame) -> AtariSimulator:
        simulators.append(WatchedSimulator(game, settings.features))
        return simulators[0]

    settings = EpisodeSettings(game="seaquest", calls=30, decisions=8, seed=4)
    with RunFolderWriter(tmp_path / "one") as writer:
        writer.write(play_episode(settings, traces_nodes=True, make_simulator=make))
    backgrounds = read_backgrounds(tmp_path / "one")
    assert len(simulators[0].seen) == 8
    for decision, seen in enumerate(simulators[0].seen):
        background = backgrounds.at(decision)
        assert background is not None
        assert all(np.array_equal(colours, background) for colours in seen)
    assert not np.array_equal(simulators[0].seen[0][0], simulators[0].seen[-1][0])


def test_features_without_a_background_have_none(tmp_path: Path) -> None:
    settings = EpisodeSettings(game="seaquest", calls=5, decisions=2, features="ram-bytes")
    with RunFolderWriter(tmp_path / "one") as writer:
        writer.write(play_episode(settings, traces_nodes=True))
    assert read_backgrounds(tmp_path / "one").at(1) is None
    assert len(read_nodes(tmp_path / "one")) == 2


@pytest.mark.parametrize("content", [b"", b"PK", b"no archive"])
def test_a_damaged_background_is_refused(folder: Path, content: bytes) -> None:
    (folder / "background.npz").write_bytes(content)
    with pytest.raises(InputError, match=r"has no sound background\.npz"):
        read_backgrounds(folder)


def test_a_background_of_another_form_is_refused(folder: Path) -> None:
    np.savez_compressed(folder / "background.npz", colours=np.zeros(3), left=np.zeros(3))
    with pytest.raises(InputError, match=r"colours\.npy: an array of \(210, 160\) uint8 expected"):
        read_backgrounds(folder)


def test_a_replay_is_exact(folder: Path, result: EpisodeResult) -> None:
    episode = replay_episode(read_run(folder))
    assert (episode.score, episode.frames) == (result.score, result.frames)


def test_a_folder_may_have_any_name(result: EpisodeResult, tmp_path: Path) -> None:
    with RunFolderWriter(tmp_path / "run [1]*") as writer:
        writer.write(result)
    assert read_run(tmp_path / "run [1]*").settings == result.settings


def test_a_replay_that_differs_says_where(folder: Path) -> None:
    run = read_run(folder)
    decisions = list(run.decisions)
    decisions[3] = replace(decisions[3], reward=decisions[3].reward + 1)
    run = replace(run, decisions=tuple(decisions))
    with pytest.raises(InputError, match="at decision 3"):
        replay_episode(run)


def test_nothing_is_left_of_a_run_that_was_not_finished(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), RunFolderWriter(tmp_path / "one"):
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []


def test_a_folder_in_use_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("mine")
    with pytest.raises(FileExistsError):
        RunFolderWriter(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["notes"]


def corrupt_json(folder: Path) -> None:
    (folder / "run.json").write_text("{")


def unknown_setting(folder: Path) -> None:
    run = json.loads((folder / "run.json").read_text())
    run["settings"]["seconds"] = "soon"
    (folder / "run.json").write_text(json.dumps(run))


def missing_result(folder: Path) -> None:
    run = json.loads((folder / "run.json").read_text())
    del run["result"]
    (folder / "run.json").write_text(json.dumps(run))


def missing_score(folder: Path) -> None:
    run = json.loads((folder / "run.json").read_text())
    del run["result"]["score"]
    (folder / "run.json").write_text(json.dumps(run))


def fractional_actions(folder: Path) -> None:
    file = folder / "decisions.parquet"
    duckdb.execute(
        f"CREATE OR REPLACE TABLE decisions AS SELECT action + 0.5 AS action, reward FROM '{file}'"
    )
    duckdb.execute(f"COPY decisions TO '{file}'")


def missing_decisions(folder: Path) -> None:
    (folder / "decisions.parquet").unlink()


def cut_decisions(folder: Path) -> None:
    content = (folder / "decisions.parquet").read_bytes()
    (folder / "decisions.parquet").write_bytes(content[: len(content) // 2])


def other_decisions(folder: Path) -> None:
    duckdb.execute(f"COPY (SELECT 1 AS action, 2 AS reward) TO '{folder}/decisions.parquet'")


@pytest.mark.parametrize(
    "damage",
    [
        *(corrupt_json, unknown_setting, missing_result, missing_score, fractional_actions),
        *(missing_decisions, cut_decisions, other_decisions),
    ],
)
def test_a_damaged_folder_is_refused(folder: Path, damage: object) -> None:
    assert callable(damage)
    damage(folder)
    with pytest.raises(InputError, match="is not a complete run folder"):
        read_run(folder)
