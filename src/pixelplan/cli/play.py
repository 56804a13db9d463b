"""`pixelplan play`: play a game."""

from __future__ import annotations

import contextlib
import json
import sys
from dataclasses import dataclass, field, fields
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import tyro

from pixelplan.cli import INTERRUPTED, describe_error, tell
from pixelplan.cli.arguments import read_arguments
from pixelplan.errors import InputError
from pixelplan.planning.planners import find_planner
from pixelplan.planning.settings import DEFAULT_PRESET, PRESETS, Preset, default_preset
from pixelplan.play.settings import MAX_WORKERS, EpisodeSettings
from pixelplan.system import interrupts
from pixelplan.system.drafts import resolved

if TYPE_CHECKING:
    from collections.abc import Callable

    from pixelplan.play.episode import EpisodeResult, PlayedDecision
    from pixelplan.play.run_folder import RunFolderWriter
    from pixelplan.play.video import Video

FAILED = 1
"""Exit code if something was not kept in its place, or if an error has cut the game off."""
DEFAULT_SECONDS = 0.25
"""Real time with the default frame skip."""

Game = tyro.conf.Positional[Annotated[str, tyro.conf.arg(metavar="GAME")]]


@dataclass(frozen=True, kw_only=True)
class EpisodeFlags(EpisodeSettings):
    """Settings of an episode as flags: of the same names, defaults and meanings, and not checked yet."""

    game: Game
    """ROM name, such as breakout, or Gymnasium's name, such as ALE/Breakout-v5."""
    preset: Preset = DEFAULT_PRESET
    """Settings to start from: the paper's planners IW(1) (iw), Rollout IW(1) (rollout), risk averse (ra),
    and risk averse with subscoring (ras); or the strongest (best). If a planner is named, the default is
    ras."""
    workers: int | None = None  # type: ignore[assignment]
    """Number of emulator processes; 0 = search in this process. Unless given: one for each core, but 0 with
    a budget of calls alone."""

    def __post_init__(self) -> None:
        """Leave the checks to the settings that are made of the flags."""

    def episode_settings(self) -> EpisodeSettings:
        """Return the settings that determine the episode."""
        from pixelplan.features.feature_sets import find_feature_set
        from pixelplan.simulators.ale import AtariGame
        from pixelplan.system.cores import usable_cores

        values = {field.name: getattr(self, field.name) for field in fields(EpisodeSettings)}
        # Before anything is written: are there such features, such a planner and such a game?
        find_feature_set(self.features)
        find_planner(self.planner)
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
    """Video file to write, mp4."""
    out: Path | None = None
    """Run folder to write."""
    trace: bool = False
    """Keep the lookahead trees in the run folder too."""
    json: bool = False
    """Print the result as one JSON object."""


def run(arguments: list[str]) -> int:
    """Play an episode."""
    play = read_arguments("play", Play(game=tyro.MISSING, **preset_defaults(arguments)), arguments)
    if play.trace and play.out is None:
        raise InputError("--trace needs --out")
    if play.out is not None and play.video is not None and resolved(play.out) in resolved(play.video).parents:
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
            result, cause = _play(settings, video, progress.show, traces_nodes=play.trace)
        kept = _keep(result, folder, video)
    summary = summarise(result)
    sys.stdout.write(f"{json.dumps(summary)}\n" if play.json else _report(summary, play, kept))
    if cause is not None and not isinstance(cause, InputError | OSError):
        # Whoever wrote that planner or those features wants to see where it failed.
        raise cause
    problems = [*kept.problems, *([] if cause is None else [describe_error(cause)])]
    for problem in problems:
        tell(problem)
    return FAILED if problems else INTERRUPTED if interrupts.were_noted() or result.is_interrupted else 0


def _play(
    settings: EpisodeSettings,
    video: Video | None,
    show: Callable[[PlayedDecision], None],
    *,
    traces_nodes: bool,
) -> tuple[EpisodeResult, Exception | None]:
    """Return what was played, and the error that has cut it off."""
    from pixelplan.play.episode import EpisodeCutError, play_episode
    from pixelplan.play.realtime import play_in_real_time

    try:
        if settings.realtime:
            return play_in_real_time(settings, on_decision=show, traces_nodes=traces_nodes), None
        on_frame = None if video is None else video.add
        return play_episode(settings, on_frame=on_frame, on_decision=show, traces_nodes=traces_nodes), None
    except EpisodeCutError as cut:
        return cut.result, cut.cause


@dataclass
class _Kept:
    """Where the files of a game are, and the reasons why any is not in its place."""

    folder: Path | None = None
    video: Path | None = None
    problems: list[str] = field(default_factory=list)


def _keep(result: EpisodeResult, folder: RunFolderWriter | None, video: Video | None) -> _Kept:
    """Write what can be written of a game: a fault of one file costs no other."""
    kept = _Kept()
    if folder is not None:
        try:
            kept.folder = folder.write(result)
            if folder.problem:
                kept.problems.append(f"{folder.folder}: {folder.problem}; the run folder is {kept.folder}")
        except OSError as error:
            kept.problems.append(f"the run folder could not be written: {describe_error(error)}")
    if video is not None:
        if result.settings.realtime:
            from pixelplan.play.replay import film

            if sys.stderr.isatty():
                sys.stderr.write("making the video\n")
            film(result, video)
        kept.video = video.finish()
        if video.problem:
            where = f"; the video is {kept.video}" if kept.video else ""
            kept.problems.append(f"{video.path}: {video.problem}{where}")
    return kept


def preset_defaults(arguments: list[str], preset: Preset | None = None) -> dict[str, Any]:
    """Return the flags' defaults that depend on the preset or the planner which the arguments name.

    A command may have another default than the preset that the planner asks for.
    """
    named: dict[str, str] = {}
    for word, following in pairwise([*arguments, ""]):
        name, _, value = word.partition("=")
        named[name] = value or following
    default = preset or default_preset(names_planner="--planner" in named)
    settings = PRESETS.get(named.get("--preset", default), PRESETS[default])
    flags = {field.name for field in fields(EpisodeFlags)}
    values = {name: value for name, value in vars(settings).items() if name in flags}
    return values | {"preset": default}


def _report(summary: dict[str, Any], play: Play, kept: _Kept) -> str:
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
    if kept.video is not None:
        lines.append(f"video: {kept.video if kept.problems else play.video}")
    if kept.folder is not None:
        lines.append(f"run folder: {kept.folder if kept.problems else play.out}")
    return "\n".join(lines) + "\n"
