"""A report: all results of an experiment, computed once and written in several forms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pixelplan.errors import InputError
from pixelplan.experiments.ledger import write_ledger
from pixelplan.reference.scores import paper_table2
from pixelplan.reports.aggregates import aggregate, compare, make_profiles
from pixelplan.reports.columns import gather_columns
from pixelplan.reports.cost import gather_costs
from pixelplan.reports.relative import gather_relative
from pixelplan.reports.tables import make_table1, make_table2
from pixelplan.system.drafts import write_whole

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pixelplan.experiments.folder import Results
    from pixelplan.experiments.ledger import Row
    from pixelplan.reports.aggregates import AggregateGroup, Improvement, Profile
    from pixelplan.reports.columns import PlayedColumn
    from pixelplan.reports.cost import Cost
    from pixelplan.reports.relative import RelativeScores
    from pixelplan.reports.tables import ComparisonTable

FIGURES_FOLDER = "figures"


@dataclass(frozen=True, kw_only=True)
class Report:
    """An experiment and its results so far."""

    title: str
    columns: tuple[PlayedColumn, ...]
    rows: tuple[Row, ...]
    missing: tuple[str, ...]
    failures: Mapping[str, str]
    """The last error of each missing episode that has been tried."""
    problems: tuple[str, ...]
    flags: Mapping[str, list[str]]
    """Episode -> the reasons to look at it with care."""
    table1: ComparisonTable
    table2: ComparisonTable
    relative: tuple[RelativeScores, ...]
    aggregates: tuple[AggregateGroup, ...]
    improvements: tuple[Improvement, ...]
    profiles: tuple[Profile, ...]
    costs: tuple[Cost, ...]

    @property
    def planned(self) -> int:
        """Number of episodes of the experiment."""
        return len(self.rows) + len(self.missing)


def gather_report(results: Results) -> Report:
    """Compute the contents of a report."""
    columns = gather_columns(results)
    return Report(
        title=" ".join(results.experiment.title.split()) or "Experiment",
        columns=columns,
        rows=results.rows,
        missing=results.missing,
        failures=results.failures,
        problems=results.problems,
        flags={row.name: flags for row in results.rows if (flags := row.flags())},
        table1=make_table1(columns),
        table2=make_table2(columns),
        relative=gather_relative(columns),
        aggregates=aggregate(columns),
        improvements=compare(columns),
        profiles=make_profiles(columns),
        costs=gather_costs(columns),
    )


def check_results(results: Results, path: Path) -> None:
    """Refuse a folder without episodes to report on, or an experiment that contradicts itself."""
    if not results.experiment.columns:
        first = f": {results.problems[0]}" if results.problems else ""
        raise InputError(f"there is no experiment in {path}{first}")
    names = {column.name for column in results.experiment.columns}
    papers = paper_table2().columns
    for episode in results.experiment.episodes:
        if episode.column not in names:
            raise InputError(f"{path}: {episode.column} is not a column of the experiment")
    for column in results.experiment.columns:
        if column.paper is not None and column.paper not in papers:
            raise InputError(f"{path}: {column.paper} is not a column of the paper's Table 2")


def write_report(report: Report, out: Path) -> None:
    """Write the report's files; each is complete or as it was."""
    from pixelplan.reports.contents import make_document
    from pixelplan.reports.csv_files import make_csv_files
    from pixelplan.reports.figures.draw import draw_figures
    from pixelplan.reports.html import render_html
    from pixelplan.reports.markdown import render_markdown

    figures = draw_figures(report)
    document = make_document(report, {figure.name for figure in figures})
    for figure in figures:
        write_whole(out / FIGURES_FOLDER / f"{figure.name}.svg", figure.svg)
        write_whole(out / FIGURES_FOLDER / f"{figure.name}.png", figure.png)
    write_ledger(out / "episodes.csv", report.rows)
    for name, text in make_csv_files(report).items():
        write_whole(out / name, text)
    write_whole(out / "report.md", render_markdown(document, FIGURES_FOLDER))
    write_whole(out / "report.html", render_html(document, {figure.name: figure.svg for figure in figures}))
