"""Finished episodes as rows of a CSV file.

Run folders are too large to hand on. A row holds the numbers that tables and statistics need. It holds
the settings too, which tell whether it is the wanted episode. With a ledger from one machine a sweep goes on
on another.
"""

from __future__ import annotations

import csv
import io
import math
from dataclasses import fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from pixelplan.errors import InputError
from pixelplan.play.recorded_run import read_run
from pixelplan.play.settings import EpisodeSettings
from pixelplan.system.drafts import write_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from pixelplan.play.recorded_run import Run

BUSY_SHARE = 0.95
"""Least share of CPU time in wall-clock time at which the planner had its whole budget in seconds."""

NO_NAMES: Mapping[str, str] = MappingProxyType({})
"""For a ledger of which no column was renamed."""

_DEFAULTS = {field.name: field.default for field in fields(EpisodeSettings)}


Whole = Annotated[int, msgspec.Meta(ge=-(2**62), le=2**62)]
"""Numbers with which statistics can be made."""


class Row(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A finished episode."""

    column: str
    game: str
    run: Whole
    score: Whole
    frames: Whole
    decisions: Whole
    simulator_calls: Whole
    nodes: Whole
    rollouts: Whole
    dropped_trees: Whole
    seconds_mean: float
    """Seconds per decision, as in the next three."""
    seconds_p50: float
    seconds_p99: float
    seconds_max: float
    depth_mean: float
    simulator_share: float
    overruns: Whole
    late: Whole
    replaced_workers: Whole
    wall_seconds: float
    cpu_share: float
    """CPU time over wall-clock time of the processes that played."""
    version: str
    """Version of pixelplan."""
    settings: str
    """Settings that differ from the defaults, as JSON."""

    @property
    def name(self) -> str:
        """Name of the episode in its experiment."""
        return f"{self.column}/{self.game}-{self.run}"

    def flags(self) -> list[str]:
        """Return the reasons to look at the episode with care."""
        settings = msgspec.json.decode(self.settings)
        flags = []
        # In real time a planner may wait for the game; then being late is what counts.
        if "seconds" in settings and self.cpu_share < BUSY_SHARE:
            flags.append(f"busy machine: {self.cpu_share:.0%} of a CPU")
        if "seconds" in settings and self.overruns > 0:
            flags.append(f"{self.overruns} of {self.decisions} decisions over budget")
        if self.late > 0:
            flags.append(f"late actions: {self.late}")
        if self.replaced_workers > 0:
            flags.append(f"workers replaced: {self.replaced_workers}")
        if self.dropped_trees > 0 and "sticky" not in settings:
            flags.append(
                f"trees dropped because the game went elsewhere than predicted: {self.dropped_trees}"
            )
        return flags


def shorten(settings: EpisodeSettings) -> str:
    """Return the settings that differ from the defaults, as JSON: settings to come will not change it."""
    values = {name: value for name, value in vars(settings).items() if value != _DEFAULTS[name]}
    return msgspec.json.encode(values, order="sorted").decode()


def read_settings(row: Row) -> EpisodeSettings:
    """Return the settings with which an episode was played."""
    return msgspec.json.decode(row.settings, type=EpisodeSettings)


def make_row(column: str, number: int, run: Run) -> Row:
    """Return the row of a run folder that has been read."""
    seconds = run.timing["per_decision"]["seconds"]
    result = {key: value for key, value in run.result.items() if key in Row.__struct_fields__}
    timing = {key: value for key, value in run.timing.items() if key in Row.__struct_fields__}
    values = {
        "column": column,
        "game": run.settings.game,
        "run": number,
        **result,
        **timing,
        **{f"seconds_{key}": value for key, value in seconds.items()},
        "depth_mean": run.timing["per_decision"]["depth"]["mean"],
        "version": run.versions["pixelplan"],
        "settings": shorten(run.settings),
    }
    return msgspec.convert(values, Row)


def read_row(folder: Path) -> Row:
    """Read the run folder COLUMN/GAME-RUN; InputError names its fault."""
    run = read_run(folder)
    game, _, number = folder.name.rpartition("-")
    if game != run.settings.game or not number.isdecimal():
        raise InputError(f"{folder} is not named after its game, {run.settings.game}, and its number")
    if run.result.get("interrupted"):
        raise InputError(f"{folder} holds an episode that was interrupted")
    try:
        return make_row(folder.parent.name, int(number), run)
    except (AttributeError, KeyError, TypeError, msgspec.MsgspecError) as error:
        raise InputError(f"{folder} is not a complete run folder: {error}") from error


def read_ledger(path: Path, names_now: Mapping[str, str] = NO_NAMES) -> list[Row]:
    """Read a CSV file of finished episodes; columns that bear former names get their present ones."""
    try:
        with path.open(newline="") as file:
            reader = csv.DictReader(file)
            if tuple(reader.fieldnames or ()) != Row.__struct_fields__:
                raise csv.Error(f"its columns are not {', '.join(Row.__struct_fields__)}")
            rows = [msgspec.convert(row, Row, strict=False) for row in reader]
        for number, row in enumerate(rows):
            read_settings(row)
            for name, value in msgspec.structs.asdict(row).items():
                if isinstance(value, float) and not math.isfinite(value):
                    raise csv.Error(f"row {number}, column {name}: {value} is not finite")
        return [msgspec.structs.replace(row, column=names_now.get(row.column, row.column)) for row in rows]
    except (msgspec.MsgspecError, UnicodeDecodeError, csv.Error, RecursionError) as error:
        raise InputError(f"{path} is not a list of episodes: {error}") from None


def write_ledger(path: Path, rows: Iterable[Row]) -> None:
    """Write a CSV file of finished episodes, sorted; the old one stays until the new one is complete."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(Row.__struct_fields__)
    for row in sorted(rows, key=lambda row: (row.column, row.game, row.run)):
        writer.writerow(map(_cell, msgspec.structs.astuple(row)))
    write_whole(path, text.getvalue())


def _cell(value: Any) -> Any:  # noqa: ANN401
    return f"{value:.6g}" if isinstance(value, float) else value
