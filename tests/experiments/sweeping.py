"""What the tests of sweeps share: a small experiment, and an engine that plays in this process."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import cache
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from pixelplan.experiments.engines.engine import Ended
from pixelplan.experiments.playing import play_to_files
from pixelplan.experiments.spec import Episode, Experiment, make_experiment

if TYPE_CHECKING:
    from pixelplan.experiments.ledger import Row
    from pixelplan.play.run_folder import Files

SPEC: dict[str, Any] = {
    "title": "Small",
    "games": ["pong", "breakout"],
    "runs": 2,
    "settings": {"decisions": 2, "noops": 0},
    "columns": {"ras": {"calls": 4}, "iw": {"preset": "iw", "calls": 3, "runs": 1}},
}

NAMES = [
    *("ras/pong-1", "ras/breakout-1", "iw/pong-1", "iw/breakout-1", "ras/pong-2", "ras/breakout-2"),
]
"""The episodes of SPEC, in their order."""

play_once = cache(play_to_files)
"""Episodes are deterministic: the tests need to play each only once."""


def make(**changes: object) -> Experiment:
    return make_experiment(SPEC | changes)


class SameProcess:
    """An engine without processes. `fault` may return an error instead of letting an episode be played."""

    def __init__(self, cores: int = 2, fault: Callable[[Episode, int], str | None] | None = None) -> None:
        self.started: list[str] = []
        self.most_running = 0
        self._cores = cores
        self._fault = fault
        self._running: deque[Episode] = deque()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._running.clear()

    def cores(self) -> int:
        return self._cores

    def start(self, episode: Episode) -> None:
        self.started.append(episode.name)
        self._running.append(episode)
        self.most_running = max(self.most_running, len(self._running))

    def wait(self, seconds: float) -> Ended | None:
        assert seconds > 0
        episode = self._running.popleft()
        error = self._fault and self._fault(episode, self.started.count(episode.name))
        if error:
            return Ended(episode=episode, error=error)
        files: Files = play_once(episode.settings)
        return Ended(episode=episode, files=files)


class Listener:
    """An observer that remembers what it hears."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.rows: list[str] = []
        self.begun_with: tuple[list[str], list[str]] = ([], [])

    def say(self, line: str) -> None:
        self.lines.append(line)

    def begin(self, missing: list[Episode], finished: list[Row]) -> None:
        self.begun_with = ([episode.name for episode in missing], [row.name for row in finished])

    def finished(self, row: Row) -> None:
        self.rows.append(row.name)

    def failed(self, episode: Episode, error: str, *, is_last: bool) -> None:
        self.lines.append(f"{episode.name} failed{' for good' if is_last else ''}: {error}")

    def look(self) -> None:
        pass
