"""A worker of a pool: makes the calls that it finds in its slots, in its own process."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from pixelplan.errors import InputError
from pixelplan.features.background import Background
from pixelplan.simulators.shared_memory import SharedMemory

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

    from pixelplan.features.feature_set import FeatureSet
    from pixelplan.features.observation import Observe
    from pixelplan.simulators.emulator import Emulator
    from pixelplan.simulators.shared_memory import Slot

READY = 255
"""The first message of a worker. All others are numbers of lanes."""
SKIPPED = 128
"""Added to a lane's number: its call was of a decision that is over, and was not made."""


def serve(
    channel: socket.socket,
    make_emulator: Callable[[], Emulator],
    features: FeatureSet,
    descriptor: int,
    seats: int,
    lanes: int,
    seat: int,
) -> None:
    """Make calls until the channel ends.

    There is one emulator for each lane. So an emulator stands where its lane's rollout has led it,
    whatever the other lanes do meanwhile, and need not be restored to go on.
    """
    memory = SharedMemory(descriptor, seats, lanes)
    background = Background(memory.background, memory.departed[seat])
    observe = partial(features.observe, background)
    slots = memory.slots[seat]
    emulators = [make_emulator() for _ in range(lanes)]
    channel.sendall(bytes([READY]))
    while numbers := channel.recv(lanes):
        for lane in numbers:
            is_made = make_call(slots[lane], emulators[lane], observe, memory)
            channel.sendall(bytes([lane if is_made else lane + SKIPPED]))


def make_call(slot: Slot, emulator: Emulator, observe: Observe, memory: SharedMemory) -> bool:
    """Answer the call in a slot, unless its decision is over."""
    started = time.perf_counter()
    before = emulator.work
    call = slot.call()
    if call.decision != memory.decision:
        return False
    if call.state is not None:
        emulator.restore(call.state)
    try:
        outcome = emulator.act(call.action, observe)
        act_seconds, kernel_seconds = (
            after - then for after, then in zip(emulator.work, before, strict=True)
        )
        slot.put_answer(outcome, (time.perf_counter() - started, act_seconds, kernel_seconds))
    except InputError as error:
        # The user's, who has brought the features: another worker would fail in the same way.
        slot.put_failure(error)
    return True
