"""IW(k): breadth-first search that prunes each node without a feature never reached before.

Paper: section "Planning with IW". For k > 1, without a conjunction of up to k features never reached
before. Nodes are generated in order of depth. So a feature is new exactly if the table knows no
smaller or equal depth for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pixelplan.planning.best_first import best_first
from pixelplan.planning.planner import Planner, by_depth
from pixelplan.planning.rollout_iw import SOLVING_CASES, judge

if TYPE_CHECKING:
    from pixelplan.planning.case import Case
    from pixelplan.planning.lookahead import Lookahead, Search
    from pixelplan.planning.node import Node


def iw(lookahead: Lookahead) -> Search:
    """Expand novel nodes in order of their depth, first come first served."""
    lookahead.enter_root()
    return best_first(lookahead, judge_by_depth, SOLVING_CASES, shallowest)


def judge_by_depth(lookahead: Lookahead, node: Node) -> Case:
    """Tell whether a node is novel."""
    return judge(lookahead, node, node.depth)


def shallowest(node: Node, case: Case) -> tuple[float, ...]:  # noqa: ARG001
    """Order nodes by depth."""
    return (node.depth,)


IW = Planner(
    search=iw,
    about="IW(k): breadth-first search that prunes each node without a feature never reached before",
    cost=by_depth,
)
