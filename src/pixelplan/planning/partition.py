"""Which nodes share a novelty table: those in the same part of the search space.

Paper: section "From Subgoaling to Subscoring". IW_G(k) has one table per number of goals that hold,
IW_S(k) one per logscore. Both are a function from nodes to parts, and so are both together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pixelplan.planning.node import Node
    from pixelplan.planning.paper_settings import PaperSettings

Partition = Callable[["Node"], Hashable]
"""Maps a node to its part of the search space."""


def make_partition(settings: PaperSettings) -> Partition:
    """Return the partition that the settings ask for."""
    match settings.subscoring, settings.subgoaling:
        case True, True:
            return lambda node: (logscore(node.path_reward), node.goals)
        case True, False:
            return lambda node: logscore(node.path_reward)
        case False, True:
            return lambda node: node.goals
        case _:
            return lambda node: 0  # noqa: ARG005


def logscore(path_reward: float) -> int:
    """Return about the base-2 logarithm of the reward collected on a path; 0 if it is not positive."""
    if path_reward <= 0:
        return 0
    # frexp: path_reward = m * 2**exponent with 1/2 <= m < 1, so floor(log2) is exponent - 1, exactly.
    _, exponent = math.frexp(path_reward)
    return exponent - 1 if path_reward < 1 else exponent
