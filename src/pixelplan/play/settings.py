"""All settings of an episode: a search, the game that it plays, and the budget of a decision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pixelplan.errors import InputError
from pixelplan.features.feature_set import DEFAULT_FEATURES
from pixelplan.planning.budget import Budget
from pixelplan.planning.limits import Form, Limits, Positive
from pixelplan.planning.novelty import check_width
from pixelplan.planning.settings import PRESETS, SearchSettings
from pixelplan.simulators.games import FRAMES_PER_SECOND, ActionSet

MAX_WORKERS = 64
MAX_FRAMESKIP = 18_000
"""Frames that are emulated without a look at signals and deadlines: a second or two."""
MAX_NOOPS = 1_000
MAX_NOOP_FRAMES = 18_000
"""Frames of no-op actions before the first decision, in all: five minutes of a game."""
CHOOSING_SECONDS = 0.005
"""In a real-time game a decision ends so long before its action is due."""


@dataclass(frozen=True, kw_only=True)
class EpisodeSettings(SearchSettings):
    """A search and the game it plays. The defaults are those of the published experiments."""

    game: str
    """ROM name, such as breakout, or Gymnasium's name, such as ALE/Breakout-v5."""
    features: Annotated[str, Form("atoms:MODULE:FUNCTION")] = DEFAULT_FEATURES
    """Features whose novelty counts, by their name in `pixelplan features`."""
    seconds: float | None = None
    """Budget of a decision in seconds of wall-clock time."""
    calls: int | None = None
    """Budget of a decision in simulator calls."""
    max_frames: Positive = 18_000
    """Length of the episode in frames, 60 a second, without the no-op actions at its start."""
    decisions: Annotated[int | None, Limits(1)] = None
    """Number of decisions after which the episode ends."""
    frameskip: Annotated[int, Limits(1, MAX_FRAMESKIP)] = 15
    """Number of frames for which an action is played."""
    actions: ActionSet = "full"
    """Actions to choose from: all 18 (full), or those that the game uses (minimal)."""
    noops: Annotated[int, Limits(0, MAX_NOOPS)] = 29
    """Largest number of no-op actions at the start. The number is drawn between 0 and this."""
    sticky: Annotated[float, Limits(0, below=1)] = 0.0
    """Probability, at each frame, that the played game repeats the last action."""
    seed: int = 0
    """Seed of all random draws."""
    workers: Annotated[int, Limits(0, MAX_WORKERS)] = 0
    """Number of emulator processes; 0 = search in this process."""
    deterministic: bool = False
    """Judge transitions in the order in which they were requested, so that the episode can be repeated
    exactly. A budget of calls alone implies it."""
    realtime: bool = False
    """Let the game run at 60 frames a second without waiting: an action is decided while the last one is
    played."""

    def __post_init__(self) -> None:
        """Refuse values that mean nothing."""
        super().__post_init__()
        self._check_game()
        self.budget()
        if self.noops * self.frameskip > MAX_NOOP_FRAMES:
            raise InputError(
                f"noops times frameskip is {self.noops * self.frameskip} frames: at most {MAX_NOOP_FRAMES}"
            )
        if self.realtime and self.seconds is not None:
            raise InputError("a real-time game sets the budget itself: leave out seconds")
        if self.deterministic and (self.calls is None or self.realtime):
            raise InputError("deterministic needs a budget of calls: time is never twice the same")
        if self.workers > 0 and self.seconds is None and not self.realtime:
            self._settle("deterministic", True)

    def _settle(self, name: str, value: object) -> None:
        # Settings that are read from files come without a constructor that could do this.
        object.__setattr__(self, name, value)

    @classmethod
    def example(cls, word: object = None) -> str:
        """Return the settings of a game, with a preset and a budget."""
        game = word if isinstance(word, str) and word not in PRESETS else "breakout"
        return f"{super().example(word)[:-1]}, game={game!r}, calls=89)"

    def _check_game(self) -> None:
        # Not before it is needed: to import these takes time.
        from pixelplan.features.feature_sets import FEATURE_SETS, check_name
        from pixelplan.planning.planners import SERIALIZED_IW
        from pixelplan.simulators.ale import rom_names
        from pixelplan.simulators.games import find_game

        self._settle("game", find_game(self.game, rom_names()))
        check_name(self.features)
        if self.features in FEATURE_SETS:
            check_width(FEATURE_SETS[self.features].max_atoms, self.width, self.features)
        if self.subgoaling or self.planner == SERIALIZED_IW:
            what = "subgoaling" if self.subgoaling else SERIALIZED_IW
            raise InputError(f"{what} needs goals, and Atari games have none")

    def budget(self) -> Budget:
        """Return the budget of one decision."""
        if self.realtime:
            period_seconds = self.frameskip / FRAMES_PER_SECOND
            return Budget(
                seconds=max(period_seconds - CHOOSING_SECONDS, period_seconds / 2), calls=self.calls
            )
        return Budget(seconds=self.seconds, calls=self.calls)
