"""Runs a search: has the requests of its strands simulated, as long as the budget lasts.

There are as many strands under way as the dispatcher takes requests. All of them are run here, one at
a time, so the tree and the novelty tables need no locks. With one strand this is the search as the
paper has it. Differs: with several, the paper's rollouts overlap, and a transition is judged by what the
tree and the tables are when it arrives.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pixelplan.planning.budget import Ending

if TYPE_CHECKING:
    from pixelplan.planning.budget import Meter
    from pixelplan.planning.lookahead import Lookahead, Search, Strand
    from pixelplan.planning.simulator import Dispatcher, Transition


IDLE_STRANDS = 1_000
"""After so many strands in a row that make no call, a search is asked whether it gets anywhere."""


def drive(search: Search, lookahead: Lookahead, dispatcher: Dispatcher, meter: Meter) -> Ending:
    """Run a search to its end or to the end of its budget, and say which it was."""
    flight = Flight(lookahead, dispatcher, meter)
    try:
        return fly(search, flight)
    finally:
        flight.land()


def fly(search: Search, flight: Flight) -> Ending:
    """Keep strands under way until the search or its budget has ended."""
    idle = 0
    while True:
        strand = None
        while flight.has_room():
            strand = next(search, None)
            if strand is None or not flight.resume(strand, None):
                # Nothing to do for another strand now. One that is under way may change that.
                break
        if flight.strands:
            idle = 0
            if not flight.wait():
                return Ending.SECONDS
        elif flight.ending is not None:
            return flight.ending
        elif strand is None:
            return Ending.SOLVED
        else:
            idle += 1
            if idle % IDLE_STRANDS == 0 and (ending := flight.end_of_idling(idle)) is not None:
                return ending


class Flight:
    """The strands that wait for their transitions."""

    def __init__(self, lookahead: Lookahead, dispatcher: Dispatcher, meter: Meter) -> None:
        self.strands: dict[int, Strand] = {}
        self.ending: Ending | None = None
        """The limit that forbids further calls."""
        self._lookahead = lookahead
        self._max_nodes = lookahead.settings.max_nodes
        self._dispatcher = dispatcher
        self._meter = meter

    def has_room(self) -> bool:
        """Say whether one more strand may begin."""
        return self.ending is None and len(self.strands) < self._dispatcher.capacity

    def resume(self, strand: Strand, transition: Transition | None) -> bool:
        """Let a strand go on until it asks for a call; say whether it has, and the budget allows it."""
        try:
            # A strand that has not begun is sent None.
            request = strand.send(transition)  # type: ignore[arg-type]
        except StopIteration:
            return False
        if self.ending is None:
            # Calls under way will add nodes.
            has_too_many = self._lookahead.node_count + len(self.strands) >= self._max_nodes
            self.ending = Ending.NODES if has_too_many else self._meter.start_call()
        if self.ending is not None:
            strand.close()
            return False
        ticket = self._meter.calls
        self.strands[ticket] = strand
        self._dispatcher.send(ticket, request)
        return True

    def wait(self) -> bool:
        """Let the strand whose transition comes next go on; say False if the deadline comes first."""
        seconds_left = self._meter.seconds_left()
        arrival = self._dispatcher.receive(seconds_left) if seconds_left > 0 else None
        if arrival is None:
            return False
        self._meter.end_call(arrival.ticket)
        self.resume(self.strands.pop(arrival.ticket), arrival.transition)
        return True

    def end_of_idling(self, strands: int) -> Ending | None:
        """Say whether a search ends that makes no calls: no budget of calls would ever end it."""
        if self._meter.seconds_left() <= 0:
            return Ending.SECONDS
        # Differs: the paper's rollouts solve a node each time, and so end by themselves.
        return Ending.IDLE if strands > self._lookahead.node_count + IDLE_STRANDS else None

    def land(self) -> None:
        """Forget requests that are under way, when the deadline or an error has ended the search."""
        if self.strands:
            self._dispatcher.abandon()
        for strand in self.strands.values():
            strand.close()
