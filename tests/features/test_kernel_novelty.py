"""The kernel's novelty table against its NumPy twin, over histories made of few distinct planes.

Few planes, met again and again in other company and at other depths, are what the kernel's memo
feeds on; so these histories would show an answer that the memo should not have given.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pixelplan.features import _kernel, reference
from pixelplan.features.reference import IMPROVES, TIES, WORSE, basic_features, encode_tiles

MAX_DEPTH = 32_766

depths = st.integers(0, 4) | st.sampled_from([MAX_DEPTH - 1, MAX_DEPTH])


@dataclass(frozen=True, kw_only=True)
class Step:
    """A screen and the one before it, met at some depth; the table is cleared first, or not."""

    method: str
    tiles: bytes
    previous: bytes
    depth: int
    clears: bool


@st.composite
def planes(draw: st.DrawFn) -> frozenset[tuple[int, int]]:
    """A few tiles, or a rectangle of them."""
    if draw(st.booleans()):
        return draw(st.frozensets(st.tuples(st.integers(0, 15), st.integers(0, 13)), min_size=1, max_size=6))
    left, top = draw(st.integers(0, 15)), draw(st.integers(0, 13))
    right, bottom = draw(st.integers(left, min(15, left + 5))), draw(st.integers(top, min(13, top + 5)))
    return frozenset(product(range(left, right + 1), range(top, bottom + 1)))


@st.composite
def screens(draw: st.DrawFn) -> list[bytes]:
    """A few screens; each shows up to three colours, each as one of its one to three planes."""
    colours = draw(st.lists(st.integers(0, 127), min_size=1, max_size=3, unique=True))
    looks = {colour: draw(st.lists(planes(), min_size=1, max_size=3)) for colour in colours}
    nothing: frozenset[tuple[int, int]] = frozenset()
    one_screen = st.fixed_dictionaries(
        {colour: st.sampled_from([nothing, *looks[colour]]) for colour in colours}
    )
    return [
        encode_tiles((column, row, colour) for colour, tiles in screen.items() for column, row in tiles)
        for screen in draw(st.lists(one_screen, min_size=1, max_size=6))
    ]


@st.composite
def histories(draw: st.DrawFn) -> list[Step]:
    """Some dozens of steps over a few screens."""
    known = draw(screens())
    steps = st.builds(
        Step,
        method=st.sampled_from(["compare", "update"]),
        tiles=st.sampled_from(known),
        previous=st.sampled_from([b"", *known]),
        depth=depths,
        clears=st.integers(0, 15).map(lambda number: number == 15),
    )
    return draw(st.lists(steps, min_size=10, max_size=60))


@settings(max_examples=200)
@given(history=histories(), in_space=st.booleans())
def test_verdicts_and_explanations_equal_the_twins(history: list[Step], in_space: bool) -> None:
    """At every step of a history."""
    table, twin = _kernel.NoveltyTable(in_space), reference.NoveltyTable(in_space)
    for step in history:
        if step.clears:
            table.clear()
            twin.clear()
        meeting = step.tiles, step.previous, step.depth
        np.testing.assert_array_equal(table.explain(*meeting), twin.explain(*meeting))
        assert getattr(table, step.method)(*meeting) == getattr(twin, step.method)(*meeting)


@given(history=histories(), later=st.integers(0, 3))
def test_an_entered_screen_no_longer_improves(history: list[Step], later: int) -> None:
    """Not at the depth at which it was entered, nor below it."""
    table = _kernel.NoveltyTable()
    for step in history:
        table.update(step.tiles, step.previous, step.depth)
        depth = min(step.depth + later, MAX_DEPTH)
        assert table.compare(step.tiles, step.previous, depth) != IMPROVES
        assert table.explain(step.tiles, step.previous, depth).size == 0


@given(history=histories())
def test_memory_is_held_for_what_was_entered(history: list[Step]) -> None:
    """One block for each colour, pair of colours, and colour after a colour; none after a clear."""
    table = _kernel.NoveltyTable()
    held: set[tuple[int, ...] | frozenset[int]] = set()
    for step in history:
        if step.clears:
            table.clear()
            held.clear()
            assert table.blocks == 0
        table.update(step.tiles, step.previous, step.depth)
        now, before = ({colour for _, _, colour in basic_features(t)} for t in (step.tiles, step.previous))
        held |= {(colour,) for colour in now} | set(product(now, before))
        held |= {frozenset(pair) for pair in product(now, now)}
        assert table.blocks == len(held)


@pytest.mark.parametrize("make_table", [_kernel.NoveltyTable, reference.NoveltyTable], ids=["kernel", "twin"])
def test_verdicts_worked_out_by_hand(make_table: type[_kernel.NoveltyTable | reference.NoveltyTable]) -> None:
    """Two tiles of colour 30 in row 4, then one of them, then both shifted."""
    two_tiles, one_tile, shifted = (
        encode_tiles((column, 4, 30) for column in columns) for columns in [(2, 5), (2,), (3, 6)]
    )
    table = make_table()
    assert table.update(two_tiles, b"", 3) == IMPROVES
    assert [table.compare(one_tile, b"", depth) for depth in (2, 3, 4)] == [IMPROVES, TIES, WORSE]
    assert table.update(one_tile, b"", 2) == IMPROVES
    # The one tile and its pair with itself are at depth 2 now; the other tile and the offset stay at 3.
    assert [table.compare(two_tiles, b"", depth) for depth in (2, 3, 4)] == [IMPROVES, TIES, WORSE]
    assert table.explain(two_tiles, b"", 2).tolist() == [9_502, 6_840_414]
    # The offset is not new, the tiles are.
    assert table.explain(shifted, b"", 3).tolist() == [5_918, 11_294]
    # A screen before brings in B-PROT.
    assert table.explain(one_tile, one_tile, 3).tolist() == [13_737_822]


def test_depths_reach_their_bound() -> None:
    """An atom first reached at the greatest depth is told from one never reached; no atoms, no novelty."""
    table, tiles = _kernel.NoveltyTable(), encode_tiles([(0, 0, 0)])
    assert table.compare(b"", tiles, MAX_DEPTH) == WORSE
    assert table.update(tiles, b"", MAX_DEPTH) == IMPROVES
    assert table.update(tiles, b"", MAX_DEPTH) == TIES
    assert table.compare(tiles, b"", MAX_DEPTH - 1) == IMPROVES
    assert table.update(tiles, b"", 0) == IMPROVES
    assert table.compare(tiles, b"", MAX_DEPTH) == WORSE
