from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from pixelplan.errors import InputError
from pixelplan.planning.settings import PRESETS
from pixelplan.play.episode import EpisodeResult, play_episode
from pixelplan.play.settings import EpisodeSettings
from pixelplan.play.trace import NO_PARENT, VISIT, Visits
from pixelplan.viewer.encoding import NO_PARENT_ROW, NOT_VISITED, Flag
from pixelplan.viewer.tree import ShownTree

UNTESTED, NOVEL, NOT_NOVEL, DEAD_END, TWIN = 0, 1, 2, 5, 7


def visit(
    node: int, parent: int, action: int, *, reward: float = 0.0, case: int = NOVEL, lives: int = 3
) -> Visits:
    return np.array([(node, parent, action, reward, 1, case, False, lives)], VISIT)


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
    assert (tree.decision, len(tree.rows()), tree.log_lengths()) == (-1, 0, (0, 0))


def test_the_rows_say_what_was_visited(tree: ShownTree) -> None:
    rows = tree.rows()
    assert rows["parent"].tolist() == [NO_PARENT_ROW, 0, 0, 1, 3]
    assert rows["action"].tolist() == [255, 5, 6, 7, 8]
    assert rows["reward"].tolist() == [0, 0, 0, -500_000, 0]
    assert cases(tree) == {0: UNTESTED, 1: NOVEL, 2: NOT_NOVEL, 3: NOVEL, 4: NOVEL}
    assert flags(tree) == {0: 0, 1: 0, 2: 0, 3: Flag.LIFE_LOST, 4: 0}
    assert tree.visits()["id"].tolist() == [0, 1, 2, 3, 4]


def test_what_lies_below_the_new_root_is_kept(tree: ShownTree) -> None:
    tree.solve([3, 4])
    tree.begin(1, root(1, action=5))
    assert (tree.decision, tree.log_lengths()) == (1, (1, 0))
    assert cases(tree) == {1: UNTESTED, 3: NOT_VISITED, 4: NOT_VISITED}
    assert flags(tree) == {1: Flag.KEPT, 3: Flag.KEPT | Flag.LIFE_LOST, 4: Flag.KEPT}
    assert tree.rows()["parent"].tolist() == [NO_PARENT_ROW, 1, 3]
    tree.add(visit(3, 1, 7, case=UNTESTED, lives=2))
    tree.add(visit(5, 3, 0))
    assert cases(tree) == {1: UNTESTED, 3: UNTESTED, 4: NOT_VISITED, 5: NOVEL}
    assert [tree.born(node) for node in (1, 3, 5)] == [0, 0, 1]
    assert tree.path(5) == (7, 0)


def test_a_twin_stays_one(tree: ShownTree) -> None:
    """Whether it is visited again or not."""
    tree.add(visit(5, 1, 8, case=TWIN))
    tree.begin(1, root(1, action=5))
    assert (cases(tree)[5], flags(tree)[5]) == (NOT_VISITED, Flag.KEPT | Flag.TWIN)
    tree.add(visit(5, 1, 8, case=TWIN))
    assert (cases(tree)[5], flags(tree)[5]) == (TWIN, Flag.KEPT | Flag.TWIN)


def test_an_end_stays_one_until_it_is_the_root(tree: ShownTree) -> None:
    """A lost life may be the end of a branch, and is not the end of the game."""
    tree.add(visit(5, 1, 8, case=DEAD_END, lives=2))
    tree.begin(1, root(1, action=5))
    assert (cases(tree)[5], flags(tree)[5]) == (NOT_VISITED, Flag.KEPT | Flag.LIFE_LOST | Flag.END)
    tree.begin(2, root(5, action=8))
    assert flags(tree) == {5: Flag.KEPT | Flag.LIFE_LOST}


def test_an_unknown_root_begins_a_new_tree(tree: ShownTree) -> None:
    tree.begin(1, root(9))
    assert cases(tree) == {9: UNTESTED}
    assert flags(tree) == {9: 0}


def test_who_has_seen_a_part_is_told_the_rest(tree: ShownTree) -> None:
    seen = tree.log_lengths()
    tree.solve([2])
    tree.add(visit(5, 1, 0))
    rows, solved = tree.since(*seen)
    assert rows["id"].tolist() == [5]
    assert solved == [2]
    assert flags(tree)[2] == Flag.SOLVED
    rows, solved = tree.since(*tree.log_lengths())
    assert (len(rows), solved) == (0, [])


def test_a_path_leads_from_the_root(tree: ShownTree) -> None:
    assert tree.path(0) == ()
    assert tree.path(4) == (5, 7, 8)
    with pytest.raises(InputError, match="node 7 is not in the tree of decision 0"):
        tree.path(7)


SEARCHES = PRESETS | {
    "beyond lost lives": replace(PRESETS["best"], lost_life_ends=False),
    "impatient": replace(PRESETS["best"], patience=3),
}


@pytest.fixture(scope="module", params=["ras", "iw", "best", "beyond lost lives", "impatient"])
def result(request: pytest.FixtureRequest) -> EpisodeResult:
    search = SEARCHES[request.param]
    settings = EpisodeSettings(game="breakout", calls=40, decisions=12, seed=5, **vars(search))
    return play_episode(settings, traces_nodes=True)


def best_value(tree: ShownTree, settings: EpisodeSettings) -> float:
    """The value of the best action: to the wary, of those for which nothing is lost for longest."""
    values: dict[int, float] = {}
    lengths: dict[int, float] = {}
    worths: list[tuple[float, float]] = []
    root = int(tree.rows()["id"][0])
    for row in reversed(tree.rows()[1:]):
        node, parent = int(row["id"]), int(row["parent"])
        is_end = bool(row["flags"] & Flag.END)
        is_loss = settings.is_verified and (row["reward"] < 0 or (is_end and row["reward"] == 0))
        is_seen_whole = not settings.is_verified or is_end or len(tree.path(node)) >= settings.max_depth
        length = 0.0 if is_loss else 1.0 + lengths.get(node, math.inf if is_seen_whole else 0.0)
        value = float(row["reward"]) + settings.discount * values.get(node, 0.0)
        if not row["flags"] & Flag.TWIN:
            values[parent] = max(values.get(parent, -math.inf if settings.cautious else 0.0), value)
            lengths[parent] = max(lengths.get(parent, 0.0), length)
            if parent == root:
                worths.append((length, value))
    best = max(worths)[1]
    return best if settings.cautious else max(best, 0.0)


def test_the_tree_is_the_one_that_was_searched(result: EpisodeResult) -> None:
    tree = ShownTree()
    for decision, played in enumerate(result.played):
        trace = played.decision.trace
        assert trace.visits is not None
        tree.begin(decision, trace.visits[:1], is_bold=trace.risks_life)
        tree.add(trace.visits[1:])
        rows = tree.rows()
        assert len(rows) == trace.nodes
        assert np.count_nonzero(~rows["flags"] & Flag.KEPT) == trace.new_nodes + (decision == 0)
        assert np.count_nonzero(rows["case"] != NOT_VISITED) == len(trace.visits)
        assert np.isin(rows["parent"][1:], rows["id"]).all()
        # Curiosity counts in the search alone, and for little.
        assert best_value(tree, result.settings) == pytest.approx(played.decision.value, abs=0.01)


def test_a_node_that_was_passed_when_it_was_new_repeats_an_action(tree: ShownTree) -> None:
    tree.add(visit(5, 1, 5, case=UNTESTED))
    assert flags(tree)[5] == Flag.REPEAT
    tree.begin(1, root(1, action=5))
    tree.add(visit(3, 1, 7, case=UNTESTED, lives=2))
    assert flags(tree) == {
        1: Flag.KEPT,
        3: Flag.KEPT | Flag.LIFE_LOST,
        4: Flag.KEPT,
        5: Flag.KEPT | Flag.REPEAT,
    }
