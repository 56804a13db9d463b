"""A feature set: what is observed of a state, and which features follow from it.

It says how an observation is made, which features an observation and the one before it have, and
which table judges their novelty.
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

Kind = Literal["tiles", "blobs", "variables", "atoms"]


@dataclass(frozen=True, kw_only=True, slots=True)
class FeatureSet:
    """A kind of features, and the means to observe, compare and judge them."""

    about: str
    """One line that says what the features are."""
    kind: Kind = "atoms"
    """Whether atoms tell of colours in tiles, of blobs, of values of variables, or are anything hashable."""
    observe: Callable[[Background, View], bytes]
    """Makes the observation of a state. What leaves the background is noted in it."""
    describe: Callable[[bytes, bytes], Features]
    """Makes features of an observation and the one before it. Equal features: an action without effect."""
    make_table: Callable[[int], NoveltyTable]
    """Makes an empty novelty table for conjunctions of up to so many atoms, where `max_atoms` allows them."""
    make_familiarity: Callable[[], Familiarity] = AtomFamiliarity
    """Makes empty counts of how often atoms were true."""
    needs_background: bool
    """Whether a background is learned before the first decision."""
    max_atoms: int
    """Maximum of atoms that are true in one state, known or assumed."""


def current_alone(observation: bytes, previous: bytes) -> bytes:  # noqa: ARG001
    """Describe a state by its own observation, whatever came before it."""
    return observation
