"""The feature sets by name.

A set says what is observed of a state, which features follow from an observation and the one before
it, and which table judges their novelty. A new set is one more entry, made of parts old and new.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pixelplan.features.b_prost import BProstTable, ScreenFeatures
from pixelplan.features.observation import observe_ram, observe_tiles
from pixelplan.features.ram_bytes import RamBytesTable

if TYPE_CHECKING:
    from collections.abc import Callable

    from pixelplan.features.background import Background
    from pixelplan.features.observation import View
    from pixelplan.planning.novelty import Features, NoveltyTable


@dataclass(frozen=True, kw_only=True, slots=True)
class FeatureSet:
    """What a state looks like to a search."""

    observe: Callable[[Background, View], bytes]
    """Makes the observation of a state. What leaves the background is noted in it."""
    describe: Callable[[bytes, bytes], Features]
    """Makes features of an observation and the one before it. Equal features: an action without effect."""
    make_table: Callable[[], NoveltyTable]
    """Makes an empty novelty table."""
    needs_background: bool
    """Whether a background is learned before the first decision."""


def current_alone(observation: bytes, previous: bytes) -> bytes:  # noqa: ARG001
    """Describe a state by its own observation, whatever came before it."""
    return observation


FEATURE_SETS: dict[str, FeatureSet] = {
    "b-prost": FeatureSet(
        observe=observe_tiles, describe=ScreenFeatures, make_table=BProstTable, needs_background=True
    ),
    "ram-bytes": FeatureSet(
        observe=observe_ram, describe=current_alone, make_table=RamBytesTable, needs_background=False
    ),
}
