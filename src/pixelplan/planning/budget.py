"""Budgets of a decision: until a deadline, or for a number of simulator calls.

Differs: the published program looked at its clock between rollouts only, and took 0.79 s for a
budget of 0.5 s in the median game. Here the deadline is looked at at every simulator call.
"""

from __future__ import annotations

import enum
import math
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pixelplan.errors import InputError, describe
from pixelplan.planning.keywords import Keywords
from pixelplan.planning.limits import check_limits

if TYPE_CHECKING:
    from collections.abc import Callable


class Ending(enum.Enum):
    """Why a lookahead ended."""

    SOLVED = "solved"
    SECONDS = "seconds"
    CALLS = "calls"
    NODES = "nodes"
    IDLE = "idle"
    """More rollouts in a row have made no call than the tree has nodes: no call would end the search."""


@dataclass(frozen=True, kw_only=True)
class Budget(Keywords):
    """Limits on the cost of one decision. Whichever limit is reached first ends the lookahead."""

    seconds: float | None = None
    """Wall-clock time."""
    calls: int | None = None
    """Simulator calls."""

    def __post_init__(self) -> None:
        """Refuse budgets that mean nothing."""
        if self.seconds is None and self.calls is None:
            raise InputError("a budget needs seconds, calls or both: write calls=89 or seconds=0.25")
        check_limits(self)
        if self.seconds is not None and not (self.seconds > 0 and math.isfinite(self.seconds)):
            raise InputError(f"seconds must be a positive number, not {self.seconds}")
        if self.calls is not None and self.calls < 1:
            raise InputError(f"calls must be at least 1, not {self.calls}")

    @classmethod
    def example(cls, word: object = None) -> str:
        """Return the budget that a number stands for: seconds if it has a point, else calls."""
        with suppress(ValueError):
            if 0 < float(str(word)) < math.inf:
                return f"Budget({'calls' if str(word).isdecimal() else 'seconds'}={word})"
        return "Budget(calls=89) or Budget(seconds=0.25)"


def check_budget(budget: object) -> None:
    """Refuse what is no budget, and tell which one is meant."""
    if not isinstance(budget, Budget):
        raise InputError(f"a decision needs a Budget, not {describe(budget)}: write {Budget.example(budget)}")


class Meter:
    """Measures the budget that a decision has used, from the moment it is made."""

    def __init__(self, budget: Budget, clock: Callable[[], float]) -> None:
        self.calls = 0
        self._clock = clock
        self._started = clock()
        self._max_calls = math.inf if budget.calls is None else budget.calls
        self._deadline = math.inf if budget.seconds is None else self._started + budget.seconds
        self._sent: dict[int, float] = {}
        self._answered = 0
        self._answer_seconds = 0.0

    def seconds(self) -> float:
        """Return how long the decision has taken so far."""
        return self._clock() - self._started

    def seconds_left(self) -> float:
        """Return how long it is until the deadline."""
        return self._deadline - self._clock()

    def start_call(self) -> Ending | None:
        """Count one more simulator call, whose number `calls` then is, or say what forbids it.

        A call whose answer would probably come after the deadline is not started: the estimate is
        the mean time of the answers so far.
        """
        if self.calls >= self._max_calls:
            return Ending.CALLS
        now = self._clock()
        expected_seconds = self._answer_seconds / self._answered if self._answered else 0.0
        if now + expected_seconds >= self._deadline:
            return Ending.SECONDS
        self.calls += 1
        self._sent[self.calls] = now
        return None

    def end_call(self, call: int) -> None:
        """Note that the simulator has answered."""
        self._answered += 1
        self._answer_seconds += self._clock() - self._sent.pop(call)
