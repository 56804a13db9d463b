"""The report's files, of experiments with made-up episodes."""

from __future__ import annotations

import csv
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest
from made_up import THREE_COLUMNS, make_experiment, make_row, make_rows, write_experiment

from pixelplan.errors import InputError
from pixelplan.experiments.folder import ExperimentFolder, read_results
from pixelplan.experiments.ledger import read_ledger
from pixelplan.experiments.spec import Column, Experiment
from pixelplan.reports.aggregates import Over
from pixelplan.reports.figures import draw
from pixelplan.reports.report import Report, check_results, gather_report, write_report
from pixelplan.simulators.games import OTHER_DUMPS

if TYPE_CHECKING:
    from pixelplan.experiments.ledger import Row

CSV_FILES = (
    *("aggregates", "cost", "counts", "episodes", "flags", "improvement", "profiles", "relative"),
    *("table1", "table2"),
)
FEW_GAMES = ["pong", "alien", "montezuma_revenge", "krull", "kaboom"]


def report_on(folder: Path, experiment: Experiment, rows: list[Row], *, is_drawn: bool = False) -> Report:
    """Write a report to the folder `report`, with its figures if they are looked at: they are dear."""
    results = read_results(folder, write_experiment(folder, experiment, rows))
    check_results(results, folder)
    report = gather_report(results)
    with pytest.MonkeyPatch.context() as patch:
        if not is_drawn:
            patch.setattr(draw, "draw_figures", lambda _: [])
        write_report(report, folder / "report")
    return report


def read_csv(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / "report" / f"{name}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def read(folder: Path, name: str) -> str:
    return (folder / "report" / name).read_text()


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


class Page(HTMLParser):
    """Checks that tags are closed in order, and gathers what refers to something else."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.references: list[str] = []
        self.ids: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "link", "img", "br"):
            self.open.append(tag)
        self.references += [value or "" for name, value in attrs if name in ("src", "href", "srcset")]
        self.ids += [value or "" for name, value in attrs if name == "id"]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def complete(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("complete")
    experiment = make_experiment(games=FEW_GAMES, runs=3)
    report_on(folder, experiment, make_rows(experiment), is_drawn=True)
    return folder


def test_a_complete_experiment_has_every_file_and_figure(complete: Path) -> None:
    figures = [
        f"figures/{name}.{kind}"
        for name in ("aggregates", "calls", "profiles", "relative-1", "scatter")
        for kind in ("png", "svg")
    ]
    expected = {*figures, *(f"{name}.csv" for name in CSV_FILES), "report.html", "report.md"}
    assert set(files_of(complete / "report")) == expected
    assert len(read_ledger(complete / "report" / "episodes.csv")) == 45
    for path in (complete / "report" / "figures").glob("*.svg"):
        width = ET.parse(path).getroot().get("width", "")
        assert 200 < float(width.removesuffix("pt")) <= 511


def test_equal_data_give_equal_files(complete: Path, tmp_path: Path) -> None:
    experiment = make_experiment(games=FEW_GAMES, runs=3)
    report_on(tmp_path, experiment, list(reversed(make_rows(experiment))), is_drawn=True)
    assert files_of(tmp_path / "report") == files_of(complete / "report")


def test_a_rerun_overwrites(tmp_path: Path) -> None:
    experiment = make_experiment(THREE_COLUMNS[:1], ["pong"])
    report_on(tmp_path, experiment, [make_row(experiment.episodes[0], 3)])
    report_on(tmp_path, experiment, [make_row(experiment.episodes[0], 17)])
    (pong,) = (row for row in read_csv(tmp_path, "table2") if row["game"] == "pong")
    assert pong["ras-0.5s"] == "17"
    assert not list((tmp_path / "report").glob(".*"))


def test_the_page_needs_nothing_else(complete: Path) -> None:
    page = Page(read(complete, "report.html"))
    links = [reference for reference in page.references if not reference.startswith("data:")]
    assert links
    assert all(link.removeprefix("#") in page.ids for link in links)
    assert len(set(page.ids)) == len(page.ids)
    assert sum(reference.startswith("data:image/svg+xml") for reference in page.references) == 5
    assert "<script" not in read(complete, "report.html")


def test_markdown_links_to_figures_that_exist(complete: Path) -> None:
    links = re.findall(r"\]\(([^)]+)\)", read(complete, "report.md"))
    assert len(links) == 10
    assert all((complete / "report" / link).is_file() for link in links)


def test_markdown_tables_have_equally_many_cells_in_every_row(complete: Path) -> None:
    tables = re.findall(r"(?:^\|.*\|\n)+", read(complete, "report.md"), re.MULTILINE)
    assert len(tables) >= 6
    for table in tables:
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}) == 1


def test_an_experiment_without_episodes(tmp_path: Path) -> None:
    report = report_on(tmp_path, make_experiment(games=FEW_GAMES), [], is_drawn=True)
    assert (report.planned, len(report.rows), len(report.missing)) == (15, 0, 15)
    assert {path.name for path in (tmp_path / "report").iterdir()} == {
        *(f"{name}.csv" for name in CSV_FILES),
        *("report.html", "report.md"),
    }
    text = read(tmp_path, "report.md")
    assert "0 of 15 planned episodes finished" in text
    assert "There is nothing to draw yet." in text
    assert "Missing episodes: 15" in text
    Page(read(tmp_path, "report.html"))


def test_a_folder_without_experiment_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=re.escape(f"there is no experiment in {tmp_path}")):
        check_results(read_results(tmp_path), tmp_path)
    (tmp_path / "runs" / "ras" / "pong-1").mkdir(parents=True)
    with pytest.raises(InputError, match=r"there is no experiment in .*pong-1 is not a complete run folder"):
        check_results(read_results(tmp_path), tmp_path)


def test_an_experiment_that_contradicts_itself_is_refused(tmp_path: Path) -> None:
    experiment = make_experiment(THREE_COLUMNS[:2], ["pong"])
    write_experiment(tmp_path, replace(experiment, columns=experiment.columns[:1]), [])
    with pytest.raises(InputError, match="ras-32s is not a column of the experiment"):
        check_results(read_results(tmp_path), tmp_path)
    write_experiment(tmp_path, make_experiment([Column(name="odd", label="", paper="table3")], ["pong"]), [])
    with pytest.raises(InputError, match="table3 is not a column of the paper's Table 2"):
        check_results(read_results(tmp_path), tmp_path)


def test_a_partial_experiment_says_what_is_missing(tmp_path: Path) -> None:
    experiment = make_experiment(THREE_COLUMNS[:2], [*FEW_GAMES, "qbert"], runs=2)
    rows = [
        row
        for row in make_rows(experiment)
        if row.game != "pong" and not (row.game == "alien" and row.run == 2) and row.name != "ras-32s/qbert-1"
    ]
    report = report_on(tmp_path, experiment, rows, is_drawn=True)
    assert len(report.missing) == 7
    text, page = read(tmp_path, "report.md"), read(tmp_path, "report.html")
    assert "RAS 0.5 s: 3 of 12 (pong-1, pong-2, alien-2)" in text
    (line,) = re.findall(r"^\| alien .*$", text.split("## Table 2")[1], re.MULTILINE)
    assert line.count("<sup>1</sup>") == 2
    (line,) = re.findall(r"^\| pong .*$", text.split("## Table 2")[1], re.MULTILINE)
    assert line.count("| \N{EN DASH}") == 2
    assert "number of runs, where fewer have been played than planned" in page
    assert "no run has been played" in page
    assert "Over the 4 of 49 games that all our columns have" in text
    (pong,) = (row for row in read_csv(tmp_path, "table1") if row["game"] == "pong")
    assert pong["ras-0.5s"] == ""


def test_columns_with_different_games_are_compared_over_common_ones_and_alone(tmp_path: Path) -> None:
    experiment = make_experiment(THREE_COLUMNS[:2], ["pong", "alien", "qbert"], runs=2)
    rows = [row for row in make_rows(experiment) if row.column == "ras-0.5s" or row.game == "pong"]
    report_on(tmp_path, experiment, rows)
    found = {(row["over"], row["column"], row["source"]): row for row in read_csv(tmp_path, "aggregates")}
    assert found["common games", "ras-0.5s", "ours"]["games"] == "1"
    assert found["common games", "iw1_ram", "paper"]["games"] == "1"
    assert found["own games", "ras-0.5s", "ours"]["games"] == "3"
    assert found["own games", "ras_rollout_iw1_0.5s", "paper"]["games"] == "3"
    assert found["own games", "ras_rollout_iw1_32s", "paper"]["games"] == "1"
    # Pong: random play -20.7, human 9.3, and 18.2 in the paper's column.
    paper = found["own games", "ras_rollout_iw1_32s", "paper"]
    assert float(paper["iqm"]) == pytest.approx((18.2 + 20.7) / 30)
    assert paper["iqm_low"] == ""
    ours = found["own games", "ras-32s", "ours"]
    assert float(ours["mean_low"]) <= float(ours["mean"]) <= float(ours["mean_high"])


def test_columns_with_few_games_do_not_keep_the_others_from_being_compared(tmp_path: Path) -> None:
    experiment = make_experiment(THREE_COLUMNS, [*FEW_GAMES, "qbert"])
    rows = [row for row in make_rows(experiment) if row.column != "rollout-0.5s" or row.game == "pong"]
    report = report_on(tmp_path, experiment, rows)
    assert [group.over for group in report.aggregates] == [Over.BROAD, Over.COMMON, Over.OWN]
    found = {(row["over"], row["column"], row["source"]): row for row in read_csv(tmp_path, "aggregates")}
    assert found["common games of broad columns", "ras-32s", "ours"]["games"] == "5"
    assert found["common games", "ras-32s", "ours"]["games"] == "1"
    text = read(tmp_path, "report.md")
    assert "Over the 5 of 49 games that our columns with many games have" in text
    assert "with fewer than half of the games that were played: Rollout 0.5 s." in text


def test_with_one_run_per_game_there_is_no_interval(tmp_path: Path) -> None:
    experiment = make_experiment(THREE_COLUMNS[:2], ["pong", "alien"])
    report_on(tmp_path, experiment, make_rows(experiment))
    aggregates, improvement = read_csv(tmp_path, "aggregates"), read_csv(tmp_path, "improvement")
    assert all(row["iqm_low"] == row["mean_high"] == "" for row in aggregates)
    assert [row["low"] for row in improvement] == [""]
    assert "with one run per game" in read(tmp_path, "report.md")
    assert "no game has more than one run" in read(tmp_path, "report.md")


def test_probability_of_improvement(tmp_path: Path) -> None:
    experiment = make_experiment(THREE_COLUMNS, ["pong", "alien"], runs=2)
    scores = {"ras-0.5s": 5, "ras-32s": 9, "rollout-0.5s": 5}
    report_on(tmp_path, experiment, [make_row(one, scores[one.column]) for one in experiment.episodes])
    found = {(row["first"], row["second"]): row for row in read_csv(tmp_path, "improvement")}
    assert found["ras-0.5s", "ras-32s"]["probability"] == "0"
    assert found["ras-0.5s", "rollout-0.5s"]["probability"] == "0.5"
    assert found["ras-32s", "rollout-0.5s"]["probability"] == "1"
    assert {row["games"] for row in found.values()} == {"2"}


def test_columns_without_a_common_game(tmp_path: Path) -> None:
    experiment = make_experiment(THREE_COLUMNS[:2], ["pong", "alien", "kaboom"])
    wanted = {("ras-0.5s", "pong"), ("ras-32s", "alien")}
    report = report_on(
        tmp_path, experiment, [row for row in make_rows(experiment) if (row.column, row.game) in wanted]
    )
    assert report.improvements[0].probability is None
    assert [group.over for group in report.aggregates] == [Over.OWN]
    assert "no game has been played by both" in read(tmp_path, "report.md")


def test_only_games_without_human_scores(tmp_path: Path) -> None:
    experiment = make_experiment(THREE_COLUMNS[:1], ["kaboom", "tetris"], runs=2)
    report_on(tmp_path, experiment, make_rows(experiment), is_drawn=True)
    assert {path.stem for path in (tmp_path / "report" / "figures").iterdir()} == {"calls"}
    assert "None of the 49 games has been played yet." in read(tmp_path, "report.md")


def test_costs_weigh_decisions(tmp_path: Path) -> None:
    experiment = make_experiment(THREE_COLUMNS[:1], ["pong", "alien"])
    pong, alien = experiment.episodes
    rows = [
        make_row(pong, 0, decisions=100, simulator_calls=1000, seconds_mean=0.1, wall_seconds=1800),
        make_row(
            alien,
            0,
            decisions=300,
            simulator_calls=6000,
            seconds_mean=0.5,
            seconds_max=2,
            wall_seconds=1800,
            overruns=7,
        ),
    ]
    report_on(tmp_path, experiment, rows)
    (cost,) = read_csv(tmp_path, "cost")
    assert (cost["decisions"], cost["overruns"], cost["hours"], cost["calls"]) == ("400", "7", "1", "17.5")
    assert (cost["seconds_mean"], cost["seconds_max"]) == ("0.4", "2")


def test_an_episode_without_decisions_is_no_problem(tmp_path: Path) -> None:
    experiment = make_experiment(THREE_COLUMNS[:1], ["pong"])
    empty = make_row(
        experiment.episodes[0], 0, decisions=0, simulator_calls=0, seconds_mean=0, wall_seconds=0
    )
    report = report_on(tmp_path, experiment, [empty])
    assert report.costs[0].calls == 0


def test_flags_and_problems_are_told(tmp_path: Path) -> None:
    experiment = make_experiment(THREE_COLUMNS[:1], ["pong", "alien"])
    pong, alien = (make_row(episode, 1) for episode in experiment.episodes)
    pong = msgspec.structs.replace(pong, cpu_share=0.5)
    stranger = msgspec.structs.replace(alien, game="tetris")
    report = report_on(tmp_path, experiment, [pong, alien, stranger])
    assert list(report.flags) == ["ras-0.5s/pong-1"]
    text = read(tmp_path, "report.md")
    assert "busy machine: 50% of a CPU" in text
    assert "ras-0.5s/tetris-1 belongs to no episode of the experiment" in text


def test_games_with_another_dump_have_a_mark(complete: Path) -> None:
    table = read(complete, "report.md").split("## Table 2")[1].split("\n\n")[1]
    marked = [line for line in table.splitlines() if "<sup>†</sup>" in line]
    assert len(marked) == len(OTHER_DUMPS)


def test_labels_are_only_text(tmp_path: Path) -> None:
    label = "a<b>c</b> | $\\frac{1}$ *x* & \"q\" 'r' 漢字"
    columns = (Column(name="odd", label=label), Column(name="long", label="very " * 40))
    experiment = make_experiment(columns, ["pong"], runs=2, title="<script>alert(1)</script> & co")
    report_on(tmp_path, experiment, make_rows(experiment), is_drawn=True)
    page = read(tmp_path, "report.html")
    assert "<script" not in page
    assert "a&lt;b&gt;c&lt;/b&gt; | $\\frac{1}$ *x* &amp; &quot;q&quot; &#x27;r&#x27; 漢字" in page
    assert r"a\<b\>c\</b\> \| \$\\frac{1}\$ \*x\* &amp;" in read(tmp_path, "report.md")
    Page(page)


def test_infinite_bars_are_listed(tmp_path: Path) -> None:
    experiment = make_experiment(THREE_COLUMNS[:1], ["montezuma_revenge", "pong"])
    rows = [make_row(episode, 100) for episode in experiment.episodes]
    report_on(tmp_path, experiment, rows, is_drawn=True)
    assert "RAS 0.5 s against DQN: montezuma's revenge" in read(tmp_path, "report.md")
    found = {(row["reference"], row["game"]): row["relative_score"] for row in read_csv(tmp_path, "relative")}
    assert found["dqn", "montezuma_revenge"] == "inf"
    assert float(found["human", "pong"]) == pytest.approx((100 - 9.3) / 9.3)


def test_many_columns_have_several_bar_charts(tmp_path: Path) -> None:
    columns = tuple(Column(name=f"c{number}", label=f"Column {number}") for number in range(9))
    experiment = make_experiment(columns, ["pong"], runs=1)
    report = report_on(tmp_path, experiment, make_rows(experiment), is_drawn=True)
    names = sorted(path.name for path in (tmp_path / "report" / "figures").glob("relative-*.svg"))
    assert names == [f"relative-{number}.svg" for number in (1, 2, 3)]
    assert len(report.improvements) == 36


def test_experiments_without_a_spec_are_made_up_from_their_episodes(tmp_path: Path) -> None:
    experiment = make_experiment(THREE_COLUMNS[:1], ["pong"])
    ledger = write_experiment(tmp_path, experiment, make_rows(experiment))
    (ExperimentFolder(tmp_path).path / "experiment.json").unlink()
    report = gather_report(read_results(tmp_path, ledger))
    assert (report.title, report.planned) == ("Episodes", 1)
