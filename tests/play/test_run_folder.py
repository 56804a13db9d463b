from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest

from pixelplan.errors import InputError
from pixelplan.planning.settings import PRESETS
from pixelplan.play.episode import EpisodeResult, EpisodeSettings, play_episode
from pixelplan.play.replay import replay_episode
from pixelplan.play.run_folder import RunFolderWriter, read_run


@pytest.fixture(scope="module", params=["ras", "iw"])
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
    assert run.decisions["action"].tolist() == [played.decision.action for played in result.played]
    assert sorted(path.name for path in folder.iterdir()) == [
        "decisions.parquet",
        "nodes.parquet",
        "run.json",
    ]
    assert [path.name for path in folder.parent.iterdir()] == ["one"]


def test_the_decisions_say_what_the_lookaheads_did(folder: Path, result: EpisodeResult) -> None:
    decisions = read_run(folder).decisions
    traces = [played.decision.trace for played in result.played]
    for case in range(1, 5):
        assert decisions[f"case_{case}"].tolist() == [trace.cases[case] for trace in traces]
    assert decisions["ending"].tolist() == [trace.ending.value for trace in traces]
    assert decisions["simulator_calls"].tolist() == [trace.simulator_calls for trace in traces]
    assert decisions["seconds"].tolist() == [trace.seconds for trace in traces]


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


def test_a_replay_is_exact(folder: Path, result: EpisodeResult) -> None:
    episode = replay_episode(read_run(folder))
    assert (episode.score, episode.frames) == (result.score, result.frames)


def test_a_folder_may_have_any_name(result: EpisodeResult, tmp_path: Path) -> None:
    with RunFolderWriter(tmp_path / "run [1]*") as writer:
        writer.write(result)
    assert read_run(tmp_path / "run [1]*").settings == result.settings


def test_a_replay_that_differs_says_where(folder: Path) -> None:
    run = read_run(folder)
    run.decisions["reward"][3] += 1
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
