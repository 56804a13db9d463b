"""The agent: looks ahead, decides, and keeps the part of the tree that stays possible."""

from __future__ import annotations

import gc
import time
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Self

from pixelplan.errors import InputError, describe
from pixelplan.planning.best import planner_of
from pixelplan.planning.budget import Meter, check_budget
from pixelplan.planning.driver import drive
from pixelplan.planning.limits import check
from pixelplan.planning.planners import find_planner
from pixelplan.planning.settings import settings_for
from pixelplan.play.trace import Trace, VisitLog
from pixelplan.simulators.advice import check_simulator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pixelplan.planning.budget import Budget
    from pixelplan.planning.choice import Choice
    from pixelplan.planning.lookahead import Lookahead, Search
    from pixelplan.planning.planner import Planner
    from pixelplan.planning.settings import SearchSettings
    from pixelplan.planning.simulator import Action, Simulator, State

    SearchMaker = Callable[[Lookahead], Search]


@dataclass(frozen=True, kw_only=True, slots=True)
class Decision:
    """An action, the value that the lookahead found for it, and what the lookahead saw."""

    action: Action
    value: float
    branch: tuple[Action, ...]
    """The action, and what would follow it as far as the lookahead has seen."""
    trace: Trace


class Agent:
    """Decides what to do in a simulator's world, one action at a time."""

    def __new__(cls, *_: object, **names: object) -> Self:
        """Refuse a preset by that name: settings may be a preset's name."""
        if "preset" in names:
            raise InputError(f"write Agent(simulator, {describe(names['preset'])})")
        return super().__new__(cls)

    def __init__(
        self,
        simulator: Simulator,
        settings: SearchSettings | str | None = None,
        *,
        planner: Planner | SearchMaker | str | None = None,
        seed: int = 0,
        traces_nodes: bool = False,
        visits: VisitLog | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        """Make an agent in the root of a world.

        Settings may be a preset's name. Unless given they are `best`, or `ras` if a planner is given. A
        planner may be a `Planner`, a function that makes a search, or the name of one.
        """
        check_simulator(simulator)
        check("seed", seed, int)
        settings = settings_for(simulator, settings, names_planner=planner is not None)
        self._planner = planner_of(settings, None if planner is None else find_planner(planner))
        self._simulator = simulator
        self._settings = settings
        self._clock = clock
        self._rng = Random(f"search {seed}")
        self._visits = VisitLog() if traces_nodes and visits is None else visits
        observer = None if self._visits is None else self._visits.note
        self._lookahead = self._planner.plant(simulator, settings, self._rng, observer)
        self._has_dropped_tree = False

    @property
    def state(self) -> State:
        """The state in which the next decision is made."""
        return self._lookahead.root.state

    def decide(self, budget: Budget, on_choice: Callable[[Choice], None] | None = None) -> Decision:
        """Look ahead for as long as the budget allows, and choose an action.

        All of it is inside the budget: freeing what is no longer possible, the lookahead, the choice.
        The callback is told of the choice at once, before it is recorded.
        """
        check_budget(budget)
        meter = Meter(budget, self._clock)
        cpu_started = time.process_time()
        dispatcher = self._simulator.dispatcher(self._clock)
        simulator_seconds, replaced = dispatcher.simulator_seconds, dispatcher.replaced_workers
        with no_garbage_collection():
            lookahead = self._lookahead
            self._simulator.start_decision()
            lookahead.start()
            if lookahead.root.is_terminal or not lookahead.root.actions:
                raise InputError("there is nothing to decide: the game is over or has no action here")
            if self._visits:
                self._visits.start(lookahead)
            ending = drive(self._planner.begin(lookahead), lookahead, dispatcher, meter)
            choice = lookahead.valuation.choose(lookahead.root, self._rng)
            if on_choice is not None:
                on_choice(choice)
            seconds, cpu_seconds = meter.seconds(), time.process_time() - cpu_started
        trace = Trace(
            seconds=seconds,
            cpu_seconds=cpu_seconds,
            simulator_seconds=dispatcher.simulator_seconds - simulator_seconds,
            replaced_workers=dispatcher.replaced_workers - replaced,
            simulator_calls=meter.calls,
            nodes=lookahead.node_count,
            new_nodes=lookahead.simulated,
            rollouts=lookahead.rollouts,
            cases=tuple(lookahead.cases),
            depth=lookahead.deepest,
            ending=ending,
            has_dropped_tree=self._has_dropped_tree,
            risks_life=lookahead.valuation.risks_life,
            visits=self._visits.visits() if self._visits else None,
        )
        self._has_dropped_tree = False
        return Decision(action=choice.action, value=choice.value, branch=choice.branch, trace=trace)

    def observe(self, action: Action, state: State | None = None, reward: float | None = None) -> None:
        """Note that an action was played, by whomever, the state that it led to, and its reward.

        Without a state or a reward the simulator's prediction is taken for true. If the state is not the one
        that the kept tree predicts, the tree is dropped.
        """
        lookahead = self._lookahead
        root = lookahead.root
        if action not in self._simulator.actions(root.state):
            raise InputError(f"{action} is not an action of this state")
        child = root.children.get(action)
        predicted, predicted_reward = (None, 0.0) if child is None else (child.state, child.reward)
        if predicted is None and (child is not None or state is None or reward is None):
            predicted, _, predicted_reward, *_ = self._simulator.transition(root.state, action)
        lookahead.valuation.observe(predicted_reward if reward is None else reward)
        if state is None:
            state = predicted
        if lookahead.advance(action):
            if predicted == state:
                lookahead.root.state = predicted
                return
            self._has_dropped_tree = True
        lookahead.plant(self._simulator.look(state))

    def correct(self, state: State, reward: float = 0.0) -> bool:
        """Note the state in which the world is; say whether it is another than was predicted.

        Then the tree is dropped, and the next decision is made in that state. The reward is that of actions
        which have not been observed, or whose reward was not known then.
        """
        self._lookahead.valuation.observe(reward)
        if self._lookahead.root.state == state:
            return False
        self._has_dropped_tree = self._settings.caching != "none"
        self._lookahead.plant(self._simulator.look(state))
        return True


@contextmanager
def no_garbage_collection() -> Iterator[None]:
    """Keep the garbage collector from stalling a decision: trees have no cycles and need none."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
