"""Fills a page: the text between two markers is written anew, and the rest stays."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from pixelplan.errors import InputError
from pixelplan.experiments.folder import gather_results
from pixelplan.experiments.ledger import read_ledger
from pixelplan.experiments.spec import read_spec
from pixelplan.reports.columns import gather_columns
from pixelplan.reports.pages.kinds import KINDS, write_kind
from pixelplan.system.drafts import write_whole

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pixelplan.reports.columns import PlayedColumn
    from pixelplan.reports.figures.draw import FigureFile

_MARKER = re.compile(rf"(<!-- (?:results|{'|'.join(KINDS)}): [^<>]*? -->|<!-- end -->)")
_END = "<!-- end -->"


class FilledPage(NamedTuple):
    """A page as the ledgers have it."""

    text: str
    figures: list[FigureFile]
    """Their names are paths from the page, without the ending."""


def write_page(page: Path) -> None:
    """Write a page and its figures anew."""
    filled = fill_page(page)
    for figure in filled.figures:
        write_whole(page.parent / f"{figure.name}.svg", figure.svg)
        write_whole(page.parent / f"{figure.name}.png", figure.png)
    write_whole(page, filled.text)


def fill_page(page: Path) -> FilledPage:
    """Return a page with its tables, numbers and figures as the ledgers have them."""
    figures: list[FigureFile] = []
    columns: Mapping[str, PlayedColumn] = {}
    # Text and markers take turns; the first text has no marker.
    text, *parts = _MARKER.split(page.read_text())
    pieces, is_open = [text], False
    for marker, following in zip(parts[::2], parts[1::2], strict=True):
        where = f"{page}: {marker}"
        if (marker == _END) != is_open:
            raise InputError(f"{where}: {'no <!-- end --> before it' if is_open else 'nothing to end'}")
        kind, _, words = marker.removeprefix("<!-- ").removesuffix(" -->").partition(": ")
        is_open = kind in KINDS
        if kind == "results":
            columns = _read_columns(*_find_files(page, words, where))
        try:
            pieces += [marker, write_kind(kind, words.split(), columns, figures) if is_open else following]
        except InputError as error:
            raise InputError(f"{where}: {error}") from None
    if is_open:
        raise InputError(f"{page}: the last marker has no {_END}")
    return FilledPage("".join(pieces), figures)


def _find_files(page: Path, words: str, where: str) -> tuple[Path, Path]:
    names = words.split()
    if len(names) != 2:
        raise InputError(f"{where}: expected the path of an experiment and that of its ledger")
    experiment, ledger = ((page.parent / name).resolve() for name in names)
    return experiment, ledger


@cache
def _read_columns(experiment: Path, ledger: Path) -> Mapping[str, PlayedColumn]:
    spec = read_spec(experiment)
    rows = {row.name: row for row in read_ledger(ledger, spec.names_now())}
    results = gather_results(spec, rows)
    if results.problems:
        raise InputError(f"{ledger} does not fit {experiment}: {results.problems[0]}")
    return {column.name: column for column in gather_columns(results)}
