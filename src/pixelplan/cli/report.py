"""`pixelplan report`: tables, figures and statistics of the episodes of an experiment."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from pixelplan.cli.arguments import read_arguments
from pixelplan.errors import InputError

TOLD = 10
"""So many problems are told of; all are in the report."""


@dataclass(frozen=True, kw_only=True)
class ReportFlags:
    """Write the paper's tables with our columns beside theirs, figures and statistics.

    Reads the run folders of an experiment, finished or not; writes report.html (one page that needs nothing
    else), report.md, CSV files and figures. A page in Markdown, PAGE.md, has its tables and figures written
    anew, from the ledger that it names.
    """

    folder: tyro.conf.Positional[Annotated[Path, tyro.conf.arg(metavar="DIR|PAGE.md")]]
    """Folder of the experiment, with its run folders in DIR/runs/COLUMN/GAME-RUN; or a page."""
    episodes: Path | None = None
    """CSV file of finished episodes (a report's episodes.csv), for those that have no run folder in DIR."""
    columns: Annotated[tuple[str, ...], tyro.conf.arg(help_behavior_hint="(default: all)")] = ()
    """Columns of the experiment to report on, in this order."""
    out: Path | None = None
    """Folder to write to; DIR/report if not given."""


def run(arguments: list[str]) -> int:
    """Write a report."""
    settings = read_arguments("report", ReportFlags(folder=tyro.MISSING), arguments)

    if settings.folder.suffix == ".md":
        return _write_page(settings)

    from pixelplan.experiments.folder import read_results
    from pixelplan.reports.report import check_results, gather_report, write_report

    out = settings.folder / "report" if settings.out is None else settings.out
    results = read_results(settings.folder, settings.episodes)
    check_results(results, settings.folder)
    results = results.part(settings.columns)
    out.mkdir(parents=True, exist_ok=True)
    report = gather_report(results)
    write_report(report, out)
    for problem in report.problems[:TOLD]:
        sys.stderr.write(f"left out: {problem}\n")
    if len(report.problems) > TOLD:
        sys.stderr.write(f"left out: {len(report.problems) - TOLD} more, see the report\n")
    sys.stdout.write(
        f"report: {out / 'report.html'}\n"
        f"{len(report.rows)} of {report.planned} episodes finished\n"
        f"{len(report.flags)} flagged\n"
    )
    return 0


def _write_page(settings: ReportFlags) -> int:
    """Write the tables and figures of a page anew."""
    from pixelplan.reports.pages.fill import write_page

    if settings != ReportFlags(folder=settings.folder):
        raise InputError("a page says itself what it reports on: leave out the flags")
    write_page(settings.folder)
    sys.stdout.write(f"page: {settings.folder}\n")
    return 0
