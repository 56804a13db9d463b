"""Components of observations as values that can be counted: equal bins, and boundary extension."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pixelplan.errors import InputError
from pixelplan.features.quantisation import BoundaryExtension, EqualBins, component_atoms, exact

NUMBERS = st.floats(allow_nan=False, width=32)
FINITE = st.floats(min_value=-1e6, max_value=1e6, width=32)


def bin_of(bins: EqualBins, value: float) -> int:
    (number,) = bins(np.array([value]))
    assert isinstance(number, int)
    return number


def test_atoms_are_paths_and_values() -> None:
    assert list(component_atoms((), [7, 8])) == [(0, 7), (1, 8)]
    assert list(component_atoms(("image", 2), [7, 8])) == [("image", 2, 0, 7), ("image", 2, 1, 8)]
    assert list(exact(np.array([[1, 2], [3, 4]], np.uint8))) == [1, 2, 3, 4]


# Equal bins


def test_bins_are_equal_between_the_bounds() -> None:
    bins = EqualBins([-1.0], [1.0], bins=4)
    values = {-1.0: 0, -0.51: 0, -0.49: 1, -0.01: 1, 0.0: 2, 0.49: 2, 0.51: 3, 1.0: 3}
    assert {value: bin_of(bins, value) for value in values} == values


def test_values_out_of_bounds_are_in_the_outermost_bins() -> None:
    bins = EqualBins([0.0], [1.0], bins=10)
    assert [bin_of(bins, value) for value in (-5.0, -math.inf, 5.0, math.inf)] == [0, 0, 9, 9]


@pytest.mark.parametrize("infinity", [math.inf, float(np.finfo(np.float32).max)])
def test_components_without_bounds_have_bins_that_widen(infinity: float) -> None:
    bins = EqualBins([-infinity], [infinity], bins=20)
    assert [bin_of(bins, value) for value in (-0.01, 0.01, 0.15, 0.16)] == [9, 10, 10, 11]
    assert bin_of(bins, 10.0) == bin_of(bins, 11.0)
    assert [bin_of(bins, value) for value in (-math.inf, -1e9, 1e9, math.inf)] == [0, 0, 19, 19]


def test_one_bound_divides_what_is_on_its_side() -> None:
    bins = EqualBins([0.0], [math.inf], bins=20)
    assert {bin_of(bins, value / 100) for value in range(10_000)} == set(range(20))


def test_each_component_has_bounds_of_its_own() -> None:
    bins = EqualBins([[0.0, 0.0], [-math.inf, 3.0]], [[1.0, 10.0], [math.inf, 3.0]], bins=10)
    assert list(bins(np.array([[0.95, 0.95], [0.0, 3.0]], np.float32))) == [9, 0, 5, 0]


@given(
    low=FINITE,
    width=st.just(0.0) | st.floats(0.1, 1e6),
    count=st.integers(1, 100),
    values=st.lists(NUMBERS, min_size=2),
)
def test_bins_keep_the_order_of_values(low: float, width: float, count: int, values: list[float]) -> None:
    bins = EqualBins([low], [low + width], bins=count)
    numbers = [bin_of(bins, value) for value in sorted(values)]
    assert numbers == sorted(numbers)
    assert all(0 <= number < count for number in numbers)


def test_there_is_at_least_one_bin_and_one_level() -> None:
    with pytest.raises(InputError, match="bins must be at least 1"):
        EqualBins([0.0], [1.0], bins=0)
    with pytest.raises(InputError, match="levels must be at least 1"):
        BoundaryExtension(levels=0)


# Boundary extension


def test_values_beyond_the_boundaries_open_intervals() -> None:
    bee = BoundaryExtension()
    seen = [(5.0, 0), (6.0, 1), (5.5, 1), (9.0, 2), (6.5, 2), (2.0, -1), (4.0, -1), (1.0, -2), (5.0, 0)]
    assert [list(bee(np.array([value]))) for value, _ in seen] == [[(number,)] for _, number in seen]


def test_an_interval_is_divided_at_the_next_level() -> None:
    bee = BoundaryExtension(levels=2)
    seen = [(0.0, (0, 0)), (8.0, (1, 0)), (6.0, (1, -1)), (7.0, (1, -1)), (3.0, (1, -2)), (9.0, (2, 0))]
    assert [list(bee(np.array([value]))) for value, _ in seen] == [[numbers] for _, numbers in seen]


def test_components_are_divided_apart() -> None:
    bee = BoundaryExtension()
    bee(np.array([[0.0, 10.0]]))
    assert list(bee(np.array([[1.0, 9.0]]))) == [(1,), (-1,)]
    assert list(bee(np.array([[2.0, 9.5]]))) == [(2,), (-1,)]


@given(values=st.lists(FINITE, min_size=1), levels=st.integers(1, 3))
def test_what_was_said_of_a_value_is_said_again(values: list[float], levels: int) -> None:
    """So that the atoms of a state are those of its observation for ever."""
    bee = BoundaryExtension(levels)
    first = [list(bee(np.array([value]))) for value in values]
    assert [list(bee(np.array([value]))) for value in values] == first


@given(values=st.lists(FINITE, min_size=1, unique=True))
def test_a_new_extreme_is_a_new_atom(values: list[float]) -> None:
    bee, seen = BoundaryExtension(), set[object]()
    for index, value in enumerate(values):
        (atom,) = bee(np.array([value]))
        is_extreme = all(value > other for other in values[:index]) or all(
            value < other for other in values[:index]
        )
        assert (atom not in seen) == is_extreme
        seen.add(atom)
