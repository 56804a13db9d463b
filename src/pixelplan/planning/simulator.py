"""What a world must offer to be planned in: it can be rewound, and it shows features of its states.

A simulator is a function from a state and an action to a transition. States are opaque to the
searches, immutable, comparable with ``==`` and can be pickled; so are features, which are computed
behind this protocol and judged by a novelty table that knows them.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from pixelplan.planning.novelty import AtomTable, Features

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pixelplan.planning.novelty import NoveltyTable

State = Any
Action = int


class Transition(NamedTuple):
    """What the simulator says of one action applied in one state."""

    state: State
    features: Features
    reward: float
    is_terminal: bool
    lives: int


class Simulator(Protocol):
    """A deterministic world that can be rewound to any state it has shown.

    A class that derives from this one need not write the last two methods.
    """

    @abstractmethod
    def root(self) -> State:
        """Return the state in which the world starts."""
        ...

    @abstractmethod
    def look(self, state: State) -> Transition:
        """Describe a state without acting in it: its features and lives, with reward 0."""
        ...

    @abstractmethod
    def actions(self, state: State) -> Sequence[Action]:
        """Return the actions that can be applied in a state."""
        ...

    @abstractmethod
    def transition(self, state: State, action: Action) -> Transition:
        """Apply an action in a state."""
        ...

    def novelty_table(self) -> NoveltyTable:
        """Make an empty table that knows this world's features: a set of atoms, unless said otherwise."""
        return AtomTable()

    def start_decision(self) -> None:
        """Note that a new decision begins. Worlds whose features never change leave this as it is."""
        return
