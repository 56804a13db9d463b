"""Small environments, some of which hide part of their state."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

Beginning = tuple[Any, dict[str, Any]]
Answer = tuple[Any, float, bool, bool, dict[str, Any]]

ELSEWHERE = {"steps": 0}
"""State that no attribute of an environment refers to."""


class Showing(gymnasium.Env[Any, Any]):
    """Always shows the same observation."""

    def __init__(self, space: spaces.Space[Any], observation: object) -> None:
        self.observation_space = space
        self.action_space = spaces.Discrete(2)
        self._observation = observation

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Beginning:
        super().reset(seed=seed, options=options)
        return self._observation, {}

    def step(self, action: np.int64) -> Answer:  # noqa: ARG002
        return self._observation, 0.0, False, False, {}


class Counter(gymnasium.Env[Any, Any]):
    """Counts up by an action, 1 or 2, in an array that it shows itself; ends, well, at 10 exactly."""

    def __init__(self) -> None:
        self.observation_space = spaces.Box(0, 20, (1,), np.int64)
        self.action_space = spaces.Discrete(2, start=1)
        self.shown = np.zeros(1, np.int64)
        self.label = lambda: "functions are not saved"

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Beginning:
        super().reset(seed=seed, options=options)
        self.shown[:] = 0
        return self.shown, self.info()

    def step(self, action: np.int64) -> Answer:
        self.shown += action
        is_exact = bool(self.shown[0] == 10)
        return self.shown, float(is_exact), bool(self.shown[0] >= 10), False, self.info()

    def info(self) -> dict[str, Any]:
        """Return one life less for each count, and allow no 2 before the count is 2."""
        count = int(self.shown[0])
        return {"lives": 20 - count, "action_mask": np.array([1, count >= 2], np.int8)}


class HiddenCounter(Counter):
    """Counts somewhere else."""

    def step(self, action: np.int64) -> Answer:
        ELSEWHERE["steps"] += int(action)
        self.shown[:] = ELSEWHERE["steps"] % 7
        return self.shown, 0.0, False, False, self.info()


def save_elsewhere(env: gymnasium.Env[Any, Any]) -> int:  # noqa: ARG001
    """Return what a hidden counter counts."""
    return ELSEWHERE["steps"]


def restore_elsewhere(env: gymnasium.Env[Any, Any], steps: int) -> None:  # noqa: ARG001
    """Set what a hidden counter counts."""
    ELSEWHERE["steps"] = steps


class RunningCounter(Counter):
    """Has an attribute that can be neither copied nor pickled."""

    def __init__(self) -> None:
        super().__init__()
        self.steps = (step for step in range(100))
