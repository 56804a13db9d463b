"""The words of a marker, and the columns that it may name."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pixelplan.errors import InputError, suggest
from pixelplan.reference.scores import HUMAN, reference_scores
from pixelplan.reports.markdown import render_table
from pixelplan.simulators.games import DEVELOPMENT_GAMES, PAPER_GAMES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pixelplan.reports.columns import PlayedColumn
    from pixelplan.reports.document import Table
    from pixelplan.reports.figures.draw import FigureFile

GROUPS = ("test", "development", "all", "unscored")
"""The test games and the development games that have a human score, both, and the games that have none."""


@dataclass(frozen=True, kw_only=True)
class Request:
    """The words of a marker, and the columns that it may name."""

    columns: Mapping[str, PlayedColumn]
    """Columns of the experiment, by name."""
    names: tuple[str, ...]
    options: Mapping[str, str]
    figures: list[FigureFile] = field(default_factory=list)
    """Figures that were drawn for the page so far; names are paths from the page, without the ending."""

    def played(self, name: str) -> PlayedColumn:
        """Return a column of which something has been played."""
        if name not in self.columns:
            raise InputError(f"unknown column {name!r}: {suggest(name, self.columns)}")
        if not self.columns[name].rows:
            raise InputError(f"nothing of {name} has been played")
        return self.columns[name]


def games_of(group: str) -> list[str]:
    """Return the games of a group, in the order of the paper's table."""
    if group not in GROUPS:
        raise InputError(f"unknown group of games {group!r}: {suggest(group, GROUPS)}")
    has_score = reference_scores().columns[HUMAN]
    return [
        game
        for game in PAPER_GAMES
        if (game in has_score) == (group != "unscored")
        and (group not in ("test", "development") or (game in DEVELOPMENT_GAMES) == (group == "development"))
    ]


def as_block(table: Table) -> str:
    """Return a table as lines of their own."""
    return f"\n{render_table(table)}\n"
