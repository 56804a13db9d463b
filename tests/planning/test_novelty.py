"""Novelty tables: one against the definition, many by logscore, and what is in them at the start."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from searching import PLAIN, Log, begin, plant, roll, run

from pixelplan.planning.case import Case
from pixelplan.planning.novelty import AtomTable, Novelty, NoveltyTables
from pixelplan.planning.rollout_iw import rollout
from worlds import make_world

visits = st.lists(st.tuples(st.frozensets(st.integers(0, 5), max_size=4), st.integers(0, 5), st.booleans()))


@given(visits=visits)
def test_atom_table_is_the_least_depth_of_each_atom(visits: list[tuple[frozenset[int], int, bool]]) -> None:
    """Any history of comparisons and updates; a comparison leaves no trace."""
    table = AtomTable()
    entered: list[tuple[frozenset[int], int]] = []
    for atoms, depth, is_entered in visits:
        least = [min((d for other, d in entered if atom in other), default=99) for atom in atoms]
        expected = Novelty.WORSE
        if any(depth < d for d in least):
            expected = Novelty.IMPROVES
        elif depth in least:
            expected = Novelty.TIES
        assert (table.update if is_entered else table.compare)(atoms, depth) is expected
        if is_entered:
            entered.append((atoms, depth))
    table.clear()
    assert table.compare({0}, 1_000) is Novelty.IMPROVES


def test_tables_are_separate_and_empty_after_clear() -> None:
    """Also when a table is used again for another part."""
    made: list[AtomTable] = []

    def make_table() -> AtomTable:
        made.append(AtomTable())
        return made[-1]

    tables = NoveltyTables(make_table)
    tables[0].update({"p"}, 1)
    assert tables[-3].update({"p"}, 1) is Novelty.IMPROVES
    assert tables[0].compare({"p"}, 1) is Novelty.TIES
    tables.clear()
    for part in (5, 6):
        assert tables[part].update({"p"}, 9) is Novelty.IMPROVES
    assert len(made) == 2


# Both actions lead to q at depth 1, the second one with a reward.
SCORING = make_world(
    {"s": ("p", "ab"), "a": ("q", "s"), "b": ("q", "c"), "c": ("p", "d"), "d": ("p", "d")},
    rewards={("s", 1): 1.0, ("c", 0): -3.0},
)


@pytest.mark.parametrize("subscoring", [False, True])
def test_one_table_or_one_per_logscore(subscoring: bool) -> None:
    """A node that is not novel overall survives if it is novel among those of its own logscore."""
    log = Log()
    lookahead = plant(SCORING, replace(PLAIN, subscoring=subscoring), observer=log.note)
    roll(lookahead, SCORING, 0, 0)
    assert log.cases() == [Case.NOVEL, Case.NOT_NOVEL]
    log.arrivals.clear()
    if subscoring:
        # b and c have path reward 1, where the root is not entered; d has -2 and is with the root.
        roll(lookahead, SCORING, 1, 0, 0)
        assert log.cases() == [Case.NOVEL, Case.NOVEL, Case.NOT_NOVEL]
    else:
        roll(lookahead, SCORING, 1)
        assert log.cases() == [Case.NOT_NOVEL]


def test_the_table_is_that_of_the_path_reward() -> None:
    """From the root, undiscounted, and after the risk-averse transformation."""
    # Path rewards 1, 3, 3.5 as the game counts; the last action costs a life.
    world = make_world(
        {"s": ("s", "a"), "a": ("a", "b"), "b": ("b", "c"), "c": ("c", "d"), "d": ("d", "s")},
        rewards={("s", 0): 1.0, ("a", 0): 2.0, ("b", 0): 0.5, ("c", 0): 8.0},
        lives={"d": 2},
    )
    tables = NoveltyTables(AtomTable)
    settings = replace(PLAIN, subscoring=True, risk_averse=True, discount=0.5, max_depth=5)
    lookahead = plant(world, settings, tables=tables)
    roll(lookahead, world, 0, 0, 0, 0, 0)
    for atom, depth, table in (("s", 0, 0), ("a", 1, 1), ("b", 2, 2), ("c", 3, 2), ("d", 4, 0)):
        for part in range(-5, 6):
            expected = Novelty.TIES if part == table else Novelty.IMPROVES
            assert tables[part].compare({atom}, depth) is expected, (atom, part)


def test_a_kept_tree_is_scored_from_its_new_root() -> None:
    """What was collected before the decision no longer counts."""
    world = make_world(
        {"s": ("s", "a"), "a": ("a", "b"), "b": ("b", "c"), "c": ("c", "s")},
        rewards={("s", 0): 4.0, ("a", 0): 1.0},
    )
    tables = NoveltyTables(AtomTable)
    lookahead = plant(world, replace(PLAIN, subscoring=True, max_depth=3), tables=tables)
    run(iter([rollout(lookahead)]), lookahead, world, calls=2)
    lookahead.advance(0)
    begin(lookahead)
    roll(lookahead, world, 0, 0, 0)
    assert tables[0].compare({"a"}, 0) is Novelty.TIES
    assert tables[1].compare({"c"}, 2) is Novelty.TIES
    assert tables[3].compare({"c"}, 2) is Novelty.IMPROVES


@pytest.mark.parametrize("root_in_table", [False, True])
def test_the_root_is_in_the_table_or_not(root_in_table: bool) -> None:
    """If it is, a node that looks like the root is not novel."""
    world = make_world({"s": ("p", "a"), "a": ("p", "b"), "b": ("p", "b")})
    log = Log()
    lookahead = plant(world, replace(PLAIN, root_in_table=root_in_table), observer=log.note)
    roll(lookahead, world, *([0] if root_in_table else [0, 0]))
    assert log.cases() == ([Case.NOT_NOVEL] if root_in_table else [Case.NOVEL, Case.NOT_NOVEL])
