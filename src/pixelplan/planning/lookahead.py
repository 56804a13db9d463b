"""The state that all searches share: the tree of a decision, its novelty tables, and counts of events."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import TYPE_CHECKING

from pixelplan.errors import InputError, describe
from pixelplan.planning.case import LASTING_ENDS, Case
from pixelplan.planning.node import NO_ACTION, Node, walk
from pixelplan.planning.partition import make_partition
from pixelplan.planning.simulator import Action, Request, Simulator, State, Transition
from pixelplan.planning.valuation import back_up

if TYPE_CHECKING:
    from random import Random

    from pixelplan.planning.novelty import Novelty, NoveltyTable, NoveltyTables
    from pixelplan.planning.paper_settings import PaperSettings
    from pixelplan.planning.valuation import Valuation


MAX_REWARD = 1e100
"""Sums of greater ones would not be finite."""

Strand = Generator[Request, Transition, None]
"""A part of a search that goes on by itself, as a rollout does: it yields requests for simulation, and
is sent the transition."""

Search = Iterator[Strand | None]
"""A search hands out its strands one after another, as they are asked for. None: no other strand can
begin before one of those under way goes on; if none is, the search is over."""


Observer = Callable[[Node, Node, Case], None]
"""Told of each arrival at a node: its parent, the node, and the case."""


class Lookahead:
    """The tree of possible futures below one root.

    It lives as long as the tree is kept: `start` begins a decision, `advance` moves the root.
    """

    def __init__(
        self,
        simulator: Simulator,
        settings: PaperSettings,
        valuation: Valuation,
        tables: NoveltyTables,
        rng: Random,
        observer: Observer | None = None,
    ) -> None:
        self.settings = settings
        self.valuation = valuation
        self.rng = rng
        self.node_count = 0
        self.simulated = 0
        self.rollouts = 0
        self.deepest = 0
        self.cases = [0] * len(Case)
        self._simulator = simulator
        self._tables = tables
        self._observer = observer
        self._next_number = 0
        self._sound_actions: Sequence[Action] = ()
        self._cut_off: list[Node] = []
        self._partition = make_partition(settings)
        self.root = self._make_root(simulator.look(simulator.root()))

    def plant(self, transition: Transition) -> None:
        """Begin a new tree of a root alone."""
        self._move_root(self._make_root(transition))

    def advance(self, action: Action) -> bool:
        """Move the root to the child that an action leads to; say whether there was one to keep."""
        child = self.root.children.get(action)
        if child is None or self.settings.caching == "none":
            return False
        self._move_root(child)
        return True

    def _move_root(self, root: Node) -> None:
        # Freeing what is cut off takes time, so it is done when the next decision has begun.
        self._cut_off.append(self.root)
        self.root = root

    def start(self) -> None:
        """Begin a decision: number the kept tree from its root, clear its labels, and empty the tables."""
        self._cut_off.clear()
        root = self.root
        root.depth = root.repeats = 0
        root.path_reward = 0.0
        root.actions = self._actions_in(root.state)
        self.valuation.start(root)
        self.simulated = self.rollouts = self.deepest = 0
        self.cases = [0] * len(Case)
        self.node_count = self._relabel(root)
        self.valuation.renew(root)
        self._tables.clear()

    def _relabel(self, root: Node) -> int:
        """Make a kept tree ready for a new decision, and count its nodes."""
        drops_states = self.settings.caching == "partial"
        count = 0
        for node in walk(root):
            count += 1
            node.is_solved = False
            node.table = None
            node.mark_known()
            node.unsolved = list(node.actions)
            depth = node.depth + 1
            for child in node.children.values():
                child.depth = depth
                child.path_reward = node.path_reward + child.reward
                if drops_states and child.end not in LASTING_ENDS:
                    # What is never gone on from need not be simulated again.
                    child.state = None
            node.end = self._find_end(node)
        return count

    def fill_node(self, parent: Node, action: Action, transition: Transition) -> Node:
        """Return the child that a simulated action leads to; add it to the tree if it is new."""
        known = parent.children.get(action)
        if known is not None:
            # Differs: a node's features never change, whatever the background is by now.
            known.state = transition.state
            return known
        if not is_reward(transition.reward):
            raise InputError(
                f"action {action} has reward {transition.reward!r}: rewards are finite numbers, up to 1e100"
            )
        reward = self.valuation.reward(parent, transition)
        child = self._make_node(action, transition, reward)
        child.depth = parent.depth + 1
        child.path_reward = parent.path_reward + reward
        child.actions = self._actions_in(child.state)
        if self._is_to_be_repeated(parent, child):
            # Paper: an action without effect is applied once more before its node is judged.
            child.repeats = parent.repeats + 1
            child.actions = (action,)
        child.unsolved = list(child.actions)
        child.end = self._find_end(child)
        self.valuation.leaf(parent, child)
        parent.children[action] = child
        self.node_count += 1
        self.simulated += 1
        self.deepest = max(self.deepest, child.depth)
        return child

    def _actions_in(self, state: State) -> Sequence[Action]:
        """Return the actions of a state; InputError if one is there twice, for no search would end."""
        actions = self._simulator.actions(state)
        if actions is not self._sound_actions:
            # Most worlds give the same object again and again.
            if not isinstance(actions, Sequence):
                raise InputError(f"the actions of a state are {describe(actions)}: return a tuple of numbers")
            if len({*actions}) < len(actions):
                twice = next(action for action in actions if list(actions).count(action) > 1)
                raise InputError(f"a state has action {twice} more than once: {list(actions)}")
            self._sound_actions = actions
        return actions

    def _is_to_be_repeated(self, parent: Node, child: Node) -> bool:
        return (
            child.features == parent.features
            and parent.repeats < self.settings.no_effect_repeats
            and child.action in child.actions
        )

    def _find_end(self, node: Node) -> Case | None:
        if node.is_terminal or not node.actions:
            return Case.DEAD_END
        return Case.TOO_DEEP if node.depth >= self.settings.max_depth else None

    def is_passed(self, node: Node) -> bool:
        """Say whether a rollout goes on from a node without judging its novelty."""
        return node.repeats > 0 or (node.is_known and self.settings.cached_nodes == "pass")

    def enter_root(self, cost: int = 0) -> None:
        """Enter the root in its novelty table, at its depth or whatever else the search goes by."""
        # Paper: d[f] = 0 for the features that are true in the root.
        if self.settings.root_in_table:
            self._table(self.root).update(self.root.features, cost)

    def novelty(self, node: Node, cost: int) -> Novelty:
        """Judge a node by the table of its part; a node judged for the first time is entered.

        The cost is the node's depth, or what else a search wants features to be reached with little of.
        """
        table = node.table or self._table(node)
        if node.is_visited:
            return table.compare(node.features, cost)
        node.is_visited = True
        return table.update(node.features, cost)

    def back_up(self, path: Sequence[Node]) -> None:
        """Back up values from the end of a path."""
        back_up(path, self.valuation)

    def note(self, parent: Node, node: Node, case: Case) -> None:
        """Count an arrival at a node."""
        self.cases[case] += 1
        if self._observer is not None:
            self._observer(parent, node, case)

    def _table(self, node: Node) -> NoveltyTable:
        node.table = self._tables[self._partition(node)]
        return node.table

    def _make_root(self, transition: Transition) -> Node:
        root = self._make_node(NO_ACTION, transition, reward=0.0)
        self.valuation.leaf(None, root)
        return root

    def _make_node(self, action: Action, transition: Transition, reward: float) -> Node:
        self._next_number += 1
        node = Node(self._next_number - 1, action, transition, reward)
        if self.settings.subgoaling:
            node.goals = sum(self._simulator.goals(node.state))
        return node


def is_reward(reward: float) -> bool:
    """Say whether a world may give this reward; what is no number has no order."""
    try:
        return -MAX_REWARD <= reward <= MAX_REWARD
    except TypeError:
        return False


def simulate(lookahead: Lookahead, parent: Node, action: Action) -> Generator[Request, Transition, Node]:
    """Ask for an action to be simulated, which no other strand tries meanwhile; return where it leads."""
    parent.in_flight |= {action}
    try:
        transition = yield Request(parent.state, action)
    finally:
        parent.in_flight -= {action}
    return lookahead.fill_node(parent, action, transition)
