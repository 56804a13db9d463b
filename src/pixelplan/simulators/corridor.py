"""A corridor: a world of places in a row, with a reward at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pixelplan.errors import InputError
from pixelplan.planning.simulator import Simulator, Transition

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pixelplan.planning.simulator import Action

ACTION_NAMES = ("back", "forward")


class Corridor(Simulator):
    """Places 0 to `length` in a row, from the start to the goal, where the reward is and the game ends.

    A state is the number of a place, and each place is an atom of its own.
    """

    def __init__(self, length: int, *, reward: float = 1.0) -> None:
        if length < 1:
            raise InputError(f"a corridor needs a length of at least 1, not {length}")
        self._length = length
        self._reward = reward
        self._atoms = [frozenset({f"at({place})"}) for place in range(length + 1)]

    def root(self) -> int:
        """Return the first place."""
        return 0

    def look(self, state: int) -> Transition:
        """Describe a place."""
        return Transition(state, self._atoms[state], 0.0, state == self._length, 0)

    def actions(self, state: int) -> Sequence[Action]:  # noqa: ARG002
        """Return 0 for a step back and 1 for a step forward; at both ends one of them leads nowhere."""
        return range(len(ACTION_NAMES))

    def transition(self, state: int, action: Action) -> Transition:
        """Take a step."""
        place = min(state + 1, self._length) if action else max(state - 1, 0)
        has_arrived = place == self._length > state
        return self.look(place)._replace(reward=self._reward if has_arrived else 0.0)

    def goals(self, state: int) -> Sequence[bool]:
        """Return the one goal: to be at the end."""
        return (state == self._length,)

    def action_name(self, action: Action) -> str:
        """Name an action."""
        return ACTION_NAMES[action]
