"""Observations of other worlds as sets of atoms: one atom for each component of an observation.

An atom is a tuple: the path of keys and indices to the component, then its value. Values that can be
counted are taken as they are. Those of continuous components are quantised, in one of two ways.

*Equal bins* (`EqualBins`): so many bins of equal width between the component's bounds. A component without
two finite bounds is squashed by the arc tangent first. Its bins are narrow around 0, and the outermost ones
have no end. The scale is fixed: with 20 bins, the narrowest are 0.16 wide. Values out of bounds belong
to the outermost bins.

*Boundary extension* (`BoundaryExtension`): the intervals are found as the search goes on, without knowledge
of bounds or scales. Source: Teichteil-Koenigsbuch, Ramirez and Lipovetzky, "Boundary Extension Features for
Width-Based Planning with Simulators on Continuous-State Domains", IJCAI 2020. The first value seen is an
interval of its own. A value beyond all intervals so far opens a new one, from the last boundary to that
value. Any other value lies in the interval that holds it. With more than one level, the values of an
interval are divided in the same way once more, and so on. Note: the text of that paper was not at hand.
This follows its abstract and the two forms of these features in scikit-decide, the authors' library, which
have the same intervals at the first level. There the numbers of a value at the second level change
when it is seen again; here they do not.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import count, repeat
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from pixelplan.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    import numpy.typing as npt

    Atom = tuple[Hashable, ...]
    Path = tuple[Hashable, ...]

UNBOUNDED = 1e30
"""Bounds as great as this count as none: some worlds give the greatest number of a type for infinity."""


class Quantiser(Protocol):
    """Gives each component of an array a value that can be counted."""

    def __call__(self, array: npt.NDArray[Any]) -> Iterable[Hashable]:
        """Return the values of the components, in order."""
        ...


def component_atoms(path: Path, values: Iterable[Hashable]) -> Iterable[Atom]:
    """Return one atom for each of the values at a path."""
    return zip(*(repeat(key) for key in path), count(), values)


def exact(array: npt.NDArray[Any]) -> Iterable[Hashable]:
    """Take components as they are: for integers and truth values."""
    values: list[Hashable] = np.asarray(array).ravel().tolist()
    return values


class EqualBins:
    """Bins of equal width between bounds; see the head of this file."""

    def __init__(self, low: npt.ArrayLike, high: npt.ArrayLike, bins: int = 20) -> None:
        if bins < 1:
            raise InputError(f"bins must be at least 1, not {bins}")
        low, high = np.asarray(low, np.float64).ravel(), np.asarray(high, np.float64).ravel()
        self._is_squashed = (low <= -UNBOUNDED) | (high >= UNBOUNDED)
        self._low = self._squash(low)
        width = self._squash(high) - self._low
        # A component with one possible value has one bin.
        self._bins_per_unit = np.divide(bins, width, out=np.ones_like(width), where=width > 0)
        self._last = np.where(width > 0, bins - 1, 0)

    def __call__(self, array: npt.NDArray[Any]) -> Iterable[Hashable]:
        """Return the number of each component's bin, from 0."""
        values = self._squash(np.asarray(array, np.float64).ravel())
        numbers = np.floor((values - self._low) * self._bins_per_unit)
        bins: list[Hashable] = np.clip(numbers, 0, self._last).astype(np.int64).tolist()
        return bins

    def _squash(self, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return np.where(self._is_squashed, np.arctan(values), values)


class BoundaryExtension:
    """Intervals that are found on the way; see the head of this file.

    It has a memory: the interval of a value depends on the values that were seen before it. Once a value
    has an interval, it keeps it.
    """

    def __init__(self, levels: int = 1) -> None:
        if levels < 1:
            raise InputError(f"levels must be at least 1, not {levels}")
        self._levels = levels
        self._components: list[Intervals] = []

    def __call__(self, array: npt.NDArray[Any]) -> Iterable[Hashable]:
        """Return, for each component, the number of its interval, and of those inside it, level by level."""
        values = np.asarray(array, np.float64).ravel().tolist()
        if not self._components:
            self._components = [Intervals(value) for value in values]
        return [
            component.locate(value, self._levels)
            for component, value in zip(self._components, values, strict=True)
        ]


class Intervals:
    """The intervals of one component, numbered by their distance from its first value: ..., -1, 0, 1, ..."""

    def __init__(self, first: float) -> None:
        self._first = first
        self._boundaries = {1: [first], -1: [-first]}
        """On either side of the first value, that included. Those below have the other sign, so both rise."""
        self._inside: dict[int, Intervals] = {}
        """By an interval's number: the intervals into which its values are divided."""

    def locate(self, value: float, levels: int) -> tuple[int, ...]:
        """Return the number of a value's interval, and of those inside it; open intervals if need be."""
        side = 1 if value >= self._first else -1
        boundaries = self._boundaries[side]
        index = bisect_left(boundaries, side * value)
        if index == len(boundaries):
            boundaries.append(side * value)
        number = side * index
        if levels == 1:
            return (number,)
        # The value that has opened an interval is entered inside it too, so that it is found there again.
        inside = self._inside.setdefault(number, Intervals(value))
        return (number, *inside.locate(value, levels - 1))
