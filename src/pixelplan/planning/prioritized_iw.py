"""Prioritized IW(k): a feature reached with more reward than ever before is novel once more.

Shleyfman, Tuisov and Domshlak, "Blind Search for Atari-Like Online Planning Revisited", IJCAI 2016.
Nodes are expanded in order of the reward on their path, the greatest first; among equals the
shallowest.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pixelplan.planning.best_first import best_first
from pixelplan.planning.planner import Planner
from pixelplan.planning.rollout_iw import SOLVING_CASES, judge

if TYPE_CHECKING:
    from pixelplan.planning.case import Case
    from pixelplan.planning.lookahead import Lookahead, Search
    from pixelplan.planning.node import Node

DIGITS = 9
BINADES = 32
LEAST = 2.0**-7
GREATEST = LEAST * 2.0**BINADES
"""Rewards below the least count as 0, and those above the greatest as that."""
ZERO_LEVEL = (1 << DIGITS) * BINADES - 1


def prioritized_iw(lookahead: Lookahead) -> Search:
    """Expand novel nodes in order of their reward."""
    lookahead.enter_root(reward_level(lookahead.root.path_reward))
    return best_first(lookahead, judge_by_reward, SOLVING_CASES, most_rewarding_shallowest)


def judge_by_reward(lookahead: Lookahead, node: Node) -> Case:
    """Tell whether a node has a feature that no node with as much reward has had before."""
    return judge(lookahead, node, reward_level(node.path_reward))


def most_rewarding_shallowest(node: Node, case: Case) -> tuple[float, ...]:  # noqa: ARG001
    """Order nodes by reward, then by depth."""
    return (-node.path_reward, node.depth)


def reward_level(path_reward: float) -> int:
    """Return a whole number that is smaller for greater rewards, as novelty tables keep them.

    They have 15 bits for it, so rewards are rounded to 9 binary digits after the first. Whole numbers
    up to 1,024 stay different; greater ones do if they differ by more than 1 in 512.
    """
    size = min(abs(path_reward), GREATEST)
    if size < LEAST:
        return ZERO_LEVEL
    mantissa, exponent = math.frexp(size / LEAST)
    digits = int(mantissa * (2 << DIGITS)) - (1 << DIGITS)
    magnitude = min(1 + ((exponent - 1) << DIGITS) + digits, ZERO_LEVEL)
    return ZERO_LEVEL - magnitude if path_reward > 0 else ZERO_LEVEL + magnitude


def by_reward(depth: int, path_reward: float) -> int:  # noqa: ARG001
    """Compare levels of reward."""
    return reward_level(path_reward)


PRIORITIZED_IW = Planner(
    search=prioritized_iw,
    about="Prioritized IW(k): a feature reached with more reward than ever before is novel once more",
    cost=by_reward,
)
