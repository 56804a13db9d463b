"""The searches by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pixelplan.planning.iw import iw
from pixelplan.planning.rollout_iw import rollout_iw

if TYPE_CHECKING:
    from collections.abc import Callable

    from pixelplan.planning.lookahead import Lookahead, Search

PLANNERS: dict[str, Callable[[Lookahead], Search]] = {"iw": iw, "rollout-iw": rollout_iw}
