from __future__ import annotations

import numpy as np
import pytest
from visits import visit

from pixelplan.errors import InputError
from pixelplan.play.trace import NO_PARENT, NOT_VISITED, Visits
from pixelplan.viewer.encoding import NO_PARENT_ROW, NOT_VISITED_ROW, Flag
from pixelplan.viewer.tree import ShownTree

UNTESTED, NOVEL, NOT_NOVEL, DEAD_END, TWIN = 0, 1, 2, 5, 7
UNKNOWN = -1


def root(node: int, action: int = -1) -> Visits:
    return visit(node, NO_PARENT, action, case=UNTESTED)


@pytest.fixture
def tree() -> ShownTree:
    """Node 0 has children 1 and 2, 1 has 3, 3 has 4."""
    tree = ShownTree()
    tree.begin(0, root(0))
    tree.add(np.concatenate([visit(1, 0, 5), visit(2, 0, 6, case=NOT_NOVEL)]))
    tree.add(np.concatenate([visit(3, 1, 7, reward=-500_000.0, lives=2), visit(4, 3, 8, lives=2)]))
    return tree


def cases(tree: ShownTree) -> dict[int, int]:
    rows = tree.rows()
    return dict(zip(rows["id"].tolist(), rows["case"].tolist(), strict=True))


def flags(tree: ShownTree) -> dict[int, int]:
    rows = tree.rows()
    return dict(zip(rows["id"].tolist(), rows["flags"].tolist(), strict=True))


def test_a_new_tree_is_empty() -> None:
    tree = ShownTree()
    assert (tree.decision, len(tree.rows()), tree.log_length()) == (-1, 0, 0)


def test_the_rows_say_what_was_visited(tree: ShownTree) -> None:
    rows = tree.rows()
    assert rows["parent"].tolist() == [NO_PARENT_ROW, 0, 0, 1, 3]
    assert rows["action"].tolist() == [255, 5, 6, 7, 8]
    assert rows["reward"].tolist() == [0, 0, 0, -500_000, 0]
    assert cases(tree) == {0: UNTESTED, 1: NOVEL, 2: NOT_NOVEL, 3: NOVEL, 4: NOVEL}
    assert flags(tree) == {0: 0, 1: 0, 2: 0, 3: Flag.LIFE_LOST, 4: 0}
    assert [visit.node for visit in tree.visits_until(3)] == [0, 1, 2, 3]
    assert tree.visits_until(9) == []


def test_what_lies_below_the_new_root_is_kept(tree: ShownTree) -> None:
    tree.add(visit(4, 3, 8, lives=2, is_solved=True))
    assert flags(tree)[4] == Flag.SOLVED
    tree.begin(1, root(1, action=5))
    assert (tree.decision, tree.log_length()) == (1, 1)
    assert cases(tree) == {1: UNTESTED, 3: NOT_VISITED_ROW, 4: NOT_VISITED_ROW}
    assert flags(tree) == {1: Flag.KEPT, 3: Flag.KEPT | Flag.LIFE_LOST, 4: Flag.KEPT}
    assert tree.rows()["parent"].tolist() == [NO_PARENT_ROW, 1, 3]
    tree.add(visit(3, 1, 7, case=UNTESTED, lives=2))
    tree.add(visit(5, 3, 0))
    assert cases(tree) == {1: UNTESTED, 3: UNTESTED, 4: NOT_VISITED_ROW, 5: NOVEL}
    assert [tree.born(node) for node in (1, 3, 5)] == [0, 0, 1]
    assert tree.path(5) == (7, 0)


def test_a_twin_stays_one(tree: ShownTree) -> None:
    """Whether it is visited again or not."""
    tree.add(visit(5, 1, 8, case=TWIN))
    tree.begin(1, root(1, action=5))
    assert (cases(tree)[5], flags(tree)[5]) == (NOT_VISITED_ROW, Flag.KEPT | Flag.TWIN)
    tree.add(visit(5, 1, 8, case=TWIN))
    assert (cases(tree)[5], flags(tree)[5]) == (TWIN, Flag.KEPT | Flag.TWIN)


def test_an_end_stays_one_until_it_is_the_root(tree: ShownTree) -> None:
    """A lost life may be the end of a branch, and is not the end of the game."""
    tree.add(visit(5, 1, 8, case=DEAD_END, lives=2))
    tree.begin(1, root(1, action=5))
    assert (cases(tree)[5], flags(tree)[5]) == (NOT_VISITED_ROW, Flag.KEPT | Flag.LIFE_LOST | Flag.END)
    tree.begin(2, root(5, action=8))
    assert flags(tree) == {5: Flag.KEPT | Flag.LIFE_LOST}


def test_an_unknown_root_begins_a_new_tree(tree: ShownTree) -> None:
    tree.begin(1, root(9))
    assert cases(tree) == {9: UNTESTED}
    assert flags(tree) == {9: 0}


def test_who_has_seen_a_part_is_told_the_rest(tree: ShownTree) -> None:
    seen = tree.log_length()
    tree.add(
        np.concatenate([visit(5, 1, 0, value=2.0), visit(1, 0, 5, value=2.0), visit(5, 1, 0, value=3.0)])
    )
    rows = tree.since(seen)
    assert rows[["id", "value"]].tolist() == [(5, 3.0), (1, 2.0)], "each once, as it is now"
    assert len(tree.since(tree.log_length())) == 0


def test_a_kept_node_may_get_another_value_without_a_visit(tree: ShownTree) -> None:
    tree.begin(1, root(1, action=5))
    tree.add(visit(3, 1, 7, case=NOT_VISITED, lives=2, value=4.0))
    assert tree.rows()["value"].tolist() == [0.0, 4.0, 0.0]
    assert cases(tree)[3] == NOT_VISITED_ROW
    assert tree.visits_until(3) == []


def test_a_path_leads_from_the_root(tree: ShownTree) -> None:
    assert tree.path(0) == ()
    assert tree.path(4) == (5, 7, 8)
    with pytest.raises(InputError, match="node 7 is not in the tree of decision 0"):
        tree.path(7)


def test_a_node_of_an_earlier_version_repeats_an_action_if_it_was_passed_when_it_was_new(
    tree: ShownTree,
) -> None:
    tree.add(visit(5, 1, 5, case=UNTESTED, repeats=UNKNOWN))
    tree.add(visit(6, 1, 6, case=UNTESTED))
    assert (flags(tree)[5], flags(tree)[6]) == (Flag.REPEAT, 0)
    tree.begin(1, root(1, action=5))
    tree.add(visit(3, 1, 7, case=UNTESTED, lives=2, repeats=UNKNOWN))
    assert flags(tree) == {
        1: Flag.KEPT,
        3: Flag.KEPT | Flag.LIFE_LOST,
        4: Flag.KEPT,
        5: Flag.KEPT | Flag.REPEAT,
        6: Flag.KEPT,
    }
