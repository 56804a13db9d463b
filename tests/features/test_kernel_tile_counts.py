"""The kernel's counts of colours in tiles, against a counter of the basic atoms."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pixelplan.features import _kernel
from pixelplan.features.observation import NO_OBSERVATION
from pixelplan.features.reference import encode_tiles

tiles = st.frozensets(
    st.tuples(st.integers(0, 15), st.integers(0, 13), st.sampled_from([0, 3, 127])), max_size=30
)


@given(history=st.lists(st.tuples(st.booleans(), tiles), max_size=20))
def test_the_kernel_counts_colours_in_tiles(
    history: list[tuple[bool, frozenset[tuple[int, int, int]]]],
) -> None:
    """At every step of a history."""
    counts, twin = _kernel.TileCounts(), Counter[int]()
    for is_played, shown in history:
        screen = encode_tiles(shown)
        numbers = _kernel.atoms(screen, NO_OBSERVATION, in_space=False).tolist()
        assert counts.rarity(screen) == pytest.approx(sum(1 / (1 + twin[number]) for number in numbers))
        if is_played:
            counts.note(screen)
            twin.update(numbers)


def test_the_kernel_refuses_what_is_no_screen() -> None:
    counts = _kernel.TileCounts()
    for method in (counts.note, counts.rarity):
        with pytest.raises(ValueError, match="tiles is not what"):
            method(b"no tiles")
