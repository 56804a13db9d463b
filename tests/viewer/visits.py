"""Visits of small trees, and what else a stage is told of."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pixelplan.play.decision_record import DecisionRecord
from pixelplan.play.settings import EpisodeSettings
from pixelplan.play.trace import VISIT, Visits
from pixelplan.viewer.messages import Episode, Hello
from pixelplan.viewer.show import describe_episode

HELLO = Hello(mode="live", games=["breakout"], presets=["ras"], runs=[], version="0")


def visit(
    node: int,
    parent: int,
    action: int = 3,
    *,
    reward: float = 0.0,
    case: int = 1,
    lives: int = 3,
    is_solved: bool = False,
    value: float = 0.0,
    assured: float = math.inf,
    repeats: int = 0,
) -> Visits:
    """Return one row."""
    row = (node, parent, action, reward, 1, case, is_solved, lives, value, assured, repeats)
    return np.array([row], VISIT)


def an_episode(game: str) -> Episode:
    """Return what is told of an episode that is watched live."""
    return describe_episode(EpisodeSettings(game=game, calls=5), is_live=True, has_tiles=True)


def a_record(decision: int, **changes: Any) -> DecisionRecord:  # noqa: ANN401
    """Return the record of a decision in which nothing happened."""
    counts = dict.fromkeys(
        ("reward", "score", "frames", "lives", "nodes", "new_nodes", "rollouts", "depth"), 0
    )
    cases = dict.fromkeys(("untested", "case_1", "case_2", "case_3", "case_4", "dead_ends"), 0)
    values: dict[str, Any] = {
        "decision": decision,
        "action": 0,
        "value": 0.0,
        "seconds": 0.1,
        "simulator_seconds": 0.1,
        "simulator_calls": 5,
        "ending": "calls",
        "dropped_tree": False,
    }
    return DecisionRecord(**values | counts | cases | changes)
