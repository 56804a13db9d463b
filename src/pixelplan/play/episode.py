"""An episode: a game played from its start to its end, each action decided by an agent."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import TYPE_CHECKING, get_args

from pixelplan.errors import InputError
from pixelplan.features.feature_sets import FEATURE_SETS, check_name
from pixelplan.planning.budget import Budget
from pixelplan.planning.novelty import check_width
from pixelplan.planning.settings import SearchSettings
from pixelplan.play.agent import Agent, no_garbage_collection
from pixelplan.play.backgrounds import Backgrounds
from pixelplan.play.stopwatch import Stopwatch
from pixelplan.simulators.ale import ActionSet, AtariGame
from pixelplan.simulators.atari import FRAMES_PER_SECOND, NOOP, AtariSimulator
from pixelplan.simulators.pool import AtariPool

if TYPE_CHECKING:
    from pixelplan.features.feature_set import FeatureSet
    from pixelplan.planning.simulator import Action
    from pixelplan.play.agent import Decision


SimulatorMaker = Callable[["EpisodeSettings", AtariGame], AtariSimulator]

MAX_WORKERS = 64
CHOOSING_SECONDS = 0.005
"""In a real-time game a decision ends so long before its action is due."""


@dataclass(frozen=True, kw_only=True)
class EpisodeSettings(SearchSettings):
    """A search and the game it plays. The defaults are those of the published experiments."""

    game: str
    """ROM name."""
    features: str = "b-prost"
    """Name of the feature set, see feature_sets.py."""
    seconds: float | None = None
    """Wall-clock budget of a decision."""
    calls: int | None = None
    """Budget of a decision in simulator calls."""
    max_frames: int = 18_000
    """Length of the episode at 60 frames a second, no-op actions at its start not counted."""
    decisions: int | None = None
    """Largest number of decisions."""
    frameskip: int = 15
    """Frames for which an action is played."""
    actions: ActionSet = "full"
    """All 18 actions, or those that the game uses."""
    noops: int = 29
    """The episode begins with 0 to this many no-op actions, uniformly."""
    sticky: float = 0.0
    """Probability that the played game repeats the last action, at each frame."""
    seed: int = 0
    """Of every random draw."""
    workers: int = 0
    """Emulator processes; 0 = search in this process."""
    deterministic: bool = False
    """Whether transitions are judged in the order in which they were asked for. With a budget of calls
    alone they always are."""
    realtime: bool = False
    """Whether the game runs at 60 frames a second and waits for nobody."""

    def __post_init__(self) -> None:
        """Refuse values that mean nothing."""
        super().__post_init__()
        self.budget()
        check_name(self.features)
        if self.features in FEATURE_SETS:
            check_width(FEATURE_SETS[self.features].max_atoms, self.width, self.features)
        if self.subgoaling:
            raise InputError("subgoaling needs goals, and Atari games have none")
        if self.actions not in get_args(ActionSet):
            raise InputError(f"actions must be one of {', '.join(get_args(ActionSet))}, not {self.actions}")
        for name in ("max_frames", "frameskip"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} must be at least 1, not {getattr(self, name)}")
        if self.decisions is not None and self.decisions < 1:
            raise InputError(f"decisions must be at least 1, not {self.decisions}")
        if self.noops < 0:
            raise InputError(f"noops must be 0 or more, not {self.noops}")
        if not 0 <= self.sticky < 1:
            raise InputError(f"sticky must be a probability below 1, not {self.sticky}")
        self._check_processes()

    def _check_processes(self) -> None:
        if not 0 <= self.workers <= MAX_WORKERS:
            raise InputError(f"workers must be between 0 and {MAX_WORKERS}, not {self.workers}")
        if self.realtime and self.seconds is not None:
            raise InputError("a real-time game sets the budget itself: leave out seconds")
        if self.deterministic and (self.calls is None or self.realtime):
            raise InputError("deterministic needs a budget of calls: time is never twice the same")
        if self.workers > 0 and self.seconds is None and not self.realtime:
            object.__setattr__(self, "deterministic", True)

    def budget(self) -> Budget:
        """Return the budget of one decision."""
        if self.realtime:
            period_seconds = self.frameskip / FRAMES_PER_SECOND
            return Budget(
                seconds=max(period_seconds - CHOOSING_SECONDS, period_seconds / 2), calls=self.calls
            )
        return Budget(seconds=self.seconds, calls=self.calls)


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
    """A decision, what came of it, and where the game stood afterwards."""

    decision: Decision
    action: Action
    """What was played: another action than decided, if the decision was late."""
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
    """How long the episode took."""
    cpu_seconds: float = 0.0
    """How much of a CPU it had meanwhile, in all its processes together."""
    frame_seconds: tuple[float, ...] = field(default=(), repr=False)
    """When each frame was played, if the game ran in real time."""
    backgrounds: Backgrounds = field(default_factory=Backgrounds, repr=False, compare=False)
    """Of the decisions, if the features have a background."""


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


def play_episode(
    settings: EpisodeSettings,
    *,
    on_frame: Callable[[PlayedEpisode], None] | None = None,
    on_decision: Callable[[PlayedDecision], None] | None = None,
    traces_nodes: bool = False,
    make_simulator: SimulatorMaker = make_simulator,
) -> EpisodeResult:
    """Play an episode; the callbacks are told of every frame and of every decision.

    Ctrl-C ends the episode early: the result is what was played until then.
    """
    stopwatch = Stopwatch()
    episode = PlayedEpisode(settings, on_frame)
    max_decisions = math.inf if settings.decisions is None else settings.decisions
    played: list[PlayedDecision] = []
    backgrounds = Backgrounds()
    is_interrupted = False
    # Not between decisions either: the collector would run as soon as one has ended, and delay its action.
    with make_simulator(settings, episode.game) as simulator, no_garbage_collection():
        agent = Agent(simulator, settings, seed=settings.seed, traces_nodes=traces_nodes)
        try:
            while not episode.is_over() and len(played) < max_decisions:
                decision = agent.decide(settings.budget())
                backgrounds.note(len(played), simulator.background())
                played.append(_play_decision(episode, agent, simulator, decision))
                if on_decision is not None:
                    on_decision(played[-1])
        except KeyboardInterrupt:
            is_interrupted = True
    return make_result(
        settings, episode, played, stopwatch, is_interrupted=is_interrupted, backgrounds=backgrounds
    )


def make_result(
    settings: EpisodeSettings,
    episode: PlayedEpisode,
    played: list[PlayedDecision],
    stopwatch: Stopwatch,
    *,
    is_interrupted: bool,
    backgrounds: Backgrounds,
    frame_seconds: list[float] | None = None,
) -> EpisodeResult:
    """Return what was played. An episode interrupted before its first action has no result."""
    if is_interrupted and not played:
        raise KeyboardInterrupt
    # What was played of an action that was interrupted does not count.
    last = played[-1] if played else episode
    return EpisodeResult(
        settings=settings,
        score=last.score,
        frames=last.frames,
        played=tuple(played),
        is_interrupted=is_interrupted,
        wall_seconds=stopwatch.wall_seconds(),
        cpu_seconds=stopwatch.cpu_seconds(),
        frame_seconds=tuple(frame_seconds or ()),
        backgrounds=backgrounds,
    )


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
