"""The searches by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pixelplan.errors import InputError, suggest
from pixelplan.planning.breadth_first import breadth_first
from pixelplan.planning.iw import iw
from pixelplan.planning.prioritized_iw import prioritized_iw
from pixelplan.planning.rollout_iw import rollout_iw
from pixelplan.planning.two_bfs import two_bfs
from pixelplan.planning.uct import uct
from pixelplan.planning.uniform_random import uniform_random

if TYPE_CHECKING:
    from collections.abc import Callable

    from pixelplan.planning.lookahead import Lookahead, Search

PLANNERS: dict[str, Callable[[Lookahead], Search]] = {
    "iw": iw,
    "rollout-iw": rollout_iw,
    "prioritized-iw": prioritized_iw,
    "2bfs": two_bfs,
    "uct": uct,
    "breadth-first": breadth_first,
    "random": uniform_random,
}


def check_planner(name: str, *others: str) -> None:
    """Refuse a name that no planner has, nor anything else that may stand in its place."""
    known = (*PLANNERS, *others)
    if name not in known:
        raise InputError(f"unknown planner {name!r}: {suggest(name, known)}")
