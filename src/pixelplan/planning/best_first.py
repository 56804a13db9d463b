"""The frame of the searches with a queue: nodes are expanded in some order, each child judged when generated.

The order and the judgement are the search. With a kept tree the search goes on from its unfinished
nodes.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Container
from itertools import pairwise
from typing import TYPE_CHECKING

from pixelplan.planning.case import Case
from pixelplan.planning.lookahead import Lookahead, Search, Strand, simulate
from pixelplan.planning.node import solve_and_propagate_label

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pixelplan.planning.node import Node
    from pixelplan.planning.simulator import Action

Path = tuple["Node", ...]
Judge = Callable[[Lookahead, "Node"], Case]
Order = Callable[["Node", Case], tuple[float, ...]]
"""Tells from a node and its case when it is expanded: the least first, then first come first served."""


def best_first(lookahead: Lookahead, judge: Judge, pruned_cases: Container[Case], *orders: Order) -> Search:
    """Expand nodes until none is left, taking them by each of the orders in turn."""
    frontier = Frontier(orders)
    for unfinished in unfinished_paths(lookahead):
        frontier.push(unfinished, Case.UNTESTED)
    while True:
        path = frontier.pop()
        if path is None:
            yield None
            continue
        yield from pass_kept_nodes(lookahead, path)
        node = path[-1]
        untried = [action for action in node.actions if action not in node.children]
        lookahead.rng.shuffle(untried)
        for action in untried:
            yield generate(lookahead, path, action, judge, pruned_cases, frontier)


def generate(
    lookahead: Lookahead,
    path: Path,
    action: Action,
    judge: Judge,
    pruned_cases: Container[Case],
    frontier: Frontier,
) -> Strand:
    """Generate one child of a path's end, and queue it if it is not pruned."""
    child = yield from simulate(lookahead, path[-1], action)
    child_path = (*path, child)
    lookahead.back_up(child_path)
    case = judge(lookahead, child)
    lookahead.note(path[-1], child, case)
    if case in pruned_cases:
        solve_and_propagate_label(child_path)
    else:
        frontier.push(child_path, case)


class Frontier:
    """The paths to the nodes that are to be expanded, in one queue for each order."""

    def __init__(self, orders: tuple[Order, ...]) -> None:
        self._queues: deque[tuple[Order, list[tuple[tuple[float, ...], int, Path]]]] = deque(
            (order, []) for order in orders
        )
        self._taken: set[int] = set()

    def push(self, path: Path, case: Case) -> None:
        """Add a path to all queues."""
        node = path[-1]
        for order, queue in self._queues:
            heapq.heappush(queue, (order(node, case), node.number, path))

    def pop(self) -> Path | None:
        """Take the best path of the queue whose turn it is, or of the next ones if that is empty."""
        for _ in range(len(self._queues)):
            _, queue = self._queues[0]
            self._queues.rotate(-1)
            while queue:
                _, number, path = heapq.heappop(queue)
                if number not in self._taken:
                    self._taken.add(number)
                    return path
        return None


def unfinished_paths(lookahead: Lookahead) -> Iterator[Path]:
    """Yield the paths to the nodes of a kept tree with actions that were never tried."""
    stack: list[Path] = [(lookahead.root,)]
    while stack:
        path = stack.pop()
        node = path[-1]
        if node.end is not None:
            solve_and_propagate_label(path)
            continue
        if node.has_untried_action():
            yield path
        stack.extend((*path, child) for child in node.children.values())


def pass_kept_nodes(lookahead: Lookahead, path: Path) -> Search:
    """Go down the kept part of a path; simulate again where states were dropped."""
    for parent, child in pairwise(path):
        if child.state is None:
            yield simulate_again(lookahead, parent, child)
            while child.state is None:
                yield None
        if child.is_known:
            lookahead.note(parent, child, Case.UNTESTED)


def simulate_again(lookahead: Lookahead, parent: Node, child: Node) -> Strand:
    """Get back the state of a kept node."""
    yield from simulate(lookahead, parent, child.action)
