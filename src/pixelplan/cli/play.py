"""`pixelplan play`: play a game."""

from __future__ import annotations

import contextlib
import json
import sys
from dataclasses import dataclass, fields
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import tyro

from pixelplan.cli import INTERRUPTED
from pixelplan.cli.arguments import OptionalFloat, OptionalInt, read_arguments
from pixelplan.errors import InputError
from pixelplan.planning.paper_settings import CachedNodes, Caching, NothingFound  # noqa: TC001
from pixelplan.planning.settings import PRESETS, Preset

if TYPE_CHECKING:
    from collections.abc import Callable

    from pixelplan.play.episode import EpisodeResult, EpisodeSettings, PlayedDecision
    from pixelplan.play.video import Video

DEFAULT_PRESET: Preset = "best"
PLANNER_PRESET: Preset = "ras"
"""The default where a planner is named: `best` is made for Rollout IW."""
DEFAULT_SECONDS = 0.25
"""Real time with the default frame skip."""

Game = tyro.conf.Positional[Annotated[str, tyro.conf.arg(metavar="GAME")]]


@dataclass(frozen=True, kw_only=True)
class EpisodeFlags:
    """What determines an episode."""

    game: Game
    """ROM name, as breakout, or Gymnasium's name, as ALE/Breakout-v5."""
    preset: Preset = DEFAULT_PRESET
    """IW(1), Rollout IW(1), risk averse, risk averse with subscoring, as in the paper; or the strongest,
    the default unless a planner is named."""
    planner: str = "rollout-iw"
    """Search: see `pixelplan planners`."""
    width: int = 1
    """Size of the conjunctions of features whose novelty counts, for small feature sets."""
    features: str = "b-prost"
    """Features whose novelty counts: see `pixelplan features`."""
    seconds: OptionalFloat = None
    """Wall-clock budget of a decision."""
    calls: OptionalInt = None
    """Budget of a decision in simulator calls."""
    max_frames: int = 18_000
    """Length of the episode, 60 frames a second."""
    decisions: OptionalInt = None
    """Largest number of decisions."""
    frameskip: int = 15
    """Frames for which an action is played."""
    actions: Literal["full", "minimal"] = "full"
    """All 18 actions, or those that the game uses."""
    discount: float = 1.0
    """Factor per action for rewards further away."""
    caching: Caching = "full"
    """What is kept of the last lookahead: nothing, all but emulator states, or all."""
    risk_averse: bool = True
    """Multiply negative rewards by alpha, and penalise lost lives."""
    alpha: float = 50_000.0
    """Factor for negative rewards."""
    death_penalty: float = 10.0
    """What a lost life costs, in alphas."""
    lost_life_ends: bool = False
    """Look no further where a life is lost."""
    cautious: bool = False
    """Count only what has been seen: untried actions and what shows just the same are no way out."""
    subscoring: bool = True
    """One novelty table per logscore."""
    nothing_found: NothingFound = "longest"
    """Action when no reward is in sight: into the highest subtree, or any."""
    root_in_table: bool = True
    """Enter the root in the novelty table."""
    cached_nodes: CachedNodes = "pass"
    """Pass nodes of earlier lookaheads, or test their novelty."""
    no_effect_repeats: int = 1
    """How often an action without effect is repeated before its node is judged."""
    persistence: float = 0.0
    """Probability that a rollout repeats its last action."""
    foresight: bool = False
    """Try actions last that are likely to show just what a sibling has shown, as they did higher up in the
    tree. For Rollout IW that is cautious."""
    curiosity: float = 0.0
    """What a feature is worth that the game has not shown yet; it should be little beside any reward."""
    verifications: int = 0
    """Ways in which the best branch is followed beyond its end, before it is believed; if any, ways out are
    looked for where all is lost. For Rollout IW that is cautious and averse to risk."""
    patience: int = 0
    """Decisions without a reward or a lost life after which a life may be lost at no cost, but for the last
    one; 0: never. For searches that are averse to risk."""
    max_depth: int = 1_500
    """Depth at which a branch ends."""
    max_nodes: int = 50_000
    """Number of nodes at which a lookahead ends."""
    uct_horizon: int = 20
    """Length of a rollout of UCT, in actions."""
    uct_constant: float = 0.1
    """Weight of exploration in UCT."""
    noops: int = 29
    """Begin with 0 to this many no-op actions, at random."""
    sticky: float = 0.0
    """Probability that the played game repeats the last action, at each frame."""
    seed: int = 0
    """Of every random draw."""
    workers: OptionalInt = None
    """Emulator processes; 0 = search in this process. Unless given: one for each core, but 0 with a budget
    of calls alone."""
    deterministic: bool = False
    """Judge transitions in the order in which they were asked for; a budget of calls alone implies it."""
    realtime: bool = False
    """The game runs at 60 frames a second and does not wait: an action is decided while the last one is
    played."""

    def episode_settings(self) -> EpisodeSettings:
        """Return what determines the episode."""
        from pixelplan.features.feature_sets import find_feature_set
        from pixelplan.play.episode import MAX_WORKERS, EpisodeSettings
        from pixelplan.simulators.ale import AtariGame
        from pixelplan.system.cores import usable_cores

        names = {field.name for field in fields(EpisodeSettings)}
        values = {name: value for name, value in vars(self).items() if name in names}
        # Before anything is written: are there such features and such a game, and can it be played?
        find_feature_set(self.features)
        values["game"] = AtariGame(self.game).name
        if self.seconds is None and self.calls is None and not self.realtime:
            values["seconds"] = DEFAULT_SECONDS
        if self.workers is None:
            is_timed = self.realtime or values["seconds"] is not None
            values["workers"] = min(usable_cores(), MAX_WORKERS) if is_timed else 0
        return EpisodeSettings(**values)


@dataclass(frozen=True, kw_only=True)
class Play(EpisodeFlags):
    """Play a game: look ahead, choose an action, play it, until the game is over.

    A budget of neither seconds nor calls is 0.25 s a decision. Flags override the preset, whose
    values are shown as defaults.
    """

    video: Path | None = None
    """Write a video, mp4."""
    out: Path | None = None
    """Write a run folder."""
    trace: bool = False
    """Keep the lookahead trees in the run folder too."""
    json: bool = False
    """Print one JSON object."""


def run(arguments: list[str]) -> int:
    """Play an episode."""
    play = read_arguments("play", Play(game=tyro.MISSING, **preset_defaults(arguments)), arguments)
    if play.trace and play.out is None:
        raise InputError("--trace needs --out")
    if play.out is not None and play.video is not None and play.out.resolve() in play.video.resolve().parents:
        raise InputError("the video must lie outside the run folder")
    settings = play.episode_settings()

    from pixelplan.cli.progress import Progress
    from pixelplan.play.summary import summarise

    with contextlib.ExitStack() as stack:
        folder = video = None
        if play.out is not None:
            from pixelplan.play.run_folder import RunFolderWriter

            folder = stack.enter_context(RunFolderWriter(play.out))
        if play.video is not None:
            from pixelplan.play.video import Video

            video = stack.enter_context(Video(play.video))
        with Progress(settings) as progress:
            result = _play(settings, video, progress.show, traces_nodes=play.trace)
        if folder is not None:
            folder.write(result)
        if video is not None and settings.realtime:
            from pixelplan.play.replay import film

            if sys.stderr.isatty():
                sys.stderr.write("making the video\n")
            film(result, video)
    summary = summarise(result)
    sys.stdout.write(f"{json.dumps(summary)}\n" if play.json else _report(summary, play))
    return INTERRUPTED if result.is_interrupted else 0


def _play(
    settings: EpisodeSettings,
    video: Video | None,
    show: Callable[[PlayedDecision], None],
    *,
    traces_nodes: bool,
) -> EpisodeResult:
    if not settings.realtime:
        from pixelplan.play.episode import play_episode

        on_frame = None if video is None else video.add
        return play_episode(settings, on_frame=on_frame, on_decision=show, traces_nodes=traces_nodes)

    from pixelplan.play.realtime import play_in_real_time

    return play_in_real_time(settings, on_decision=show, traces_nodes=traces_nodes)


def preset_defaults(arguments: list[str]) -> dict[str, Any]:
    """Return the flags' defaults that depend on the preset or the planner which the arguments name."""
    named: dict[str, str] = {}
    for word, following in pairwise([*arguments, ""]):
        name, _, value = word.partition("=")
        named[name] = value or following
    default = PLANNER_PRESET if "--planner" in named else DEFAULT_PRESET
    settings = PRESETS.get(named.get("--preset", default), PRESETS[default])
    flags = {field.name for field in fields(EpisodeFlags)}
    values = {name: value for name, value in vars(settings).items() if name in flags}
    return values | {"preset": default}


def _report(summary: dict[str, Any], play: Play) -> str:
    seconds = summary["per_decision"]["seconds"]
    calls = summary["per_decision"]["simulator_calls"]
    lines = [
        f"{summary['game']}: score {summary['score']} in {summary['frames']} frames, "
        f"{summary['decisions']} decisions of {seconds['mean']:.3f} s and {calls['mean']:.0f} calls "
        "on average",
    ]
    if summary["interrupted"]:
        lines.append("interrupted: this is what was played until then")
    if play.realtime:
        lines.append(f"late: {summary['late']}, mispredicted: {summary['mispredicted']}")
    if play.video is not None:
        lines.append(f"video: {play.video}")
    if play.out is not None:
        lines.append(f"run folder: {play.out}")
    return "\n".join(lines) + "\n"
