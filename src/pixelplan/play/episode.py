"""An episode: a game played from its start to its end, each action decided by an agent."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

from pixelplan.errors import InputError, describe
from pixelplan.planning.settings import default_preset
from pixelplan.play.agent import Agent, no_garbage_collection
from pixelplan.play.backgrounds import Backgrounds
from pixelplan.play.settings import EpisodeSettings
from pixelplan.play.stopwatch import Stopwatch
from pixelplan.simulators.ale import AtariGame
from pixelplan.simulators.atari import NOOP, AtariSimulator
from pixelplan.simulators.pool import AtariPool
from pixelplan.system import interrupts

if TYPE_CHECKING:
    from pixelplan.features.feature_set import FeatureSet
    from pixelplan.planning.simulator import Action
    from pixelplan.play.agent import Decision


SimulatorMaker = Callable[["EpisodeSettings", AtariGame], AtariSimulator]


class PlayedEpisode:
    """The played game with its score; replays use it too."""

    def __init__(
        self, settings: EpisodeSettings, on_frame: Callable[[PlayedEpisode], None] | None = None
    ) -> None:
        self.game = AtariGame(settings.game, sticky=settings.sticky, seed=settings.seed)
        self.score = 0
        self.frames = 0
        """Frames since the no-op actions."""
        self._frameskip = settings.frameskip
        self._max_frames = settings.max_frames
        self._on_frame = on_frame
        self._show()
        for _ in range(Random(f"noops {settings.seed}").randint(0, settings.noops)):
            self._play_frames(NOOP, settings.frameskip)

    def is_over(self) -> bool:
        """Say whether the game has ended or time is up."""
        return self.frames >= self._max_frames or self.game.is_over()

    def play(self, action: Action) -> int:
        """Play an action for `frameskip` frames, or until the end, and return its reward."""
        before, frames_left = self.score, min(self._frameskip, self._max_frames - self.frames)
        self.frames += self._play_frames(action, frames_left)
        return self.score - before

    def play_frame(self, action: Action) -> None:
        """Play one frame, unless the episode is over."""
        if not self.is_over():
            self.frames += self._play_frames(action, 1)

    def _play_frames(self, action: Action, frames: int) -> int:
        for frame in range(frames):
            if self.game.is_over():
                return frame
            self.score += self.game.act(action)
            self._show()
        return frames

    def _show(self) -> None:
        if self._on_frame is not None:
            self._on_frame(self)


@dataclass(frozen=True, kw_only=True, slots=True)
class PlayedDecision:
    """A decision, its result, and the state of the game afterwards."""

    decision: Decision
    action: Action
    """The action that was played. It differs from the decided one if the decision was late."""
    reward: int
    score: int
    frames: int
    lives: int
    is_late: bool = False
    """Whether the game did not wait for the decision."""
    is_mispredicted: bool = False
    """Whether the decision was made for another state than the one it was played in."""


@dataclass(frozen=True, kw_only=True, slots=True)
class EpisodeResult:
    """An episode from its first decision to its end."""

    settings: EpisodeSettings
    score: int
    frames: int
    played: tuple[PlayedDecision, ...] = field(repr=False)
    is_interrupted: bool = False
    wall_seconds: float = 0.0
    """Wall-clock seconds of the episode."""
    cpu_seconds: float = 0.0
    """CPU seconds of the episode, of all its processes together."""
    frame_seconds: tuple[float, ...] = field(default=(), repr=False)
    """When each frame was played, if the game ran in real time."""
    backgrounds: Backgrounds = field(default_factory=Backgrounds, repr=False, compare=False)
    """Background of each decision, if the features have one."""


class EpisodeCutError(InputError):
    """An episode that an error has cut off: its cause. The result is what was played until then."""

    def __init__(self, result: EpisodeResult, cause: Exception) -> None:
        is_told = isinstance(cause, InputError | OSError)
        super().__init__(str(cause) if is_told else f"{type(cause).__name__}: {cause}")
        self.result = result
        self.cause = cause


def make_simulator(
    settings: EpisodeSettings, game: AtariGame, features: FeatureSet | None = None
) -> AtariSimulator:
    """Make the simulator of an episode, with or without processes of its own.

    A feature set stands in for the one that the settings name.
    """
    make: Callable[..., AtariSimulator] = AtariSimulator
    if settings.workers > 0:
        make = partial(AtariPool, workers=settings.workers, is_deterministic=settings.deterministic)
    return make(
        game,
        frameskip=settings.frameskip,
        actions=settings.actions,
        features=features or settings.features,
        seed=settings.seed,
    )


def settings_of(game: EpisodeSettings | str, changes: dict[str, Any]) -> EpisodeSettings:
    """Return the settings of an episode; of a game that is named, those of a preset with some changes."""
    if isinstance(game, str):
        preset = changes.pop("preset", default_preset(names_planner="planner" in changes))
        return EpisodeSettings.from_preset(preset, game=game, **changes)
    if not isinstance(game, EpisodeSettings):
        advice = EpisodeSettings.example(game)
        raise InputError(
            f"an episode needs EpisodeSettings or a game's name, not {describe(game)}: write {advice}"
        )
    return replace(game, **changes)


def play_episode(
    game: EpisodeSettings | str,
    *,
    on_frame: Callable[[PlayedEpisode], None] | None = None,
    on_decision: Callable[[PlayedDecision], None] | None = None,
    traces_nodes: bool = False,
    make_simulator: SimulatorMaker = make_simulator,
    **changes: Any,  # noqa: ANN401
) -> EpisodeResult:
    """Play an episode; the callbacks are told of every frame and of every decision.

    It is that of some settings, or that of a game with the `preset` that is given. Unless given it is `best`,
    or `ras` if a planner is named. Any other settings may be given as well.

    Ctrl-C ends the episode early: the result is what was played until then. If an error does, EpisodeCutError
    has it.
    """
    settings = settings_of(game, changes)
    stopwatch = Stopwatch()
    episode = PlayedEpisode(settings, on_frame)
    max_decisions = math.inf if settings.decisions is None else settings.decisions
    played: list[PlayedDecision] = []
    backgrounds = Backgrounds()

    def play() -> None:
        while not episode.is_over() and len(played) < max_decisions:
            interrupts.check()
            decision = agent.decide(settings.budget())
            backgrounds.note(len(played), simulator.background())
            played.append(_play_decision(episode, agent, simulator, decision))
            if on_decision is not None:
                on_decision(played[-1])

    # Not between decisions either: the collector would run as soon as one has ended, and delay its action.
    with make_simulator(settings, episode.game) as simulator, no_garbage_collection():
        agent = Agent(simulator, settings, seed=settings.seed, traces_nodes=traces_nodes)
        early_end = play_to_the_end(play)
    return make_result(settings, episode, played, stopwatch, early_end=early_end, backgrounds=backgrounds)


def play_to_the_end(play: Callable[[], None]) -> BaseException | None:
    """Play, and return what has ended it early. From then on signals are noted only: a game must be kept."""
    try:
        interrupts.allow()
        play()
        interrupts.hold()
    except (Exception, KeyboardInterrupt) as error:
        interrupts.hold()
        return error
    return None


def make_result(
    settings: EpisodeSettings,
    episode: PlayedEpisode,
    played: list[PlayedDecision],
    stopwatch: Stopwatch,
    *,
    early_end: BaseException | None,
    backgrounds: Backgrounds,
    frame_seconds: list[float] | None = None,
) -> EpisodeResult:
    """Return what was played. An episode that has ended before its first action has no result."""
    if early_end is not None and not played:
        raise early_end
    # What was played of an action that was interrupted does not count.
    last = played[-1] if played else episode
    result = EpisodeResult(
        settings=settings,
        score=last.score,
        frames=last.frames,
        played=tuple(played),
        is_interrupted=early_end is not None,
        wall_seconds=stopwatch.wall_seconds(),
        cpu_seconds=stopwatch.cpu_seconds(),
        frame_seconds=tuple(frame_seconds or ()),
        backgrounds=backgrounds,
    )
    if isinstance(early_end, Exception):
        raise EpisodeCutError(result, early_end) from early_end
    return result


def _play_decision(
    episode: PlayedEpisode, agent: Agent, simulator: AtariSimulator, decision: Decision
) -> PlayedDecision:
    reward = episode.play(decision.action)
    agent.observe(decision.action, simulator.arrive(episode.game, agent.state.observation), reward)
    return PlayedDecision(
        decision=decision,
        action=decision.action,
        reward=reward,
        score=episode.score,
        frames=episode.frames,
        lives=episode.game.lives(),
    )
