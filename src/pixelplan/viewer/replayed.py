"""A recorded episode, shown again: any decision, with its tree, at any time."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from pixelplan.errors import InputError
from pixelplan.play.run_folder import NODES_FILE, find_run_folders
from pixelplan.viewer.messages import Play, Seek
from pixelplan.viewer.show import Show, describe_episode

if TYPE_CHECKING:
    from pathlib import Path

    from pixelplan.viewer.messages import Wish
    from pixelplan.viewer.record import Recording
    from pixelplan.viewer.scene import RootView
    from pixelplan.viewer.stage import Message, Stage


def find_runs(folder: Path) -> dict[str, Path]:
    """Return the run folders with a trace by name: this folder, or those below it."""
    if not folder.exists():
        raise InputError(f"{folder} does not exist")
    runs = find_run_folders(folder)
    if not runs:
        raise InputError(f"{folder} is no run folder, and there is none below it")
    traced = [run for run in runs if (run / NODES_FILE).exists()]
    if not traced:
        raise InputError(f"{folder} has no trees: play with --out and --trace")
    return {folder.resolve().name if run == folder else str(run.relative_to(folder)): run for run in traced}


class ReplayedShow(Show):
    """A run, shown from any decision on. It can be watched while it is still being read."""

    def __init__(self, stage: Stage, name: str, recording: Recording, *, may_import: bool = False) -> None:
        self._recording = recording
        run = recording.run
        super().__init__(stage, run.settings, may_import=may_import)
        self.backgrounds = recording.backgrounds
        self._records = run.decisions
        self._decision = 0
        self._seeks = 0
        self._has_read_more = asyncio.Event()
        self._failure: Exception | None = None
        stage.reset(
            describe_episode(
                run.settings,
                is_live=False,
                has_tiles=self._lookback.has_tiles,
                run=name,
                decisions=len(self._records),
            )
        )
        stage.frames = [record.frames for record in self._records]
        stage.scores = [record.score for record in self._records]
        budget = run.settings.budget()
        stage.show_status(budget_seconds=budget.seconds, calls=budget.calls)

    async def run(self) -> None:
        """Show the run to its end, and again from wherever a page wants."""
        reading = asyncio.create_task(self._read())
        try:
            await self._until_read(1)
            await self._go_to(0, seeks=0)
            while True:
                await self._turn()
                await self._play_decision()
        finally:
            reading.cancel()

    def root(self) -> RootView:
        """Return where the lookahead that is shown began."""
        return self._recording.root(self._decision)

    async def grant(self, wish: Wish) -> Message | None:
        """Do what a page asks for."""
        match wish:
            case Seek(decision) if decision >= len(self._records):
                raise InputError(f"the run has {len(self._records)} decisions")
            case Seek(decision):
                await self._jump_to(decision)
                return None
            case Play() if self.stage.status.is_over:
                await self._jump_to(0)
        return await super().grant(wish)

    async def _read(self) -> None:
        """Play the recorded actions again, in the background."""
        progress = self._recording.read()
        try:
            while (count := await asyncio.to_thread(next, progress, None)) is not None:
                if count > 0:
                    played = self._recording.moments[-1].frames - self._recording.moments[-2].frames
                    self.frame_actions += [self._records[count - 1].action] * played
                self._has_read_more.set()
        except Exception as error:
            # Whoever waits for more is told.
            self._failure = error
            self._has_read_more.set()

    async def _until_read(self, moments: int) -> None:
        while len(self._recording.moments) < moments:
            if self._failure is not None:
                raise self._failure
            self._has_read_more.clear()
            await self._has_read_more.wait()

    async def _play_decision(self) -> None:
        """Show what was played, then the next decision."""
        decision, seeks = self._decision, self._seeks
        await self._until_read(decision + 2)
        await self._show_frames(self._recording.clip(decision), ahead=0)
        if seeks != self._seeks:
            return
        if decision + 1 < len(self._records):
            await self._go_to(decision + 1, seeks)
        else:
            self._set_playing(is_playing=False)
            self._show_standing(decision + 1)
            self.stage.show_status(is_over=True, message="The recording ends here.")

    async def _jump_to(self, decision: int) -> None:
        """Show a decision, whatever was being shown."""
        self._seeks += 1
        self._waiting_frames.clear()
        self._are_shown.set()
        seeks = self._seeks
        await self._until_read(decision + 1)
        await self._go_to(decision, seeks)

    async def _go_to(self, decision: int, seeks: int) -> None:
        """Show a decision, before what was decided is played, unless another one is wanted meanwhile."""
        # A tree may be large, and pages are served meanwhile.
        tree = await asyncio.to_thread(self._recording.tree, decision)
        if seeks != self._seeks:
            return
        self._decision = decision
        self.stage.tree = tree
        self._show_standing(decision)
        record = self._records[decision]
        self.stage.show_status(decision=decision, bold=record.bold, is_over=False, message=None)
        self.stage.show_decision(record)

    def _show_standing(self, decision: int) -> None:
        """Show how the game stands before a decision, or at the end."""
        moment = self._recording.moments[decision]
        self.stage.show_frame(moment.screen)
        self.stage.show_status(score=moment.score, lives=moment.lives, frames=moment.frames)
