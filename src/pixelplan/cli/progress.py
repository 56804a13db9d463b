"""The live line of a game in progress, on a terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import TracebackType

    from pixelplan.play.episode import EpisodeSettings, PlayedDecision


class Progress:
    """Shows one line on standard error that follows the game; nothing if that is no terminal."""

    def __init__(self, settings: EpisodeSettings) -> None:
        self._settings = settings
        self._status = None
        if sys.stderr.isatty():
            from rich.console import Console

            self._status = Console(stderr=True).status(f"{settings.game}: getting ready")

    def __enter__(self) -> Progress:
        """Begin to show the line."""
        if self._status is not None:
            self._status.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Take the line away."""
        if self._status is not None:
            self._status.stop()

    def show(self, played: PlayedDecision) -> None:
        """Show how the game stands after a decision."""
        if self._status is not None:
            trace = played.decision.trace
            self._status.update(
                f"{self._settings.game}  score {played.score}  lives {played.lives}  "
                f"frame {played.frames}/{self._settings.max_frames}  "
                f"{1000 * trace.seconds:.0f} ms  {trace.simulator_calls} calls"
            )
