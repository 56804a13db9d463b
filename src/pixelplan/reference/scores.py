"""The published figures: the paper's two tables, its calls, and the scores of random play, humans and DQN.

Games have their ROM names. The first line of every file says where its numbers come from.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

HUMAN = "human_mnih2015"
"""The column of reference_scores() with the human scores of the paper: 49 games."""
RANDOM = "random_mnih2015"
"""The column of reference_scores() with random play as HUMAN's source reports it."""


@dataclass(frozen=True, kw_only=True)
class ScoreTable:
    """A table of published scores."""

    source: str
    """Source of the numbers."""
    games: tuple[str, ...]
    """Every game that has a row, in the table's order."""
    columns: Mapping[str, Mapping[str, float]]
    """Column -> game -> score. A game without a published score is not in the column."""


@cache
def paper_table1() -> ScoreTable:
    """Return the paper's Table 1: humans and learners against RAS Rollout IW(1), 49 games."""
    return _read("paper_table1.csv")


@cache
def paper_table2() -> ScoreTable:
    """Return the paper's Table 2: humans and IW(1) on RAM against the four planners, 58 games."""
    return _read("paper_table2.csv")


@cache
def reference_scores() -> ScoreTable:
    """Return random play, humans and DQN, from two sources that must not be mixed."""
    return _read("reference_scores.csv")


@cache
def paper_calls() -> ScoreTable:
    """Return the simulator calls per decision of a column of Table 2, where they are known by game."""
    return _read("paper_calls.csv")


def _read(name: str) -> ScoreTable:
    source, *lines = files(__package__).joinpath(name).read_text(encoding="utf-8").splitlines()
    reader = csv.DictReader(lines)
    rows = {row.pop("game"): row for row in reader}
    names = (reader.fieldnames or [])[1:]
    return ScoreTable(
        source=source.removeprefix("# "),
        games=tuple(rows),
        columns={name: {game: float(row[name]) for game, row in rows.items() if row[name]} for name in names},
    )
