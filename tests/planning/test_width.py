"""Widths above 1: conjunctions of atoms in a table, and what searches make of them."""

from collections import Counter
from collections.abc import Hashable
from dataclasses import replace
from random import Random

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from playing import Player
from searching import PLAIN, WIDTH_PLANNERS
from width import (
    conjoin,
    conjunctions,
    has_width_1,
    lasting_trajectories,
    optimal_depth,
    optimal_trajectories,
)

from pixelplan.errors import InputError
from pixelplan.planning.budget import Budget, Ending
from pixelplan.planning.case import Case
from pixelplan.planning.node import Node, walk
from pixelplan.planning.novelty import AtomTable, ConjunctionTable, Novelty, atom_table, check_width
from worlds import (
    Atoms,
    World,
    crowded_world,
    crowded_worlds,
    make_world,
    seeds,
    uniform_worlds,
    winding_worlds,
    worlds,
)

planners = pytest.mark.parametrize("planner", WIDTH_PLANNERS)
in_flight = pytest.mark.parametrize("capacity", [1, 2, 4])
widths = st.integers(1, 3)
greater_widths = st.integers(2, 3)

Visit = tuple[str, frozenset[Hashable], int]
"""A method of the table, the atoms, and the depth."""
visits = st.tuples(
    st.sampled_from(["compare", "update", "update", "update", "clear"]),
    # Atoms need not be comparable with each other.
    st.frozensets(st.sampled_from([0, 1, 2, "a", "b", ("c", 3)]), max_size=5),
    st.integers(0, 5),
)


@settings(max_examples=200)
@given(width=st.integers(1, 4), history=st.lists(visits, max_size=30))
def test_the_table_is_the_least_depth_of_each_conjunction(width: int, history: list[Visit]) -> None:
    """At every step of a history; a comparison leaves no trace."""
    table = ConjunctionTable(width)
    entered: list[tuple[frozenset[Hashable], int]] = []
    for method, atoms, depth in history:
        if method == "clear":
            table.clear()
            entered.clear()
            continue
        least = [
            min((d for other, d in entered if conjunction <= other), default=99)
            for conjunction in conjunctions(atoms, width)
        ]
        expected = Novelty.TIES if depth in least else Novelty.WORSE
        if any(depth < d for d in least):
            expected = Novelty.IMPROVES
        assert getattr(table, method)(atoms, depth) is expected
        if method == "update":
            entered.append((atoms, depth))


def test_a_pair_is_novel_though_its_atoms_are_not() -> None:
    """And no conjunction of more atoms than the width is looked at."""
    pairs = [frozenset(pair) for pair in ("ab", "bc", "ac")]
    for width, novelty in ((1, Novelty.WORSE), (2, Novelty.WORSE), (3, Novelty.IMPROVES)):
        table = atom_table(width)
        assert isinstance(table, AtomTable if width == 1 else ConjunctionTable)
        first, second, third = (table.update(pair, 1) for pair in pairs)
        assert (first, second) == (Novelty.IMPROVES, Novelty.IMPROVES)
        assert third is (Novelty.TIES if width == 1 else Novelty.IMPROVES)
        assert table.compare(frozenset("abc"), 2) is novelty


@pytest.mark.parametrize(
    ("atoms", "width"), [(1_413, 2), (181, 3), (19, 1_000), (20, 13), (0, 9), (10**6, 1), (10**9, 1)]
)
def test_widths_at_the_limit(atoms: int, width: int) -> None:
    """1,413 atoms have 998,991 pairs and atoms. For 19 atoms all 524,287 conjunctions are few enough."""
    check_width(atoms, width)


@pytest.mark.parametrize(
    ("atoms", "shown", "width", "possible"),
    [
        (1_414, "1,414", 2, 1),
        (182, "182", 3, 2),
        (20, "20", 14, 13),
        (20, "20", 50, 13),
        (9_999, "9,999", 9_999, 1),
    ],
)
def test_widths_beyond_the_limit(atoms: int, shown: str, width: int, possible: int) -> None:
    """With one line, and at once: the numbers of conjunctions would have thousands of digits."""
    message = (
        f"^width {width} is too much for a maze: {shown} atoms of a state have more than 1,000,000 "
        f"conjunctions of up to {width}; the greatest possible width is {possible}$"
    )
    with pytest.raises(InputError, match=message):
        check_width(atoms, width, "a maze")


def test_a_table_refuses_a_state_with_too_many_conjunctions() -> None:
    """Also if the states before it had fewer."""
    table = ConjunctionTable(3)
    assert table.update(frozenset(range(20)), 0) is Novelty.IMPROVES
    for judge in (table.update, table.compare):
        with pytest.raises(InputError, match="width 3 is too much for this world: 200 atoms"):
            judge(frozenset(range(200)), 0)


@settings(max_examples=150)
@given(world=worlds | crowded_worlds | winding_worlds, seed=seeds, width=widths)
def test_iw_keeps_exactly_the_nodes_with_a_conjunction_never_true_before(
    world: World, seed: int, width: int
) -> None:
    """The definition of IW(k), in the order in which it generated the nodes: breadth first."""
    player = Player(world, "iw", seed, replace(PLAIN, width=width))
    assert player.decide(player.scattered(1)) is Ending.SOLVED
    root = player.lookahead.root
    seen = conjunctions(root.features, width)
    queue = [root]
    for node, case in player.log.arrivals:
        true = conjunctions(node.features, width)
        if node.is_terminal:
            assert case is Case.DEAD_END
        elif true <= seen:
            assert case is Case.NOT_NOVEL
            assert not node.children
        else:
            assert case is Case.NOVEL
            queue.append(node)
            seen |= true
    assert [child for node in queue for child in node.children.values()] == [
        node for node, _ in player.log.arrivals
    ]
    assert all(len(node.children) == len(node.actions) for node in queue)


@in_flight
@planners
@settings(max_examples=40)
@given(
    world=uniform_worlds | crowded_worlds | winding_worlds,
    seed=seeds,
    width=greater_widths,
    calls=st.integers(1, 60),
)
def test_width_k_is_width_1_where_conjunctions_are_the_atoms(
    planner: str, capacity: int, world: World, seed: int, width: int, calls: int
) -> None:
    """Paper: F is replaced by F^k. The same tree, the same cases and the same draws, in each decision."""
    outcomes = []
    for player in (
        Player(world, planner, seed, replace(PLAIN, width=width)),
        Player(conjoin(world, width), planner, seed),
    ):
        decisions = player.decisions(player.scattered(capacity), Budget(calls=calls))
        outcomes.append([(ending, player.outcome()) for ending in decisions])
    assert outcomes[0] == outcomes[1]


def least_depths(root: Node, width: int) -> dict[Hashable, int]:
    """Return the least depth of each conjunction in a tree."""
    depths: dict[Hashable, int] = {}
    for node in sorted(walk(root), key=lambda node: node.depth):
        for conjunction in conjunctions(node.features, width):
            depths.setdefault(conjunction, node.depth)
    return depths


@in_flight
@planners
@settings(max_examples=60)
@given(world=worlds | crowded_worlds | winding_worlds, seed=seeds, width=greater_widths)
def test_width_k_goals_are_reached_at_their_optimal_depth(
    planner: str, capacity: int, world: World, seed: int, width: int
) -> None:
    """Theorem 3 for greater widths; for rollouts if case 3 does not prune the way from above."""
    player = Player(world, planner, seed, replace(PLAIN, width=width))
    assert player.decide(player.scattered(capacity)) is Ending.SOLVED
    conjoined = conjoin(world, width)
    optimal = optimal_trajectories(conjoined)
    usable = optimal if planner == "iw" else lasting_trajectories(conjoined, optimal)
    reached = least_depths(player.lookahead.root, width)
    assert set(reached) <= set(optimal)
    for goal in optimal:
        depth = optimal_depth(optimal, goal)
        assert reached.get(goal, depth) >= depth
        if has_width_1(conjoined, {**usable, goal: optimal[goal]}, goal):
            event(f"width {width} at depth {depth}")
            assert reached.get(goal) == depth


def atoms_of_width(world: World, width: int) -> Atoms:
    """Return the atoms that are goals of this width or less."""
    conjoined = conjoin(world, width)
    optimal = optimal_trajectories(conjoined)
    atoms = frozenset().union(*world.atoms.values())
    reachable = [atom for atom in atoms if frozenset({atom}) in optimal]
    return frozenset(atom for atom in reachable if has_width_1(conjoined, optimal, frozenset({atom})))


# Both atoms of a are at the same depth elsewhere, but not together.
MARKED = make_world({"s": ("p", "abc"), "a": ("qx", "g"), "b": ("q", "b"), "c": ("x", "c"), "g": ("g", "g")})


def test_width_of_hand_made_goals() -> None:
    """The shortest ways to q and to x can lead nowhere; the one to both leads to g."""
    assert atoms_of_width(MARKED, 1) == set("qx")
    assert atoms_of_width(MARKED, 2) == set("qxg")


@planners
def test_width_1_misses_goals_of_width_2(planner: str) -> None:
    """In some orders; and width 2 in none."""
    found: Counter[int] = Counter()
    for seed in range(60):
        for width in (1, 2):
            player = Player(MARKED, planner, seed, replace(PLAIN, width=width))
            player.decide(player.scattered(1))
            found[width] += frozenset("g") in least_depths(player.lookahead.root, 1)
    assert 0 < found[1] < 60
    assert found[2] == 60


@planners
def test_crowded_worlds_have_goals_that_need_width_2(planner: str) -> None:
    """Of which width 1 misses some, or reaches them too late, and width 2 none."""
    goals = missed = 0
    for seed in range(300):
        world = crowded_world(Random(seed))
        hard = atoms_of_width(world, 2) - atoms_of_width(world, 1)
        reached = {}
        for width in (1, 2) if hard else ():
            player = Player(world, planner, seed, replace(PLAIN, width=width))
            player.decide(player.scattered(1))
            reached[width] = least_depths(player.lookahead.root, 1)
        optimal = optimal_trajectories(world)
        for atom in hard:
            goals += 1
            depth = optimal_depth(optimal, atom)
            missed += reached[1].get(frozenset({atom})) != depth
            assert reached[2].get(frozenset({atom})) == depth
    assert goals >= 30
    assert missed >= 20
