"""A recorded episode, shown again: any decision, with its tree, at any time."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from pixelplan.errors import InputError
from pixelplan.play.run_folder import NODES_FILE, find_run_folders
from pixelplan.viewer.messages import Play, Seek
from pixelplan.viewer.show import Show, describe_episode, find_preset

if TYPE_CHECKING:
    from pathlib import Path

    from pixelplan.viewer.messages import Wish
    from pixelplan.viewer.record import Recording
    from pixelplan.viewer.scene import RootView
    from pixelplan.viewer.stage import Message, Stage

SHOWN_COLUMNS = (
    *("value", "seconds", "nodes", "new_nodes", "rollouts", "depth", "ending"),
    *("reward", "score", "frames", "lives", "late"),
)
"""Of decisions.parquet, told to the page under the same names."""
CASE_COLUMNS = (
    "untested",
    "case_1",
    "case_2",
    "case_3",
    "case_4",
    "dead_ends",
    "too_deep",
    "twins",
    "followed",
)
"""By the cases' numbers. Earlier versions do not have the last three."""


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

    def __init__(self, stage: Stage, name: str, recording: Recording) -> None:
        self._recording = recording
        run = recording.run
        super().__init__(stage, run.settings)
        self.backgrounds = recording.backgrounds
        self._columns = {name: column.tolist() for name, column in run.decisions.items()}
        self._total = len(self._columns["action"])
        self._decision = 0
        self._seeks = 0
        self._has_read_more = asyncio.Event()
        self._failure: Exception | None = None
        stage.reset(
            describe_episode(
                run.settings,
                preset=find_preset(run.settings),
                run=name,
                can_pause=True,
                can_control=False,
                can_seek=True,
                can_restart=False,
                has_tiles=self._lookback.has_tiles,
                decisions=self._total,
            )
        )
        stage.frames, stage.scores = self._columns["frames"], self._columns["score"]
        stage.show_status(
            playing=True,
            speed=self.speed,
            controlled=False,
            decision=0,
            bold=False,
            score=0,
            lives=0,
            frames=0,
            is_over=False,
            message=None,
        )

    async def run(self) -> None:
        """Show the run to its end, and again from wherever a page wants."""
        reading = asyncio.create_task(self._read())
        try:
            await self._until_read(1)
            if self._seeks == 0:
                self._go_to(0)
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
            case Seek(decision) if decision >= self._total:
                raise InputError(f"the run has {self._total} decisions")
            case Seek(decision):
                await self._jump_to(decision)
                return None
            case Play() if self.stage.status["is_over"]:
                await self._jump_to(0)
        return await super().grant(wish)

    async def _read(self) -> None:
        """Play the recorded actions again, in the background."""
        progress, actions = self._recording.read(), self._columns["action"]
        try:
            while (count := await asyncio.to_thread(next, progress, None)) is not None:
                if count > 0:
                    played = self._recording.moments[-1].frames - self._recording.moments[-2].frames
                    self.frame_actions += [actions[count - 1]] * played
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
        if decision + 1 < self._total:
            self._go_to(decision + 1)
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
        if seeks == self._seeks:
            self._go_to(decision)

    def _go_to(self, decision: int) -> None:
        """Show a decision, before what was decided is played."""
        self._decision = decision
        self.stage.tree = self._recording.tree(decision)
        self._show_standing(decision)
        is_bold = self._recording.is_bold(decision)
        self.stage.show_status(decision=decision, bold=is_bold, is_over=False, message=None)
        row = {name: column[decision] for name, column in self._columns.items()}
        # Earlier versions do not tell the branch.
        branch = [int(action) for action in row.get("branch", str(row["action"])).split()]
        self.stage.show_decision(
            {name: row[name] for name in SHOWN_COLUMNS}
            | {"decision": decision, "action": row["action"], "chosen": branch[0], "branch": branch}
            | {"calls": row["simulator_calls"]}
            | {"cases": [row.get(name, 0) for name in CASE_COLUMNS]}
        )

    def _show_standing(self, decision: int) -> None:
        """Show how the game stands before a decision, or at the end."""
        moment = self._recording.moments[decision]
        self.stage.show_frame(moment.screen)
        self.stage.show_status(score=moment.score, lives=moment.lives, frames=moment.frames)
