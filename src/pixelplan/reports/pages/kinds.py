"""The kinds of tables, numbers and figures that a page can ask for.

`scores COLUMN ... [games=COLUMN]`: the score of each run, game by game, beside the human's.
`means COLUMN ... [games=COLUMN]`: the same with the mean of a column's runs.
`statistics COLUMN ... [against=COLUMN]`: human-normalised statistics, a row for each column, ours or the
paper's. With `against`, each row has the probability that a run of that column has a higher score.
`number STATISTIC COLUMN [over=GROUP]`, or `number improvement FIRST SECOND`: one number within a sentence.
`beside COLUMN PAPER ... over=GROUP`: the scores of the published columns, then ours, game by game.
`summary COLUMN PAPER ... over=GROUP,...`: statistics of these columns, a row for each and group of games.
`figure COLUMN PAPER file=PATH`: our scores against the paper's, game by game; PATH has no ending.

`games` names the column whose games have rows; unless it is given, the first column is that. GROUP is one of
`request.GROUPS`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pixelplan.errors import InputError, suggest
from pixelplan.reports.pages import paper, scores
from pixelplan.reports.pages.request import Request

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pixelplan.reports.columns import PlayedColumn
    from pixelplan.reports.figures.draw import FigureFile

KINDS: dict[str, tuple[Callable[[Request], str], tuple[str, ...]]] = {
    "scores": (scores.write_scores, ("games",)),
    "means": (scores.write_means, ("games",)),
    "statistics": (scores.write_statistics, ("against",)),
    "number": (scores.write_number, ("over",)),
    "beside": (paper.write_beside, ("over",)),
    "summary": (paper.write_summary, ("over",)),
    "figure": (paper.write_figure, ("file",)),
}
"""Kind -> the function that writes it, and its options."""


def write_kind(
    kind: str, words: list[str], columns: Mapping[str, PlayedColumn], figures: list[FigureFile]
) -> str:
    """Return a table, a number or a picture, as Markdown."""
    names = tuple(word for word in words if "=" not in word)
    options = dict(word.split("=", 1) for word in words if "=" in word)
    write, known = KINDS[kind]
    for option in options:
        if option not in known:
            raise InputError(f"unknown option {option!r}: {suggest(option, known)}")
    if not names:
        raise InputError("no column is named")
    return write(Request(columns=columns, names=names, options=options, figures=figures))
