"""A grid with walls, keys, doors and treasures, drawn as text.

::

    #########    #   wall; so are blanks, and all that lies outside the drawing
    #@..A..*#    .   floor
    #.###.###    @   the start
    #a..#..>#    a   a key, which is picked up by stepping on it, and opens the door A
    #########    *   a treasure, which is taken by stepping on it
                 >   the exit

To simulate it costs next to nothing, so the time that a search takes here is the search's own.
"""

from __future__ import annotations

from string import ascii_lowercase, ascii_uppercase
from typing import TYPE_CHECKING

from pixelplan.errors import InputError
from pixelplan.planning.simulator import Simulator, Transition

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pixelplan.planning.simulator import Action

WALLS = {"#", " "}
FLOOR, START, TREASURE, EXIT = ".@*>"
KEYS, DOORS = set(ascii_lowercase), set(ascii_uppercase)
THINGS = KEYS | DOORS | {TREASURE}
ONCE = KEYS | DOORS | {START, EXIT}
"""Signs that a grid cannot have twice."""

ACTION_NAMES = ("up", "down", "left", "right")
STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1))
"""Lines and columns by which each action moves."""

Position = tuple[int, int]
"""Line and column, from 0."""
GridState = tuple[int, int]
"""The number of a place, and a bit for each thing that is no longer as it was drawn."""


class Grid(Simulator):
    """Somebody who walks over a grid and changes the things there: keys, doors and treasures.

    Atoms tell the walker's place and the state of each thing. A key lies there or is held, a door is
    locked or open, a treasure lies there or is taken. Goals are each treasure, and to stand at the exit if
    there is one. The reward of an action is the number of goals that hold after it, less the number that held
    before. When all of them hold, the game is over.
    """

    def __init__(self, drawing: str) -> None:
        cells = _read(drawing)
        numbers = {position: place for place, position in enumerate(cells)}
        self._targets = [
            [numbers.get((line + down, column + right), place) for down, right in STEPS]
            for (line, column), place in numbers.items()
        ]
        signs = list(cells.values())
        self._start = signs.index(START)
        self._exit = signs.index(EXIT) if EXIT in signs else None
        things = [position for position, sign in cells.items() if sign in THINGS]
        bits = {position: 1 << index for index, position in enumerate(things)}
        self._bit = [bits.get(position, 0) for position in cells]
        self._key_bit = [self._bit[signs.index(sign.lower())] if sign in DOORS else 0 for sign in signs]
        self._treasure_bits = [bit for position, bit in bits.items() if cells[position] == TREASURE]
        self._all_treasures = sum(self._treasure_bits)
        self._goal_count = len(self._treasure_bits) + (self._exit is not None)
        self._place_atoms = [f"at({column}, {line})" for line, column in cells]
        self._thing_atoms = [_atoms_of(cells[position], position) for position in things]
        self._looks: dict[GridState, Transition] = {}

    def root(self) -> GridState:
        """Return the start, with all things as they were drawn."""
        return self._start, 0

    def look(self, state: GridState) -> Transition:
        """Describe a state."""
        known = self._looks.get(state)
        if known is None:
            place, changed = state
            atoms = [pair[changed >> index & 1] for index, pair in enumerate(self._thing_atoms)]
            is_over = 0 < self._goal_count == self._count_goals(state)
            known = Transition(state, frozenset([self._place_atoms[place], *atoms]), 0.0, is_over, 0)
            self._looks[state] = known
        return known

    def actions(self, state: GridState) -> Sequence[Action]:  # noqa: ARG002
        """Return the four directions, everywhere: a wall or a locked door is only bumped into."""
        return range(len(STEPS))

    def transition(self, state: GridState, action: Action) -> Transition:
        """Take a step, and what lies there; open the door that is there."""
        place, changed = state
        target = self._targets[place][action]
        if self._key_bit[target] & ~changed:
            # A door whose key is not held.
            return self.look(state)
        after = (target, changed | self._bit[target])
        reward = self._count_goals(after) - self._count_goals(state)
        return self.look(after)._replace(reward=float(reward)) if reward else self.look(after)

    def goals(self, state: GridState) -> Sequence[bool]:
        """Say of each treasure, line by line, whether it is taken; then whether one stands at the exit."""
        place, changed = state
        treasures = [bool(changed & bit) for bit in self._treasure_bits]
        return treasures if self._exit is None else [*treasures, place == self._exit]

    def action_name(self, action: Action) -> str:
        """Name an action."""
        return ACTION_NAMES[action]

    def _count_goals(self, state: GridState) -> int:
        place, changed = state
        return (changed & self._all_treasures).bit_count() + (place == self._exit)


def _read(drawing: str) -> Mapping[Position, str]:
    """Return the sign at each position that is no wall, line by line, or say what is wrong."""
    cells = {
        (line, column): sign
        for line, signs in enumerate(drawing.splitlines())
        for column, sign in enumerate(signs)
        if sign not in WALLS
    }
    signs = list(cells.values())
    for (line, column), sign in cells.items():
        if sign not in {FLOOR, TREASURE} and sign not in ONCE:
            raise InputError(f"line {line + 1}, column {column + 1} of the grid: {sign!r} means nothing")
        if sign in ONCE and signs.count(sign) > 1:
            raise InputError(f"a grid can have one {sign}, not {signs.count(sign)}")
        if sign in DOORS and sign.lower() not in signs:
            raise InputError(f"the door {sign} has no key {sign.lower()}")
    if START not in signs:
        raise InputError(f"a grid needs a start, {START}")
    return cells


def _atoms_of(sign: str, position: Position) -> tuple[str, str]:
    """Return what is true of a thing before and after it is changed."""
    line, column = position
    if sign in KEYS:
        return f"lies({sign})", f"held({sign})"
    if sign in DOORS:
        return f"locked({sign})", f"open({sign})"
    return f"treasure({column}, {line})", f"taken({column}, {line})"
