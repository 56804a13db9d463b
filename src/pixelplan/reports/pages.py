"""Tables and numbers in a Markdown page, written anew from a ledger.

A page names an experiment and its ledger, by their paths from the page. Each later marker names a table or
a number, which is written between it and the next end marker. `page_tables` has the kinds.

    <!-- results: ../../experiments/strength.toml strength-episodes.csv -->
    <!-- scores: ras-89 best-89 -->
    <!-- end -->

`python -m pixelplan.reports.pages PAGE ...` writes pages anew.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from pixelplan.errors import InputError
from pixelplan.experiments.folder import gather_results
from pixelplan.experiments.ledger import read_ledger
from pixelplan.experiments.spec import read_spec
from pixelplan.reports.columns import gather_columns
from pixelplan.reports.page_tables import KINDS, write_kind
from pixelplan.system.whole_file import write_whole

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pixelplan.reports.columns import PlayedColumn

_MARKER = re.compile(rf"(<!-- (?:results|{'|'.join(KINDS)}): [^<>]*? -->|<!-- end -->)")
_END = "<!-- end -->"


def fill_page(page: Path) -> str:
    """Return the text of a page with its tables and numbers as the ledgers have them."""
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
            pieces += [marker, write_kind(kind, words.split(), columns) if is_open else following]
        except InputError as error:
            raise InputError(f"{where}: {error}") from None
    if is_open:
        raise InputError(f"{page}: the last marker has no {_END}")
    return "".join(pieces)


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


def main(names: list[str]) -> None:
    """Write pages anew, or say what is wrong with a marker."""
    try:
        for page in map(Path, names):
            write_whole(page, fill_page(page))
    except InputError as error:
        raise SystemExit(str(error)) from None


if __name__ == "__main__":
    main(sys.argv[1:])
