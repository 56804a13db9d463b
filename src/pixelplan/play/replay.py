"""Replays: the game of a run folder once more, frame by frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pixelplan.errors import InputError
from pixelplan.play.episode import PlayedEpisode

if TYPE_CHECKING:
    from collections.abc import Callable

    from pixelplan.play.run_folder import Run


def replay_episode(run: Run, on_frame: Callable[[PlayedEpisode], None] | None = None) -> PlayedEpisode:
    """Play the recorded actions again; InputError tells at which decision the game went another way."""
    episode = PlayedEpisode(run.settings, on_frame)
    actions, rewards = run.decisions["action"].tolist(), run.decisions["reward"].tolist()
    for decision, (action, expected) in enumerate(zip(actions, rewards, strict=True)):
        reward = episode.play(action)
        if reward != expected:
            raise InputError(
                f"the replay differs from the record: reward {reward} instead of {expected} "
                f"at decision {decision}"
            )
    if episode.score != run.result["score"]:
        raise InputError(f"the replay ends with score {episode.score}, not {run.result['score']}")
    return episode
