from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sweeping import NAMES, Listener, SameProcess, make

from pixelplan.errors import InputError
from pixelplan.experiments.folder import ExperimentFolder, read_results
from pixelplan.experiments.ledger import read_ledger, read_row
from pixelplan.experiments.sweep import ATTEMPTS, Sweep, locked

if TYPE_CHECKING:
    from pixelplan.experiments.engines.engine import Engine
    from pixelplan.experiments.spec import Episode, Experiment


def sweep(
    path: Path,
    experiment: Experiment | None = None,
    engine: Engine | None = None,
    *,
    ledger: Path | None = None,
    accepts: bool = False,
) -> tuple[Sweep, Listener]:
    folder, listener = ExperimentFolder(path), Listener()
    with locked(folder, ledger), engine or SameProcess() as playing:
        task = Sweep(experiment or make(), folder, listener, ledger=ledger)
        task.accept(may_set_aside=accepts)
        task.play(playing)
    return task, listener


def played(path: Path) -> list[str]:
    return ExperimentFolder(path).run_names()


def test_every_episode_gets_its_run_folder(tmp_path: Path) -> None:
    engine = SameProcess()
    _, listener = sweep(tmp_path / "out", engine=engine)
    assert engine.started == NAMES
    assert listener.begun_with == (NAMES, [])
    assert listener.rows == NAMES
    assert played(tmp_path / "out") == sorted(NAMES)
    results = read_results(tmp_path / "out")
    assert (results.missing, results.problems, len(results.rows)) == ((), (), len(NAMES))
    assert results.experiment == make()
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"runs", "experiment.json", ".lock"}


def test_a_second_sweep_plays_only_what_is_missing(tmp_path: Path) -> None:
    sweep(tmp_path)
    (tmp_path / "runs/ras/pong-2").rename(tmp_path / "elsewhere")
    engine = SameProcess()
    _, listener = sweep(tmp_path, engine=engine)
    assert engine.started == ["ras/pong-2"]
    assert listener.begun_with[1] == [name for name in NAMES if name != "ras/pong-2"]
    assert (
        read_row(tmp_path / "runs/ras/pong-2").score
        == json.loads((tmp_path / "elsewhere/run.json").read_text())["result"]["score"]
    )


def test_no_more_episodes_run_at_once_than_there_are_cores(tmp_path: Path) -> None:
    engine = SameProcess(cores=3)
    sweep(tmp_path / "a", engine=engine)
    assert engine.most_running == 3
    workers = {"decisions": 1, "noops": 0, "workers": 2}
    engine = SameProcess(cores=3, fault=lambda *_: "what is played does not matter here")
    columns = {"ras": {"calls": 4}}
    sweep(tmp_path / "b", make(settings=workers, columns=columns, games=["pong"], runs=2), engine)
    assert engine.most_running == 1


def test_failures_are_retried_recorded_and_never_stop_the_rest(tmp_path: Path) -> None:
    def fault(episode: Episode, attempt: int) -> str | None:
        if episode.name == "ras/breakout-1" and attempt < ATTEMPTS:
            return "lightning"
        return "no such luck" if episode.name == "iw/pong-1" else None

    engine = SameProcess(fault=fault)
    task, listener = sweep(tmp_path, engine=engine)
    assert [episode.name for episode in task.failed] == ["iw/pong-1"]
    assert played(tmp_path) == sorted(set(NAMES) - {"iw/pong-1"})
    assert engine.started.count("iw/pong-1") == ATTEMPTS
    failures = [json.loads(line) for line in (tmp_path / "failures.jsonl").read_text().splitlines()]
    assert sorted((f["episode"], f["attempt"], f["error"]) for f in failures) == [
        *(("iw/pong-1", attempt, "no such luck") for attempt in (1, 2, 3)),
        *(("ras/breakout-1", attempt, "lightning") for attempt in (1, 2)),
    ]
    assert "iw/pong-1 failed for good: no such luck" in listener.lines
    with (tmp_path / "failures.jsonl").open("a") as file:
        file.write('{"episode": "ras/po')
    assert read_results(tmp_path).failures == {"iw/pong-1": "no such luck"}
    task, _ = sweep(tmp_path)
    assert read_results(tmp_path).failures == {}
    assert task.failed == []
    assert played(tmp_path) == sorted(NAMES)


def test_a_larger_spec_is_told_of_and_goes_on(tmp_path: Path) -> None:
    sweep(tmp_path, make(runs=1))
    engine = SameProcess()
    _, listener = sweep(tmp_path, engine=engine)
    assert listener.lines == ["the spec has changed: ras: new (2 episodes)"]
    assert engine.started == ["ras/pong-2", "ras/breakout-2"]


def renamed(**changes: object) -> Experiment:
    """The small experiment, whose column ras has another name now."""
    columns = {"ras-4": {"calls": 4, "formerly": "ras"}, "iw": {"preset": "iw", "calls": 3, "runs": 1}}
    return make(columns=columns, **changes)


def test_a_ledger_that_has_a_column_by_its_former_name_counts_as_played(tmp_path: Path) -> None:
    ledger = tmp_path / "episodes.csv"
    sweep(tmp_path / "here", ledger=ledger)
    engine = SameProcess()
    sweep(tmp_path / "there", renamed(), engine, ledger=ledger)
    assert engine.started == []
    names = sorted(name.replace("ras/", "ras-4/") for name in NAMES)
    assert sorted(row.name for row in read_ledger(ledger)) == names


def test_a_report_finds_a_column_by_its_former_name(tmp_path: Path) -> None:
    ledger = tmp_path / "episodes.csv"
    sweep(tmp_path / "here", ledger=ledger)
    folder = ExperimentFolder(tmp_path / "there")
    folder.write_experiment(renamed(runs=1))
    results = read_results(folder.path, ledger)
    assert results.missing == ()
    assert sorted(row.name for row in results.rows) == ["iw/breakout-1", "iw/pong-1"] + [
        f"ras-4/{game}-1" for game in ("breakout", "pong")
    ]
    assert results.problems == tuple(
        f"ras-4/{game}-2 belongs to no episode of the experiment" for game in ("breakout", "pong")
    )


def test_run_folders_follow_their_column_to_its_new_name(tmp_path: Path) -> None:
    sweep(tmp_path)
    engine = SameProcess()
    _, listener = sweep(tmp_path, renamed(), engine)
    assert (engine.started, listener.lines) == ([], [])
    assert played(tmp_path) == sorted(name.replace("ras/", "ras-4/") for name in NAMES)
    assert read_results(tmp_path).experiment == renamed()


def test_a_spec_that_would_cost_episodes_says_which_and_changes_nothing(tmp_path: Path) -> None:
    sweep(tmp_path)
    before = sorted(path for path in tmp_path.rglob("*") if path.name != ".lock")
    changed = make(games=["pong"], columns={"ras": {"calls": 5}, "iw": {"preset": "iw", "calls": 3}})
    with pytest.raises(InputError) as error:
        sweep(tmp_path, changed)
    assert "ras: other calls (2 episodes, 2 played already)" in str(error.value)
    assert "ras: left out (2 episodes, 2 played already)" in str(error.value)
    assert "iw: left out (1 episode, 1 played already)" in str(error.value)
    assert "iw: new (1 episode)" in str(error.value)
    assert sorted(path for path in tmp_path.rglob("*") if path.name != ".lock") == before
    assert read_results(tmp_path).experiment == make()


def test_with_leave_what_does_not_fit_is_set_aside(tmp_path: Path) -> None:
    sweep(tmp_path)
    actions = (tmp_path / "runs/ras/pong-1/decisions.parquet").read_bytes()
    changed = make(columns={"ras": {"calls": 5}, "iw": {"preset": "iw", "calls": 3, "runs": 1}})
    engine = SameProcess()
    _, listener = sweep(tmp_path, changed, engine, accepts=True)
    assert engine.started == [name for name in NAMES if name.startswith("ras")]
    assert len(listener.lines) == 4
    (aside,) = (tmp_path / "set-aside/ras").glob("pong-1-*")
    assert (aside / "decisions.parquet").read_bytes() == actions
    assert read_row(tmp_path / "runs/ras/pong-1").settings != read_row_settings(aside)
    assert read_results(tmp_path).missing == ()


def read_row_settings(folder: Path) -> object:
    return json.loads((folder / "run.json").read_text())["settings"]


@pytest.mark.parametrize("damage", ["cut", "missing file", "no json", "empty", "a file"])
def test_a_damaged_run_folder_is_set_aside_and_played_again(damage: str, tmp_path: Path) -> None:
    sweep(tmp_path)
    folder = tmp_path / "runs/ras/pong-1"
    whole = (folder / "decisions.parquet").read_bytes()
    if damage == "cut":
        (folder / "decisions.parquet").write_bytes(whole[: len(whole) // 2])
    elif damage == "missing file":
        (folder / "decisions.parquet").unlink()
    elif damage == "no json":
        (folder / "run.json").write_text('{"settings": ')
    else:
        for path in folder.iterdir():
            path.unlink()
    if damage == "a file":
        folder.rmdir()
        folder.write_text("what is this?")
    _, listener = sweep(tmp_path)
    assert len(listener.lines) == 1
    assert "ras/pong-1 is not a complete run folder" in listener.lines[0]
    assert "played again" in listener.lines[0]
    assert listener.rows == ["ras/pong-1"]
    assert (folder / "decisions.parquet").stat().st_size > 0
    assert len(list((tmp_path / "set-aside/ras").iterdir())) == 1


def test_what_a_killed_sweep_left_half_written_is_removed(tmp_path: Path) -> None:
    draft = tmp_path / "runs/ras/.pong-1.abcd_123"
    draft.mkdir(parents=True)
    (draft / "run.json").write_text("{")
    (tmp_path / "runs/ras/.DS_Store").write_text("")
    sweep(tmp_path)
    assert not draft.exists()
    assert (tmp_path / "runs/ras/.DS_Store").exists()
    assert played(tmp_path) == sorted(NAMES)


def test_an_interrupted_episode_counts_as_missing(tmp_path: Path) -> None:
    sweep(tmp_path)
    path = tmp_path / "runs/ras/pong-1/run.json"
    run = json.loads(path.read_text())
    run["result"]["interrupted"] = True
    path.write_text(json.dumps(run))
    engine = SameProcess()
    sweep(tmp_path, engine=engine)
    assert engine.started == ["ras/pong-1"]


def test_two_sweeps_on_one_folder_do_not_meet(tmp_path: Path) -> None:
    with (
        locked(ExperimentFolder(tmp_path)),
        pytest.raises(InputError, match=f"another sweep is at work in .* \\(process {os.getpid()}\\)"),
    ):
        sweep(tmp_path)
    sweep(tmp_path)


def test_a_full_disk_stops_the_sweep_and_leaves_nothing_half(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sweep(tmp_path, make(games=["pong"]))
    write_bytes = Path.write_bytes

    def full(path: Path, content: bytes) -> int:
        write_bytes(path, content[:10])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)
        with pytest.raises(OSError, match="No space left"):
            sweep(tmp_path)
    assert played(tmp_path) == ["iw/pong-1", "ras/pong-1", "ras/pong-2"]
    assert [path.name for path in tmp_path.glob("runs/*/.*")] == []
    engine = SameProcess()
    sweep(tmp_path, engine=engine)
    assert engine.started == ["ras/breakout-1", "iw/breakout-1", "ras/breakout-2"]


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="Not a directory"):
        sweep(tmp_path / "file" / "out")


def test_a_ledger_lets_a_sweep_go_on_elsewhere(tmp_path: Path) -> None:
    ledger = tmp_path / "episodes.csv"
    sweep(tmp_path / "here", make(runs=1), ledger=ledger)
    assert [row.name for row in read_ledger(ledger)] == sorted(NAMES[:4])
    engine = SameProcess()
    _, listener = sweep(tmp_path / "there", engine=engine, ledger=ledger)
    assert engine.started == ["ras/pong-2", "ras/breakout-2"]
    assert listener.begun_with[1] == NAMES[:4]
    assert {row.name for row in read_ledger(ledger)} == set(NAMES)
    results = read_results(tmp_path / "there", ledger)
    assert (results.missing, results.problems) == ((), ())
    assert {row.name for row in read_results(tmp_path / "there").rows} == {"ras/pong-2", "ras/breakout-2"}


def test_a_row_of_other_settings_does_not_count_as_played(tmp_path: Path) -> None:
    ledger = tmp_path / "episodes.csv"
    sweep(tmp_path / "here", ledger=ledger)
    columns = {"ras": {"calls": 4, "runs": 1}, "iw": {"preset": "iw", "calls": 2, "runs": 1}}
    text = ledger.read_text()
    with pytest.raises(InputError, match=r"iw: other calls \(2 episodes, 2 played already\)"):
        sweep(tmp_path / "there", make(columns=columns), ledger=ledger)
    assert ledger.read_text() == text
    engine = SameProcess()
    sweep(tmp_path / "there", make(columns=columns), engine, ledger=ledger, accepts=True)
    assert engine.started == ["iw/pong-1", "iw/breakout-1"]
    aside = read_ledger(tmp_path / "there/set-aside/episodes.csv")
    assert [row.name for row in aside] == ["iw/breakout-1", "iw/pong-1"]
    # Rows that the experiment does not know are someone else's, and stay.
    assert {row.name for row in read_ledger(ledger)} == set(NAMES)


def test_run_folders_of_other_settings_do_not_count_whatever_was_to_be_played(tmp_path: Path) -> None:
    sweep(tmp_path)
    (tmp_path / "experiment.json").unlink()
    changed = make(settings={"decisions": 1, "noops": 0})
    with pytest.raises(InputError, match="ras: other decisions"):
        sweep(tmp_path, changed)
    _, listener = sweep(tmp_path, changed, accepts=True)
    assert listener.rows == NAMES


def test_two_sweeps_with_one_ledger_do_not_meet(tmp_path: Path) -> None:
    ledger = tmp_path / "episodes.csv"
    with (
        locked(ExperimentFolder(tmp_path / "here"), ledger),
        pytest.raises(InputError, match=r"another sweep is at work in .*episodes\.csv"),
        locked(ExperimentFolder(tmp_path / "there"), ledger),
    ):
        pass


def test_run_folders_that_a_ledger_lacks_are_added_to_it(tmp_path: Path) -> None:
    sweep(tmp_path / "out")
    ledger = tmp_path / "new" / "episodes.csv"
    _, listener = sweep(tmp_path / "out", ledger=ledger)
    assert listener.rows == []
    assert {row.name for row in read_ledger(ledger)} == set(NAMES)
