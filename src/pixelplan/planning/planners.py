"""The planners by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pixelplan.errors import InputError, describe, suggest
from pixelplan.planning.breadth_first import BREADTH_FIRST
from pixelplan.planning.iw import IW
from pixelplan.planning.planner import Planner
from pixelplan.planning.prioritized_iw import PRIORITIZED_IW
from pixelplan.planning.rollout_iw import ROLLOUT_IW
from pixelplan.planning.two_bfs import TWO_BFS
from pixelplan.planning.uct import UCT
from pixelplan.planning.uniform_random import RANDOM
from pixelplan.system.importing import import_named, is_code_name

if TYPE_CHECKING:
    from collections.abc import Callable

PLANNERS: dict[str, Planner] = {
    "iw": IW,
    "rollout-iw": ROLLOUT_IW,
    "prioritized-iw": PRIORITIZED_IW,
    "2bfs": TWO_BFS,
    "uct": UCT,
    "breadth-first": BREADTH_FIRST,
    "random": RANDOM,
}

FORM = "MODULE:NAME"
ABOUT = "a planner of your own: the record `NAME`, or the search `NAME`, of a module"
SERIALIZED_IW = "serialized-iw"
"""No search of one decision, but a sequence of them that `solve` makes."""


def check_planner(name: str) -> None:
    """Refuse a name that no planner has. Code that a name stands for is imported when it is used."""
    known = (*PLANNERS, SERIALIZED_IW, FORM)
    if name not in known and not is_code_name(name):
        raise InputError(f"unknown planner {name!r}: {suggest(name, known)}")


def find_planner(name: object) -> Planner:
    """Return the planner of a name, imported if it is of code. A planner is itself; a search makes one."""
    if not isinstance(name, str):
        return as_planner(name, "planner")
    check_planner(name)
    if name == SERIALIZED_IW:
        raise InputError(f"{SERIALIZED_IW} looks for plans, with `solve`; it plays no games")
    return PLANNERS[name] if name in PLANNERS else as_planner(import_named(name), name)


def as_planner(found: object, name: str) -> Planner:
    """Return a planner that is one, or is made of a search; InputError if it is neither."""
    if isinstance(found, Planner):
        return found
    if isinstance(found, type) or not callable(found):
        raise InputError(f"{name} is neither a Planner nor a function that makes a search: {describe(found)}")
    search: Callable[..., object] = found
    about = (search.__doc__ or name).strip().splitlines()[0]
    return Planner(search=search, about=about)  # type: ignore[arg-type]
