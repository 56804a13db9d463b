"""An Atari game whose lookahead is simulated by several processes at once."""

from __future__ import annotations

import sys
import time
from functools import partial
from typing import TYPE_CHECKING

from pixelplan.errors import InputError
from pixelplan.features.feature_sets import DEFAULT_FEATURES, FeatureSet, find_feature_set
from pixelplan.planning.limits import Positive, check
from pixelplan.planning.simulator import InOrder
from pixelplan.simulators.ale import AtariGame
from pixelplan.simulators.atari import AtariSimulator
from pixelplan.simulators.emulator import Work
from pixelplan.simulators.emulators import make_emulator
from pixelplan.simulators.worker_pool import HANG_SECONDS, WorkerPool

if TYPE_CHECKING:
    from collections.abc import Callable

    from pixelplan.planning.simulator import Dispatcher
    from pixelplan.simulators.emulator import EmulatorMaker
    from pixelplan.simulators.games import ActionSet

LANES = 2
"""Calls that lie at a worker: one is made while the tree takes in the other."""


class AtariPool(AtariSimulator):
    """An Atari simulator with worker processes. Use it in a `with` statement, or close it.

    A worker has two calls at a time. One deterministic worker has one, which makes the search exactly
    that of a simulator without workers. A worker that is silent for `hang_seconds`, with a call to make, is
    replaced. The workers' emulators are made as that of this process, unless said otherwise.
    """

    def __init__(
        self,
        game: str | AtariGame,
        *,
        workers: int,
        is_deterministic: bool = False,
        make_emulator: EmulatorMaker = make_emulator,
        make_worker_emulator: EmulatorMaker | None = None,
        hang_seconds: float = HANG_SECONDS,
        frameskip: int = 15,
        actions: ActionSet = "full",
        features: str | FeatureSet = DEFAULT_FEATURES,
        seed: int = 0,
    ) -> None:
        check("workers", workers, Positive)
        check("frameskip", frameskip, Positive)
        check("seed", seed, int)
        if sys.platform != "linux":
            raise InputError("worker processes need Linux: set workers to 0")
        known = find_feature_set(features)
        played = game if isinstance(game, AtariGame) else AtariGame(game, seed=seed)
        self.pool = WorkerPool(
            partial(
                make_worker_emulator or make_emulator, played.name, frameskip=frameskip, seed=played.seed
            ),
            workers,
            features=known,
            lanes=1 if workers == 1 and is_deterministic else LANES,
            hang_seconds=hang_seconds,
        )
        self._dispatcher = InOrder(self.pool, time.monotonic) if is_deterministic else self.pool
        try:
            super().__init__(
                played,
                frameskip=frameskip,
                actions=actions,
                features=known,
                make_emulator=make_emulator,
                seed=seed,
            )
        except BaseException:
            self.pool.close()
            raise

    def close(self) -> None:
        """End all workers."""
        self.pool.close()

    def dispatcher(self, clock: Callable[[], float]) -> Dispatcher:  # noqa: ARG002
        """Return the pool of workers."""
        return self._dispatcher

    def work(self) -> Work:
        """Return how long the workers' emulators and kernels have worked so far."""
        return Work(self.pool.act_seconds, self.pool.kernel_seconds)

    def _amend_background(self) -> None:
        for departed in self.pool.departed():
            self._background.departed |= departed
        super()._amend_background()
        self.pool.share_background(self._background.colours)
