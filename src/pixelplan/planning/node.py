"""The lookahead tree.

A node stands for the path that leads to it. Nodes hold their children, not their parents: a tree
has no cycles, what is cut off is freed at once, and the garbage collector is not needed. A search
carries the path it is on.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pixelplan.planning.novelty import Features, NoveltyTable
    from pixelplan.planning.simulator import Action, State, Transition

NO_ACTION = -1
"""The action that led to the root."""
NOTHING_IN_FLIGHT: frozenset[Action] = frozenset()

Worth = tuple[float, float]
"""For how many actions nothing is lost for sure, and the value: by these an action is chosen."""
ENDLESS = math.inf
"""As many as the search looks ahead."""


class Node:
    """A state reached by a path of actions from the root, and what was found below it."""

    __slots__ = (
        "action",
        "actions",
        "assured",
        "bonus",
        "children",
        "depth",
        "features",
        "first_alike",
        "goals",
        "height",
        "in_flight",
        "is_cached",
        "is_loss",
        "is_solved",
        "is_terminal",
        "is_twin",
        "is_visited",
        "lives",
        "number",
        "path_reward",
        "repeats",
        "reward",
        "state",
        "table",
        "unsolved",
        "value",
        "visits",
    )

    number: int
    """Unique in an episode, in order of simulation."""
    action: Action
    """The action that leads here from the parent; NO_ACTION in a root never simulated."""
    state: State | None
    """Where the simulator goes on; None if dropped, to be simulated again when passed."""
    features: Features
    reward: float
    """Of the last action, as the search sees it."""
    bonus: float
    """What the features are worth because they are rare, where the search is curious."""
    path_reward: float
    """Sum of rewards from the root, undiscounted."""
    depth: int
    """Number of actions from the root."""
    lives: int
    goals: int
    """Number of goals that hold, where the search asks for it."""
    is_terminal: bool
    repeats: int
    """How many times in a row the last action has changed no feature, 0 if it changed one."""
    actions: Sequence[Action]
    """What may be tried here: one action only where the last one is to be repeated."""
    children: dict[Action, Node]
    """The simulated children by action."""
    unsolved: list[Action]
    """The actions that do not lead to a solved child: untried ones too."""
    in_flight: frozenset[Action]
    """The actions that are being simulated."""
    is_solved: bool
    is_visited: bool
    """Whether the node has been judged before, in this decision or an earlier one."""
    is_cached: bool
    """Whether the node comes from an earlier decision, or was followed before any rollout got here."""
    is_loss: bool
    """Whether something is lost on getting here, where the search is wary."""
    first_alike: Action
    """The action of the first sibling that was judged to show just the same, if any; or its own."""
    is_twin: bool
    """Whether it shows just what an earlier sibling has shown, where the search asks for it."""
    table: NoveltyTable | None
    """The novelty table of the node's part, once it has been judged by it in this decision."""
    value: float
    """Reward of the last action and bonus, plus the discounted value of the best continuation. UCT: of the
    mean one, without bonus."""
    assured: float
    """For how many actions, from the last one on, nothing is lost for sure, where the search is wary;
    elsewhere for as many as it looks ahead."""
    visits: int
    """UCT: how many rollouts have passed."""
    height: int
    """Number of simulated nodes on the longest path that starts here, this one included."""

    def __init__(self, number: int, action: Action, transition: Transition, reward: float) -> None:
        self.number = number
        self.action = self.first_alike = action
        self.state, self.features, _, self.is_terminal, self.lives = transition
        self.reward = self.path_reward = self.value = reward
        self.assured = ENDLESS
        self.bonus = 0.0
        self.depth = self.repeats = self.goals = self.visits = 0
        self.height = 1
        self.table = None
        self.actions = ()
        self.children = {}
        self.unsolved = []
        self.in_flight = NOTHING_IN_FLIGHT
        self.is_solved = self.is_visited = self.is_cached = self.is_twin = self.is_loss = False

    def mark_cached(self) -> None:
        """Let rollouts pass the node: it is not entered in a novelty table."""
        self.is_cached = self.is_visited = True

    def forget_children(self) -> None:
        """Forget all that was found below the node."""
        self.children = {}
        self.visits = 0
        self.height = 1

    def candidates(self) -> Sequence[Action]:
        """Return the actions by which a rollout may go on: unsolved, and not being simulated."""
        if not self.in_flight:
            return self.unsolved
        return [action for action in self.unsolved if action not in self.in_flight]

    def has_untried_action(self) -> bool:
        """Say whether some action has not been simulated yet."""
        return len(self.children) < len(self.actions)

    def best_child(self) -> Node | None:
        """Return the simulated child of the greatest value, of equal ones that of the highest subtree."""
        return max(self.counted(), key=lambda child: (child.value, child.height), default=None)

    def surest_child(self) -> Node | None:
        """Return the simulated child that goes well for longest for sure, of equal ones the best."""
        return max(self.counted(), key=lambda child: (child.worth(), child.height), default=None)

    def counted(self) -> list[Node]:
        """Return the simulated children that are no twins."""
        return [child for child in self.children.values() if not child.is_twin]

    def worth(self) -> Worth:
        """Return that by which an action is chosen."""
        return self.assured, self.value

    def is_like(self, other: Node) -> bool:
        """Say whether a node shows just what another one shows, and has come to it at the same price."""
        return (
            self.features == other.features
            and self.reward == other.reward
            and self.lives == other.lives
            and self.is_terminal == other.is_terminal
        )

    def back_up(self, discount: float, *, is_cautious: bool = False) -> bool:
        """Compute values and height anew from the children; say whether one of them changed."""
        counted = self.counted()
        best = max([child.value for child in counted])
        if best < 0 and not is_cautious and self.has_untried_action():
            best = 0.0
        value = self.reward + self.bonus + discount * best
        assured = ENDLESS
        if is_cautious:
            assured = 0.0 if self.is_loss else 1.0 + max([child.assured for child in counted])
        height = 1 + max([child.height for child in self.children.values()])
        has_changed = value != self.value or assured != self.assured or height != self.height
        self.value = value
        self.assured = assured
        self.height = height
        return has_changed


def walk(root: Node) -> Iterator[Node]:
    """Yield all simulated nodes of a tree, parents first."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(node.children.values())


def solve_and_propagate_label(path: Sequence[Node]) -> None:
    """Solve the last node of a path, and each one above all of whose children are solved."""
    path[-1].is_solved = True
    for index in range(len(path) - 2, -1, -1):
        parent = path[index]
        parent.unsolved.remove(path[index + 1].action)
        if parent.unsolved or parent.is_solved:
            break
        parent.is_solved = True


def back_up(path: Sequence[Node], discount: float, *, is_cautious: bool = False) -> None:
    """Back up values and heights along a path, from its last node as far as they change.

    Each node of the path that was simulated since the last back-up must be followed by others of
    that kind only: above the first node that does not change, nothing changes.
    """
    for node in reversed(path[:-1]):
        if not node.back_up(discount, is_cautious=is_cautious):
            break
