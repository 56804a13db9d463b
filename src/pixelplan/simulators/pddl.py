"""Worlds written in PDDL, the language of the planning competitions, through the package unified-planning.

That package reads the files and applies the actions. Its simulator is slow, so its answers are
remembered. It is asked about an action only where the atoms that the action needs are true.
"""

from __future__ import annotations

import warnings
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from pixelplan.errors import InputError
from pixelplan.planning.simulator import Simulator, Transition

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from unified_planning.model import Problem, State

    from pixelplan.planning.simulator import Action

REMEMBERED = 100_000
"""Greatest number of states, and of transitions, that are remembered."""

PddlState = frozenset[str | tuple[str, int | Fraction]]
"""The atoms: each fluent that is true, such as ``on(a, b)``, and each number, such as ``("fuel", 3)``."""


class Known(NamedTuple):
    """Facts about a state by unified-planning."""

    counterpart: State
    """The state as unified-planning has it."""
    actions: tuple[Action, ...]
    goals: tuple[bool, ...]


class PddlSimulator(Simulator):
    """The world of a PDDL domain and problem. There may be numbers in it, but neither time nor chance.

    Fluents that no action changes are no atoms. Goals are the conjuncts of the problem's goal. The reward of
    an action is the number of goals that hold after it, less the number that held before. When all of
    them hold, the game is over. Costs of actions and other metrics are left aside.
    """

    def __init__(self, domain_file: Path | str, problem_file: Path | str) -> None:
        problem, self._simulator, operators = _read(domain_file, problem_file)
        self._promote = problem.environment.expression_manager.auto_promote
        self._goals = problem.goals
        constants = problem.get_static_fluents()
        self._fluents = {str(f): f for f in problem.initial_values if f.fluent() not in constants}
        booleans = [name for name, fluent in self._fluents.items() if fluent.type.is_bool_type()]
        self._instances = [action(*parameters) for action, parameters, _ in operators]
        self._needs = [
            frozenset(map(str, ground.preconditions)).intersection(booleans) for _, _, ground in operators
        ]
        self._start = self._simulator.get_initial_state()
        self._all_false = self._with_values(self._start, dict.fromkeys(booleans, False))
        self._know = lru_cache(REMEMBERED)(self._examine)
        self._follow = lru_cache(REMEMBERED)(self._apply)

    def root(self) -> PddlState:
        """Return the problem's initial state."""
        return self._atoms(self._start)

    def look(self, state: PddlState) -> Transition:
        """Describe a state, which is its own set of atoms."""
        goals = self.goals(state)
        return Transition(state, state, 0.0, bool(goals) and all(goals), 0)

    def actions(self, state: PddlState) -> Sequence[Action]:
        """Return the numbers of the ground actions that can be applied."""
        return self._know(state).actions

    def transition(self, state: PddlState, action: Action) -> Transition:
        """Apply a ground action."""
        after = self.look(self._follow(state, action))
        return after._replace(reward=float(sum(self.goals(after.state)) - sum(self.goals(state))))

    def goals(self, state: PddlState) -> Sequence[bool]:
        """Say of each conjunct of the goal whether it holds."""
        return self._know(state).goals

    def action_name(self, action: Action) -> str:
        """Name a ground action, such as ``stack(a, b)``."""
        return str(self._instances[action])

    def _examine(self, state: PddlState) -> Known:
        counterpart = self._with_values(
            self._all_false, dict((atom, True) if isinstance(atom, str) else atom for atom in state)
        )
        unsatisfied = self._simulator.get_unsatisfied_goals(counterpart)
        return Known(
            counterpart=counterpart,
            actions=tuple(self._applicable(state, counterpart)),
            goals=tuple(goal not in unsatisfied for goal in self._goals),
        )

    def _with_values(self, counterpart: State, values: Mapping[str, int | Fraction]) -> State:
        return counterpart.make_child(
            {self._fluents[name]: self._promote(value)[0] for name, value in values.items()}
        )

    def _applicable(self, state: PddlState, counterpart: State) -> Iterator[Action]:
        for action, (needs, instance) in enumerate(zip(self._needs, self._instances, strict=True)):
            if needs <= state and self._simulator.is_applicable(counterpart, instance):
                yield action

    def _apply(self, state: PddlState, action: Action) -> PddlState:
        if action not in self.actions(state):
            raise InputError(f"{self.action_name(action)} cannot be done in this state")
        return self._atoms(
            self._simulator.apply_unsafe(self._know(state).counterpart, self._instances[action])
        )

    def _atoms(self, counterpart: State) -> PddlState:
        values = {name: counterpart.get_value(f).constant_value() for name, f in self._fluents.items()}
        return frozenset(
            name if value is True else (name, value) for name, value in values.items() if value is not False
        )


def _read(domain_file: Path | str, problem_file: Path | str) -> tuple[Any, Any, list[Any]]:
    """Return the problem, its simulator and its ground actions, or name the fault in a line."""
    try:
        from unified_planning.engines import UPSequentialSimulator
        from unified_planning.engines.compilers import GrounderHelper
        from unified_planning.io import PDDLReader
    except ModuleNotFoundError:
        raise InputError('PDDL is an extra: pip install "pixelplan[pddl]"') from None
    try:
        with warnings.catch_warnings():
            # The reader calls its parser by names that are going out of use.
            warnings.simplefilter("ignore", DeprecationWarning)
            problem = PDDLReader().parse_problem(str(domain_file), str(problem_file))
        unsupported = problem.kind.features - UPSequentialSimulator.supported_kind().features
        if not unsupported:
            _split_goals(problem)
            simulator = UPSequentialSimulator(problem)
            simulator.get_initial_state()
            operators = [entry for entry in GrounderHelper(problem).get_grounded_actions() if entry[2]]
    except Exception as error:
        # The reader raises whatever it comes upon, from KeyError to the errors of its parser.
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise InputError(f"{domain_file} and {problem_file} cannot be read as PDDL: {reason}") from error
    if unsupported:
        raise InputError(f"{problem_file} cannot be simulated: it has {', '.join(sorted(unsupported))}")
    return problem, simulator, operators


def _split_goals(problem: Problem) -> None:
    """Make each conjunct of the goal a goal."""
    left = list(reversed(problem.goals))
    problem.clear_goals()
    while left:
        goal = left.pop()
        if goal.is_and():
            left.extend(reversed(goal.args))
        else:
            problem.add_goal(goal)
