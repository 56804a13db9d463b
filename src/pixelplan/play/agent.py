"""The agent: looks ahead, decides, and keeps the part of the tree that stays possible."""

from __future__ import annotations

import gc
import time
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from pixelplan.errors import InputError
from pixelplan.planning.budget import Meter
from pixelplan.planning.choice import choose_action
from pixelplan.planning.driver import drive
from pixelplan.planning.lookahead import Lookahead
from pixelplan.planning.novelty import NoveltyTables
from pixelplan.planning.planners import PLANNERS, check_planner
from pixelplan.planning.settings import PRESETS
from pixelplan.play.trace import Trace, VisitLog

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pixelplan.planning.budget import Budget
    from pixelplan.planning.choice import Choice
    from pixelplan.planning.settings import SearchSettings
    from pixelplan.planning.simulator import Action, Simulator, State


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

    def __init__(
        self,
        simulator: Simulator,
        settings: SearchSettings = PRESETS["ras"],
        *,
        seed: int = 0,
        traces_nodes: bool = False,
        visits: VisitLog | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        check_planner(settings.planner)
        self._simulator = simulator
        self._settings = settings
        self._clock = clock
        self._rng = Random(f"search {seed}")
        self._visits = VisitLog() if traces_nodes and visits is None else visits
        self._lookahead = Lookahead(
            simulator,
            settings,
            NoveltyTables(partial(simulator.novelty_table, settings.width)),
            self._rng,
            observer=self._visits.note if self._visits else None,
        )
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
            search = PLANNERS[self._settings.planner](lookahead)
            ending = drive(search, lookahead, dispatcher, meter)
            nothing_found = self._settings.nothing_found
            choice = choose_action(lookahead.root, nothing_found, self._rng, is_wary=lookahead.is_wary)
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
            is_bold=lookahead.is_bold,
            visits=self._visits.visits() if self._visits else None,
        )
        self._has_dropped_tree = False
        return Decision(action=choice.action, value=choice.value, branch=choice.branch, trace=trace)

    def observe(self, action: Action, state: State | None = None) -> None:
        """Note that an action was played, by whomever, and the state that it led to.

        Without a state the simulator's prediction is taken for true. If the state is not the one
        that the kept tree predicts, the tree is dropped.
        """
        lookahead = self._lookahead
        if action not in self._simulator.actions(lookahead.root.state):
            raise InputError(f"{action} is not an action of this state")
        predicted = self._predict(action) if state is None or action in lookahead.root.children else None
        if state is None:
            state = predicted
        if lookahead.advance(action):
            if predicted == state:
                lookahead.root.state = predicted
                return
            self._has_dropped_tree = True
        lookahead.plant(self._simulator.look(state))

    def correct(self, state: State) -> bool:
        """Note the state in which the world is; say whether it is another than was predicted.

        Then the tree is dropped, and the next decision is made in that state.
        """
        if self._lookahead.root.state == state:
            return False
        self._has_dropped_tree = self._settings.caching != "none"
        self._lookahead.plant(self._simulator.look(state))
        return True

    def _predict(self, action: Action) -> State:
        """Return the state that the simulator says an action leads to."""
        root = self._lookahead.root
        child = root.children.get(action)
        if child is None or child.state is None:
            return self._simulator.transition(root.state, action).state
        return child.state


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
