"""The memory that a pool shares with its workers: what is written comes back, and touches nothing else."""

import os
from collections.abc import Callable, Iterator
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pixelplan.simulators.emulator import Outcome
from pixelplan.simulators.shared_memory import (
    OBSERVATION_BYTES,
    SLOT_BYTES,
    STATE_BYTES,
    SharedMemory,
    Slot,
    Times,
)

SEATS, LANES = 3, 2
NO_TIMES: Times = (0.0, 0.0, 0.0)


def random_bytes(max_size: int) -> st.SearchStrategy[bytes]:
    """Make contents of all sizes, which Hypothesis itself would not draw so large."""
    sizes = st.sampled_from([0, max_size]) | st.integers(0, max_size)
    return st.builds(lambda size, seed: Random(seed).randbytes(size), sizes, st.integers(0, 2**32))


states = random_bytes(STATE_BYTES)
decisions = st.integers(0, 2**63 - 1)
seconds = st.floats(0, allow_nan=False, allow_infinity=False)
int32s = st.integers(-(2**31), 2**31 - 1)
outcomes = st.builds(
    Outcome,
    emulator=states,
    observation=random_bytes(OBSERVATION_BYTES),
    reward=st.integers(-(2**63), 2**63 - 1),
    is_terminal=st.booleans(),
    lives=int32s,
)


@pytest.fixture(scope="module")
def memory() -> Iterator[SharedMemory]:
    memory = SharedMemory(os.memfd_create("test"), SEATS, LANES)
    yield memory
    memory.close()


@pytest.fixture(scope="module")
def other(memory: SharedMemory) -> SharedMemory:
    """The same memory, as another process has it."""
    return SharedMemory(memory.descriptor, SEATS, LANES)


def all_slots(memory: SharedMemory) -> list[Slot]:
    return [slot for slots in memory.slots for slot in slots]


def full_outcome(seed: int) -> Outcome:
    """Make an outcome that leaves no room in its slot."""
    rng = Random(seed)
    return Outcome(rng.randbytes(STATE_BYTES), rng.randbytes(OBSERVATION_BYTES), seed, seed % 2 == 1, -seed)


@given(decision=decisions, action=int32s, state=states | st.none())
def test_a_call_arrives_as_it_was_sent(
    memory: SharedMemory, other: SharedMemory, decision: int, action: int, state: bytes | None
) -> None:
    memory.slots[1][0].put_call(decision, action, state)
    assert other.slots[1][0].call() == (decision, action, state)


@given(outcome=outcomes, times=st.tuples(seconds, seconds, seconds))
def test_an_answer_arrives_as_it_was_sent(
    memory: SharedMemory, other: SharedMemory, outcome: Outcome, times: Times
) -> None:
    other.slots[1][0].put_answer(outcome, times)
    assert memory.slots[1][0].answer() == (outcome, times)


@given(outcome=outcomes, decision=decisions, state=states)
def test_a_slot_is_used_again_and_again(
    memory: SharedMemory, outcome: Outcome, decision: int, state: bytes
) -> None:
    """The shorter content must not be seen with a rest of the longer one before it."""
    slot = memory.slots[0][0]
    slot.put_answer(full_outcome(1), NO_TIMES)
    slot.put_call(decision, 17, state)
    assert slot.call() == (decision, 17, state)
    slot.put_answer(outcome, NO_TIMES)
    assert slot.answer() == (outcome, NO_TIMES)


@given(number=decisions)
def test_the_number_of_the_decision_is_shared(memory: SharedMemory, other: SharedMemory, number: int) -> None:
    memory.decision = number
    assert other.decision == number


def test_nothing_overlaps(memory: SharedMemory, other: SharedMemory) -> None:
    """Everything is full of something else, and comes back."""
    rng = np.random.default_rng(1)
    screens = rng.integers(1, 256, (1 + SEATS, *memory.background.shape), np.uint8)
    memory.decision = 2**63 - 1
    memory.background[:] = screens[0]
    for departed, screen in zip(other.departed, screens[1:], strict=True):
        departed[:] = screen
    for seed, slot in enumerate(all_slots(other)):
        slot.put_answer(full_outcome(seed), (seed, 2.0, 3.0))
    assert other.decision == 2**63 - 1
    assert np.array_equal(other.background, screens[0])
    assert np.array_equal(memory.departed, screens[1:])
    for seed, slot in enumerate(all_slots(memory)):
        assert slot.answer() == (full_outcome(seed), (seed, 2.0, 3.0))


def test_a_new_memory_is_empty_and_a_second_look_leaves_it_as_it_is() -> None:
    """A worker that takes another's place must not wipe out its notes."""
    first = SharedMemory(os.memfd_create("test"), SEATS, LANES)
    try:
        assert not np.any(first.departed)
        first.departed[2][100, 50] = 1
        second = SharedMemory(first.descriptor, SEATS, LANES)
        assert np.argwhere(second.departed).tolist() == [[2, 100, 50]]
    finally:
        first.close()


def put_state(slot: Slot, size: int) -> None:
    slot.put_call(1, 2, bytes(size))


def answer_with_state(slot: Slot, size: int) -> None:
    slot.put_answer(Outcome(b"\1" * size, b"\2" * OBSERVATION_BYTES, 0, False, 0), NO_TIMES)


def answer_with_observation(slot: Slot, size: int) -> None:
    slot.put_answer(Outcome(b"", b"\2" * size, 0, False, 0), NO_TIMES)


@pytest.mark.parametrize(
    ("put", "size"),
    [
        (put_state, SLOT_BYTES),
        (put_state, STATE_BYTES + OBSERVATION_BYTES + 1),
        (answer_with_state, SLOT_BYTES),
        (answer_with_state, STATE_BYTES + 1),
        (answer_with_observation, SLOT_BYTES),
        (answer_with_observation, OBSERVATION_BYTES + 1),
    ],
)
def test_what_is_too_large_is_refused(
    memory: SharedMemory, put: Callable[[Slot, int], None], size: int
) -> None:
    """Rather than written over something else: a neighbour's answer, or the observation of this one."""
    slots = all_slots(memory)
    for seed, slot in enumerate(slots):
        slot.put_answer(full_outcome(seed), NO_TIMES)
    with pytest.raises(ValueError):  # noqa: PT011
        put(slots[2], size)
    for seed, slot in enumerate(slots):
        if seed != 2:
            assert slot.answer() == (full_outcome(seed), NO_TIMES)
