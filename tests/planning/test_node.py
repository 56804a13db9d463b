"""Back-up of values and heights, and labels: by hand, and against a recomputation of the whole tree."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from searching import PLAIN, WIDTH_PLANNERS, begin, plant, run, search_of
from test_choice import CAUTIOUS, make_node, mark_twin, plain

from pixelplan.planning.node import NO_ACTION, Node, solve_and_propagate_label, walk
from pixelplan.planning.paper_settings import Caching
from pixelplan.planning.simulator import Action
from pixelplan.planning.valuation import back_up
from worlds import UnfoldedWorld, World, seeds, uniform_worlds


def make_path(*rewards: float, actions: int = 1) -> list[Node]:
    """Make a path of nodes with these rewards; each but the last has one child, by action 0."""
    path = [make_node(0, NO_ACTION)]
    for reward in rewards:
        node = make_node(len(path), 0, reward)
        path[-1].children[0] = node
        path.append(node)
    for node in path:
        node.actions = range(actions)
        node.unsolved = list(node.actions)
    return path


@pytest.mark.parametrize(("discount", "value"), [(1.0, 7.0), (0.5, 1 + 0.5 * (2 + 0.5 * 4)), (0.0, 1.0)])
def test_rewards_further_away_are_discounted(discount: float, value: float) -> None:
    """Per action, the first one not."""
    path = make_path(1.0, 2.0, 4.0)
    back_up(path, plain(discount))
    assert path[1].value == value
    assert [node.height for node in path] == [4, 3, 2, 1]


@pytest.mark.parametrize(("actions", "value"), [(1, -3.0), (2, -1.0)])
def test_an_untried_action_counts_0(actions: int, value: float) -> None:
    """So a bad continuation matters only where there is no other."""
    path = make_path(-1.0, -2.0, actions=actions)
    back_up(path, plain())
    assert path[1].value == value


@pytest.mark.parametrize("actions", [1, 2])
def test_to_the_cautious_an_untried_action_is_no_way_out(actions: int) -> None:
    """What was seen is all there is."""
    path = make_path(-1.0, -2.0, actions=actions)
    back_up(path, CAUTIOUS)
    assert path[1].value == -3.0


def test_a_twin_is_no_way_out() -> None:
    """It was pruned because its sibling shows the same: what is below that holds for both."""
    path = make_path(0.0, 0.0, -2.0, actions=2)
    twin = path[1].children[1] = make_node(9, 1)
    back_up(path, CAUTIOUS)
    assert path[1].value == 0.0
    mark_twin(twin)
    back_up([path[0], path[1], twin], CAUTIOUS)
    assert path[1].value == -2.0


def test_an_untried_action_does_not_lower_a_good_value() -> None:
    """It is one continuation among others."""
    path = make_path(1.0, 2.0, actions=2)
    back_up(path, plain())
    assert path[1].value == 3.0


def test_the_best_of_several_children_and_the_highest() -> None:
    """Value and height may come from different children."""
    path = make_path(0.0, 1.0, 0.0, actions=2)
    back_up(path, plain())
    other = path[1].children[1] = make_node(9, 1, 5.0)
    back_up([path[0], path[1], other], plain())
    assert (path[1].value, path[1].height) == (5.0, 3)


def test_the_last_untried_action_can_lower_a_value() -> None:
    """From 0, for what is not known, to what is known by now."""
    path = make_path(0.0, -2.0, actions=2)
    back_up(path, plain())
    assert path[1].value == 0.0
    other = path[1].children[1] = make_node(9, 1, -1.0)
    back_up([path[0], path[1], other], plain())
    assert path[1].value == -1.0


def test_labels_rise_as_far_as_all_actions_are_solved() -> None:
    """An untried action holds the label back."""
    path = make_path(0.0, 0.0, 0.0)
    path[1].actions, path[1].unsolved = range(2), [0, 1]
    solve_and_propagate_label(path)
    assert [node.is_solved for node in path] == [False, False, True, True]
    assert [node.unsolved for node in path[:3]] == [[0], [1], []]
    other = path[1].children[1] = make_node(9, 1)
    solve_and_propagate_label([path[0], path[1], other])
    assert [node.is_solved for node in path] == [True, True, True, True]


def test_walk_yields_each_node_once_parents_first() -> None:
    """A path and a second child."""
    path = make_path(0.0, 0.0)
    path[0].children[1] = make_node(9, 1)
    numbers = [node.number for node in walk(path[0])]
    assert sorted(numbers) == [0, 1, 2, 9]
    assert numbers.index(1) < numbers.index(2)
    assert numbers[0] == 0


def values_and_heights(
    node: Node, discount: float, path: tuple[Action, ...] = ()
) -> dict[tuple[Action, ...], tuple[float, int]]:
    """Compute values and heights from the rewards alone, for a whole tree."""
    found: dict[tuple[Action, ...], tuple[float, int]] = {}
    continuations, heights = [], [0]
    for action in node.actions:
        child = node.children.get(action)
        if child is None or node.is_terminal:
            continuations.append(0.0)
        else:
            found |= values_and_heights(child, discount, (*path, action))
            value, height = found[(*path, action)]
            continuations.append(value)
            heights.append(height)
    found[path] = (node.reward + discount * max(continuations), 1 + max(heights))
    return found


def stored(node: Node, path: tuple[Action, ...] = ()) -> dict[tuple[Action, ...], tuple[float, int]]:
    """Return the values and heights that a tree has."""
    found = {path: (node.value, node.height)}
    for action, child in node.children.items():
        found |= stored(child, (*path, action))
    return found


@pytest.mark.parametrize("planner", WIDTH_PLANNERS)
@settings(max_examples=200)
@given(
    world=uniform_worlds,
    seed=seeds,
    budgets=st.lists(st.integers(1, 25), min_size=1, max_size=4),
    discount=st.sampled_from([1.0, 0.99, 0.5, 0.0]),
    caching=st.sampled_from(["none", "partial", "full"]),
    repeats=st.integers(0, 2),
    risk_averse=st.booleans(),
)
def test_incremental_back_up_equals_a_recomputation(
    planner: str,
    world: World,
    seed: int,
    budgets: list[int],
    discount: float,
    caching: Caching,
    repeats: int,
    risk_averse: bool,
) -> None:
    """After any number of rollouts, cut or not, over several decisions.

    The root's own value is left out: nothing is chosen by it.
    """
    unfolded = UnfoldedWorld(world)
    chosen = replace(
        PLAIN, discount=discount, caching=caching, no_effect_repeats=repeats, risk_averse=risk_averse
    )
    lookahead = plant(unfolded, chosen, rng=Random(seed))
    played: tuple[Action, ...] = ()
    for index, calls in enumerate(budgets):
        run(search_of(lookahead, planner), lookahead, unfolded, calls)
        expected = values_and_heights(lookahead.root, discount)
        actual = stored(lookahead.root)
        del expected[()], actual[()]
        assert actual == expected
        event(f"decision {index}, nodes: {len(actual) // 10 * 10}+")
        alive = [action for action, child in lookahead.root.children.items() if not child.is_terminal]
        if not alive or not lookahead.advance(alive[0]):
            break
        played = (*played, alive[0])
        lookahead.root.state = played  # which was dropped if caching is partial and nothing passed it
        begin(lookahead)
