"""Breadth-first search: all nodes in order of their depth, none pruned.

A baseline of Bellemare et al., "The Arcade Learning Environment", JAIR 2013. States are not compared
with each other, as in the searches of the paper: a node stands for a path.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pixelplan.planning.best_first import best_first
from pixelplan.planning.iw import shallowest
from pixelplan.planning.lookahead import BRANCH_ENDS, Case

if TYPE_CHECKING:
    from pixelplan.planning.lookahead import Lookahead, Search
    from pixelplan.planning.node import Node


def breadth_first(lookahead: Lookahead) -> Search:
    """Expand nodes in order of their depth, first come first served."""
    return best_first(lookahead, pass_unless_ended, BRANCH_ENDS, shallowest)


def pass_unless_ended(lookahead: Lookahead, node: Node) -> Case:
    """Judge no novelty."""
    return lookahead.branch_end(node) or Case.UNTESTED
