"""2BFS: best-first search with two queues, one for exploration and one for exploitation.

Lipovetzky, Ramirez and Geffner, "Classical Planning with Simulators: Results on the Atari Video
Games", IJCAI 2015. The first queue prefers nodes with a feature never reached before, and among them
those with more reward on their path. The second prefers reward, and among equals novelty. Nodes are
taken from the two in turn. Nothing is pruned.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pixelplan.planning.best_first import best_first
from pixelplan.planning.case import BRANCH_ENDS, Case
from pixelplan.planning.planner import Planner
from pixelplan.planning.rollout_iw import judge

if TYPE_CHECKING:
    from pixelplan.planning.lookahead import Lookahead, Search
    from pixelplan.planning.node import Node

REACHED = 0
"""One cost for all nodes: then a feature is novel only if no node had it before, at any depth."""


def two_bfs(lookahead: Lookahead) -> Search:
    """Expand nodes by novelty and by reward in turn."""
    lookahead.enter_root(REACHED)
    return best_first(lookahead, judge_first_time, BRANCH_ENDS, most_novel, most_rewarding)


def judge_first_time(lookahead: Lookahead, node: Node) -> Case:
    """Tell whether a node has a feature that no node has had before."""
    return judge(lookahead, node, REACHED)


def most_novel(node: Node, case: Case) -> tuple[float, ...]:
    """Order nodes by novelty, then by reward. What was kept from the last decision is not novel any more."""
    return (case is not Case.NOVEL, -node.path_reward)


def most_rewarding(node: Node, case: Case) -> tuple[float, ...]:
    """Order nodes by reward, then by novelty."""
    return (-node.path_reward, case is not Case.NOVEL)


def at_no_cost(depth: int, path_reward: float) -> int:  # noqa: ARG001
    """Compare nothing: a feature is novel once."""
    return REACHED


TWO_BFS = Planner(
    search=two_bfs,
    about="2BFS: best-first search with two queues, one for exploration and one for exploitation",
    cost=at_no_cost,
)
