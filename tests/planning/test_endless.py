"""Every budget ends every search, in every world; what no world may say is refused in a line."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

import pytest
from own_planner import STRAIGHT_ON

from pixelplan.errors import InputError
from pixelplan.planning.budget import Budget, Ending
from pixelplan.planning.planner import Planner
from pixelplan.planning.planners import PLANNERS
from pixelplan.planning.settings import PRESETS, SearchSettings
from pixelplan.planning.simulator import Action, Simulator, Transition
from pixelplan.play.agent import Agent

if TYPE_CHECKING:
    from pixelplan.planning.lookahead import Lookahead, Search, Strand

BUDGET = Budget(calls=50)
SEARCHES = [SearchSettings(planner=name) for name in sorted(PLANNERS)] + list(PRESETS.values())
SIMULATING = [settings for settings in SEARCHES if settings.planner != "random"]


class World(Simulator):
    """A world whose states are numbers, and whose features and rewards are what a test says."""

    def __init__(
        self, *, actions: Sequence[Action] = (0, 1, 2), features: int = 7, reward: float = 0.0
    ) -> None:
        self._actions = actions
        self._features = features
        self._reward = reward

    def root(self) -> int:
        return 0

    def look(self, state: int) -> Transition:
        return Transition(state, frozenset({state % self._features}), 0.0, False, 0)

    def actions(self, state: int) -> Sequence[Action]:  # noqa: ARG002
        return self._actions

    def transition(self, state: int, action: Action) -> Transition:
        reached = 3 * state + action + 1
        return Transition(reached, frozenset({reached % self._features}), self._reward, False, 0)


@pytest.mark.parametrize("settings", SEARCHES, ids=lambda settings: settings.planner)
@pytest.mark.parametrize("features", [1, 2, 10**9])
def test_every_search_ends(settings: SearchSettings, features: int) -> None:
    """In worlds whose features never change, seldom do, and always do."""
    agent = Agent(World(features=features), settings)
    for _ in range(3):
        decision = agent.decide(BUDGET)
        assert decision.trace.simulator_calls <= 50
        agent.observe(decision.action)


@pytest.mark.parametrize("settings", SEARCHES, ids=lambda settings: settings.planner)
def test_actions_that_repeat_are_refused(settings: SearchSettings) -> None:
    with pytest.raises(InputError, match=r"a state has action 1 more than once: \[1, 1, 1\]"):
        Agent(World(actions=(1, 1, 1)), settings).decide(BUDGET)


@pytest.mark.parametrize("reward", [math.nan, math.inf, -math.inf, 1e308])
@pytest.mark.parametrize("settings", SIMULATING, ids=lambda settings: settings.planner)
def test_rewards_that_are_no_numbers_are_refused(settings: SearchSettings, reward: float) -> None:
    with pytest.raises(
        InputError, match=rf"action [012] has reward {re.escape(repr(reward))}: rewards are finite numbers"
    ):
        Agent(World(reward=reward), settings).decide(BUDGET)


@pytest.mark.parametrize("reward", ["x", None, 10**400])
def test_rewards_that_are_no_numbers_at_all_are_refused(reward: object) -> None:
    with pytest.raises(InputError, match="rewards are finite numbers"):
        Agent(World(reward=reward)).decide(BUDGET)  # type: ignore[arg-type]


@pytest.mark.parametrize("actions", [(action for action in (1, 2)), {1, 2}, 3, None])
def test_actions_that_are_no_sequence_are_refused(actions: object) -> None:
    with pytest.raises(InputError, match="return a tuple of numbers"):
        Agent(World(actions=actions)).decide(BUDGET)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "limits", [{"calls": math.nan}, {"seconds": math.nan}, {"calls": 2.5}, {"seconds": math.inf}]
)
def test_budgets_that_never_end_are_refused(limits: dict[str, float]) -> None:
    with pytest.raises(InputError, match="must be"):
        Budget(**limits)  # type: ignore[arg-type]


def never_asks(lookahead: Lookahead) -> Search:
    """Hand out rollouts that simulate nothing, for ever."""

    def rollout() -> Strand:
        return
        yield

    while not lookahead.root.is_solved:
        yield rollout()


@pytest.mark.parametrize("budget", [Budget(calls=5), Budget(seconds=0.05)])
def test_a_search_that_simulates_nothing_ends(budget: Budget) -> None:
    planner = Planner(search=never_asks, about="Asks for nothing")
    decision = Agent(World(), SearchSettings(), planner=planner).decide(budget)
    assert decision.trace.simulator_calls == 0
    assert decision.trace.ending in (Ending.IDLE, Ending.SECONDS)


def test_a_long_idle_search_of_a_kept_tree_goes_on() -> None:
    """Rollouts that only pass kept nodes are no fault: there may be as many as the tree has nodes."""
    rng = Random(1)
    agent = Agent(
        World(features=10**9), SearchSettings(planner="rollout-iw", max_depth=8), planner=STRAIGHT_ON
    )
    for _ in range(3):
        assert agent.decide(Budget(calls=2_000)).trace.ending in (Ending.SOLVED, Ending.CALLS)
        agent.observe(rng.choice((0, 1, 2)))
