"""`pixelplan replay`: replay an episode from its run folder, exactly."""

from __future__ import annotations

import contextlib
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from pixelplan.cli.arguments import read_arguments


@dataclass(frozen=True, kw_only=True)
class Replay:
    """Play the actions of a run folder again, and check that every reward is the same."""

    folder: tyro.conf.Positional[Annotated[Path, tyro.conf.arg(metavar="DIR")]]
    """Run folder, made by `pixelplan play --out`."""
    video: Path | None = None
    """Write a video, mp4."""


def run(arguments: list[str]) -> int:
    """Replay an episode."""
    replay = read_arguments("replay", Replay(folder=tyro.MISSING), arguments)

    from pixelplan.play.recorded_run import read_run
    from pixelplan.play.replay import replay_episode

    recorded = read_run(replay.folder)
    with contextlib.ExitStack() as stack:
        video = None
        if replay.video is not None:
            from pixelplan.play.video import Video

            video = stack.enter_context(Video(replay.video))
        episode = replay_episode(recorded, on_frame=None if video is None else video.add)
    sys.stdout.write(
        f"{recorded.settings.game}: score {episode.score} in {episode.frames} frames, as recorded\n"
    )
    if replay.video is not None:
        sys.stdout.write(f"video: {replay.video}\n")
    return 0
