"""Worlds to plan in: they can be rewound, and show features of their states.

A simulator is a function from a state and an action to a transition. States are opaque to the
searches, immutable, comparable with ``==``, and can be pickled. So are features. They are computed
behind this protocol, and judged by a novelty table that knows them.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from pixelplan.planning.familiarity import AtomFamiliarity
from pixelplan.planning.novelty import Features, atom_table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pixelplan.planning.familiarity import Familiarity
    from pixelplan.planning.novelty import NoveltyTable

State = Any
Action = int


class Request(NamedTuple):
    """A simulator call that a search asks for."""

    state: State
    action: Action


class Transition(NamedTuple):
    """The outcome of one action in one state."""

    state: State
    features: Features
    reward: float
    is_terminal: bool
    lives: int


class Simulator(Protocol):
    """A deterministic world that can be rewound to any state it has shown.

    A class that derives from this one need not write the last five methods.
    """

    has_lives: bool = False
    """Whether it is a game with lives. In these, searches are averse to risk unless asked not to be."""

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

    def goals(self, state: State) -> Sequence[bool]:  # noqa: ARG002
        """Say of each goal whether it holds in a state. Worlds without goals leave this as it is."""
        return ()

    def novelty_table(self, width: int = 1) -> NoveltyTable:
        """Make an empty table that knows this world's features: a set of atoms, unless said otherwise."""
        return atom_table(width)

    def familiarity(self) -> Familiarity:
        """Make empty counts of this world's features: a set of atoms, unless said otherwise."""
        return AtomFamiliarity()

    def start_decision(self) -> None:
        """Note that a new decision begins. Worlds whose features never change leave this as it is."""
        return

    def dispatcher(self, clock: Callable[[], float]) -> Dispatcher:
        """Return the maker of a search's calls: unless said otherwise this process, one after another."""
        return InProcess(self, clock)


class Dispatcher(Protocol):
    """Takes requests, some at a time, and hands back their transitions as they come."""

    @property
    def capacity(self) -> int:
        """Number of requests that may be under way at once."""
        ...

    @property
    def simulator_seconds(self) -> float:
        """Seconds that the simulator has worked for this dispatcher so far."""
        ...

    @property
    def replaced_workers(self) -> int:
        """Number of processes that have failed so far."""
        ...

    def send(self, ticket: int, request: Request) -> None:
        """Take a request. Tickets are the caller's, each greater than those before it."""
        ...

    def receive(self, max_seconds: float) -> Arrival | None:
        """Wait for the transition of some request; None if there is none in that time."""
        ...

    def abandon(self) -> None:
        """Forget all requests that are under way."""
        ...


class Arrival(NamedTuple):
    """The transition of a request, under the ticket that the request had."""

    ticket: int
    transition: Transition


class InProcess:
    """Makes one call at a time, in this process."""

    capacity = 1
    replaced_workers = 0

    def __init__(self, simulator: Simulator, clock: Callable[[], float]) -> None:
        self.simulator_seconds = 0.0
        self._simulator = simulator
        self._clock = clock
        self._under_way: tuple[int, Request] | None = None

    def send(self, ticket: int, request: Request) -> None:
        """Take a request."""
        self._under_way = ticket, request

    def receive(self, max_seconds: float) -> Arrival:  # noqa: ARG002
        """Make the call, however long it takes."""
        assert self._under_way is not None, "there is something to receive"
        ticket, request = self._under_way
        started = self._clock()
        transition = self._simulator.transition(request.state, request.action)
        self.simulator_seconds += self._clock() - started
        return Arrival(ticket, transition)

    def abandon(self) -> None:
        """Forget the request."""
        self._under_way = None


class InOrder:
    """Hands transitions back in the order in which they were asked for, whatever the order they come in."""

    def __init__(self, dispatcher: Dispatcher, clock: Callable[[], float]) -> None:
        self.capacity = dispatcher.capacity
        self._dispatcher = dispatcher
        self._clock = clock
        self._sent: deque[int] = deque()
        self._early: dict[int, Arrival] = {}

    @property
    def simulator_seconds(self) -> float:
        """Seconds that the simulator has worked."""
        return self._dispatcher.simulator_seconds

    @property
    def replaced_workers(self) -> int:
        """Number of processes that have failed."""
        return self._dispatcher.replaced_workers

    def send(self, ticket: int, request: Request) -> None:
        """Take a request."""
        self._sent.append(ticket)
        self._dispatcher.send(ticket, request)

    def receive(self, max_seconds: float) -> Arrival | None:
        """Wait for the oldest request's transition."""
        deadline = self._clock() + max_seconds
        while self._sent[0] not in self._early:
            seconds_left = deadline - self._clock()
            arrival = self._dispatcher.receive(seconds_left) if seconds_left > 0 else None
            if arrival is None:
                return None
            self._early[arrival.ticket] = arrival
        return self._early.pop(self._sent.popleft())

    def abandon(self) -> None:
        """Forget all requests."""
        self._sent.clear()
        self._early.clear()
        self._dispatcher.abandon()
