"""IW(1): breadth-first search that prunes each node without a feature never reached before.

Paper: section "Planning with IW". With a kept tree the search goes on from its unfinished nodes.
Nodes are generated in order of depth, so a feature was never reached before exactly if the table
knows no smaller or equal depth for it.
"""

from __future__ import annotations

import heapq
from itertools import pairwise
from typing import TYPE_CHECKING

from pixelplan.planning.lookahead import Case, Lookahead, Request, Search
from pixelplan.planning.node import back_up, solve_and_propagate_label
from pixelplan.planning.rollout_iw import SOLVING_CASES, judge

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pixelplan.planning.node import Node

Path = tuple["Node", ...]


def iw(lookahead: Lookahead) -> Search:
    """Expand nodes in order of their depth, first come first served, until none is left."""
    queue = [queue_entry(path) for path in unfinished_paths(lookahead)]
    heapq.heapify(queue)
    while queue:
        _, _, path = heapq.heappop(queue)
        yield from pass_kept_nodes(lookahead, path)
        node = path[-1]
        untried = [action for action in node.actions if action not in node.children]
        lookahead.rng.shuffle(untried)
        for action in untried:
            transition = yield Request(node.state, action)
            child = lookahead.fill_node(node, action, transition)
            child_path = (*path, child)
            back_up(child_path, lookahead.settings.discount)
            case = judge(lookahead, child)
            lookahead.note(node, child, case)
            if case in SOLVING_CASES:
                solve_and_propagate_label(child_path)
            else:
                heapq.heappush(queue, queue_entry(child_path))


def queue_entry(path: Path) -> tuple[int, int, Path]:
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
            transition = yield Request(parent.state, child.action)
            lookahead.fill_node(parent, child.action, transition)
        if child.is_cached:
            lookahead.note(parent, child, Case.UNTESTED)
