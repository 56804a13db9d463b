"""Which nodes share a novelty table: logscores, numbers of goals, and both."""

import math
from collections import defaultdict
from collections.abc import Hashable
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from playing import Player
from searching import PLAIN, WIDTH_PLANNERS

from pixelplan.planning.budget import Budget, Ending
from pixelplan.planning.case import Case
from pixelplan.planning.node import NO_ACTION, Node, walk
from pixelplan.planning.novelty import Novelty
from pixelplan.planning.partition import logscore, make_partition
from pixelplan.planning.settings import SearchSettings
from pixelplan.planning.simulator import Transition
from worlds import World, crowded_worlds, make_world, seeds, winding_worlds, worlds

planners = pytest.mark.parametrize("planner", WIDTH_PLANNERS)
partitions = st.builds(replace, st.just(PLAIN), subscoring=st.booleans(), subgoaling=st.booleans())


@pytest.mark.parametrize(
    ("path_reward", "expected"),
    [
        (-math.inf, 0), (-500_000.0, 0), (-1.0, 0), (-0.0, 0), (0.0, 0),
        (0.25, -2), (0.3, -2), (0.5, -1), (0.75, -1), (math.nextafter(1, 0), -1),
        (1.0, 1), (1.5, 1), (math.nextafter(2, 0), 1), (2.0, 2), (3.0, 2), (4.0, 3), (7.9, 3),
        (1_000.0, 10), (1_024.0, 11), (2.0**60, 61), (math.nextafter(2.0**60, 0), 60), (1e300, 997),
        (2.0**-1074, -1074),
    ],
)  # fmt: skip
def test_logscore_by_hand(path_reward: float, expected: int) -> None:
    """Paper: 0, floor(log2 r) or 1 + floor(log2 r)."""
    assert logscore(path_reward) == expected


@given(path_reward=st.floats(min_value=0, exclude_min=True, allow_infinity=False))
def test_logscore_is_exact(path_reward: float) -> None:
    """Checked with fractions: a logarithm rounds near the powers of two."""
    exponent = logscore(path_reward) - (path_reward >= 1)
    assert Fraction(2) ** exponent <= Fraction(path_reward) < Fraction(2) ** (exponent + 1)
    assert logscore(path_reward) != 0


def make_node(path_reward: float, goals: int) -> Node:
    """Make a node of nothing but a path reward and a number of goals."""
    node = Node(0, NO_ACTION, Transition(None, frozenset(), 0.0, False, 0), 0.0)
    node.path_reward, node.goals = path_reward, goals
    return node


nodes = st.builds(make_node, st.sampled_from([-1.0, 0.0, 0.5, 0.75, 1.0, 1.5, 2.0]), st.integers(0, 2))


@pytest.mark.parametrize("subscoring", [False, True])
@pytest.mark.parametrize("subgoaling", [False, True])
@given(first=nodes, second=nodes)
def test_nodes_in_the_same_part(subscoring: bool, subgoaling: bool, first: Node, second: Node) -> None:
    """They agree in all that the settings ask for."""
    part = make_partition(SearchSettings(subscoring=subscoring, subgoaling=subgoaling))
    has_same_score = logscore(first.path_reward) == logscore(second.path_reward)
    has_same_goals = first.goals == second.goals
    expected = (has_same_score or not subscoring) and (has_same_goals or not subgoaling)
    assert (part(first) == part(second)) == expected


# Both atoms of c were reached before, by a and b, but not both goals. d has as many as b.
GOALS = make_world(
    {
        "s": ("p", "ab"),
        "a": ("x", "c"),
        "b": ("y", "d"),
        "c": ("xy", "e"),
        "d": ("y", "d"),
        "e": ("p", "g"),
        "g": ("g", "g"),
    },
    goals="xy",
)


@pytest.mark.parametrize("subgoaling", [False, True])
def test_one_table_or_one_per_number_of_goals(subgoaling: bool) -> None:
    """A node that is not novel overall survives if it is novel among those with as many goals."""
    for seed in range(10):
        player = Player(GOALS, "iw", seed, replace(PLAIN, subgoaling=subgoaling))
        assert player.decide(player.scattered(1)) is Ending.SOLVED
        cases = {node.state: case for node, case in player.log.arrivals}
        assert cases[0,] is cases[1,] is Case.NOVEL
        assert cases[0, 0] is (Case.NOVEL if subgoaling else Case.NOT_NOVEL)
        assert cases[1, 0] is Case.NOT_NOVEL
        # After c no goal holds any more: e is with the root, where p is known.
        assert cases.get((0, 0, 0)) is (Case.NOT_NOVEL if subgoaling else None)


@planners
def test_what_is_in_the_table_of_each_number_of_goals(planner: str) -> None:
    """The root and e, which have none; a and b, which have one; c, which has both."""
    player = Player(GOALS, planner, 0, replace(PLAIN, subgoaling=True))
    player.decide(player.scattered(1))
    depths = {0: {"p": 0}, 1: {"x": 1, "y": 1}, 2: {"x": 2, "y": 2}}
    for goals, table in depths.items():
        for atom in "pxyg":
            expected = Novelty.TIES if atom in table else Novelty.IMPROVES
            assert player.tables[goals].compare({atom}, table.get(atom, 99)) is expected, (goals, atom)


@settings(max_examples=150)
@given(world=worlds | crowded_worlds | winding_worlds, seed=seeds, search=partitions)
def test_iw_keeps_exactly_the_nodes_with_an_atom_never_true_before_in_their_part(
    world: World, seed: int, search: SearchSettings
) -> None:
    """The definitions of IW_G(1) and IW_S(1), in the order in which nodes were generated.

    There are as many parts as logscores, so a search that collects rewards may go on for long.
    """
    player = Player(world, "iw", seed, search)
    player.decide(player.scattered(1), Budget(calls=100))

    def part(node: Node) -> Hashable:
        score = logscore(node.path_reward) if search.subscoring else 0
        goals = len(node.features & set(world.goal_atoms)) if search.subgoaling else 0
        return score, goals

    root = player.lookahead.root
    seen: defaultdict[Hashable, set[Hashable]] = defaultdict(set)
    seen[part(root)] |= root.features
    for node, case in player.log.arrivals:
        if node.is_terminal:
            assert case is Case.DEAD_END
        else:
            assert case is (Case.NOT_NOVEL if node.features <= seen[part(node)] else Case.NOVEL)
            seen[part(node)] |= node.features
    event(f"parts: {len(seen)}")


@planners
@given(world=winding_worlds, seed=seeds, calls=st.integers(1, 40))
def test_without_goals_there_is_nothing_to_count(planner: str, world: World, seed: int, calls: int) -> None:
    """Then subgoaling changes nothing."""
    players = [Player(world, planner, seed, replace(PLAIN, subgoaling=is_on)) for is_on in (False, True)]
    outcomes = []
    for player in players:
        endings = player.decisions(player.scattered(1), Budget(calls=calls))
        outcomes.append([(ending, player.outcome()) for ending in endings])
    assert outcomes[0] == outcomes[1]


@planners
def test_goals_hold_in_a_state_whatever_the_root(planner: str) -> None:
    """The number of goals does not change when the root moves, and is not counted from it."""
    player = Player(GOALS, planner, 0, replace(PLAIN, subgoaling=True))
    for _ in player.decisions(player.scattered(1), Budget(calls=20)):
        for node in walk(player.lookahead.root):
            assert node.goals == len(node.features & set("xy"))
