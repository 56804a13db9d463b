from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest
from made_up import (
    RAS,
    THREE_COLUMNS,
    make_experiment,
    make_row,
    make_rows,
    published_score,
    write_experiment,
)

from pixelplan.experiments.folder import read_results
from pixelplan.experiments.spec import Column, Experiment
from pixelplan.reference.scores import paper_table1, paper_table2
from pixelplan.reports.columns import PlayedColumn, gather_columns
from pixelplan.reports.tables import ComparisonTable, Count, TableCell, make_table1, make_table2
from pixelplan.simulators.games import PAPER_GAMES

if TYPE_CHECKING:
    from pixelplan.experiments.ledger import Row


def gather(folder: Path, experiment: Experiment, rows: list[Row]) -> tuple[PlayedColumn, ...]:
    return gather_columns(read_results(folder, write_experiment(folder, experiment, rows)))


def counts(table: ComparisonTable, key: str) -> list[int | None]:
    (row,) = (row for row in table.counts if row.key == key)
    return [None if count is None else count.number for count in row.counts]


def cell(table: ComparisonTable, game: str, key: str) -> TableCell:
    place = [column.key for column in table.columns].index(key)
    (row,) = (row for row in table.rows if row.game == game)
    return row.cells[place]


def test_table1_has_the_papers_counts() -> None:
    table = make_table1([])
    assert [column.key for column in table.columns] == ["human", "dqn", "rl_blob_prost", RAS]
    assert [row.game for row in table.rows] == list(paper_table1().games)
    assert counts(table, "at_least_human") == [None, 23, 18, 25]
    assert counts(table, "at_least_75_percent_human") == [None, 27, 22, 29]
    assert counts(table, "best") == counts(table, "best_of_paper") == [16, 12, 6, 15]


def test_table2_has_the_papers_counts() -> None:
    table = make_table2([])
    assert [row.game for row in table.rows] == list(PAPER_GAMES)
    assert counts(table, "at_least_human") == [None, None, 7, 22, 19, 34, 22, 35, 25, 37]
    assert counts(table, "at_least_75_percent_human") == [None, None, 7, 24, 22, 34, 26, 39, 29, 40]
    assert counts(table, "best") == counts(table, "best_of_paper") == [5, 24, 1, 9, 0, 2, 0, 7, 0, 11]


def test_table2_marks_what_the_paper_marks() -> None:
    table = make_table2([])
    assert cell(table, "alien", "iw1_ram") == TableCell(value=25_634.0, is_best=True)
    assert cell(table, "alien", "ras_rollout_iw1_32s") == TableCell(value=19_354.0, is_human_level=True)
    assert cell(table, "boxing", "iw1_ram").is_best
    assert cell(table, "boxing", "ra_rollout_iw1_32s") == TableCell(
        value=100.0, is_best=True, is_human_level=True
    )
    assert cell(table, "berzerk", "human") == TableCell(value=None)
    assert not any(row.cells[0].is_human_level for row in table.rows)


def test_our_columns_stand_beside_those_they_reproduce(tmp_path: Path) -> None:
    own = Column(name="own", label="Own")
    twin = Column(name="ras-again", label="RAS again", paper=RAS)
    experiment = make_experiment((own, *THREE_COLUMNS, twin), ["pong"])
    columns = gather(tmp_path, experiment, make_rows(experiment))
    keys = [column.key for column in make_table2(columns).columns]
    assert keys[keys.index("rollout_iw1_0.5s") + 1] == "rollout-0.5s"
    place = keys.index(RAS)
    assert keys[place:] == [RAS, "ras-0.5s", "ras-again", "ras_rollout_iw1_32s", "ras-32s", "own"]
    assert [column.key for column in make_table1(columns).columns] == [
        *("human", "dqn", "rl_blob_prost", RAS),
        *("ras-0.5s", "ras-again"),
    ]


def test_scores_are_means_and_missing_runs_show(tmp_path: Path) -> None:
    experiment = make_experiment(THREE_COLUMNS[:1], ["pong", "alien", "qbert"], runs=2)
    scores = {"pong": (9, 10), "alien": (6874, 6876)}
    rows = [
        make_row(episode, scores[episode.game][episode.run - 1])
        for episode in experiment.episodes
        if episode.game in scores
    ]
    (column,) = gather(tmp_path, experiment, rows[:-1])
    assert column.means == {"pong": 9.5, "alien": 6874.0}
    assert column.planned == {"pong": 2, "alien": 2, "qbert": 2}
    table = make_table2([column])
    assert cell(table, "pong", "ras-0.5s") == TableCell(value=9.5, is_human_level=True)
    assert cell(table, "alien", "ras-0.5s") == TableCell(value=6874.0, runs=1)
    assert cell(table, "qbert", "ras-0.5s") == TableCell(value=None)
    assert cell(table, "kaboom", "ras-0.5s") == TableCell(value=None)
    place = [one.key for one in table.columns].index("ras-0.5s")
    assert [row.counts[place] for row in table.counts] == [
        Count(number=1, of=2),
        Count(number=2, of=2),
        Count(number=0, of=2),
        None,
    ]


def test_a_column_with_the_papers_scores_has_the_papers_counts(tmp_path: Path) -> None:
    experiment = make_experiment(THREE_COLUMNS[:1], runs=5)
    rows = []
    for episode in experiment.episodes:
        # Five whole numbers whose mean is the paper's score.
        total = round(5 * published_score(episode, experiment))
        rows.append(make_row(episode, total // 5 + (episode.run <= total % 5)))
    columns = gather(tmp_path, experiment, rows)
    assert columns[0].means == pytest.approx(paper_table2().columns[RAS])
    for table, best in ((make_table1(columns), 15), (make_table2(columns), 0)):
        ours = [column.key for column in table.columns].index("ras-0.5s")
        for key in ("at_least_human", "at_least_75_percent_human", "best"):
            assert counts(table, key)[ours] == counts(table, key)[ours - 1]
        assert counts(table, "best")[ours] == best
        assert counts(table, "best_of_paper")[ours - 1] == best
        games = [count.of for row in table.counts if (count := row.counts[ours]) is not None]
        assert games == [49, 49, len(table.rows)]


def test_ours_can_be_red_even_if_it_is_named_like_the_papers_ram_column(tmp_path: Path) -> None:
    experiment = make_experiment((Column(name="iw1_ram", label="RAM", paper="iw1_ram"),), ["pong"])
    columns = gather(tmp_path, experiment, [make_row(experiment.episodes[0], 30)])
    table = make_table2(columns)
    (pong,) = (row for row in table.rows if row.game == "pong")
    assert [one.is_human_level for one in pong.cells[1:3]] == [False, True]
    assert counts(table, "at_least_human")[1:3] == [None, 1]


def test_games_that_the_paper_does_not_have_come_last(tmp_path: Path) -> None:
    experiment = make_experiment(THREE_COLUMNS[:1], ["zaxxon", "tetris"])
    table = make_table2(gather(tmp_path, experiment, make_rows(experiment)))
    assert [row.game for row in table.rows] == [*PAPER_GAMES, "tetris"]
    assert cell(table, "tetris", "human") == TableCell(value=None)
    assert cell(table, "tetris", "ras-0.5s").value is not None


def test_columns_that_differ_only_in_their_budget_are_a_family(tmp_path: Path) -> None:
    experiment = make_experiment((*THREE_COLUMNS, Column(name="own", label="")), ["pong", "alien"], runs=2)
    half, long, rollout, own = gather(tmp_path, experiment, [])
    assert half.family == long.family == own.family != rollout.family
    assert half.settings == "seconds 0.5"
    assert rollout.settings == "risk_averse False, seconds 0.5, subscoring False"
    assert own.label == "own"
    assert msgspec.json.decode(next(iter(half.family))) == {}
