from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from functools import cache
from pathlib import Path

import duckdb
import minari  # type: ignore[import-untyped]
import pytest

from pixelplan.cli import run
from pixelplan.experiments.playing import play_to_files
from pixelplan.play.run_folder import Files, RunFolderWriter
from pixelplan.play.settings import EpisodeSettings

ID = "atari/breakout-v0"
ROOT = Path(__file__).parent.parent.parent


@cache
def played(game: str, seed: int) -> Files:
    settings = EpisodeSettings(
        game=game, seed=seed, calls=2, decisions=3 + seed, noops=0, features="ram-bytes"
    )
    return play_to_files(settings)


def write(folder: Path, game: str = "breakout", seed: int = 0) -> Path:
    with RunFolderWriter(folder) as writer:
        writer.write_files(played(game, seed))
    return folder


def export(folder: Path, dataset_id: str = ID, *arguments: str) -> int:
    return run(["export", str(folder), "--minari", dataset_id, "--observations", "ram", *arguments])


def steps(dataset_id: str = ID) -> list[int]:
    return [len(episode) for episode in minari.load_dataset(dataset_id)]


@pytest.fixture(autouse=True)
def datasets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "datasets"))
    return tmp_path / "datasets"


@pytest.fixture
def sweep(tmp_path: Path) -> Path:
    """The folder of a sweep that was killed once, and whose spec was changed once."""
    folder = tmp_path / "sweep"
    for column in ("iw", "ras"):
        write(folder / "runs" / column / "breakout-1")
        write(folder / "runs" / column / "pong-1", "pong")
    write(folder / "runs" / "ras" / "breakout-2", seed=1)
    write(folder / "runs" / "ras" / ".breakout-3.abcdefgh", seed=2)
    write(folder / "set-aside" / "ras" / "breakout-4-123", seed=2)
    return folder


def test_there_is_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leaving:
        run(["export", "--help"])
    assert leaving.value.code == 0
    assert "--minari ID" in capsys.readouterr().out


def test_one_run_folder_is_a_dataset(
    tmp_path: Path, datasets: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write(tmp_path / "run")
    assert run(["export", str(folder), "--minari", ID]) == 0
    output = capsys.readouterr()
    assert output.out == f"dataset: {datasets / ID}\nepisodes: 1, steps: 3\n"
    assert output.err == ""
    dataset = minari.load_dataset(ID)
    assert dataset.observation_space.shape == (210, 160, 3)
    assert [metadata["run"] for metadata in dataset.storage.get_episode_metadata([0])] == ["run"]


def test_a_sweep_is_exported_game_by_game(sweep: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert export(sweep) == 2
    assert "here are breakout, pong: choose with --game" in capsys.readouterr().err
    assert export(sweep, ID, "--game", "ALE/Breakout-v5") == 0
    assert steps() == [3, 3, 4]
    names = [told["run"] for told in minari.load_dataset(ID).storage.get_episode_metadata(range(3))]
    runs = ["iw/breakout-1", "ras/breakout-1", "ras/breakout-2"]
    assert names == [f"sweep/runs/{name}" for name in runs]
    assert export(sweep / "runs" / "ras", "atari/pong-v0", "--game", "pong") == 0
    assert steps("atari/pong-v0") == [3]
    assert export(sweep, "atari/alien-v0", "--game", "alien") == 2
    assert "there is no alien in" in capsys.readouterr().err


def no_decisions(folder: Path) -> None:
    (folder / "decisions.parquet").unlink()


def no_run(folder: Path) -> None:
    (folder / "run.json").unlink()


def no_values(folder: Path) -> None:
    file = folder / "decisions.parquet"
    duckdb.sql(f"CREATE OR REPLACE TEMP TABLE decisions AS SELECT action, reward FROM '{file}'")
    duckdb.sql(f"COPY decisions TO '{file}'")


@pytest.mark.parametrize("damage", [no_decisions, no_run, no_values])
def test_damaged_run_folders_are_named_and_left_out(
    damage: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert callable(damage)
    damaged = write(tmp_path / "runs" / "b")
    damage(damaged)
    assert export(tmp_path / "runs") == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith(f"left out: {damaged} ")
    assert "there is no complete run folder in" in second
    write(tmp_path / "runs" / "a")
    write(tmp_path / "runs" / "c", seed=1)
    assert export(tmp_path / "runs") == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"left out: {damaged} ")
    assert steps() == [3, 4]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere", "--minari", ID], "there is no complete run folder in nowhere"),
        (["nowhere"], "--minari"),
        (["nowhere", "--minari", "breakout"], "looks like atari/breakout-v0, and not like 'breakout'"),
        (["nowhere", "--minari", ID, "--game", "brekout"], "did you mean breakout?"),
        (["nowhere", "--minari", ID, "--observations", "sound"], "--observations"),
    ],
)
def test_wrong_input_is_told_in_a_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["export", *arguments]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.count("\n") == 1
    assert message in output.err


def test_a_dataset_that_exists_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert export(write(tmp_path / "one")) == 0
    assert export(write(tmp_path / "two", seed=1)) == 2
    assert "exists already: choose another version" in capsys.readouterr().err
    assert steps() == [3]


def lengthen(folder: Path) -> None:
    """Make a record of many no-op actions, which score nothing in Breakout."""
    decisions = 100_000
    record = json.loads((folder / "run.json").read_text())
    record["settings"]["max_frames"] = 15 * decisions
    record["result"] |= {"decisions": decisions, "score": 0}
    (folder / "run.json").write_text(json.dumps(record))
    file = folder / "decisions.parquet"
    duckdb.sql(f"CREATE OR REPLACE TEMP TABLE played AS SELECT * FROM '{file}' WHERE decision = 0")
    columns = "played.* REPLACE (number AS decision, 0 AS action, 0 AS reward)"
    duckdb.sql(f"COPY (SELECT {columns} FROM played, range({decisions}) numbers(number)) TO '{file}'")


@pytest.mark.parametrize(
    "signal_number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)]
)
def test_an_interrupted_export_leaves_nothing(
    signal_number: signal.Signals, tmp_path: Path, datasets: Path
) -> None:
    folder = write(tmp_path / "long")
    lengthen(folder)
    command = [sys.executable, "-m", "pixelplan", "export", str(folder), "--minari", ID]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        while not list(datasets.glob(".*/data/main_data.hdf5")):
            assert process.poll() is None
            time.sleep(0.01)
        for _ in range(3):
            process.send_signal(signal_number)
            time.sleep(0.02)
        _, errors = process.communicate(timeout=30)
    assert (process.returncode, errors) == (130, "interrupted\n")
    assert list(datasets.iterdir()) == []


def test_the_documented_example_runs(tmp_path: Path) -> None:
    assert run(["export", str(write(tmp_path / "run")), "--minari", ID]) == 0
    document = (ROOT / "docs" / "offline-data.md").read_text()
    (example,) = re.findall(r"```python\n(.*?)```", document, re.DOTALL)
    output = subprocess.run(
        [sys.executable, "-c", example], check=True, capture_output=True, text=True, env=os.environ
    )
    assert "3 decisions" in output.stdout
