"""An episode that is played while it is watched, by the planner or by a human.

The game is played here and shown at 60 frames a second. The planner thinks in its own process, about
the state to which the shown frames lead. While a human plays, it thinks about the human's state of a
moment ago.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import Counter
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from pixelplan.errors import InputError
from pixelplan.planning.budget import Budget
from pixelplan.planning.node import NO_ACTION
from pixelplan.play.decision_record import DecisionRecord
from pixelplan.play.episode import PlayedDecision, PlayedEpisode
from pixelplan.simulators.atari import NOOP
from pixelplan.simulators.sighting import Sighting
from pixelplan.viewer import messages
from pixelplan.viewer.encoding import encode_screen
from pixelplan.viewer.scene import RootView
from pixelplan.viewer.show import Show, describe_episode
from pixelplan.viewer.thinker import Began, Decided, Errand, Failed, Grew, Played, Thinker

if TYPE_CHECKING:
    from collections.abc import Callable

    from pixelplan.planning.simulator import Action
    from pixelplan.play.agent import Decision
    from pixelplan.play.settings import EpisodeSettings
    from pixelplan.viewer.messages import Wish
    from pixelplan.viewer.stage import Message, Stage
    from pixelplan.viewer.thinker import Event


class LiveShow(Show):
    """A game, played on a stage."""

    def __init__(
        self,
        stage: Stage,
        settings: EpisodeSettings,
        make_thinker: Callable[[EpisodeSettings], Thinker] = Thinker,
    ) -> None:
        super().__init__(stage, settings, may_import=True)
        self._thinker = make_thinker(settings)
        self._events: asyncio.Queue[Event] = asyncio.Queue()
        self._new_frames: list[bytes] = []
        self._episode = PlayedEpisode(settings, self._take_frame)
        self._budget = settings.budget()
        self._is_controlled = False
        self._held_action = NOOP
        self._begun = self._decisions = 0
        self._last_screen = self._episode.game.screen()
        """At the last errand."""
        self._score_at_errand = self._episode.score
        self._root = RootView(state=self._episode.game.clone(), screen=self._last_screen, previous=None)
        stage.reset(
            describe_episode(settings, is_live=True, has_tiles=self._lookback.has_tiles),
        )
        stage.show_status(budget_seconds=self._budget.seconds, calls=self._budget.calls)
        self._show_standing()

    async def run(self) -> None:
        """Play the episode, with the planner or as a human wants it."""
        loop = asyncio.get_running_loop()
        listening = threading.Thread(target=self._listen, args=(loop,), daemon=True)
        listening.start()
        self.stage.show_frame(self._new_frames[-1])
        self._new_frames.clear()
        try:
            if self.settings.realtime:
                await self._follow_real_time()
            else:
                await self._play()
        finally:
            self._thinker.kill()
            listening.join()
        await self._show_frames([], ahead=0)
        self.stage.show_status(is_over=True, playing=False, message="The episode is over.")

    def end(self) -> None:
        """End the planner's process."""
        super().end()
        self._thinker.kill()

    def root(self) -> RootView:
        """Return where the lookahead that is shown began."""
        return self._root

    async def grant(self, wish: Wish) -> Message | None:
        """Do what a page asks for."""
        is_real = self.settings.realtime
        match wish:
            case messages.Budget(seconds, calls) if not is_real:
                self._budget = Budget(seconds=seconds, calls=calls)
                self.stage.show_status(budget_seconds=seconds, calls=calls)
            case messages.Control(is_on) if not is_real:
                self._is_controlled, self._held_action = is_on, NOOP
                self.stage.show_status(controlled=is_on)
                if is_on:
                    self._set_playing(is_playing=True)
            case messages.Keys(action):
                self._held_action = action
            case messages.Pause() | messages.Step() | messages.Speed() | messages.Control() if is_real:
                raise InputError("a game in real time waits for nobody")
            case messages.Play() | messages.Step() if self._is_over():
                raise InputError("the episode is over: start another one")
            case _:
                return await super().grant(wish)
        return None

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        """Take the planner's events as they come, in a thread of its own: it never waits for the pages."""

        def take(event: Event) -> None:
            loop.call_soon_threadsafe(self._events.put_nowait, event)

        # Until the event loop has ended.
        with contextlib.suppress(RuntimeError):
            try:
                while True:
                    take(self._thinker.next_event())
            except EOFError:
                take(Failed(message="the planner's process has ended"))

    async def _play(self) -> None:
        errand = Errand(budget=self._budget)
        while not self._is_over():
            await self._turn()
            errand = await (self._human_period(errand) if self._is_controlled else self._planner_turn(errand))

    async def _planner_turn(self, errand: Errand) -> Errand:
        """Let the planner decide and play."""
        decision = await self._think(errand)
        self._play_frames(decision.action, self.settings.frameskip)
        self._note(decision, decision.action)
        frames, self._new_frames = self._new_frames, []
        # The next decision is made while these are shown.
        await self._show_frames(frames, ahead=len(frames))
        return self._next_errand(decision.action)

    async def _human_period(self, errand: Errand) -> Errand:
        """Let a human play, frame by frame, for as long as the planner thinks or an action lasts."""
        thinking = asyncio.ensure_future(self._think(errand))
        periods: list[Action] = []
        try:
            while not (thinking.done() and periods) and not self._episode.is_over():
                periods.append(await self._human_action())
            decision = await thinking
        finally:
            thinking.cancel()
        self._note(decision, periods[0])
        return self._next_errand(periods[0] if len(periods) == 1 else None)

    async def _human_action(self) -> Action:
        """Play as many frames as an action has, each as a human wants it; return what was held longest."""
        held: Counter[Action] = Counter()
        for _ in range(self.settings.frameskip):
            self._play_frames(self._held_action, 1)
            held[self._held_action] += 1
            frames, self._new_frames = self._new_frames, []
            await self._show_frames(frames, ahead=0)
        self._show_standing()
        return held.most_common(1)[0][0]

    async def _think(self, errand: Errand) -> Decision:
        """Have the planner decide, and show its tree as it grows."""
        self._thinker.send(replace(errand, budget=self._budget))
        while True:
            event = await self._events.get()
            await self._show(event)
            if isinstance(event, Decided):
                return event.decision

    async def _follow_real_time(self) -> None:
        """Show what a game in real time has played, a moment later."""
        while not self._is_over():
            event = await self._events.get()
            await self._show(event)
            if isinstance(event, Played):
                self._play_frames(event.played.action, self.settings.frameskip)
                self._note(
                    event.played.decision,
                    event.played.action,
                    is_late=event.played.is_late,
                    is_mispredicted=event.played.is_mispredicted,
                )
                self._last_screen = self._episode.game.screen()
                self._waiting_frames.extend(self._new_frames)
                self._new_frames.clear()
                while len(self._waiting_frames) > 2 * self.settings.frameskip:
                    # What is shown must not fall behind.
                    self._waiting_frames.popleft()

    async def _show(self, event: Event) -> None:
        match event:
            case Began():
                await self._begin(event)
            case Grew(visits=visits, branch=branch):
                self.stage.tree.add(visits)
                self.stage.tree.branch = branch
            case Failed(message=message):
                raise InputError(message)
        self.stage.wake()

    async def _begin(self, began: Began) -> None:
        """Show the tree of another decision."""
        (action,) = began.root["action"].tolist()
        if self.settings.realtime and action != NO_ACTION:
            # The game is not there yet.
            screen = await self._look_back(partial(self._lookback.screen, self._root, (action,)))
        else:
            screen = self._last_screen
        previous = None if self._begun == 0 else self._root.screen
        self._root = RootView(state=began.state, screen=screen, previous=previous)
        self.backgrounds.note(self._begun, began.background)
        self.stage.tree.begin(self._begun, began.root, is_bold=began.is_bold)
        self.stage.show_status(decision=self._begun, bold=began.is_bold)
        self._begun += 1

    def _take_frame(self, episode: PlayedEpisode) -> None:
        self._new_frames.append(encode_screen(episode.game.screen()))

    def _play_frames(self, action: Action, frames: int) -> None:
        for _ in range(frames):
            if not self._episode.is_over():
                self.frame_actions.append(action)
                self._episode.play_frame(action)

    def _is_over(self) -> bool:
        return self._episode.is_over() or self._decisions == self.settings.decisions

    def _next_errand(self, action: Action | None) -> Errand:
        self._last_screen = self._episode.game.screen()
        reward = self._episode.score - self._score_at_errand
        self._score_at_errand = self._episode.score
        sighting = Sighting.of(self._episode.game)
        return Errand(budget=self._budget, sighting=sighting, action=action, reward=reward)

    def _note(
        self, decision: Decision, action: Action, *, is_late: bool = False, is_mispredicted: bool = False
    ) -> None:
        """Show what was decided and played."""
        episode = self._episode
        played = PlayedDecision(
            decision=decision,
            action=action,
            reward=episode.score - (self.stage.scores[-1] if self.stage.scores else 0),
            score=episode.score,
            frames=episode.frames,
            lives=episode.game.lives(),
            is_late=is_late,
            is_mispredicted=is_mispredicted,
        )
        self.stage.show_decision(DecisionRecord.of(self._decisions, played))
        self.stage.add_score(episode.frames, episode.score)
        self._decisions += 1
        self._show_standing()

    def _show_standing(self) -> None:
        episode = self._episode
        self.stage.show_status(score=episode.score, lives=episode.game.lives(), frames=episode.frames)
