"""Rollout IW(1): its cases one by one, and all of it against a transcription of the paper's Figure 1."""

from dataclasses import replace
from random import Random

import pytest
from figure_1 import generate_lookahead_tree, solved_by_path
from hypothesis import given, settings
from searching import PLAIN, Log, begin, is_twin, node_at, plant, roll, run, search_of

from pixelplan.planning.budget import Ending
from pixelplan.planning.case import Case
from pixelplan.planning.node import Node
from pixelplan.planning.novelty import AtomTable, Novelty, NoveltyTables
from pixelplan.planning.paper_settings import CachedNodes
from pixelplan.planning.rollout_iw import rollout_iw
from pixelplan.planning.simulator import Action
from worlds import World, make_world, seeds, worlds


def labels(node: Node, path: tuple[Action, ...] = ()) -> dict[tuple[Action, ...], bool]:
    """Return whether the nodes of a tree are solved, by the actions that lead to them."""
    found = {path: node.is_solved}
    for action, child in node.children.items():
        found |= labels(child, (*path, action))
    return found


@settings(max_examples=300)
@given(world=worlds, seed=seeds)
def test_the_tree_is_that_of_figure_1(world: World, seed: int) -> None:
    """The same draws give the same tree, the same labels, the same table and the same draws after it."""
    rng, figure_rng = Random(seed), Random(seed)
    tables = NoveltyTables(AtomTable)
    lookahead = plant(world, rng=rng, tables=tables)
    assert run(rollout_iw(lookahead), lookahead, world) is Ending.SOLVED
    figure, depths = generate_lookahead_tree(world, figure_rng)
    assert labels(lookahead.root) == solved_by_path(figure)
    assert rng.random() == figure_rng.random()
    for atom, depth in depths.items():
        assert tables[0].compare({atom}, depth) is Novelty.TIES
    assert len(world.calls) == len(labels(lookahead.root)) - 1 == lookahead.simulated


def test_cases_1_2_and_4_and_the_label_on_its_way_to_the_root() -> None:
    """A novel node is gone on from, now and later; others are solved on arrival."""
    world = make_world({"s": ("p", "ab"), "a": ("q", "cs"), "b": ("p", "a"), "c": ("q", "c")})
    log = Log()
    lookahead = plant(world, observer=log.note)
    roll(lookahead, world, 0, 0)
    assert log.cases() == [Case.NOVEL, Case.NOT_NOVEL]
    assert node_at(lookahead, 0, 0).is_solved
    assert not node_at(lookahead, 0).is_solved  # its second action is untried
    roll(lookahead, world, 1)
    assert log.cases()[2:] == [Case.NOT_NOVEL]
    assert lookahead.deepest == 2
    assert not lookahead.root.is_solved
    roll(lookahead, world, 0, 1)
    assert log.cases()[3:] == [Case.STILL_NOVEL, Case.NOT_NOVEL]
    assert node_at(lookahead, 0).is_solved
    assert lookahead.root.is_solved
    assert lookahead.cases[: Case.DEAD_END] == [0, 1, 3, 0, 1]
    assert lookahead.rollouts == 3
    assert world.calls == [("s", 0), ("a", 0), ("s", 1), ("a", 1)]


def test_case_3_a_shorter_way_to_all_features_of_a_node_solves_it() -> None:
    """The node keeps an action that was never tried."""
    world = make_world({"s": ("p", "ab"), "a": ("x", "b"), "b": ("y", "cs"), "c": ("z", "s")})
    log = Log()
    lookahead = plant(world, observer=log.note)
    roll(lookahead, world, 0, 0, 0, 0)  # s a b c s: y has depth 2
    roll(lookahead, world, 1, 1)  # s b s: y has depth 1
    before = len(world.calls)
    roll(lookahead, world, 0, 0)  # s a b
    assert log.cases()[-2:] == [Case.STILL_NOVEL, Case.NO_LONGER_NOVEL]
    assert len(world.calls) == before
    assert node_at(lookahead, 0, 0).is_solved
    assert node_at(lookahead, 0, 0).unsolved == [1]
    assert node_at(lookahead, 0).is_solved  # all of whose actions were tried
    assert not lookahead.root.is_solved
    # Below the shorter way, z is still better than what was found below the longer one.
    roll(lookahead, world, 1, 0, 0)
    assert log.cases()[-3:] == [Case.STILL_NOVEL, Case.NOVEL, Case.NOT_NOVEL]
    assert lookahead.root.is_solved


def test_case_4_one_feature_still_at_its_least_depth_is_enough() -> None:
    """The shorter way has only one of the two features."""
    world = make_world({"s": ("p", "ac"), "a": ("x", "b"), "b": ("yw", "ss"), "c": ("y", "s")})
    log = Log()
    lookahead = plant(world, observer=log.note)
    roll(lookahead, world, 0, 0, 0)
    roll(lookahead, world, 1, 0)
    roll(lookahead, world, 0, 0, 1)
    assert log.cases()[-3:] == [Case.STILL_NOVEL, Case.STILL_NOVEL, Case.NOT_NOVEL]
    assert lookahead.root.is_solved


def test_a_node_as_deep_as_another_with_its_features_is_not_novel() -> None:
    """Case 2 asks for a smaller depth."""
    world = make_world({"s": ("p", "ab"), "a": ("q", "s"), "b": ("q", "s")})
    log = Log()
    lookahead = plant(world, observer=log.note)
    roll(lookahead, world, 0, 0)
    roll(lookahead, world, 1)
    assert log.cases() == [Case.NOVEL, Case.NOT_NOVEL, Case.NOT_NOVEL]


def test_game_over_is_solved_on_arrival_and_not_entered() -> None:
    """The features of the last screen are as good as new elsewhere."""
    world = make_world({"s": ("p", "ta"), "a": ("q", "b"), "b": ("z", "s"), "t": ("z", "t")}, terminals="t")
    log = Log()
    lookahead = plant(world, observer=log.note)
    roll(lookahead, world, 0)
    assert log.cases() == [Case.DEAD_END]
    assert node_at(lookahead, 0).is_solved
    roll(lookahead, world, 1, 0, 0)
    assert log.cases()[1:] == [Case.NOVEL, Case.NOVEL, Case.NOT_NOVEL]
    assert lookahead.root.is_solved


def test_a_state_without_actions_is_a_dead_end() -> None:
    """As if the game were over."""
    world = make_world({"s": ("p", "at"), "a": ("q", ""), "t": ("q", "s")})
    log = Log()
    lookahead = plant(world, observer=log.note)
    roll(lookahead, world, 0)
    assert log.cases() == [Case.DEAD_END]
    roll(lookahead, world, 1, 0)
    assert log.cases()[1:] == [Case.NOVEL, Case.NOT_NOVEL]
    assert lookahead.root.is_solved


def test_beyond_a_lost_life_nothing_is_looked_for() -> None:
    """Until the life is lost indeed: then the branch begins there."""
    world = make_world(
        {"s": ("p", "ab"), "a": ("q", "c"), "b": ("r", "c"), "c": ("z", "s")}, lives={"a": 2, "c": 2}
    )
    log = Log()
    lookahead = plant(world, replace(PLAIN, lost_life_ends=True), observer=log.note)
    roll(lookahead, world, 0)
    roll(lookahead, world, 1, 0)
    assert log.cases() == [Case.DEAD_END, Case.NOVEL, Case.DEAD_END]
    assert lookahead.root.is_solved
    assert lookahead.advance(0)
    begin(lookahead)
    roll(lookahead, world, 0, 0, 0)
    assert log.cases()[3:] == [Case.NOVEL, Case.NOVEL, Case.NOT_NOVEL]


def test_a_lost_life_is_gone_beyond_unless_it_is_said_to_end_the_branch() -> None:
    """As in the paper, where it costs points and nothing else."""
    world = make_world({"s": ("p", "a"), "a": ("q", "b"), "b": ("r", "b")}, lives={"a": 2, "b": 2})
    log = Log()
    lookahead = plant(world, observer=log.note)
    roll(lookahead, world, 0, 0, 0)
    assert log.cases() == [Case.NOVEL, Case.NOVEL, Case.NOT_NOVEL]


LOOKALIKES = make_world(
    {
        "s": ("p", "abcde"),
        "a": ("q", "f"),
        "b": ("q", "f"),
        "c": ("q", "f"),
        "d": ("q", "f"),
        "e": ("q", "f"),
        "f": ("r", "f"),
    },
    terminals="e",
    rewards={("s", 2): 1.0},
    lives={"d": 2},
)


def test_the_cautious_do_not_look_beyond_a_twin() -> None:
    """A child that shows, pays and costs what an earlier one did is solved; the first one is gone on from."""
    log = Log()
    lookahead = plant(LOOKALIKES, replace(PLAIN, cautious=True), observer=log.note)
    for action in range(5):
        lookahead.fill_node(lookahead.root, action, LOOKALIKES.transition("s", action))
    assert [is_twin(lookahead.root.children[action]) for action in range(5)] == [False, True, *[False] * 3]
    roll(lookahead, LOOKALIKES, 1)
    assert log.cases() == [Case.TWIN]
    assert lookahead.root.children[1].is_solved


@pytest.mark.parametrize("planner", ["rollout-iw", "iw", "2bfs", "uct"])
def test_a_twin_that_is_played_after_all_is_gone_on_from(planner: str) -> None:
    """Somebody else may play it."""
    lookahead = plant(LOOKALIKES, replace(PLAIN, cautious=True, planner=planner))
    for action in range(2):
        lookahead.fill_node(lookahead.root, action, LOOKALIKES.transition("s", action))
    assert lookahead.advance(1)
    begin(lookahead)
    run(search_of(lookahead, planner), lookahead, LOOKALIKES, 1)
    assert lookahead.deepest == 1


def test_what_is_to_be_repeated_is_no_twin() -> None:
    """Nothing happens by either action; by the second one something does if it is repeated."""
    world = make_world({"s": ("p", "ab"), "a": ("p", "aa"), "b": ("p", "bc"), "c": ("q", "c")})
    lookahead = plant(world, replace(PLAIN, cautious=True, no_effect_repeats=1))
    assert run(rollout_iw(lookahead), lookahead, world) is Ending.SOLVED
    assert node_at(lookahead, 1, 1).features == {"q"}


@pytest.mark.parametrize(("cached_nodes", "case"), [("pass", Case.UNTESTED), ("test", Case.STILL_NOVEL)])
def test_the_greatest_depth_is_solved_on_arrival(cached_nodes: CachedNodes, case: Case) -> None:
    """Novel or not, and not entered; in the next decision the node is one step higher, and cached."""
    world = make_world({"s": ("p", "a"), "a": ("q", "b"), "b": ("z", "c"), "c": ("y", "s")})
    log = Log()
    tables = NoveltyTables(AtomTable)
    settings = replace(PLAIN, max_depth=2, cached_nodes=cached_nodes)
    lookahead = plant(world, settings, tables=tables, observer=log.note)
    roll(lookahead, world, 0, 0)
    assert log.cases() == [Case.NOVEL, Case.TOO_DEEP]
    assert lookahead.root.is_solved
    assert tables[0].compare({"z"}, 1_000) is Novelty.IMPROVES
    assert lookahead.advance(0)
    begin(lookahead)
    roll(lookahead, world, 0, 0)
    assert log.cases()[2:] == [case, Case.TOO_DEEP]
    assert tables[0].compare({"z"}, 1_000) is Novelty.IMPROVES


KEPT = make_world({"s": ("p", "a"), "a": ("q", "bc"), "b": ("q", "d"), "c": ("r", "d"), "d": ("r", "a")})
"""After action 0, below a: b has only what its root has, c and d have the same new feature."""


@pytest.mark.parametrize("cached_nodes", ["pass", "test"])
def test_cached_nodes_are_passed_or_tested_but_never_entered(cached_nodes: CachedNodes) -> None:
    """Tested, a node with nothing better than others is pruned by case 3; never is one entered."""
    log = Log()
    tables = NoveltyTables(AtomTable)
    world = replace(KEPT, calls=[])
    lookahead = plant(world, replace(PLAIN, cached_nodes=cached_nodes), tables=tables, observer=log.note)
    roll(lookahead, world, 0, 0)
    roll(lookahead, world, 0, 1, 0)
    assert log.cases() == [Case.NOVEL, Case.NOT_NOVEL, Case.STILL_NOVEL, Case.NOVEL, Case.NOT_NOVEL]
    assert lookahead.advance(0)
    begin(lookahead)
    log.arrivals.clear()
    if cached_nodes == "test":
        roll(lookahead, world, 0)  # b: q has depth 0 in the root
        assert log.cases() == [Case.NO_LONGER_NOVEL]
        roll(lookahead, world, 1, 0, 0)  # c and d, cached; a is new
        assert log.cases()[1:] == [Case.STILL_NOVEL, Case.STILL_NOVEL, Case.NOT_NOVEL]
        assert tables[0].compare({"r"}, 1_000) is Novelty.IMPROVES
        assert lookahead.root.is_solved
    else:
        roll(lookahead, world, 0, 0, 0)  # b, then d, which is novel since cached c is not entered
        assert log.cases() == [Case.UNTESTED, Case.NOVEL, Case.NOT_NOVEL]
        roll(lookahead, world, 1, 0, 0)  # c and d, cached and passed though r is known; a is new
        assert log.cases()[3:] == [Case.UNTESTED, Case.UNTESTED, Case.NOT_NOVEL]
        assert lookahead.root.is_solved


def test_cached_nodes_stay_cached_on_later_visits() -> None:
    """Passed again and again in the same decision, whatever the table has learnt."""
    world = make_world({"s": ("p", "a"), "a": ("q", "b"), "b": ("q", "cd"), "c": ("q", "a"), "d": ("q", "a")})
    log = Log()
    lookahead = plant(world, observer=log.note)
    roll(lookahead, world, 0, 0)
    lookahead.advance(0)
    begin(lookahead)
    log.arrivals.clear()
    roll(lookahead, world, 0, 0)
    roll(lookahead, world, 0, 1)
    assert log.cases() == [Case.UNTESTED, Case.NOT_NOVEL, Case.UNTESTED, Case.NOT_NOVEL]
    assert lookahead.root.is_solved
