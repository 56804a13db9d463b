"""An episode: a game played from its start to its end, each action decided by an agent."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, get_args

from pixelplan.errors import InputError
from pixelplan.features.feature_sets import FEATURE_SETS
from pixelplan.planning.budget import Budget
from pixelplan.planning.planners import PLANNERS
from pixelplan.planning.settings import SearchSettings
from pixelplan.play.agent import Agent, no_garbage_collection
from pixelplan.simulators.atari import NOOP, ActionSet, AtariGame, AtariSimulator

if TYPE_CHECKING:
    from collections.abc import Callable

    from pixelplan.planning.simulator import Action
    from pixelplan.play.agent import Decision


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

    def __post_init__(self) -> None:
        """Refuse values that mean nothing."""
        super().__post_init__()
        self.budget()
        for name, known in (("planner", PLANNERS), ("features", FEATURE_SETS)):
            if getattr(self, name) not in known:
                raise InputError(f"unknown {name} {getattr(self, name)!r}: choose from {', '.join(known)}")
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

    def budget(self) -> Budget:
        """Return the budget of one decision."""
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
    reward: int
    score: int
    frames: int
    lives: int


@dataclass(frozen=True, kw_only=True, slots=True)
class EpisodeResult:
    """An episode from its first decision to its end."""

    settings: EpisodeSettings
    score: int
    frames: int
    played: tuple[PlayedDecision, ...] = field(repr=False)


def play_episode(
    settings: EpisodeSettings,
    *,
    on_frame: Callable[[PlayedEpisode], None] | None = None,
    on_decision: Callable[[PlayedDecision], None] | None = None,
    traces_nodes: bool = False,
    make_simulator: type[AtariSimulator] = AtariSimulator,
) -> EpisodeResult:
    """Play an episode; the callbacks are told of every frame and of every decision."""
    episode = PlayedEpisode(settings, on_frame)
    simulator = make_simulator(
        episode.game,
        frameskip=settings.frameskip,
        actions=settings.actions,
        features=settings.features,
        seed=settings.seed,
    )
    agent = Agent(simulator, settings, seed=settings.seed, traces_nodes=traces_nodes)
    budget = settings.budget()
    max_decisions = math.inf if settings.decisions is None else settings.decisions
    played: list[PlayedDecision] = []
    # Not between decisions either: the collector would run as soon as one has ended, and delay its action.
    with no_garbage_collection():
        while not episode.is_over() and len(played) < max_decisions:
            decision = agent.decide(budget)
            reward = episode.play(decision.action)
            agent.observe(decision.action, simulator.arrive(episode.game, agent.state.tiles))
            played.append(
                PlayedDecision(
                    decision=decision,
                    reward=reward,
                    score=episode.score,
                    frames=episode.frames,
                    lives=episode.game.lives(),
                )
            )
            if on_decision is not None:
                on_decision(played[-1])
    return EpisodeResult(settings=settings, score=episode.score, frames=episode.frames, played=tuple(played))
