"""Runs a search in this process: simulates what it asks for, as long as the budget lasts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pixelplan.planning.budget import Ending

if TYPE_CHECKING:
    from pixelplan.planning.budget import Meter
    from pixelplan.planning.lookahead import Lookahead, Search
    from pixelplan.planning.simulator import Simulator


def drive(search: Search, lookahead: Lookahead, simulator: Simulator, meter: Meter) -> Ending:
    """Run a search to its end or to the end of its budget, and say which it was."""
    max_nodes = lookahead.settings.max_nodes
    request = next(search, None)
    while request is not None:
        ending = Ending.NODES if lookahead.node_count >= max_nodes else meter.start_call()
        if ending is not None:
            search.close()
            return ending
        transition = simulator.transition(request.state, request.action)
        meter.end_call()
        try:
            request = search.send(transition)
        except StopIteration:
            break
    return Ending.SOLVED
