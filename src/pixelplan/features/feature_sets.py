"""The feature sets by name, each with the maker of its novelty table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pixelplan.features.b_prost import BProstTable

if TYPE_CHECKING:
    from collections.abc import Callable

    from pixelplan.planning.novelty import NoveltyTable

FEATURE_SETS: dict[str, Callable[[], NoveltyTable]] = {"b-prost": BProstTable}
