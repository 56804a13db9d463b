"""The live line of a game in progress, on a terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import TracebackType

    from rich.live import Live

    from pixelplan.play.episode import PlayedDecision
    from pixelplan.play.settings import EpisodeSettings


class Progress:
    """Shows one line on standard error that follows the game; nothing if that is no terminal."""

    def __init__(self, settings: EpisodeSettings) -> None:
        self._settings = settings
        self._late = 0
        self._live: Live | None = None
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.live import Live

            # Without a thread of its own, which would take time from the planner.
            self._live = Live(
                f"{settings.game}: getting ready",
                console=Console(stderr=True, highlight=False),
                auto_refresh=False,
                transient=True,
            )

    def __enter__(self) -> Progress:
        """Begin to show the line."""
        if self._live is not None:
            self._live.start(refresh=True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Take the line away."""
        if self._live is not None:
            self._live.stop()

    def show(self, played: PlayedDecision) -> None:
        """Show how the game stands after a decision."""
        self._late += played.is_late
        if self._live is not None:
            trace = played.decision.trace
            line = (
                f"{self._settings.game}  score [bold]{played.score}[/]  lives {played.lives}  "
                f"frame {played.frames}/{self._settings.max_frames}  "
                f"decision {1000 * trace.seconds:.0f} ms, {trace.simulator_calls} calls"
            )
            if self._settings.realtime:
                line += f"  late {self._late}"
            self._live.update(line, refresh=True)
