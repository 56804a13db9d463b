"""Playing one episode of an experiment, anywhere: settings go in, the files of its run folder come out."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pixelplan.play.episode import EpisodeCutError, play_episode
from pixelplan.play.realtime import play_in_real_time
from pixelplan.play.run_folder import run_files

if TYPE_CHECKING:
    from pixelplan.play.run_folder import Files
    from pixelplan.play.settings import EpisodeSettings

CALL_SECONDS = 0.001
"""Rough cost of a simulator call, in seconds."""


def play_to_files(settings: EpisodeSettings) -> Files:
    """Play an episode."""
    try:
        result = play_in_real_time(settings) if settings.realtime else play_episode(settings)
    except EpisodeCutError as cut:
        raise cut.cause from None
    if result.is_interrupted:
        raise KeyboardInterrupt
    return run_files(result)


def needs_cores(settings: EpisodeSettings) -> int:
    """Return the number of cores that an episode keeps busy."""
    return max(settings.workers, 1)


def is_timed(settings: EpisodeSettings) -> bool:
    """Say whether a busy machine would spoil the episode."""
    return settings.realtime or settings.seconds is not None


def estimate_work(settings: EpisodeSettings) -> float:
    """Return an estimate of an episode's seconds, up to a factor that depends on the machine."""
    decisions = min(settings.max_frames / settings.frameskip, settings.decisions or math.inf)
    budget = settings.budget()
    return decisions * min(budget.seconds or math.inf, (budget.calls or math.inf) * CALL_SECONDS)
