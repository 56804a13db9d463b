"""The planner in its own process, which tells what it sees while it looks ahead.

It is sent errands, and answers with events: a decision begins, its tree grows, it is made. Whoever
reads the events cannot slow it down, for the server reads them at once and forwards what it can.
"""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pixelplan.errors import InputError
from pixelplan.planning.case import Case
from pixelplan.planning.valuation import best_branch
from pixelplan.play.agent import Agent, no_garbage_collection
from pixelplan.play.episode import EpisodeCutError, PlayedEpisode, make_simulator
from pixelplan.play.game_process import GameProcess
from pixelplan.play.realtime import play_running_game
from pixelplan.play.trace import NO_PARENT, VISIT, VisitLog
from pixelplan.system.child_process import ChildProcess, framed, receive

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Iterator

    import numpy.typing as npt

    from pixelplan.planning.budget import Budget
    from pixelplan.planning.lookahead import Lookahead
    from pixelplan.planning.node import Node
    from pixelplan.planning.simulator import Action
    from pixelplan.play.agent import Decision
    from pixelplan.play.episode import PlayedDecision
    from pixelplan.play.settings import EpisodeSettings
    from pixelplan.play.trace import Visit, Visits
    from pixelplan.simulators.ale import AtariGame
    from pixelplan.simulators.atari import AtariSimulator
    from pixelplan.simulators.sighting import Sighting

    Colours = npt.NDArray[np.uint8]

FLUSH_SECONDS = 0.03
"""How often a growing tree is told of."""


@dataclass(frozen=True, kw_only=True)
class Errand:
    """What to decide next."""

    budget: Budget
    sighting: Sighting | None = None
    """Where the game is now; None: where the lookahead expects it."""
    action: Action | None = None
    """What was played since the last decision; None: more or less than one action."""
    reward: float = 0.0
    """Of the game since the last decision."""


@dataclass(frozen=True, kw_only=True)
class Began:
    """A decision begins."""

    root: Visits
    """One row."""
    state: bytes
    """The emulator's, in the root."""
    background: Colours | None
    """Of the background that the lookahead sees by, if its features have one."""
    is_bold: bool
    """Whether the risk of a lost life is taken."""


@dataclass(frozen=True, kw_only=True)
class Grew:
    """The tree of the decision has grown."""

    visits: Visits
    """Nodes visited for the first time in this decision, and nodes of which other things hold now."""
    branch: tuple[Action, ...]
    """The best branch so far."""


@dataclass(frozen=True, kw_only=True)
class Decided:
    """A decision is made."""

    decision: Decision


@dataclass(frozen=True, kw_only=True)
class Played:
    """An action was played in a game that runs in real time."""

    played: PlayedDecision


@dataclass(frozen=True, kw_only=True)
class Failed:
    """The planner cannot go on."""

    message: str


Event = Began | Grew | Decided | Played | Failed


class Thinker:
    """The process that thinks. Its channel takes errands and gives events."""

    def __init__(self, settings: EpisodeSettings) -> None:
        self._process = ChildProcess(think_in_real_time if settings.realtime else think, settings)

    def send(self, errand: Errand) -> None:
        """Send it on an errand."""
        # If it has ended, the events will tell.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self._process.channel.sendall(framed(errand))

    def next_event(self) -> Event:
        """Wait for the next event; EOFError if there will be none."""
        try:
            event: Event = receive(self._process.channel)
        except OSError:
            raise EOFError from None
        return event

    def kill(self) -> None:
        """End it, with all the processes that it has started."""
        self._process.kill()


class ToldVisits(VisitLog):
    """Tells of visits while the decision goes on, a few at a time."""

    def __init__(
        self,
        tell: Callable[[Event], None],
        background: Callable[[], Colours | None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self._tell = tell
        self._background = background
        self._clock = clock
        self._told: dict[int, Visit] = {}
        self._told_at = 0.0
        self._touched: list[Node] = []

    def start(self, lookahead: Lookahead) -> None:
        """Begin a decision."""
        super().start(lookahead)
        root = lookahead.root
        assert root.state is not None, "the root's state is never dropped"
        row = self.row(root, NO_PARENT, Case.UNTESTED)
        self._tell(
            Began(
                root=np.array([row], VISIT),
                state=root.state.emulator,
                background=self._background(),
                is_bold=lookahead.valuation.risks_life,
            )
        )
        self._told, self._told_at, self._touched = {root.number: row}, self._clock(), []

    def note(self, parent: Node, node: Node, case: Case) -> None:
        """Note an arrival at a node, and tell of some if it is time."""
        now = self._clock()
        if now - self._told_at >= FLUSH_SECONDS:
            # Of those before: whether this one is solved will be known when the next is noted.
            self._told_at = now
            self._flush()
        super().note(parent, node, case)
        self._touched.append(node)

    def visits(self) -> None:
        """Tell of what was visited last, and of all that is worth something else now; nothing is kept."""
        rows = [self.row(*seen) for seen in self._seen.values()]
        self._tell_of([row for row in rows if self._told.get(row.node) != row] + self.revalued())

    def _flush(self) -> None:
        rows = {}
        for node in self._touched:
            lineage: Node | None = node
            while lineage is not None and lineage.number not in rows:
                rows[lineage.number] = self.row(*self._seen[lineage.number])
                lineage = self.parent(lineage)
        changed = [row for row in rows.values() if self._told.get(row.node) != row]
        # Parents first.
        self._tell_of(sorted(changed, key=lambda row: row.depth))
        # Its rollout may still go on.
        self._touched = self._touched[-1:]

    def _tell_of(self, rows: list[Visit]) -> None:
        if rows:
            self._told |= {row.node: row for row in rows}
            self._tell(Grew(visits=np.array(rows, VISIT), branch=best_branch(self._root, self._valuation)))


def think(channel: socket.socket, settings: EpisodeSettings) -> None:
    """Make decisions, as errands come."""
    with telling(channel) as tell:
        # The same game as the server's, until that begins to play.
        start = PlayedEpisode(settings)
        with make_simulator(settings, start.game) as simulator, no_garbage_collection():
            agent = Agent(
                simulator, settings, seed=settings.seed, visits=ToldVisits(tell, simulator.background)
            )
            while True:
                errand: Errand = receive(channel)
                follow(agent, simulator, errand)
                tell(Decided(decision=agent.decide(errand.budget)))


def follow(agent: Agent, simulator: AtariSimulator, errand: Errand) -> None:
    """Go to where the game is."""
    if errand.sighting is None:
        return
    state = simulator.arrive(errand.sighting, agent.state.observation)
    if errand.action not in simulator.actions(agent.state):
        # Also if a human has played what the planner may not.
        agent.correct(state, errand.reward)
    else:
        agent.observe(errand.action, state, errand.reward)


def think_in_real_time(channel: socket.socket, settings: EpisodeSettings) -> None:
    """Play a game that does not wait, to its end."""
    simulators: list[AtariSimulator] = []

    def make(settings: EpisodeSettings, game: AtariGame) -> AtariSimulator:
        simulators.append(make_simulator(settings, game))
        return simulators[0]

    with telling(channel) as tell, GameProcess(settings) as game:
        play_running_game(
            settings,
            game,
            on_decision=lambda played: tell(Played(played=played)),
            visits=ToldVisits(tell, lambda: simulators[0].background()),
            make_simulator=make,
        )


@contextlib.contextmanager
def telling(channel: socket.socket) -> Iterator[Callable[[Event], None]]:
    """Yield what tells of an event; what goes wrong is told as well."""

    def tell(event: Event) -> None:
        channel.sendall(framed(event))

    try:
        yield tell
    except EpisodeCutError as cut:
        if not isinstance(cut.cause, InputError):
            # The server may have gone, which is no fault.
            raise cut.cause from None
        tell(Failed(message=str(cut)))
    except InputError as error:
        tell(Failed(message=str(error)))
