"""Random: looks at nothing and takes any action, which is what everything else must beat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pixelplan.planning.planner import Planner

if TYPE_CHECKING:
    from pixelplan.planning.lookahead import Lookahead, Search


def uniform_random(lookahead: Lookahead) -> Search:  # noqa: ARG001
    """Simulate nothing: then all actions are untried and have the same value."""
    return iter(())


RANDOM = Planner(
    search=uniform_random,
    about="Random: takes any action, which is what everything else must beat",
)
