"""A feature set: the observation of a state, and the features that follow from it.

It makes observations, features from an observation and the one before it, and tables that judge the
novelty of features.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pixelplan.planning.familiarity import AtomFamiliarity

if TYPE_CHECKING:
    from collections.abc import Callable

    from pixelplan.features.background import Background
    from pixelplan.features.observation import View
    from pixelplan.planning.familiarity import Familiarity
    from pixelplan.planning.novelty import Features, NoveltyTable

DEFAULT_FEATURES = "b-prost"
"""The paper's features, by their name in feature_sets.py."""

Kind = Literal["tiles", "blobs", "variables", "atoms"]


@dataclass(frozen=True, kw_only=True, slots=True)
class FeatureSet:
    """A kind of features, and the means to observe, compare and judge them."""

    about: str
    """A description in one line."""
    kind: Kind = "atoms"
    """Kind of atoms: colours in tiles, blobs, values of variables, or anything hashable."""
    observe: Callable[[Background, View], bytes]
    """Makes the observation of a state. Pixels that leave the background are noted in it."""
    describe: Callable[[bytes, bytes], Features]
    """Makes features of an observation and the one before it. Equal features: an action without effect."""
    make_table: Callable[[int], NoveltyTable]
    """Makes an empty novelty table for conjunctions of up to `width` atoms, where `max_atoms` allows them."""
    make_familiarity: Callable[[], Familiarity] = AtomFamiliarity
    """Makes empty counts of how often atoms were true."""
    needs_background: bool
    """Whether a background is learned before the first decision."""
    max_atoms: int
    """Maximum of atoms that are true in one state, known or assumed."""


def current_alone(observation: bytes, previous: bytes) -> bytes:  # noqa: ARG001
    """Describe a state by its own observation, whatever came before it."""
    return observation
