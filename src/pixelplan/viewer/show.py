"""What live and recorded episodes have in common: a stage, a pace at which frames are shown, and answers."""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from pixelplan.errors import InputError
from pixelplan.planning.settings import PRESETS
from pixelplan.play.backgrounds import Backgrounds
from pixelplan.reference.scores import HUMAN, RANDOM, paper_table2, reference_scores
from pixelplan.simulators.ale import ACTION_NAMES, AtariGame
from pixelplan.simulators.games import FRAMES_PER_SECOND
from pixelplan.viewer.encoding import background_message, clip_message, encode_screen, screen_message
from pixelplan.viewer.messages import (
    Background,
    Branch,
    Episode,
    Novel,
    NovelCounts,
    Novelty,
    Pause,
    Play,
    Question,
    Screen,
    Speed,
    Step,
    to_json,
)
from pixelplan.viewer.scene import Lookback

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    import numpy as np
    import numpy.typing as npt

    from pixelplan.planning.simulator import Action
    from pixelplan.play.settings import EpisodeSettings
    from pixelplan.viewer.messages import Wish
    from pixelplan.viewer.scene import Found, RootView
    from pixelplan.viewer.stage import Message, Stage

Seen = TypeVar("Seen")

PAPER_COLUMN = "ras_rollout_iw1_0.5s"
"""Of the paper's Table 2: its best planner, with the smaller of its budgets."""
MAX_CLIP_ACTIONS = 60
"""A branch is shown from its root on, no longer than this."""
MAX_LISTED = 200
"""Novel features of one kind."""


class Show(ABC):
    """An episode on a stage. Everything of it happens in one event loop."""

    def __init__(self, stage: Stage, settings: EpisodeSettings, *, may_import: bool) -> None:
        self.stage = stage
        self.settings = settings
        self.frame_actions: list[Action] = []
        """What was played at each frame since the no-op actions."""
        self.backgrounds = Backgrounds()
        self._lookback = Lookback(settings, may_import=may_import)
        self.is_playing = True
        self.speed = 1.0
        self._may_go_on = asyncio.Event()
        self._may_go_on.set()
        self._waiting_frames: deque[bytes] = deque()
        self._are_shown = asyncio.Event()
        self._are_shown.set()
        self._one_thread = ThreadPoolExecutor(max_workers=1)

    @abstractmethod
    async def run(self) -> None:
        """Play the episode to its end."""
        ...

    def end(self) -> None:
        """End what was started; a question that was asked is still answered."""
        self._one_thread.shutdown(wait=False)

    @abstractmethod
    def root(self) -> RootView:
        """Return where the lookahead that is shown began."""
        ...

    async def grant(self, wish: Wish) -> Message | None:
        """Do what a page asks for, and return the answer if there is one; InputError says why not."""
        match wish:
            case Play():
                self._set_playing(is_playing=True)
            case Pause():
                self._set_playing(is_playing=False)
            case Step():
                self._set_playing(is_playing=False)
                self._may_go_on.set()
            case Speed(speed):
                self.speed = speed
                self.stage.show_status(speed=speed)
            case Screen() | Branch() | Novelty() | Background():
                return await self._answer(wish)
            case _:
                raise InputError(f"{type(wish).__name__.lower()}: not here")
        return None

    def _set_playing(self, *, is_playing: bool) -> None:
        self.is_playing = is_playing
        if is_playing:
            self._may_go_on.set()
        else:
            self._may_go_on.clear()
        self.stage.show_status(playing=is_playing)

    async def _turn(self) -> None:
        """Wait until there may be another decision."""
        await self._may_go_on.wait()
        if not self.is_playing:
            # One step.
            self._may_go_on.clear()

    async def _show_frames(self, frames: list[bytes], *, ahead: int) -> None:
        """Have frames shown; come back when no more than `ahead` of those before them wait."""
        self._waiting_frames.extend(frames)
        while len(self._waiting_frames) > ahead:
            self._are_shown.clear()
            await self._are_shown.wait()

    async def pace(
        self,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Show the waiting frames, 60 a second times the speed."""
        due = clock()
        while True:
            if self._waiting_frames:
                self.stage.show_frame(self._waiting_frames.popleft())
                self._are_shown.set()
            due = max(due + 1 / (FRAMES_PER_SECOND * self.speed), clock() - 0.1)
            await sleep(due - clock())

    async def _answer(self, question: Question) -> Message:
        # What is shown goes on meanwhile; the answer is about what is shown now.
        if self.stage.tree.decision < 0:
            raise InputError("there is no decision yet")
        tree, root, lookback = copy(self.stage.tree), self.root(), self._lookback
        match question:
            case Background(request):
                return background_message(request, self._find_background(tree.decision, root))
            case Screen(request, node):
                screen = await self._look_back(partial(lookback.screen, root, tree.path(node)))
                return screen_message(request, encode_screen(screen))
            case Branch(request, node):
                actions = tree.path(node)[:MAX_CLIP_ACTIONS]
                screens = await self._look_back(
                    lambda: [encode_screen(screen) for screen in lookback.clip(root, actions)]
                )
                return clip_message(request, self.settings.frameskip, screens)
            case Novelty(request, node):
                found = await self._look_back(partial(lookback.novelty, root, tree, node, self.backgrounds))
                return to_json(list_novel(found, request, node))

    async def _look_back(self, look: Callable[[], Seen]) -> Seen:
        """Look again in a thread: one at a time, because they share the emulators.

        A thread goes on when whoever has asked is gone; a lock would be free by then.
        """
        return await asyncio.get_running_loop().run_in_executor(self._one_thread, look)

    def _find_background(self, decision: int, root: RootView) -> npt.NDArray[np.bool_]:
        colours = self.backgrounds.at(decision)
        if colours is None:
            raise InputError("these features have no background, or it was not recorded")
        is_background: npt.NDArray[np.bool_] = colours == root.screen >> 1
        return is_background


def list_novel(found: Found, request: int, node: int) -> Novel:
    """Return what a page is told of novel features: not more of a kind than can be read."""
    kinds = found.atoms._asdict()
    return Novel(
        request=request,
        node=node,
        judged=found.is_judged,
        count=sum(map(len, kinds.values())),
        counts=NovelCounts(**{kind: len(atoms) for kind, atoms in kinds.items()}),
        **{kind: atoms[:MAX_LISTED].tolist() for kind, atoms in kinds.items()},
    )


def describe_episode(
    settings: EpisodeSettings,
    *,
    is_live: bool,
    has_tiles: bool,
    run: str | None = None,
    decisions: int | None = None,
) -> Episode:
    """Return what a page is told of an episode."""
    scores = reference_scores().columns
    waits = not (is_live and settings.realtime)
    return Episode(
        game=settings.game,
        preset=find_preset(settings),
        planner=settings.planner,
        features=settings.features,
        frameskip=settings.frameskip,
        loss_cost=settings.alpha if settings.risk_averse else 0,
        death_cost=settings.alpha * settings.death_penalty if settings.risk_averse else 0,
        seconds=settings.seconds,
        calls=settings.calls,
        budget_seconds=settings.budget().seconds,
        workers=settings.workers,
        realtime=settings.realtime,
        seed=settings.seed,
        run=run,
        action_names=list(ACTION_NAMES),
        actions=list(AtariGame(settings.game).action_set(settings.actions)),
        human=scores[HUMAN].get(settings.game),
        random=scores[RANDOM].get(settings.game),
        paper=paper_table2().columns[PAPER_COLUMN].get(settings.game),
        can_pause=waits,
        can_control=is_live and waits,
        can_seek=not is_live,
        can_restart=is_live,
        has_tiles=has_tiles,
        decisions=decisions,
    )


def find_preset(settings: EpisodeSettings) -> str | None:
    """Return the preset that the settings are of."""
    values = asdict(settings)
    for name, preset in PRESETS.items():
        if all(values[key] == value for key, value in asdict(preset).items()):
            return name
    return None
