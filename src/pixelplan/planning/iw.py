"""IW(1): breadth-first search that prunes each node without a feature never reached before.

Paper: section "Planning with IW". With a kept tree the search goes on from its unfinished nodes.
Nodes are generated in order of depth, so a feature was never reached before exactly if the table
knows no smaller or equal depth for it.
"""

from __future__ import annotations

import heapq
from itertools import pairwise
from typing import TYPE_CHECKING

from pixelplan.planning.lookahead import Case, Lookahead, Search, Strand, simulate
from pixelplan.planning.node import back_up, solve_and_propagate_label
from pixelplan.planning.rollout_iw import SOLVING_CASES, judge

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pixelplan.planning.node import Node
    from pixelplan.planning.simulator import Action

Path = tuple["Node", ...]
QueueEntry = tuple[int, int, Path]


def iw(lookahead: Lookahead) -> Search:
    """Expand nodes in order of their depth, first come first served, until none is left."""
    queue = [queue_entry(path) for path in unfinished_paths(lookahead)]
    heapq.heapify(queue)
    while True:
        if not queue:
            yield None
            continue
        _, _, path = heapq.heappop(queue)
        yield from pass_kept_nodes(lookahead, path)
        node = path[-1]
        untried = [action for action in node.actions if action not in node.children]
        lookahead.rng.shuffle(untried)
        for action in untried:
            yield generate(lookahead, path, action, queue)


def generate(lookahead: Lookahead, path: Path, action: Action, queue: list[QueueEntry]) -> Strand:
    """Generate one child of a path's end, and queue it if it is novel."""
    child = yield from simulate(lookahead, path[-1], action)
    child_path = (*path, child)
    back_up(child_path, lookahead.settings.discount)
    case = judge(lookahead, child)
    lookahead.note(path[-1], child, case)
    if case in SOLVING_CASES:
        solve_and_propagate_label(child_path)
    else:
        heapq.heappush(queue, queue_entry(child_path))


def queue_entry(path: Path) -> QueueEntry:
    """Order paths by depth, and equal depths by the order in which their ends were simulated."""
    return path[-1].depth, path[-1].number, path


def unfinished_paths(lookahead: Lookahead) -> Iterator[Path]:
    """Yield the paths to the nodes of a kept tree with actions that were never tried."""
    stack: list[Path] = [(lookahead.root,)]
    while stack:
        path = stack.pop()
        node = path[-1]
        if lookahead.is_dead_end(node):
            solve_and_propagate_label(path)
        elif node.has_untried_action():
            yield path
        stack.extend((*path, child) for child in node.children.values())


def pass_kept_nodes(lookahead: Lookahead, path: Path) -> Search:
    """Go down the kept part of a path; simulate again where states were dropped."""
    for parent, child in pairwise(path):
        if child.state is None:
            yield simulate_again(lookahead, parent, child)
            while child.state is None:
                yield None
        if child.is_cached:
            lookahead.note(parent, child, Case.UNTESTED)


def simulate_again(lookahead: Lookahead, parent: Node, child: Node) -> Strand:
    """Get back the state of a kept node."""
    yield from simulate(lookahead, parent, child.action)
