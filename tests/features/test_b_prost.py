from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pixelplan.features import _kernel, reference
from pixelplan.features.b_prost import Decoded, decode_atoms

ATOMS = _kernel.BASIC_ATOMS + _kernel.SPACE_ATOMS + _kernel.TIME_ATOMS
GRID = reference.Grid(reference.COLUMNS, reference.ROWS)


def encode(decoded: Decoded) -> list[int]:
    """The numbers of atoms again, by the twin's formulas."""
    # The second tile of a pair is put at the origin.
    pairs = [
        (atoms[:, :3], np.pad(atoms[:, 3:], ((0, 0), (2, 0)))) for atoms in (decoded.space, decoded.time)
    ]
    numbers = [
        GRID.basic_numbers(decoded.basic),
        _kernel.BASIC_ATOMS + GRID.space_numbers(*pairs[0]),
        _kernel.BASIC_ATOMS + _kernel.SPACE_ATOMS + GRID.time_numbers(*pairs[1]),
    ]
    return [int(number) for number in np.concatenate(numbers)]


@given(st.lists(st.integers(0, ATOMS - 1), max_size=200, unique=True))
def test_decoded_atoms_have_their_numbers(numbers: list[int]) -> None:
    assert encode(decode_atoms(np.array(numbers, np.uint32))) == sorted(numbers)


def test_all_pairs_of_one_colour_are_decoded() -> None:
    last = _kernel.BASIC_ATOMS + _kernel.SPACE_ATOMS
    numbers = np.arange(last - 419 * 128, last, dtype=np.uint32)
    decoded = decode_atoms(numbers)
    assert encode(decoded) == numbers.tolist()
    columns, rows, first, second = decoded.space.T
    assert (first == second).all()
    assert ((columns > 0) | ((columns == 0) & (rows >= 0))).all()


def test_the_atoms_of_a_screen_are_decoded() -> None:
    now, before = [(3, 2, 5), (15, 13, 9)], [(0, 13, 127)]
    numbers = _kernel.atoms(reference.encode_tiles(now), reference.encode_tiles(before))
    decoded = decode_atoms(numbers)
    assert decoded.basic.tolist() == [[3, 2, 5], [15, 13, 9]]
    assert decoded.space.tolist() == [[-12, -11, 5, 9], [0, 0, 5, 5], [0, 0, 9, 9]]
    assert decoded.time.tolist() == [[3, -11, 5, 127], [15, 0, 9, 127]]
