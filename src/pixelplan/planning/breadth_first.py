"""Breadth-first search: all nodes in order of their depth, none pruned.

A baseline of Bellemare et al., "The Arcade Learning Environment", JAIR 2013. States are not compared
with each other, as in the searches of the paper: a node stands for a path.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pixelplan.planning.best_first import best_first
from pixelplan.planning.case import BRANCH_ENDS, Case
from pixelplan.planning.iw import shallowest
from pixelplan.planning.planner import Planner

if TYPE_CHECKING:
    from pixelplan.planning.lookahead import Lookahead, Search
    from pixelplan.planning.node import Node


def breadth_first(lookahead: Lookahead) -> Search:
    """Expand nodes in order of their depth, first come first served."""
    return best_first(lookahead, pass_unless_ended, BRANCH_ENDS, shallowest)


def pass_unless_ended(lookahead: Lookahead, node: Node) -> Case:  # noqa: ARG001
    """Judge no novelty."""
    return node.end or Case.UNTESTED


BREADTH_FIRST = Planner(
    search=breadth_first, about="Breadth-first search: all nodes in order of their depth, none pruned"
)
