"""Blocksworld: towers of blocks, and a hand that moves one block at a time."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from pixelplan.errors import InputError
from pixelplan.planning.simulator import Simulator, Transition

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pixelplan.planning.simulator import Action

BlocksState = frozenset[str]
"""The atoms that are true, such as ``on(a, b)``."""

ARITIES = {"on": 2, "ontable": 1, "clear": 1, "holding": 1, "handempty": 0}
"""Number of blocks that each predicate is about."""


class Operator(NamedTuple):
    """An action: what must be true before it, what it makes true, and what it makes false."""

    name: str
    needs: BlocksState
    adds: BlocksState
    deletes: BlocksState


class Blocksworld(Simulator):
    """The classical world of four operators: pick-up, put-down, stack and unstack.

    Towers are given from bottom to top: ``["abc", "d"]`` has c on b on a, and d beside them. Goals
    are atoms, such as ``("on", "a", "b")``. The reward of an action is the number of goals that
    hold after it, less the number that held before. When all of them hold, the game is over. Without
    goals it goes on for ever.
    """

    def __init__(self, towers: Iterable[Sequence[str]], goals: Iterable[Sequence[str]] = ()) -> None:
        piles = [tuple(tower) for tower in towers if tower]
        blocks = sorted(block for pile in piles for block in pile)
        if not blocks:
            raise InputError("a Blocksworld needs a block")
        for block, other in pairwise(blocks):
            if block == other:
                raise InputError(f"block {block} is in two places")
        self._operators = list(_operators(blocks))
        self._goals = [_goal(goal, blocks) for goal in goals]
        self._root = frozenset(_atoms(piles))

    def root(self) -> BlocksState:
        """Return the towers that were given."""
        return self._root

    def look(self, state: BlocksState) -> Transition:
        """Describe a state, which is its own set of atoms."""
        return Transition(state, state, 0.0, bool(self._goals) and state.issuperset(self._goals), 0)

    def actions(self, state: BlocksState) -> Sequence[Action]:
        """Return the operators whose needs are met."""
        return [number for number, operator in enumerate(self._operators) if operator.needs <= state]

    def transition(self, state: BlocksState, action: Action) -> Transition:
        """Move the hand."""
        operator = self._operators[action]
        if not operator.needs <= state:
            raise InputError(f"{operator.name} cannot be done in this state")
        after = self.look((state - operator.deletes) | operator.adds)
        return after._replace(reward=float(sum(self.goals(after.state)) - sum(self.goals(state))))

    def goals(self, state: BlocksState) -> Sequence[bool]:
        """Say of each goal whether it holds."""
        return [goal in state for goal in self._goals]

    def action_name(self, action: Action) -> str:
        """Name an action, such as ``stack(a, b)``: put a, which is held, on b."""
        return self._operators[action].name


def _operators(blocks: Sequence[str]) -> Iterator[Operator]:
    """Yield all operators, in an order that depends on the names of the blocks alone."""
    for block in blocks:
        lies = frozenset({f"ontable({block})", f"clear({block})", "handempty"})
        held = frozenset({f"holding({block})"})
        yield Operator(f"pick-up({block})", needs=lies, adds=held, deletes=lies)
        yield Operator(f"put-down({block})", needs=held, adds=lies, deletes=held)
        for other in blocks:
            if other != block:
                stacked = frozenset({f"on({block}, {other})", f"clear({block})", "handempty"})
                over = held | {f"clear({other})"}
                yield Operator(f"stack({block}, {other})", needs=over, adds=stacked, deletes=over)
                yield Operator(f"unstack({block}, {other})", needs=stacked, adds=over, deletes=stacked)


def _atoms(piles: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield what is true of towers that nobody holds a block of."""
    yield "handempty"
    for pile in piles:
        yield f"ontable({pile[0]})"
        yield f"clear({pile[-1]})"
        for below, above in pairwise(pile):
            yield f"on({above}, {below})"


def _goal(goal: Sequence[str], blocks: Sequence[str]) -> str:
    """Return a goal as an atom, or say what is wrong with it."""
    predicate, arguments = goal[0] if goal else "", goal[1:]
    if ARITIES.get(predicate) != len(arguments):
        raise InputError(f"{goal!r} is no goal: ('on', 'a', 'b') is one")
    for block in arguments:
        if block not in blocks:
            raise InputError(f"{goal!r} is no goal: there is no block {block}")
    return f"{predicate}({', '.join(arguments)})" if arguments else predicate
