"""The novelty table of RAM bytes against a table of plain atoms."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pixelplan.features.ram_bytes import RAM_BYTES, RamBytesTable
from pixelplan.planning.novelty import AtomTable, Novelty

MAX_DEPTH = 32_766

Visit = tuple[str, bytes, int]
"""A method of the table, the memory, and the depth."""


@st.composite
def histories(draw: st.DrawFn) -> list[Visit]:
    """Visits of a few memories, which differ from each other in a few bytes, at a few depths."""
    memory = draw(st.binary(min_size=RAM_BYTES, max_size=RAM_BYTES))
    changes = st.dictionaries(st.integers(0, RAM_BYTES - 1), st.integers(0, 255), max_size=4)
    memories = [
        bytes(change.get(place, value) for place, value in enumerate(memory))
        for change in draw(st.lists(changes, min_size=1, max_size=6))
    ]
    depths = st.integers(0, 5) | st.sampled_from([MAX_DEPTH - 1, MAX_DEPTH])
    methods = st.sampled_from(["compare", "update", "update", "clear"])
    return draw(st.lists(st.tuples(methods, st.sampled_from(memories), depths), max_size=40))


@settings(max_examples=200)
@given(history=histories())
def test_verdicts_are_those_of_a_table_of_atoms(history: list[Visit]) -> None:
    """At every step of a history."""
    table, atom_table = RamBytesTable(), AtomTable()
    for method, memory, depth in history:
        if method == "clear":
            table.clear()
            atom_table.clear()
        else:
            atoms = list(enumerate(memory))
            assert getattr(table, method)(memory, depth) is getattr(atom_table, method)(atoms, depth)


@pytest.mark.parametrize("place", [0, 1, RAM_BYTES - 1])
@pytest.mark.parametrize("value", [1, 254, 255])
def test_every_place_has_values_of_its_own(place: int, value: int) -> None:
    """The same value elsewhere, or another value here, is another atom."""
    table = RamBytesTable()
    memory = bytearray(RAM_BYTES)
    table.update(bytes(memory), 0)
    memory[place] = value
    assert table.update(bytes(memory), 3) is Novelty.IMPROVES
    assert table.compare(bytes(memory), 3) is Novelty.TIES
    assert table.compare(bytes(memory), 4) is Novelty.WORSE
    assert table.compare(bytes(memory), 2) is Novelty.IMPROVES
    memory[place - 1] = value
    assert table.compare(bytes(memory), 9) is Novelty.IMPROVES
