"""Replays: a game once more, frame by frame, from the actions that were played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pixelplan.errors import InputError
from pixelplan.play.episode import PlayedEpisode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pixelplan.play.episode import EpisodeResult
    from pixelplan.play.recorded_run import Run
    from pixelplan.play.video import Video


def replay_episode(run: Run, on_frame: Callable[[PlayedEpisode], None] | None = None) -> PlayedEpisode:
    """Play the recorded actions again; InputError tells at which decision the game went another way."""
    *_, episode = replay_decisions(run, on_frame)
    return episode


def replay_decisions(
    run: Run, on_frame: Callable[[PlayedEpisode], None] | None = None
) -> Iterator[PlayedEpisode]:
    """Play the recorded actions again, and show the game before the first and after each of them."""
    episode = PlayedEpisode(run.settings, on_frame)
    yield episode
    for record in run.decisions:
        reward = episode.play(record.action)
        if reward != record.reward:
            raise InputError(
                f"the replay differs from the record: reward {reward} instead of {record.reward} "
                f"at decision {record.decision}"
            )
        yield episode
    if episode.score != run.result["score"]:
        raise InputError(f"the replay ends with score {episode.score}, not {run.result['score']}")


def film(result: EpisodeResult, video: Video) -> None:
    """Make the video of an episode that ran in real time, each frame at the time at which it was played.

    It is made afterwards, so that nothing but the game and the planner runs while the game does.
    """
    times = iter(result.frame_seconds)
    began: float | None = None

    def add(episode: PlayedEpisode) -> None:
        video.add(episode, None if began is None else began + next(times))

    episode = PlayedEpisode(result.settings, add)
    began = video.seconds()
    for played in result.played:
        episode.play(played.action)
