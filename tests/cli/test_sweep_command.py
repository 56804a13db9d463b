from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import duckdb
import pytest

from pixelplan.cli import run
from pixelplan.experiments.folder import read_results
from pixelplan.play.recorded_run import read_run

SPEC = """
title = "Small"
games = ["pong", "breakout"]
runs = 2

[settings]
decisions = 2
features = "ram-bytes"
noops = 0

[columns.ras]
calls = 4

[columns.iw]
preset = "iw"
calls = 3
"""
EPISODES = 8


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    path = tmp_path / "spec.toml"
    path.write_text(SPEC)
    return path


def start(*arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "pixelplan", "sweep", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_a_sweep_tells_of_each_episode_and_ends_with_a_line(
    spec: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert run(["sweep", str(spec), "--out", str(out), "--workers", "2"]) == 0
    captured = capsys.readouterr()
    assert captured.out == f"8 of 8 episodes are there: {out}\nreport: pixelplan report {out}\n"
    lines = captured.err.splitlines()
    assert lines[0] == "Small: 8 of 8 episodes to play"
    assert len(lines) == 1 + EPISODES
    assert lines[-1].startswith("8/8  ")
    assert run(["sweep", str(spec), "--out", str(out)]) == 0
    assert capsys.readouterr().err == "Small: 0 of 8 episodes to play\n"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--workers", "0"], "workers must be at least 1"),
        (["--address", "127.0.0.1:6379"], "--address needs --engine ray"),
        (["--engine", "ray", "--address", "127.0.0.1:6379", "--workers", "2"], "leave out --workers"),
        (["--engine", "dask"], "dask"),
        (["--columns", "iw", "rsa"], "unknown column 'rsa': did you mean ras?"),
    ],
)
def test_wrong_arguments_are_refused_before_anything_is_made(
    arguments: list[str], complaint: str, spec: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["sweep", str(spec), "--out", str(tmp_path / "out"), *arguments]) == 2
    message = capsys.readouterr().err
    assert complaint in message
    assert message.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_wrong_spec_is_refused_before_anything_is_made(
    spec: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec.write_text(SPEC.replace("calls = 3", "call = 3"))
    assert run(["sweep", str(spec), "--out", str(tmp_path / "out")]) == 2
    assert "spec.toml: columns.iw: unknown key 'call': did you mean calls?" in capsys.readouterr().err
    assert run(["sweep", str(tmp_path / "no.toml"), "--out", str(tmp_path / "out")]) == 2
    assert "No such file" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("key", ["planner", "features"])
def test_code_that_is_not_there_is_refused_before_anything_is_made(
    key: str, spec: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the columns that are to be played."""
    name = "atoms:no_such_module:f" if key == "features" else "no_such_module:f"
    spec.write_text(f"{SPEC}{key} = '{name}'\n")
    sweep = ["sweep", str(spec), "--out", str(tmp_path / "out")]
    assert run(sweep) == 2
    assert f"spec.toml: columns.iw.{key}: no_such_module:f: ModuleNotFound" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    assert run([*sweep, "--columns", "ras"]) == 0


OWN_PLANNER = Path(__file__).parent.parent / "planning" / "own_planner.py"


@pytest.mark.parametrize("engine", ["local", pytest.param("ray", marks=pytest.mark.slow)])
def test_a_planner_from_outside_plays_a_sweep(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Costs 3 s, most of it for a process that plays; on Ray 15 s."""
    (tmp_path / "mine.py").write_text(OWN_PLANNER.read_text())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    text = SPEC.replace("runs = 2", "").replace('["pong", "breakout"]', '["pong"]')
    Path("spec.toml").write_text(f"{text}planner = 'mine:STRAIGHT_ON'\n")
    process = start("spec.toml", "--out", "out", "--columns", "iw", "--engine", engine)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    played = read_run(tmp_path / "out" / "runs" / "iw" / "pong-1")
    assert played.settings.planner == "mine:STRAIGHT_ON"
    # It judges nothing, and the column's preset does.
    assert [(record.case_1, record.untested > 0) for record in played.decisions] == [(0, True)] * 2


def test_seconds_that_the_machine_cannot_give_are_refused(
    spec: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec.write_text(SPEC.replace("calls = 3", "seconds = 0.5\nworkers = 64"))
    assert run(["sweep", str(spec), "--out", str(tmp_path / "out")]) == 2
    assert "iw/pong-1 needs 64 cores to keep to its seconds" in capsys.readouterr().err


def test_columns_can_be_played_one_by_one(
    spec: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Seconds that the machine cannot give do not matter while their column is not played."""
    spec.write_text(SPEC.replace("calls = 4", "seconds = 0.5\nworkers = 64"))
    arguments = ["sweep", str(spec), "--out", str(tmp_path / "out")]
    assert run([*arguments, "--columns", "iw"]) == 0
    captured = capsys.readouterr()
    assert captured.err.startswith("Small: 4 of 8 episodes to play\n")
    assert captured.out.startswith("4 of 8 episodes are there")
    assert {path.parent.name for path in (tmp_path / "out/runs").glob("*/*")} == {"iw"}
    assert run(arguments) == 2


def test_a_second_sweep_on_the_same_folder_says_so_and_stops(spec: Path, tmp_path: Path) -> None:
    spec.write_text(SPEC.replace("decisions = 2", "decisions = 1000"))
    with start(spec, "--out", tmp_path / "out") as first:
        deadline = time.monotonic() + 60
        while not (tmp_path / "out/experiment.json").exists():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        with start(spec, "--out", tmp_path / "out") as second:
            _, message = second.communicate(timeout=60)
        assert second.returncode == 2
        assert f"another sweep is at work in {tmp_path / 'out'} (process {first.pid})" in message
        first.send_signal(signal.SIGINT)
        _, message = first.communicate(timeout=60)
    assert first.returncode == 130
    assert message.endswith("interrupted\n")


@pytest.mark.slow
def test_a_sweep_killed_ten_times_gives_what_an_undisturbed_one_does(spec: Path, tmp_path: Path) -> None:
    spec.write_text(
        SPEC.replace("decisions = 2", "decisions = 8").replace("runs = 2", "runs = 3").replace("4", "40")
    )
    undisturbed, disturbed = tmp_path / "undisturbed", tmp_path / "disturbed"
    started = time.monotonic()
    with start(spec, "--out", undisturbed) as whole:
        whole.communicate(timeout=600)
    assert whole.returncode == 0
    seconds = time.monotonic() - started
    rng, killed = Random(0), 0
    for _ in range(10):
        with start(spec, "--out", disturbed) as sweep:
            try:
                sweep.wait(rng.uniform(0.2, 1) * seconds / 10)
            except subprocess.TimeoutExpired:
                sweep.kill()
                killed += 1
    with start(spec, "--out", disturbed) as last:
        last.communicate(timeout=600)
    assert last.returncode == 0
    # On a machine of changing speed the last of them may have been done before its time.
    assert killed >= 5
    expected, results = read_results(undisturbed), read_results(disturbed)
    assert (results.missing, results.problems) == ((), ())
    assert [row.name for row in results.rows] == [row.name for row in expected.rows]
    assert sum(1 for _ in disturbed.glob("runs/*/*")) == len(expected.rows) == 12
    assert list(disturbed.glob("runs/*/.*")) == []
    for row in expected.rows:
        there, here = (read_run(folder / "runs" / row.name) for folder in (undisturbed, disturbed))
        assert here.result == there.result
        assert [record.action for record in here.decisions] == [record.action for record in there.decisions]


def test_run_folders_of_a_sweep_can_be_asked_with_sql(spec: Path, tmp_path: Path) -> None:
    assert run(["sweep", str(spec), "--out", str(tmp_path / "out"), "--columns", "iw"]) == 0
    query = f"SELECT count(*) FROM '{tmp_path}/out/runs/*/*/decisions.parquet'"
    assert duckdb.execute(query).fetchall() == [(EPISODES,)], "half of the episodes, with two decisions each"
