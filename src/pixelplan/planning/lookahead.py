"""What the searches share: the tree of one decision, its novelty tables, and counts of what happened."""

from __future__ import annotations

import enum
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import TYPE_CHECKING

from pixelplan.planning.node import ENDLESS, NO_ACTION, Node, back_up, walk
from pixelplan.planning.partition import make_partition
from pixelplan.planning.patience import Patience
from pixelplan.planning.rewards import RiskAversion
from pixelplan.planning.simulator import Action, Request, Simulator, Transition

if TYPE_CHECKING:
    from random import Random

    from pixelplan.planning.novelty import Novelty, NoveltyTable, NoveltyTables
    from pixelplan.planning.settings import SearchSettings


Strand = Generator[Request, Transition, None]
"""A part of a search that goes on by itself, as a rollout does: it yields what it wants simulated, and
is sent the transition."""

Search = Iterator[Strand | None]
"""A search hands out its strands one after another, as they are asked for. None: no other strand can
begin before one of those under way goes on; if none is, the search is over."""


class Case(enum.IntEnum):
    """What a search found on arriving at a node. Paper: the four cases of Figure 1, by number."""

    UNTESTED = 0
    """Cached, or reached by an action without effect: passed."""
    NOVEL = 1
    NOT_NOVEL = 2
    NO_LONGER_NOVEL = 3
    STILL_NOVEL = 4
    DEAD_END = 5
    """Game over, no action, or a lost life where that ends a branch."""
    TOO_DEEP = 6
    """As deep as the search looks."""
    TWIN = 7
    """Just what an earlier sibling has shown, where the search does not look at it twice."""
    FOLLOWED = 8
    """On the best branch or beyond its end, to see whether it can be believed, or on a way out."""


BRANCH_ENDS = (Case.DEAD_END, Case.TOO_DEEP, Case.TWIN)
"""Where nothing follows, whatever the features are."""


Observer = Callable[[Node, Node, Case], None]
"""Told of each arrival at a node: its parent, the node, and the case."""


class Lookahead:
    """The tree of possible futures below one root.

    It lives as long as the tree is kept: `start` begins a decision, `advance` moves the root.
    """

    def __init__(
        self,
        simulator: Simulator,
        settings: SearchSettings,
        tables: NoveltyTables,
        rng: Random,
        observer: Observer | None = None,
    ) -> None:
        self._use(settings)
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
        self._cut_off: list[Node] = []
        self._patience = Patience(settings)
        self._partition = make_partition(settings)
        is_curious = settings.curiosity > 0 and settings.planner != "uct"
        self._familiarity = simulator.familiarity() if is_curious else None
        self.root = self._make_node(NO_ACTION, simulator.look(simulator.root()), reward=0.0)

    @property
    def is_bold(self) -> bool:
        """Whether the risk of a lost life is taken in this decision."""
        return self._patience.is_bold

    def plant(self, transition: Transition) -> None:
        """Begin a new tree of a root alone."""
        self._move_root(self._make_node(NO_ACTION, transition, reward=0.0))

    def advance(self, action: Action) -> bool:
        """Move the root to the child that an action leads to; say whether there was one to keep."""
        child = self.root.children.get(action)
        if child is not None and child.reward > 0:
            self._patience.restore()
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
        settings = self._patience.next_settings(root.lives)
        if settings != self.settings:
            self._use(settings)
            # What was kept is worth something else now.
            root.forget_children()
        root.depth = root.repeats = 0
        root.is_twin = False
        root.first_alike = root.action
        root.path_reward = 0.0
        root.actions = self._simulator.actions(root.state)
        self.simulated = self.rollouts = self.deepest = 0
        self.cases = [0] * len(Case)
        self.node_count = self._relabel(root)
        self._tables.clear()
        if self._familiarity is not None:
            self._familiarity.note(root.features)
        if self._familiarity is not None or self.is_wary:
            self._revalue(root)

    def _use(self, settings: SearchSettings) -> None:
        self.settings = settings
        self.is_wary = settings.is_wary
        self._risk = RiskAversion(alpha=settings.alpha, death_penalty=settings.death_penalty)

    def _revalue(self, root: Node) -> None:
        """Value a kept tree anew: what is played becomes familiar, and the horizon moves on."""
        for node in reversed(list(walk(root))):
            self._value_leaf(node)
            if node.children:
                node.back_up(self.settings.discount, is_cautious=self.settings.cautious)

    def _value_leaf(self, node: Node) -> None:
        """Value a node by itself: its reward, how rare it is, and how far that can be relied on."""
        if self._familiarity is not None:
            node.bonus = self.settings.curiosity * self._familiarity.rarity(node.features)
        node.value = node.reward + node.bonus
        node.assured = ENDLESS
        if self.is_wary:
            # The end of the game is no good unless it is rewarded.
            node.is_loss = node.reward < 0 or (node.is_terminal and node.reward == 0)
            if node.is_loss:
                node.assured = 0.0
            elif self.branch_end(node) is None:
                # Nobody has looked behind it.
                node.assured = 1.0

    def _relabel(self, root: Node) -> int:
        """Make a kept tree ready for a new decision, and count its nodes."""
        drops_states = self.settings.caching == "partial"
        count = 0
        for node in walk(root):
            count += 1
            node.is_solved = False
            node.table = None
            node.mark_cached()
            node.unsolved = list(node.actions)
            depth = node.depth + 1
            for child in node.children.values():
                child.depth = depth
                child.path_reward = node.path_reward + child.reward
                if drops_states and not child.is_twin:
                    # A twin is not gone on from, so there would be no use in simulating it again.
                    child.state = None
        return count

    def fill_node(self, parent: Node, action: Action, transition: Transition) -> Node:
        """Return the child that a simulated action leads to; add it to the tree if it is new."""
        known = parent.children.get(action)
        if known is not None:
            # Differs: a node's features never change, whatever the background is by now.
            known.state = transition.state
            return known
        reward = transition.reward
        if self.settings.risk_averse:
            reward = self._risk.transform(reward, has_lost_life=transition.lives < parent.lives)
        child = self._make_node(action, transition, reward)
        child.depth = parent.depth + 1
        child.path_reward = parent.path_reward + reward
        child.actions = self._simulator.actions(child.state)
        if self._is_to_be_repeated(parent, child):
            # Paper: an action without effect is applied once more before its node is judged.
            child.repeats = parent.repeats + 1
            child.actions = (action,)
        child.unsolved = list(child.actions)
        child.first_alike = self._first_alike(parent, child)
        child.is_twin = child.first_alike != action
        self._value_leaf(child)
        parent.children[action] = child
        self.node_count += 1
        self.simulated += 1
        self.deepest = max(self.deepest, child.depth)
        return child

    def _is_to_be_repeated(self, parent: Node, child: Node) -> bool:
        return (
            child.features == parent.features
            and parent.repeats < self.settings.no_effect_repeats
            and child.action in child.actions
        )

    def _first_alike(self, parent: Node, child: Node) -> Action:
        # What is to be repeated is not judged yet, and no sibling repeats its action.
        if self.settings.cautious and child.repeats == 0:
            for sibling in parent.children.values():
                if child.is_like(sibling):
                    return sibling.action
        return child.action

    def branch_end(self, node: Node) -> Case | None:
        """Say why nothing is to follow a node, whatever its features are; None if something may."""
        if node.is_twin:
            return Case.TWIN
        settings = self.settings
        has_lost_life = settings.lost_life_ends and node.lives < self.root.lives
        if node.is_terminal or not node.actions or has_lost_life:
            return Case.DEAD_END
        return Case.TOO_DEEP if node.depth >= settings.max_depth else None

    def is_passed(self, node: Node) -> bool:
        """Say whether a rollout goes on from a node without judging its novelty."""
        return node.repeats > 0 or (node.is_cached and self.settings.cached_nodes == "pass")

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
        """Back up what was seen at the end of a path."""
        back_up(path, self.settings.discount, is_cautious=self.settings.cautious)

    def note(self, parent: Node, node: Node, case: Case) -> None:
        """Count an arrival at a node."""
        self.cases[case] += 1
        if self._observer is not None:
            self._observer(parent, node, case)

    def _table(self, node: Node) -> NoveltyTable:
        node.table = self._tables[self._partition(node)]
        return node.table

    def _make_node(self, action: Action, transition: Transition, reward: float) -> Node:
        self._next_number += 1
        node = Node(self._next_number - 1, action, transition, reward)
        if self.settings.subgoaling:
            node.goals = sum(self._simulator.goals(node.state))
        return node


def simulate(lookahead: Lookahead, parent: Node, action: Action) -> Generator[Request, Transition, Node]:
    """Ask for an action to be simulated, which no other strand tries meanwhile; return where it leads."""
    parent.in_flight |= {action}
    try:
        transition = yield Request(parent.state, action)
    finally:
        parent.in_flight -= {action}
    return lookahead.fill_node(parent, action, transition)
