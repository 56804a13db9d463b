"""Plans for worlds with goals: look ahead until the goals hold, and return the way there.

Paper: section "From Subgoaling to Subscoring". Serialised IW (Lipovetzky and Geffner, "Width and
Serialization of Classical Planning Problems", ECAI 2012) runs IW(1), IW(2), ... until one goal more
holds than before, goes there, and starts again.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from pixelplan.errors import InputError
from pixelplan.planning.best import planner_of
from pixelplan.planning.budget import Budget, Ending, Meter
from pixelplan.planning.driver import drive
from pixelplan.planning.iw import IW
from pixelplan.planning.paper_settings import DEEPEST
from pixelplan.planning.planners import SERIALIZED_IW
from pixelplan.planning.settings import SearchSettings, settings_for
from pixelplan.simulators.advice import check_simulator

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pixelplan.planning.case import Case
    from pixelplan.planning.lookahead import Search, Strand
    from pixelplan.planning.node import Node
    from pixelplan.planning.planner import Planner
    from pixelplan.planning.simulator import Action, Simulator, State

SIW = SearchSettings(
    planner=SERIALIZED_IW,
    width=2,
    risk_averse=False,
    subscoring=False,
    no_effect_repeats=0,
    max_depth=DEEPEST,
    max_nodes=10**7,
)
"""Serialised IW up to width 2, in a world where reward does not matter."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """Actions that lead from the root to a state in which goals hold."""

    actions: tuple[Action, ...]
    is_solved: bool
    """Whether all goals hold in the end."""
    calls: int
    """Simulator calls that it took to find the plan."""
    widths: tuple[int, ...]
    """The width of each search that got nearer to the goals."""
    ending: Ending = Ending.SOLVED
    """Why the last search ended; if the goals do not all hold and this is SOLVED, nothing novel was left."""


def solve(simulator: Simulator, settings: SearchSettings | str = SIW, *, calls: int, seed: int = 0) -> Plan:
    """Look for a plan after which all goals of a world hold, within a number of simulator calls.

    Serialised IW searches goal by goal, with the widths from 1 up to that of the settings. Any other
    planner makes one search, with the width of the settings. A plan that is not solved leads as far
    as serialised IW has come, if that was the planner. Settings may be a preset's name.
    """
    check_simulator(simulator)
    settings = settings_for(simulator, settings)
    state = simulator.root()
    if not simulator.goals(state):
        raise InputError("there is nothing to solve: the world has no goals")
    meter = Meter(Budget(calls=calls), time.perf_counter)
    solver = Solver(simulator, settings, meter, Random(f"solve {seed}"))
    find = serialized_iw if settings.planner == SERIALIZED_IW else one_search
    return find(solver, state)


def one_search(solver: Solver, state: State) -> Plan:
    """Achieve all goals by one search."""
    goals, settings = solver.simulator.goals(state), solver.settings
    if all(goals):
        return Plan(actions=(), is_solved=True, calls=0, widths=())
    way = solver.search(state, settings, wanted=len(goals))
    if way is None:
        return Plan(actions=(), is_solved=False, calls=solver.meter.calls, widths=(), ending=solver.ending)
    return Plan(actions=way.actions, is_solved=True, calls=solver.meter.calls, widths=(settings.width,))


def serialized_iw(solver: Solver, state: State) -> Plan:
    """Achieve one goal more with the least width that does it, and again from there, until all hold."""
    settings = solver.settings
    actions: tuple[Action, ...] = ()
    widths: tuple[int, ...] = ()
    while not all(goals := solver.simulator.goals(state)):
        for width in range(1, settings.width + 1):
            way = solver.search(state, replace(settings, width=width), wanted=sum(goals) + 1, planner=IW)
            if way is not None:
                break
        else:
            return Plan(
                actions=actions,
                is_solved=False,
                calls=solver.meter.calls,
                widths=widths,
                ending=solver.ending,
            )
        actions, widths, state = actions + way.actions, (*widths, width), way.end
    return Plan(actions=actions, is_solved=True, calls=solver.meter.calls, widths=widths)


class Way(NamedTuple):
    """Actions, and the state in which they end."""

    actions: tuple[Action, ...]
    end: State


class Solver:
    """Makes searches that share a budget."""

    def __init__(self, simulator: Simulator, settings: SearchSettings, meter: Meter, rng: Random) -> None:
        self.simulator = simulator
        self.settings = settings
        self.meter = meter
        self.ending = Ending.SOLVED
        self._rng = rng
        self._dispatcher = simulator.dispatcher(time.perf_counter)

    def search(
        self, state: State, settings: SearchSettings, wanted: int, planner: Planner | None = None
    ) -> Way | None:
        """Look ahead from a state until so many goals hold, and return the way there."""
        found: list[Node] = []

        def look_for_goals(parent: Node, node: Node, case: Case) -> None:  # noqa: ARG001
            if sum(self.simulator.goals(node.state)) >= wanted:
                found.append(node)

        planner = planner_of(settings, planner)
        lookahead = planner.plant(self.simulator, settings, self._rng, look_for_goals)
        lookahead.plant(self.simulator.look(state))
        self.simulator.start_decision()
        lookahead.start()
        if lookahead.root.end is not None:
            return None
        search = until_found(planner.begin(lookahead), found)
        self.ending = drive(search, lookahead, self._dispatcher, self.meter)
        return Way(way_to(lookahead.root, found[0]), found[0].state) if found else None


def until_found(search: Search, found: list[Node]) -> Iterator[Strand | None]:
    """End a search as soon as something was found."""
    for strand in search:
        if found:
            return
        yield strand


def way_to(root: Node, goal: Node) -> tuple[Action, ...]:
    """Return the actions that lead to a node of a tree."""
    stack: list[tuple[Node, tuple[Action, ...]]] = [(root, ())]
    while stack:
        node, way = stack.pop()
        if node is goal:
            return way
        stack.extend((child, (*way, action)) for action, child in node.children.items())
    raise AssertionError("the goal is in the tree")
