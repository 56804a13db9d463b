"""The published scores are all there, under the names the simulators use."""

from collections.abc import Callable

import pytest

from pixelplan.reference.scores import (
    HUMAN,
    RANDOM,
    ScoreTable,
    paper_table1,
    paper_table2,
    reference_scores,
)
from pixelplan.simulators.games import PAPER_GAMES

WITHOUT_HUMAN = {
    *("berzerk", "defender", "elevator_action", "kaboom", "phoenix", "pitfall", "skiing", "solaris"),
    "yars_revenge",
}


def test_games_have_their_rom_names() -> None:
    assert paper_table2().games == PAPER_GAMES
    assert reference_scores().games == PAPER_GAMES
    assert paper_table1().games == tuple(game for game in PAPER_GAMES if game not in WITHOUT_HUMAN)


def test_columns() -> None:
    assert list(paper_table1().columns) == ["human", "dqn", "rl_blob_prost", "ras_rollout_iw1_0.5s"]
    planners = ("iw1", "rollout_iw1", "ra_rollout_iw1", "ras_rollout_iw1")
    expected = [f"{planner}_{seconds}s" for planner in planners for seconds in ("0.5", "32")]
    assert list(paper_table2().columns) == ["human", "iw1_ram", *expected]


@pytest.mark.parametrize(
    ("table", "column", "game", "score"),
    [
        (paper_table1, "rl_blob_prost", "double_dunk", -6.4),
        (paper_table1, "ras_rollout_iw1_0.5s", "zaxxon", 18_700.0),
        (paper_table2, "human", "alien", 6_875.0),
        (paper_table2, "iw1_32s", "centipede", 143_275.4),
        (paper_table2, "ras_rollout_iw1_32s", "zaxxon", 38_700.0),
        (reference_scores, RANDOM, "tennis", -23.8),
        (reference_scores, HUMAN, "ms_pacman", 15_693.0),
        (reference_scores, "human_atari57", "ms_pacman", 6_951.6),
    ],
)
def test_cells(table: Callable[[], ScoreTable], column: str, game: str, score: float) -> None:
    assert table().columns[column][game] == score


def test_an_empty_cell_is_no_score() -> None:
    ram = paper_table2().columns["iw1_ram"]
    assert set(PAPER_GAMES) - ram.keys() == WITHOUT_HUMAN - {"berzerk", "elevator_action"}
    for column in paper_table2().columns.keys() - {"human", "iw1_ram"}:
        assert set(paper_table2().columns[column]) == set(PAPER_GAMES)


def test_the_tables_agree_where_they_overlap() -> None:
    first, second, reference = (table().columns for table in (paper_table1, paper_table2, reference_scores))
    assert first["human"] == second["human"] == reference[HUMAN]
    assert set(reference[HUMAN]) == set(reference[RANDOM]) == set(PAPER_GAMES) - WITHOUT_HUMAN
    assert first["dqn"] == reference["dqn_mnih2015"]
    name = "ras_rollout_iw1_0.5s"
    assert first[name] == {game: second[name][game] for game in first[name]}


def test_every_table_names_its_source() -> None:
    assert "Bandres, Bonet, Geffner" in paper_table1().source
    assert "Table 1" in paper_table1().source
    assert "Table 2" in paper_table2().source
    assert "Mnih et al. 2015" in reference_scores().source
