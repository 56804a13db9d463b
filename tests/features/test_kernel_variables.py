"""The kernel's table of variables against its twin, for single values and for conjunctions."""

from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pixelplan.features import _kernel, reference
from pixelplan.features.reference import IMPROVES, TIES, WORSE

MAX_DEPTH = 32_766

Visit = tuple[str, bytes, int]
"""A method of the table, the state, and the depth."""

SIZES = [(128, 256, 1), (1_024, 2, 1), (12, 256, 2), (20, 2, 2), (9, 3, 3), (6, 256, 4)]


@st.composite
def histories(draw: st.DrawFn, variables: int, values: int) -> list[Visit]:
    """Visits of a few states, which differ from each other in a few variables, at a few depths."""
    one_value = st.integers(0, values - 1)
    state = draw(st.lists(one_value, min_size=variables, max_size=variables))
    changes = st.dictionaries(st.integers(0, variables - 1), one_value, max_size=4)
    states = [
        bytes(change.get(place, value) for place, value in enumerate(state))
        for change in draw(st.lists(changes, min_size=1, max_size=6))
    ]
    depths = st.integers(0, 5) | st.sampled_from([MAX_DEPTH - 1, MAX_DEPTH])
    methods = st.sampled_from(["compare", "update", "update", "clear"])
    return draw(st.lists(st.tuples(methods, st.sampled_from(states), depths), max_size=40))


@pytest.mark.parametrize(("variables", "values", "width"), SIZES)
@settings(max_examples=60)
@given(data=st.data())
def test_verdicts_equal_the_twins(variables: int, values: int, width: int, data: st.DataObject) -> None:
    """At every step of a history."""
    table = _kernel.VariableTable(variables, values, width)
    twin = reference.VariableTable(variables, values, width)
    for method, state, depth in data.draw(histories(variables, values)):
        if method == "clear":
            table.clear()
            twin.clear()
            assert len(table) == 0
        else:
            assert getattr(table, method)(state, depth) == getattr(twin, method)(state, depth)


@pytest.mark.parametrize("place", [0, 1, 127])
@pytest.mark.parametrize("value", [1, 254, 255])
def test_every_place_has_values_of_its_own(place: int, value: int) -> None:
    """The same value elsewhere, or another value here, is another atom."""
    table = _kernel.VariableTable(128, 256, 1)
    state = bytearray(128)
    table.update(bytes(state), 0)
    state[place] = value
    assert table.update(bytes(state), 3) == IMPROVES
    assert table.compare(bytes(state), 3) == TIES
    assert table.compare(bytes(state), 4) == WORSE
    assert table.compare(bytes(state), 2) == IMPROVES
    state[place - 1] = value
    assert table.compare(bytes(state), 9) == IMPROVES


@pytest.mark.parametrize("make_table", [_kernel.VariableTable, reference.VariableTable])
def test_a_pair_is_novel_when_its_values_are_not(
    make_table: type[_kernel.VariableTable | reference.VariableTable],
) -> None:
    """Width 2 tells 1 1 from what 0 0, 0 1 and 1 0 have shown; width 1 does not."""
    for width, verdict in ((1, WORSE), (2, IMPROVES)):
        table = make_table(2, 2, width)
        for state in (b"\0\0", b"\0\1", b"\1\0"):
            table.update(state, 0)
        assert table.compare(b"\1\1", 1) == verdict


@pytest.mark.parametrize(("variables", "values", "width"), [(128, 256, 2), (128, 256, 3), (1_024, 2, 2)])
def test_each_conjunction_is_kept_once(variables: int, values: int, width: int) -> None:
    """As many as there are in one state; of one that differs in one value, those with that value are new."""
    table = _kernel.VariableTable(variables, values, width)
    state = bytearray(variables)
    table.update(bytes(state), 0)
    assert len(table) == sum(comb(variables, size) for size in range(1, width + 1))
    table.update(bytes(state), 5)
    before = len(table)
    state[7] = 1
    assert table.update(bytes(state), 5) == IMPROVES
    assert len(table) - before == sum(comb(variables - 1, size) for size in range(width))
    table.clear()
    assert len(table) == 0
    assert table.compare(bytes(state), MAX_DEPTH) == IMPROVES
