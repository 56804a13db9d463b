"""Which action is played."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from pixelplan.planning.best import recorded_valuation
from pixelplan.planning.best.assurance import ENDLESS, ONE_ACTION
from pixelplan.planning.best.valuation import BestValuation, Extra
from pixelplan.planning.case import Case
from pixelplan.planning.choice import follow
from pixelplan.planning.node import NO_ACTION, Node
from pixelplan.planning.paper_settings import NothingFound, PaperSettings
from pixelplan.planning.settings import PRESETS, SearchSettings
from pixelplan.planning.simulator import Action, Transition
from pixelplan.planning.valuation import PaperValuation, Worth
from worlds import corridor

Child = tuple[float, int] | None
"""Value and height; None if the action is untried."""

WORLD = corridor(1)


def plain(discount: float = 1.0, nothing_found: NothingFound = "longest") -> PaperValuation:
    """Make the paper's valuation."""
    return PaperValuation(PaperSettings(discount=discount, nothing_found=nothing_found))


CAUTIOUS = BestValuation(SearchSettings(cautious=True), WORLD)
VERIFIED = BestValuation(SearchSettings(cautious=True, verifications=1), WORLD, is_verified=True)


def make_node(number: int, action: Action, reward: float = 0.0) -> Node:
    """Make a node of nothing but a reward."""
    node = Node(number, action, Transition(None, frozenset(), reward, False, 0), reward)
    node.extra = Extra(action)
    return node


def mark_twin(node: Node) -> None:
    """Make a node one that shows just what an earlier sibling shows."""
    node.end = Case.TWIN


def make_root(children: Sequence[Child]) -> Node:
    """Make a root whose actions are 10, 11, ..., so that none can be taken for an index."""
    root = make_node(0, NO_ACTION)
    root.actions = range(10, 10 + len(children))
    for action, child in zip(root.actions, children, strict=True):
        if child is not None:
            node = root.children[action] = make_node(action, action)
            value, node.height = child
            node.value = value
    return root


def chosen(children: Sequence[Child], nothing_found: NothingFound) -> tuple[set[Action], float]:
    """Return every action that some seed chooses, and the value."""
    choices = [
        plain(nothing_found=nothing_found).choose(make_root(children), Random(seed)) for seed in range(200)
    ]
    assert len({choice.value for choice in choices}) == 1
    return {choice.action for choice in choices}, choices[0].value


BOTH: tuple[NothingFound, ...] = ("longest", "random")


@pytest.mark.parametrize("nothing_found", BOTH)
@pytest.mark.parametrize(
    ("children", "actions", "value"),
    [
        ([(1.0, 1), (3.0, 1), (2.0, 9)], {11}, 3.0),
        ([(3.0, 1), (1.0, 5), (3.0, 9)], {10, 12}, 3.0),
        ([(0.25, 1), None, (0.0, 9)], {10}, 0.25),
        ([(-3.0, 9), (-1.0, 1)], {11}, -1.0),
        ([(-1.0, 9), (-3.0, 9), (-1.0, 1)], {10, 12}, -1.0),
        ([(-1.0, 9), None], {11}, 0.0),
    ],
)
def test_a_best_value_is_chosen_uniformly(
    children: list[Child], actions: set[Action], value: float, nothing_found: NothingFound
) -> None:
    """Whatever the heights, if it is not 0."""
    assert chosen(children, nothing_found) == (actions, value)


@pytest.mark.parametrize(
    ("children", "longest", "random"),
    [
        ([(0.0, 2), (0.0, 5), (0.0, 5), (-1.0, 9)], {11, 12}, {10, 11, 12}),
        ([(0.0, 1), None], {10}, {10, 11}),
        ([None, (-1.0, 9), None], {10, 12}, {10, 12}),
        ([None, None], {10, 11}, {10, 11}),
    ],
)
def test_nothing_found(children: list[Child], longest: set[Action], random: set[Action]) -> None:
    """Among actions of value 0: the highest subtree, where an untried one has height 0; or any."""
    assert chosen(children, "longest") == (longest, 0.0)
    assert chosen(children, "random") == (random, 0.0)


def test_ties_are_broken_evenly() -> None:
    """Each of four about as often as the others."""
    rng = Random(0)
    root = make_root([(2.0, 1), (2.0, 3), (1.0, 1), (2.0, 1), (2.0, 1)])
    actions = [plain().choose(root, rng).action for _ in range(4_000)]
    assert all(900 < actions.count(action) < 1_100 for action in (10, 11, 13, 14))


Tree = tuple[float, dict[Action, "Tree"]]
"""A value, and what is below it by action."""


def grow(tree: Tree, action: Action = NO_ACTION) -> Node:
    """Make a node with all that is below it. Heights follow, and values are given."""
    value, below = tree
    node = make_node(0, action)
    node.children = {action: grow(child, action) for action, child in below.items()}
    node.value = value
    node.height = 1 + max([child.height for child in node.children.values()], default=0)
    return node


LEAF: Tree = (0.0, {})


@pytest.mark.parametrize(
    ("worths", "actions"),
    [
        ([(3.0, 9.0), (ENDLESS, 0.0), (ENDLESS, 2.0)], {12}),
        ([(3.0, 9.0), (4.0, -500.0), (4.0, 1.0)], {12}),
        ([(0.0, -500.0), None, (1.0, -500.0)], {12}),
        ([(0.0, -500.0), None, (0.0, 0.1)], {11}),
        ([None, None], {10, 11}),
    ],
    ids=[
        "sure, whatever others promise",
        "for longest, and then for the most",
        "an untried action is not relied on",
        "it is better than a certain loss",
        "nothing tried",
    ],
)
def test_what_can_be_relied_on_is_chosen(worths: list[Worth | None], actions: set[Action]) -> None:
    """First for how long nothing is lost, then the value."""
    root = make_root([None if worth is None else (0.0, 1) for worth in worths])
    for action, worth in zip(root.actions, worths, strict=True):
        if worth is not None:
            root.children[action].extra.assured, root.children[action].value = worth
    choices = [VERIFIED.choose(root, Random(seed)) for seed in range(50)]
    assert {choice.action for choice in choices} == actions


def test_a_twin_is_neither_chosen_nor_followed() -> None:
    """The search has looked below its sibling, not below it."""
    root = make_root([(0.0, 3), (0.0, 2)])
    mark_twin(root.children[10])
    assert {CAUTIOUS.choose(root, Random(seed)).action for seed in range(20)} == {11}
    root.children[11].children = {0: make_node(1, 0), 1: make_node(2, 1, -1.0)}
    mark_twin(root.children[11].children[0])
    assert follow(root, 11, CAUTIOUS.best_child) == (11, 1)


@pytest.mark.parametrize(
    ("tree", "action", "branch"),
    [
        ((0.0, {}), 10, (10,)),
        ((0.0, {11: LEAF}), 10, (10,)),
        ((0.0, {10: LEAF, 11: (9.0, {12: LEAF})}), 10, (10,)),
        ((0.0, {10: (0.0, {12: LEAF})}), 10, (10, 12)),
        ((0.0, {10: (2.0, {11: (0.0, {13: LEAF}), 12: (2.0, {})})}), 10, (10, 12)),
        ((0.0, {10: (2.0, {12: (2.0, {}), 11: (2.0, {13: LEAF})})}), 10, (10, 11, 13)),
        ((0.0, {10: (-1.0, {11: (-3.0, {13: LEAF}), 12: (-1.0, {14: (-1.0, {})})})}), 10, (10, 12, 14)),
        ((0.0, {10: (0.0, {10: (0.0, {10: LEAF})})}), 10, (10, 10, 10)),
    ],
    ids=[
        "nothing simulated",
        "another action simulated",
        "nothing simulated below it",
        "one way to go on",
        "value before height",
        "height among equal values",
        "the least loss",
        "the same action again",
    ],
)
def test_the_best_branch(tree: Tree, action: Action, branch: tuple[Action, ...]) -> None:
    """Below an action, whatever the other ones promise, and as far as something was simulated."""
    for valuation in (plain(), CAUTIOUS):
        assert follow(grow(tree), action, valuation.best_child) == branch


@pytest.mark.parametrize(("untried", "branch"), [(False, (0, 1)), (True, (0,))])
def test_the_best_branch_ends_before_a_loss_that_can_be_avoided(
    untried: bool, branch: tuple[Action, ...]
) -> None:
    """By an action that has not been tried, which counts 0."""
    root, child, lost = make_node(0, NO_ACTION), make_node(1, 0), make_node(2, 1, reward=-5.0)
    root.actions, root.children = (0,), {0: child}
    child.actions, child.children = ((1, 2) if untried else (1,)), {1: lost}
    assert follow(root, 0, plain().best_child) == branch


@pytest.mark.parametrize(
    ("planner", "assured"),
    [("rollout-iw", ONE_ACTION), ("iw", ENDLESS), ("uct", ENDLESS), ("no:such", ENDLESS)],
)
def test_a_recorded_episode_is_valued_as_its_planner_did(planner: str, assured: float) -> None:
    """Without its world, and without importing a planner from outside."""
    valuation = recorded_valuation(replace(PRESETS["best"], planner=planner))
    child = Node(1, 0, Transition("s", "p", 1.0, False, 1), 1.0)
    valuation.leaf(None, child)
    assert (child.extra.assured, child.value) == (assured, 1.0)


def test_a_recorded_episode_of_the_paper_has_its_values() -> None:
    assert isinstance(recorded_valuation(PRESETS["ras"]), PaperValuation)
