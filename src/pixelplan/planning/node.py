"""The lookahead tree.

A node stands for the path that leads to it. Nodes hold their children, not their parents. So a
tree has no cycles, and a subtree that is cut off is freed at once, without the garbage collector. A search
carries the path it is on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pixelplan.planning.case import Case
    from pixelplan.planning.novelty import Features, NoveltyTable
    from pixelplan.planning.simulator import Action, State, Transition

NO_ACTION = -1
"""The action that led to the root."""
NOTHING_IN_FLIGHT: frozenset[Action] = frozenset()


class Node:
    """A state reached by a path of actions from the root, and the results of the search below it."""

    __slots__ = (
        "action",
        "actions",
        "children",
        "depth",
        "end",
        "extra",
        "features",
        "goals",
        "height",
        "in_flight",
        "is_known",
        "is_solved",
        "is_terminal",
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
    """State to simulate from; None if dropped, to be simulated again when passed."""
    features: Features
    reward: float
    """Reward of the last action, as the search sees it."""
    path_reward: float
    """Sum of rewards from the root, undiscounted."""
    depth: int
    """Number of actions from the root."""
    lives: int
    goals: int
    """Number of goals that hold, where the search asks for it."""
    is_terminal: bool
    repeats: int
    """Number of times in a row that the last action has changed no feature; 0 if it changed one."""
    actions: Sequence[Action]
    """Actions that may be tried here: one only where the last one is to be repeated."""
    children: dict[Action, Node]
    """The simulated children by action."""
    unsolved: list[Action]
    """The actions that do not lead to a solved child: untried ones too."""
    in_flight: frozenset[Action]
    """The actions that are being simulated."""
    is_solved: bool
    is_visited: bool
    """Whether the node has been judged before, in this decision or an earlier one."""
    is_known: bool
    """Whether the node was there before any rollout of this decision got here.

    It comes from an earlier decision, as the paper's cached nodes do, or from looking behind a branch.
    """
    end: Case | None
    """Why nothing is to follow, whatever the features are; None if something may."""
    table: NoveltyTable | None
    """The novelty table of the node's part, once it has been judged by it in this decision."""
    value: float
    """Reward of the last action, plus the discounted value of the best continuation; UCT: of the mean one."""
    extra: Any
    """Facts that the valuation keeps of the node."""
    visits: int
    """UCT: how many rollouts have passed."""
    height: int
    """Number of simulated nodes on the longest path that starts here, this one included."""

    def __init__(self, number: int, action: Action, transition: Transition, reward: float) -> None:
        self.number = number
        self.action = action
        self.state, self.features, _, self.is_terminal, self.lives = transition
        self.reward = self.path_reward = self.value = reward
        self.depth = self.repeats = self.goals = self.visits = 0
        self.height = 1
        self.end = self.extra = self.table = None
        self.actions = ()
        self.children = {}
        self.unsolved = []
        self.in_flight = NOTHING_IN_FLIGHT
        self.is_solved = self.is_visited = self.is_known = False

    def mark_known(self) -> None:
        """Note that the node was there before a rollout got here: it is not entered in a novelty table."""
        self.is_known = self.is_visited = True

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
