"""The house: one stage, and one show after another on it."""

from __future__ import annotations

import asyncio
import io
import logging
from abc import ABC, abstractmethod
from dataclasses import asdict, replace
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Literal

from pixelplan.errors import InputError
from pixelplan.planning.planners import PLANNERS
from pixelplan.planning.settings import PRESETS
from pixelplan.play.episode import PlayedEpisode
from pixelplan.play.video import Encoder
from pixelplan.simulators.ale import AtariGame
from pixelplan.simulators.games import PAPER_GAMES
from pixelplan.system.importing import origin_of
from pixelplan.viewer.live import LiveShow
from pixelplan.viewer.messages import Hello, Open, Start
from pixelplan.viewer.record import Recording
from pixelplan.viewer.replayed import ReplayedShow, find_runs
from pixelplan.viewer.stage import Stage

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from pathlib import Path

    from pixelplan.play.settings import EpisodeSettings
    from pixelplan.viewer.messages import Wish
    from pixelplan.viewer.show import Show
    from pixelplan.viewer.stage import Message


class Theatre(ABC):
    """Gives shows, one after another, until cancelled."""

    def __init__(self, mode: Literal["live", "replay"], *, games: list[str], runs: list[str]) -> None:
        self.stage = Stage(
            Hello(mode=mode, games=games, presets=[*PRESETS], runs=runs, version=version("pixelplan"))
        )
        self._show: Show | None = None
        self._is_changing = asyncio.Event()
        self._has_closed = False

    @abstractmethod
    def next_show(self) -> Show:
        """Return the show that is to be given now."""
        ...

    async def run(self) -> None:
        """Give shows."""
        try:
            while True:
                self._is_changing.clear()
                self._show = show = self.next_show()
                performing = asyncio.create_task(self._perform(show))
                try:
                    await self._is_changing.wait()
                finally:
                    performing.cancel()
                    await asyncio.wait([performing])
                    show.end()
        finally:
            self._has_closed = True

    async def _perform(self, show: Show) -> None:
        """Give one. If it fails, the stage tells so, and others can be given."""
        pacing = asyncio.create_task(show.pace())
        try:
            await show.run()
            await pacing
        except InputError as error:
            self.stage.show_status(playing=False, message=str(error))
        except Exception as error:
            logging.getLogger(__name__).exception("the show has failed")
            self.stage.show_status(playing=False, message=f"the show has failed: {error!r}")
        finally:
            pacing.cancel()

    def change(self) -> None:
        """Have the next show given."""
        self._is_changing.set()

    async def grant(self, wish: Wish) -> Message | None:
        """Do what a page asks for, and return the answer if there is one; InputError says why not."""
        if self._show is None:
            raise InputError("the game is not there yet")
        return await self._show.grant(wish)

    def make_video(self, is_unwanted: Callable[[], bool] = lambda: False) -> tuple[str, bytes]:
        """Return a name and the video of what was played so far, unless nobody wants it any more."""
        if self._show is None:
            raise InputError("the game is not there yet")
        settings, actions = self._show.settings, list(self._show.frame_actions)
        content = io.BytesIO()
        encoder = Encoder(content)
        episode = PlayedEpisode(settings, encoder.add)
        for action in actions:
            if self._has_closed or is_unwanted():
                raise InputError("nobody waits for the video any more")
            episode.play_frame(action)
        encoder.finish()
        return f"{settings.game}.mp4", content.getvalue()


class LiveTheatre(Theatre):
    """Games that are played while they are watched."""

    def __init__(self, settings: EpisodeSettings) -> None:
        super().__init__("live", games=sorted({*PAPER_GAMES, settings.game}), runs=[])
        self._settings = settings

    def next_show(self) -> Show:
        """Begin a game."""
        return LiveShow(self.stage, self._settings)

    async def grant(self, wish: Wish) -> Message | None:
        """Do what a page asks for."""
        if not isinstance(wish, Start):
            return await super().grant(wish)
        self._settings = other_episode(self._settings, wish)
        self.change()
        return None


def other_episode(settings: EpisodeSettings, wish: Start) -> EpisodeSettings:
    """Return the settings of another episode, like those of one before."""
    seconds, calls = wish.seconds, wish.calls
    changes: dict[str, Any] = asdict(PRESETS[wish.preset]) | {"game": AtariGame(wish.game).name}
    if settings.realtime:
        seconds = None
    elif seconds is None and calls is None:
        raise InputError("a budget needs seconds, calls or both")
    return replace(settings, **changes, seconds=seconds, calls=calls, deterministic=False)


class ReplayTheatre(Theatre):
    """Runs that were recorded, in a folder or in the folders below it."""

    def __init__(
        self, folder: Path, *, trusted: Collection[str] = (), tell: Callable[[str], None] = lambda _: None
    ) -> None:
        self._trusted = trusted
        self._tell = tell
        self._runs = find_runs(folder)
        super().__init__("replay", games=[], runs=[*self._runs])
        self._open(next(iter(self._runs)))

    def _open(self, name: str) -> None:
        recording = Recording(self._runs[name])
        if not recording.visits:
            raise InputError(f"{self._runs[name]} has no decisions")
        self._name, self._recording = name, recording
        planner = recording.run.settings.planner
        self._may_import = planner in self._trusted
        if planner not in PLANNERS and not self._may_import:
            self._tell(
                f"run {name} names the planner {planner}, which is not imported (from {origin_of(planner)}): "
                f"if you trust it, say --trust {planner}"
            )

    def next_show(self) -> Show:
        """Open a run."""
        return ReplayedShow(self.stage, self._name, self._recording, may_import=self._may_import)

    async def grant(self, wish: Wish) -> Message | None:
        """Do what a page asks for."""
        if not isinstance(wish, Open):
            return await super().grant(wish)
        # Only what was found at the start can be opened: a name is never a path.
        if wish.run not in self._runs:
            raise InputError(f"there is no run {wish.run!r} here")
        await asyncio.to_thread(self._open, wish.run)
        self.change()
        return None
