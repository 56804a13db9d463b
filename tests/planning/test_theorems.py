"""The paper's theorems, as properties of random worlds.

They are about the algorithm of Figure 1 alone: one decision from a fresh root (nothing is cached),
one novelty table, and no repeated actions, since a node passed without a test of its novelty need
not improve any d[f].
"""

from collections.abc import Hashable
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from searching import PLAIN, WIDTH_PLANNERS, Log, least_depths, plant, run, search_of
from width import has_width_1, optimal_depth, optimal_trajectories, reachable_atoms

from pixelplan.planning.budget import Ending
from pixelplan.planning.case import Case
from pixelplan.planning.node import walk
from pixelplan.planning.novelty import AtomTable, Novelty, NoveltyTables
from pixelplan.planning.rollout_iw import rollout
from worlds import World, make_world, random_world, seeds, worlds

width_planners = pytest.mark.parametrize("planner", WIDTH_PLANNERS)


@settings(max_examples=300)
@given(world=worlds, seed=seeds)
def test_each_rollout_improves_a_distance_or_solves_a_node(world: World, seed: int) -> None:
    """Theorem 1; and the labels and the table are what the paper says they are, after each rollout."""
    log = Log()
    tables = NoveltyTables(AtomTable)
    lookahead = plant(world, rng=Random(seed), tables=tables, observer=log.note)
    tips = set()
    while not lookahead.root.is_solved:
        depths_before = least_depths(lookahead.root)
        solved_before = {node.number for node in walk(lookahead.root) if node.is_solved}
        run(iter([rollout(lookahead)]), lookahead, world)
        depths = least_depths(lookahead.root)
        solved = {node.number for node in walk(lookahead.root) if node.is_solved}
        assert depths != depths_before or solved > solved_before
        assert solved >= solved_before
        tips.add(log.arrivals[-1][0].number)
        for node in walk(lookahead.root):
            has_solved_children = len(node.children) == len(node.actions) and all(
                child.is_solved for child in node.children.values()
            )
            assert node.is_solved == (node.number in tips or has_solved_children)
        for atom, depth in depths.items():
            assert tables[0].compare({atom}, depth) is Novelty.TIES
            assert tables[0].compare({atom}, depth + 1) is Novelty.WORSE


@settings(max_examples=300)
@given(world=worlds, seed=seeds)
def test_rollouts_are_few_and_short(world: World, seed: int) -> None:
    """Theorem 2, and the bounds on the length of a rollout and on the tree from which it follows.

    The root has an atom in these worlds, so the non-tip nodes of a rollout, root included, are
    optimal so far for different atoms: there are at most |F| of them, and at most |F| actions.
    """
    log = Log()
    lookahead = plant(world, rng=Random(seed), observer=log.note)
    lengths = []
    while not lookahead.root.is_solved:
        arrivals_before = len(log.arrivals)
        run(iter([rollout(lookahead)]), lookahead, world)
        lengths.append(len(log.arrivals) - arrivals_before)
    atom_count = len(reachable_atoms(world))
    branching = max(len(successors) for successors in world.successors.values())
    novel_count = 1 + log.cases().count(Case.NOVEL)
    event(f"rollouts: {len(lengths) // 5 * 5}+")
    assert len(lengths) == lookahead.rollouts <= atom_count**2 * branching
    assert max(lengths) == max(node.depth for node in walk(lookahead.root)) <= atom_count
    assert novel_count <= atom_count**2
    assert len(list(walk(lookahead.root))) <= 1 + branching * novel_count


def test_the_bounds_are_reached() -> None:
    """A rollout of |F| actions, and one more where the root is not in the table."""
    world = make_world({"s": ("s", "a"), "a": ("a", "b"), "b": ("b", "s")})
    for root_in_table, depth in ((True, 3), (False, 4)):
        lookahead = plant(world, replace(PLAIN, root_in_table=root_in_table))
        run(iter([rollout(lookahead)]), lookahead, world)
        assert lookahead.deepest == depth


@width_planners
@settings(max_examples=300)
@given(world=worlds, seed=seeds, root_in_table=st.booleans())
def test_width_1_goals_are_reached_at_their_optimal_depth(
    planner: str, world: World, seed: int, root_in_table: bool
) -> None:
    """Theorem 3, for Rollout IW(1) and for IW(1). Leaving the root out only prunes less."""
    lookahead = plant(world, replace(PLAIN, root_in_table=root_in_table), rng=Random(seed))
    assert run(search_of(lookahead, planner), lookahead, world) is Ending.SOLVED
    optimal = optimal_trajectories(world)
    reached = least_depths(lookahead.root, with_terminals=True)
    assert set(reached) <= set(optimal)
    for atom in optimal:
        depth = optimal_depth(optimal, atom)
        assert reached.get(atom, depth) >= depth
        if has_width_1(world, optimal, atom):
            event(f"width 1 at depth {depth}")
            assert reached.get(atom) == depth


def goals(world: World) -> dict[Hashable, tuple[int, bool]]:
    """Return the optimal depth of each atom that is not true in the root, and whether its width is 1."""
    optimal = optimal_trajectories(world)
    depths = {atom: optimal_depth(optimal, atom) for atom in optimal}
    return {atom: (depth, has_width_1(world, optimal, atom)) for atom, depth in depths.items() if depth}


def test_the_random_worlds_have_goals_of_both_kinds() -> None:
    """The theorem about width is tested on deep goals too, in worlds where goals can be missed."""
    found = [goal for seed in range(300) for goal in goals(random_world(Random(seed), 8)).values()]
    easy = [depth for depth, is_easy in found if is_easy]
    hard = [depth for depth, is_easy in found if not is_easy]
    assert sum(depth >= 2 for depth in easy) >= 100
    assert sum(depth >= 3 for depth in easy) >= 25
    assert len(hard) >= 25


@width_planners
def test_goals_of_greater_width_can_be_missed(planner: str) -> None:
    """What is asked of width 1 would be too much for any goal."""
    missed = 0
    for seed in range(100):
        world = random_world(Random(seed), 8)
        lookahead = plant(world, rng=Random(seed))
        run(search_of(lookahead, planner), lookahead, world)
        reached = least_depths(lookahead.root, with_terminals=True)
        missed += sum(reached.get(atom) != depth for atom, (depth, _) in goals(world).items())
    assert missed >= 1


def test_width_of_hand_made_goals() -> None:
    """x has width 1; g has not: of the two shortest ways to q, one leads nowhere."""
    world = make_world(
        {"s": ("p", "abx"), "a": ("q", "g"), "b": ("q", "b"), "x": ("x", "x"), "g": ("g", "g")}
    )
    assert goals(world) == {"q": (1, True), "x": (1, True), "g": (2, False)}
    # An atom of its own marks the good way.
    world = make_world({"s": ("p", "ab"), "a": ("qr", "g"), "b": ("q", "b"), "g": ("g", "g")})
    assert goals(world)["g"] == (2, True)
    # A marked way that ends the game is no way.
    world = make_world({"s": ("p", "ab"), "a": ("r", "g"), "b": ("r", "g"), "g": ("g", "g")}, terminals="b")
    assert goals(world)["g"] == (2, False)


@settings(max_examples=300)
@given(world=worlds, seed=seeds)
def test_iw_keeps_exactly_the_nodes_with_an_atom_never_true_before(world: World, seed: int) -> None:
    """The definition of IW(1), in the order in which it generated the nodes: breadth first."""
    log = Log()
    lookahead = plant(world, rng=Random(seed), observer=log.note)
    assert run(search_of(lookahead, "iw"), lookahead, world) is Ending.SOLVED
    seen = set(lookahead.root.features)
    queue = [lookahead.root]
    for node, case in log.arrivals:
        if node.is_terminal:
            assert case is Case.DEAD_END
        elif node.features <= seen:
            assert case is Case.NOT_NOVEL
            assert not node.children
        else:
            assert case is Case.NOVEL
            queue.append(node)
        seen |= set() if node.is_terminal else node.features
    # First come, first served: the kept nodes, in order, have generated the others, in order.
    generated = [child for node in queue for child in node.children.values()]
    assert generated == [node for node, _ in log.arrivals]
    assert all(len(node.children) == len(node.actions) for node in queue)
    assert all(before.depth <= after.depth for before, after in pairwise(generated))
