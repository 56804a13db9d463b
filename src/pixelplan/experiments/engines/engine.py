"""The protocol between a sweep and its engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, Self

if TYPE_CHECKING:
    from types import TracebackType

    from pixelplan.experiments.spec import Episode
    from pixelplan.play.run_folder import Files


@dataclass(frozen=True, kw_only=True, slots=True)
class Ended:
    """The end of an attempt to play an episode: its files, or an error."""

    episode: Episode
    files: Files | None = None
    error: str = ""


class Engine(Protocol):
    """Plays several episodes at once. A dead process costs the episode that it played, nothing more."""

    def __enter__(self) -> Self:
        """Get ready."""
        ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Stop all episodes that are being played, and leave nothing behind."""
        ...

    def cores(self) -> int:
        """Return the number of cores, busy or not."""
        ...

    def start(self, episode: Episode) -> None:
        """Begin to play an episode."""
        ...

    def wait(self, seconds: float) -> Ended | None:
        """Return an episode that has ended, or None if none has after so many seconds."""
        ...
