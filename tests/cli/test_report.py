from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pixelplan.cli import run
from pixelplan.experiments.folder import ExperimentFolder
from pixelplan.experiments.spec import Column, Episode, Experiment
from pixelplan.play.episode import play_episode
from pixelplan.play.run_folder import RunFolderWriter
from pixelplan.play.settings import EpisodeSettings
from pixelplan.reports.figures import draw

COLUMN = Column(name="ras", label="RAS", paper="ras_rollout_iw1_0.5s")


def make_experiment(columns: tuple[Column, ...] = (COLUMN,)) -> Experiment:
    episodes = [
        Episode(
            column=column.name,
            game=game,
            run=number,
            settings=EpisodeSettings(game=game, calls=5, decisions=3, noops=0, seed=number),
        )
        for number in (1, 2)
        for column in columns
        for game in ("pong", "breakout")
    ]
    return Experiment(title="Tiny", columns=columns, episodes=tuple(episodes))


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an experiment whose four episodes were really played."""
    folder = ExperimentFolder(tmp_path_factory.mktemp("experiment"))
    folder.write_experiment(make_experiment())
    for episode in make_experiment().episodes:
        with RunFolderWriter(folder.run_folder(episode.name)) as writer:
            writer.write(play_episode(episode.settings))
    return folder.path


@pytest.fixture
def no_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw none where nobody looks at them: they take most of the time."""
    monkeypatch.setattr(draw, "draw_figures", lambda _: [])


def test_run_folders_become_a_report(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["report", str(played)]) == 0
    output = capsys.readouterr()
    page = played / "report" / "report.html"
    assert output.out == f"report: {page}\n4 of 4 episodes finished\n0 flagged\n"
    assert output.err == ""
    assert "Tiny" in page.read_text()
    assert (played / "report" / "figures" / "calls.svg").is_file()


@pytest.mark.usefixtures("no_figures")
def test_a_ledger_stands_in_for_run_folders(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    assert run(["report", str(played), "--out", str(here)]) == 0
    experiment = tmp_path / "experiment"
    ExperimentFolder(experiment).write_experiment(make_experiment())
    ledger = str(here / "episodes.csv")
    assert run(["report", str(experiment), "--episodes", ledger, "--out", str(there)]) == 0
    assert "4 of 4 episodes finished" in capsys.readouterr().out
    # A ledger has six digits of what depends on the machine: costs can differ in the last one.
    names = sorted(path.name for path in here.glob("*.csv") if path.name != "cost.csv")
    assert len(names) == 9
    assert [name for name in names if (here / name).read_bytes() != (there / name).read_bytes()] == []


@pytest.mark.usefixtures("no_figures")
def test_columns_are_reported_on_in_the_order_in_which_they_are_named(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = ExperimentFolder(tmp_path / "experiment")
    columns = tuple(replace(COLUMN, name=name) for name in ("ras", "other", "unplayed"))
    folder.write_experiment(make_experiment(columns))
    for name in ("ras", "other"):
        shutil.copytree(played / "runs" / "ras", folder.runs / name, dirs_exist_ok=True)
    folder.note_failure(make_experiment(columns[2:]).episodes[0], 1, "out of luck")
    assert run(["report", str(folder.path), "--columns", "other", "ras", "other"]) == 0
    assert "\n8 of 8 episodes finished\n" in capsys.readouterr().out
    counts = (folder.path / "report" / "counts.csv").read_text()
    improvements = (folder.path / "report" / "improvement.csv").read_text()
    assert improvements.splitlines()[1].startswith("other,ras,2,0.5,")
    assert "unplayed" not in counts + improvements
    assert "out of luck" not in (folder.path / "report" / "report.md").read_text()
    assert run(["report", str(folder.path)]) == 0
    assert "\n8 of 12 episodes finished\n" in capsys.readouterr().out
    assert "out of luck" in (folder.path / "report" / "report.md").read_text()


def test_damaged_run_folders_are_told_of_and_left_out(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "damaged"
    shutil.copytree(played, folder, ignore=shutil.ignore_patterns("report"))
    (folder / "runs" / "ras" / "pong-1" / "decisions.parquet").write_bytes(b"no parquet")
    assert run(["report", str(folder)]) == 0
    output = capsys.readouterr()
    assert "3 of 4 episodes finished" in output.out
    assert output.err.startswith("left out: ")
    assert output.err.count("\n") == 1
    assert "pong-1" in (folder / "report" / "report.html").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "DIR"),
        (["nowhere"], "nowhere is no folder"),
        (["."], "there is no experiment in ."),
        (["experiment", "--episodes", "nothing.csv"], "nothing.csv"),
        (["experiment", "--episodes", "text.csv"], "text.csv is not a list of episodes"),
        (["experiment", "--out", "text.csv"], "text.csv"),
        (["experiment", "--out", "/dev/null/report"], "/dev/null/report"),
        (["broken"], "experiment.json is not an experiment"),
        (["experiment", "--outt", "x"], "--outt"),
        (["experiment", "--columns", "rsa"], "unknown column 'rsa': did you mean ras?"),
    ],
)
def test_wrong_input_gets_one_line(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    ExperimentFolder(Path("experiment")).write_experiment(make_experiment())
    Path("broken").mkdir()
    Path("broken/experiment.json").write_text('{"title": 3}')
    Path("text.csv").write_text("a,b\n1,2\n")
    assert run(["report", *arguments]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.count("\n") == 1
    assert message in output.err
    assert not list(tmp_path.rglob("report*"))


def test_no_report_imports_what_a_file_names(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither that of a folder nor that of a page, whose spec anybody may have written."""
    monkeypatch.chdir(tmp_path)
    Path("evil.py").write_text("import pathlib\npathlib.Path('was_here').touch()\nsearch = atoms = print\n")
    changes: dict[str, Any] = {"planner": "evil:search", "features": "atoms:evil:atoms"}
    experiment = make_experiment()
    others = tuple(
        replace(episode, settings=replace(episode.settings, **changes)) for episode in experiment.episodes
    )
    shutil.copytree(played / "runs", "experiment/runs")
    for episode in others:
        file = Path("experiment/runs") / episode.name / "run.json"
        content = json.loads(file.read_text())
        content["settings"] |= changes
        file.write_text(json.dumps(content))
    ExperimentFolder(Path("experiment")).write_experiment(replace(experiment, episodes=others))
    assert run(["report", "experiment"]) == 0
    lines = "\n".join(f"{key} = '{value}'" for key, value in changes.items())
    Path("spec.toml").write_text(
        "title = 'Tiny'\ngames = ['pong', 'breakout']\nseeds = [1, 2]\n"
        f"[columns.ras]\ncalls = 5\ndecisions = 3\nnoops = 0\n{lines}\n"
    )
    shutil.copy("experiment/report/episodes.csv", "ledger.csv")
    page = "<!-- results: spec.toml ledger.csv -->\n<!-- scores: ras --><!-- end -->\n"
    Path("page.md").write_text(page)
    assert run(["report", "page.md"]) == 0
    assert "| pong |" in Path("page.md").read_text()
    assert not Path("was_here").exists()
