"""The folder of an experiment: its spec, and the episodes that were played.

- `experiment.json` holds the spec, spelled out;
- `runs/COLUMN/GAME-RUN/` is the run folder of a finished episode;
- `set-aside/` has run folders that are damaged, or that belong to no episode any more;
- `failures.jsonl` has every attempt that failed.
"""

from __future__ import annotations

import contextlib
import re
import shutil
import time
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from pixelplan.errors import InputError
from pixelplan.experiments.ledger import (
    NO_NAMES,
    Row,
    read_ledger,
    read_row,
    read_settings,
    shorten,
    write_ledger,
)
from pixelplan.experiments.spec import Column, Episode, Experiment, check_column_name
from pixelplan.play.run_folder import SET_ASIDE_FOLDER
from pixelplan.play.settings import EpisodeSettings
from pixelplan.system.drafts import write_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

EXPERIMENT_FILE = "experiment.json"
RUNS_FOLDER = "runs"
FAILURES_FILE = "failures.jsonl"
DRAFT_NAME = re.compile(r"\.\w+-\d+\.(draft-)?\w{8}")
"""Run folders are made under such names, see RunFolderWriter."""


class ExperimentFolder:
    """A folder that holds an experiment, or will."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.runs = path / RUNS_FOLDER

    def read_experiment(self) -> Experiment | None:
        """Return the experiment to be played, if a sweep has written it."""
        path = self.path / EXPERIMENT_FILE
        try:
            content = msgspec.json.decode(path.read_bytes(), type=_ExperimentFile)
        except FileNotFoundError:
            return None
        except RecursionError:
            raise InputError(f"{path} is not an experiment: it is nested too deeply") from None
        except ValueError as error:
            raise InputError(f"{path} is not an experiment: {error}") from None
        for column in content.columns:
            for name in filter(None, (column.name, column.formerly)):
                check_column_name(name, str(path))
        return Experiment(
            title=content.title,
            columns=tuple(content.columns),
            episodes=tuple(_make_episode(episode) for episode in content.episodes),
        )

    def write_experiment(self, experiment: Experiment) -> None:
        """Write the experiment to be played."""
        episodes = [
            {
                "column": episode.column,
                "run": episode.run,
                "settings": msgspec.Raw(shorten(episode.settings).encode()),
            }
            for episode in experiment.episodes
        ]
        for column in experiment.columns:
            (self.runs / column.name).mkdir(parents=True, exist_ok=True)
        columns = [asdict(column) for column in experiment.columns]
        content = {"title": experiment.title, "columns": columns, "episodes": episodes}
        write_whole(self.path / EXPERIMENT_FILE, msgspec.json.encode(content) + b"\n")

    def run_folder(self, name: str) -> Path:
        """Return the place of an episode's run folder."""
        return self.runs / name

    def run_names(self) -> list[str]:
        """Return the names of all episodes that have a run folder, sound or not."""
        return sorted(
            f"{folder.parent.name}/{folder.name}"
            for folder in self.runs.glob("*/*")
            if folder.is_dir() and not folder.name.startswith(".")
        )

    def rename_columns(self, names: Mapping[str, str]) -> None:
        """Give columns that bear former names their present ones."""
        for former, name in names.items():
            for folder in sorted((self.runs / former).glob("*")):
                if not (place := self.runs / name / folder.name).exists():
                    place.parent.mkdir(parents=True, exist_ok=True)
                    folder.rename(place)
        if (experiment := self.read_experiment()) and not names.keys().isdisjoint(
            column.name for column in experiment.columns
        ):
            self.write_experiment(experiment.renamed(names))

    def remove_drafts(self) -> None:
        """Remove run folders that a killed sweep has left half-written. No other may be at work."""
        for draft in self.runs.glob("*/.*"):
            if DRAFT_NAME.fullmatch(draft.name) and draft.is_dir() and not draft.is_symlink():
                shutil.rmtree(draft)

    def set_aside(self, name: str) -> Path:
        """Move a run folder out of the way, and return its new place."""
        place = self.path / SET_ASIDE_FOLDER / f"{name}-{time.time_ns()}"
        place.parent.mkdir(parents=True, exist_ok=True)
        return self.run_folder(name).rename(place)

    def set_row_aside(self, row: Row) -> Path:
        """Keep a row that a ledger is about to lose, and return its place."""
        place = self.path / SET_ASIDE_FOLDER / "episodes.csv"
        rows = read_ledger(place) if place.exists() else []
        write_ledger(place, [*rows, row])
        return place

    def note_failure(self, episode: Episode, attempt: int, error: str) -> None:
        """Record an attempt that failed."""
        line = {"episode": episode.name, "attempt": attempt, "error": error, "time": time.time()}
        with (self.path / FAILURES_FILE).open("ab") as file:
            file.write(msgspec.json.encode(line) + b"\n")

    def read_failures(self) -> dict[str, str]:
        """Return the last error of each episode that has failed."""
        path = self.path / FAILURES_FILE
        errors = {}
        for line in path.read_bytes().splitlines() if path.exists() else ():
            # A line that a full disk has cut says nothing.
            with contextlib.suppress(msgspec.DecodeError):
                failure = msgspec.json.decode(line, type=dict[str, Any])
                errors[str(failure.get("episode"))] = str(failure.get("error"))
        return errors


class _EpisodeFile(msgspec.Struct):
    """An episode in experiment.json."""

    column: str
    run: Annotated[int, msgspec.Meta(ge=0, le=2**62)]
    settings: EpisodeSettings


class _ExperimentFile(msgspec.Struct):
    """The content of experiment.json."""

    title: str
    columns: list[Column]
    episodes: list[_EpisodeFile]


def _make_episode(read: _EpisodeFile) -> Episode:
    return Episode(column=read.column, game=read.settings.game, run=read.run, settings=read.settings)


@dataclass(frozen=True, kw_only=True)
class Results:
    """The results of an experiment so far."""

    experiment: Experiment
    rows: tuple[Row, ...]
    """Finished episodes that belong to the experiment."""
    missing: tuple[str, ...]
    """Episodes that have not been played."""
    failures: Mapping[str, str]
    """The last error of each missing episode that has been tried."""
    problems: tuple[str, ...]
    """Faults of the run folders that were left out."""

    def part(self, columns: Iterable[str]) -> Results:
        """Return the results of some columns, in the order in which they are named; all if none is."""
        experiment = self.experiment.part(columns)
        episodes = {episode.name for episode in experiment.episodes}
        return replace(
            self,
            experiment=experiment,
            rows=tuple(row for row in self.rows if row.name in episodes),
            missing=tuple(name for name in self.missing if name in episodes),
            failures={name: error for name, error in self.failures.items() if name in episodes},
        )


def read_results(path: Path, ledger: Path | None = None) -> Results:
    """Read an experiment's run folders, and the rows of a ledger for episodes that have none here."""
    if not path.is_dir():
        raise InputError(f"{path} is no folder")
    folder = ExperimentFolder(path)
    planned = folder.read_experiment()
    names_now = planned.names_now() if planned is not None else NO_NAMES
    known = {} if ledger is None else {row.name: row for row in read_ledger(ledger, names_now)}
    problems = []
    for name in folder.run_names():
        try:
            known[name] = read_row(folder.run_folder(name))
        except InputError as error:
            problems.append(str(error))
    experiment = planned or _make_up_experiment(list(known.values()))
    return gather_results(experiment, known, folder.read_failures(), problems)


def gather_results(
    experiment: Experiment,
    known: Mapping[str, Row],
    errors: Mapping[str, str] = NO_NAMES,
    problems: Iterable[str] = (),
) -> Results:
    """Put together the results of an experiment, from rows and errors by episode."""
    wanted = {episode.name: shorten(episode.settings) for episode in experiment.episodes}
    rows = {name: known[name] for name in wanted if name in known and known[name].settings == wanted[name]}
    others = [
        f"{name} was played with other settings than the experiment's"
        for name in known
        if name in wanted and name not in rows
    ]
    others += [f"{name} belongs to no episode of the experiment" for name in known if name not in wanted]
    return Results(
        experiment=experiment,
        rows=tuple(rows.values()),
        missing=tuple(name for name in wanted if name not in rows),
        failures={name: errors[name] for name in wanted if name in errors and name not in rows},
        problems=(*problems, *others),
    )


def _make_up_experiment(rows: list[Row]) -> Experiment:
    """Make up the experiment of episodes that were played without a spec."""
    episodes = [
        _make_episode(_EpisodeFile(column=row.column, run=row.run, settings=read_settings(row)))
        for row in rows
    ]
    names = dict.fromkeys(episode.column for episode in episodes)
    return Experiment(
        title="Episodes",
        columns=tuple(Column(name=name, label=name) for name in names),
        episodes=tuple(episodes),
    )
