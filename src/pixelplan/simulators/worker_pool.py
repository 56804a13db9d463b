"""Many emulator processes that make the calls of one search.

A call travels with its state, so any worker can make any call. A worker that dies or hangs costs no more
than the calls it had. They are asked again of others, and a spare that is ready takes its place. Two calls
at a time lie at each worker, so that it has the next one when it has made one.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import select
import time
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from pixelplan.errors import InputError
from pixelplan.features.feature_sets import DEFAULT_FEATURES, FeatureSet, find_feature_set
from pixelplan.planning.simulator import Arrival, Request
from pixelplan.simulators.atari import AtariState, make_transition
from pixelplan.simulators.shared_memory import SharedMemory
from pixelplan.simulators.worker import READY, SKIPPED, serve
from pixelplan.system.child_process import ChildProcess
from pixelplan.system.streams import above_standard

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    import numpy.typing as npt

    from pixelplan.simulators.emulator import Emulator
    from pixelplan.simulators.shared_memory import Slot

NICENESS = 5
"""Niceness of workers. The process that has the tree must run as soon as there is something for it to do."""
HANG_SECONDS = 1.0
"""Seconds after which a worker is replaced if it has a call to make and is silent."""
POLL_SECONDS = 0.001
"""Shortest time that the system can be asked to wait."""
MAX_FAILURES = 10
"""Greatest number of workers that may end in a row while none answers."""


class Job(NamedTuple):
    """A request that is under way."""

    decision: int
    ticket: int
    request: Request


class Lane:
    """One of the calls that a worker may have at a time, and where its emulator stands."""

    __slots__ = ("job", "number", "slot", "standing_at")

    def __init__(self, number: int, slot: Slot) -> None:
        self.number = number
        self.slot = slot
        self.job: Job | None = None
        self.standing_at: AtariState | None = None


class Worker:
    """A worker process, as the pool sees it."""

    def __init__(
        self, memory: SharedMemory, seat: int, make_emulator: Callable[[], Emulator], features: FeatureSet
    ) -> None:
        slots = memory.slots[seat]
        seats, lanes = len(memory.slots), len(slots)
        self.seat = seat
        self.process = ChildProcess(
            serve,
            *(make_emulator, features, memory.descriptor, seats, lanes, seat),
            descriptors=(memory.descriptor,),
            niceness=NICENESS,
        )
        self.lanes = [Lane(number, slot) for number, slot in enumerate(slots)]
        self.is_ready = False
        self.load = 0
        """Number of its calls."""
        self.heard_at = 0.0
        """Time at which it last had reason to begin with a call."""

    def take(self, lane: Lane, job: Job) -> None:
        """Give it a call to make."""
        decision, _, (state, action) = job
        lane.slot.put_call(decision, action, None if lane.standing_at is state else state.emulator)
        lane.job, lane.standing_at = job, None
        if self.load == 0:
            self.heard_at = time.monotonic()
        self.load += 1
        # If it has died, the end of its channel will be read soon.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self.process.channel.send(bytes([lane.number]))

    def hear(self) -> bytes:
        """Return its messages; none if it has ended."""
        try:
            return self.process.channel.recv(64)
        except ConnectionResetError:
            return b""


def check_importable(features: FeatureSet) -> None:
    """Refuse features that a worker, which is a new process, cannot be handed."""
    try:
        content = pickle.dumps(features)
    except (pickle.PicklingError, AttributeError, TypeError):
        content = b"__main__"
    # What a script itself defines is not there in another process.
    if b"__main__" in content:
        raise InputError(
            "workers must import the features: put their functions into a module, or set workers to 0"
        )


class WorkerPool:
    """A dispatcher of requests to worker processes."""

    def __init__(
        self,
        make_emulator: Callable[[], Emulator],
        workers: int,
        *,
        features: str | FeatureSet = DEFAULT_FEATURES,
        lanes: int,
        hang_seconds: float = HANG_SECONDS,
    ) -> None:
        self.capacity = workers * lanes
        self.simulator_seconds = self.act_seconds = self.kernel_seconds = 0.0
        self.replaced_workers = 0
        self._make_emulator = make_emulator
        self._features = find_feature_set(features)
        check_importable(self._features)
        self._hang_seconds = hang_seconds
        seats = workers + 1
        self._memory = SharedMemory(above_standard(os.memfd_create("pixelplan")), seats, lanes)
        self._poller = select.poll()
        self._by_descriptor: dict[int, Worker] = {}
        self._max_active = workers
        self._active: list[Worker] = []
        self._failures = 0
        self._decision = 0
        self._is_closed = False
        self._waiting: deque[Job] = deque()
        self._arrived: deque[Arrival] = deque()
        self._check_at = 0.0
        try:
            for seat in range(seats):
                self._hire(seat)
            while len(self._active) < workers:
                self._listen(hang_seconds)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End all workers."""
        if self._is_closed:
            return
        self._is_closed = True
        workers = list(self._by_descriptor.values())
        self._by_descriptor.clear()
        self._active.clear()
        for worker in workers:
            worker.process.channel.close()
        for worker in workers:
            worker.process.end()
        self._memory.close()

    def process_ids(self) -> list[int]:
        """Return the process ids of the workers that make calls."""
        return [worker.process.process_id for worker in self._active]

    def share_background(self, colours: npt.NDArray[np.uint8]) -> None:
        """Let the workers know the background of the next decision."""
        self._memory.background[:] = colours

    def departed(self) -> list[npt.NDArray[np.uint8]]:
        """Return the pixels that have left the background, as each worker has noted them."""
        return self._memory.departed

    def send(self, ticket: int, request: Request) -> None:
        """Take a request."""
        self._waiting.append(Job(self._decision, ticket, request))
        self._assign()

    def receive(self, max_seconds: float) -> Arrival | None:
        """Wait for the transition of some request. Ends a little early rather than late."""
        if self._arrived:
            return self._arrived.popleft()
        now = time.monotonic()
        deadline = now + max_seconds
        while not self._arrived:
            if deadline - now < POLL_SECONDS:
                return None
            now = self._listen(deadline - now)
        return self._arrived.popleft()

    def abandon(self) -> None:
        """Forget all requests. Workers skip those that they have not begun with."""
        self._decision += 1
        self._memory.decision = self._decision
        self._waiting.clear()
        self._arrived.clear()

    def _assign(self) -> None:
        """Give workers the calls that wait, as far as they have room."""
        while self._waiting:
            free = self._choose_lane(self._waiting[0].request.state)
            if free is None:
                return
            worker, lane = free
            worker.take(lane, self._waiting.popleft())

    def _choose_lane(self, state: AtariState) -> tuple[Worker, Lane] | None:
        """Return the free lane that stands at a state, or one of the worker that has least to do."""
        best: tuple[Worker, Lane] | None = None
        for worker in self._active:
            for lane in worker.lanes:
                if lane.job is None:
                    if lane.standing_at is state:
                        return worker, lane
                    if best is None or worker.load < best[0].load:
                        best = worker, lane
        return best

    def _listen(self, max_seconds: float) -> float:
        """Wait for messages, take in their answers, and return the time."""
        seconds = min(max_seconds, self._hang_seconds)
        messages = [
            (self._by_descriptor[descriptor], self._by_descriptor[descriptor].hear())
            for descriptor, _ in self._poller.poll(int(seconds / POLL_SECONDS))
        ]
        now = time.monotonic()
        for worker, numbers in messages:
            worker.heard_at = now
            for number in numbers:
                self._take_message(worker, number)
            if not numbers:
                self._replace(worker)
        if now >= self._check_at:
            self._check_at = now + self._hang_seconds / 10
            self._replace_hanging(now)
        self._assign()
        return now

    def _take_message(self, worker: Worker, number: int) -> None:
        if number == READY:
            worker.is_ready = True
            self._activate()
            return
        lane = worker.lanes[number % SKIPPED]
        job, lane.job = lane.job, None
        assert job is not None, "workers answer nothing but calls"
        worker.load -= 1
        self._failures = 0
        if number >= SKIPPED:
            return
        outcome, (seconds, act_seconds, kernel_seconds) = lane.slot.answer()
        self.simulator_seconds += seconds
        self.act_seconds += act_seconds
        self.kernel_seconds += kernel_seconds
        decision, ticket, request = job
        if decision == self._decision:
            transition = make_transition(outcome, request.state.observation, self._features.describe)
            lane.standing_at = transition.state
            self._arrived.append(Arrival(ticket, transition))

    def _replace_hanging(self, now: float) -> None:
        hanging = [worker for worker in self._active if worker.load > 0]
        for worker in hanging:
            if now - worker.heard_at > self._hang_seconds:
                self._replace(worker)

    def _hire(self, seat: int) -> None:
        worker = Worker(self._memory, seat, self._make_emulator, self._features)
        descriptor = worker.process.channel.fileno()
        self._by_descriptor[descriptor] = worker
        self._poller.register(descriptor, select.POLLIN)

    def _activate(self) -> None:
        """Let ready workers make calls, as many as are wanted; any other is the spare."""
        for worker in self._by_descriptor.values():
            if worker.is_ready and worker not in self._active and len(self._active) < self._max_active:
                self._active.append(worker)

    def _replace(self, worker: Worker) -> None:
        """Ask a failed worker's calls of others, put the spare in its place, and start another."""
        descriptor = worker.process.channel.fileno()
        self._poller.unregister(descriptor)
        del self._by_descriptor[descriptor]
        worker.process.kill()
        self._failures += 1
        if self._failures > MAX_FAILURES:
            raise ChildProcessError(f"{self._failures} worker processes in a row have ended at once")
        self.replaced_workers += 1
        jobs = [lane.job for lane in worker.lanes if lane.job is not None]
        self._waiting.extendleft(job for job in jobs if job.decision == self._decision)
        if worker in self._active:
            self._active.remove(worker)
        self._activate()
        self._hire(worker.seat)
