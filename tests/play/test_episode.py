from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from pixelplan.errors import InputError
from pixelplan.play.episode import PlayedEpisode, play_episode
from pixelplan.play.settings import EpisodeSettings
from pixelplan.play.summary import outcome, summarise
from pixelplan.simulators.atari import AtariSimulator, AtariState

if TYPE_CHECKING:
    from pixelplan.simulators.ale import AtariGame
    from pixelplan.simulators.sighting import Sighting


def settings(**changes: object) -> EpisodeSettings:
    return EpisodeSettings(**{"game": "breakout", "calls": 20, "decisions": 6, **changes})  # type: ignore[arg-type]


def test_frames_and_decisions_are_counted() -> None:
    frames: list[int] = []
    result = play_episode(settings(noops=0), on_frame=lambda episode: frames.append(episode.frames))
    assert result.frames == 90
    assert len(result.played) == 6
    assert len(frames) == 1 + 90, "the first screen, and one for every emulated frame"
    assert [played.frames for played in result.played] == [15, 30, 45, 60, 75, 90]


def test_an_episode_ends_at_the_frame_limit() -> None:
    result = play_episode(settings(decisions=None, max_frames=40, noops=0))
    assert result.frames == 40
    assert len(result.played) == 3


def test_an_episode_ends_when_the_game_is_over() -> None:
    result = play_episode(settings(game="pong", calls=1, decisions=None, frameskip=60))
    assert result.frames < 18_000
    assert -21 <= result.score <= 21


def test_noop_actions_are_drawn_by_the_seed_and_not_counted() -> None:
    shown = []
    for seed in range(4):
        frames: list[int] = []
        PlayedEpisode(settings(seed=seed), lambda episode, seen=frames: seen.append(episode.frames))  # type: ignore[misc]
        assert set(frames) == {0}
        shown.append(len(frames) - 1)
    assert all(count % 15 == 0 and count <= 29 * 15 for count in shown)
    assert len(set(shown)) > 1


def test_rewards_add_up_to_the_score() -> None:
    result = play_episode(settings(game="asterix", decisions=30, noops=0))
    assert result.score == sum(played.reward for played in result.played) > 0
    assert result.played[-1].score == result.score


class DivergingSimulator(AtariSimulator):
    """Pretends, once, that the played game has arrived somewhere else."""

    arrivals = 0

    def arrive(self, played: AtariGame | Sighting, previous: bytes) -> AtariState:
        state = super().arrive(played, previous)
        type(self).arrivals += 1
        if self.arrivals == 4:
            elsewhere = self.transition(state, 1).state
            return AtariState(elsewhere.emulator, False, state.lives, state.observation, previous)
        return state


def test_a_diverging_game_drops_the_tree_once() -> None:
    result = play_episode(
        settings(decisions=8),
        make_simulator=lambda settings, game: DivergingSimulator(game, seed=settings.seed),
    )
    dropped = [played.decision.trace.has_dropped_tree for played in result.played]
    # The first arrival is the simulator's root, so the fourth follows the third decision. The game
    # goes on from where it really is, which the search from the wrong place does not predict.
    assert dropped == [False, False, False, True, True, False, False, False]
    assert outcome(result)["dropped_trees"] == 2


def test_sticky_actions_drop_trees_and_count_them() -> None:
    result = play_episode(settings(sticky=0.5, decisions=20, game="seaquest"))
    assert outcome(result)["dropped_trees"] > 0


SCRIPT = """
import hashlib, json
from pixelplan.play.episode import play_episode
from pixelplan.play.settings import EpisodeSettings
from pixelplan.play.summary import outcome
result = play_episode(EpisodeSettings(game="ms_pacman", calls=40, decisions=12, seed=7), traces_nodes=True)
traces = [played.decision.trace for played in result.played]
print(json.dumps([
    outcome(result),
    [(played.decision.action, played.decision.value, played.reward) for played in result.played],
    [(trace.cases, trace.depth, trace.nodes, trace.ending.value) for trace in traces],
    hashlib.sha256(b"".join(trace.visits.tobytes() for trace in traces)).hexdigest(),
]))
"""


def test_two_fresh_processes_play_the_same_episode() -> None:
    runs = [
        subprocess.run([sys.executable, "-c", SCRIPT], check=True, capture_output=True, text=True).stdout
        for _ in range(2)
    ]
    assert runs[0] == runs[1]
    assert json.loads(runs[0])[0]["decisions"] == 12


def test_other_seeds_play_other_episodes() -> None:
    actions = [
        tuple(played.decision.action for played in play_episode(settings(seed=seed)).played)
        for seed in (0, 1)
    ]
    assert actions[0] != actions[1]


def test_the_summary_has_the_contracts_keys() -> None:
    summary = summarise(play_episode(settings(decisions=2)))
    assert list(summary) == [
        *("game", "settings", "versions", "score", "frames", "decisions", "simulator_calls", "nodes"),
        *("rollouts", "dropped_trees", "interrupted", "per_decision", "simulator_share", "overruns"),
        *("late", "mispredicted", "replaced_workers", "wall_seconds", "cpu_seconds", "cpu_share"),
    ]
    assert set(summary["per_decision"]) == {"seconds", "simulator_calls", "depth"}
    assert all(set(value) == {"mean", "p50", "p99", "max"} for value in summary["per_decision"].values())
    assert summary["simulator_calls"] == 40
    assert 0 < summary["simulator_share"] < 1
    assert 0 < summary["cpu_seconds"] < summary["wall_seconds"] + 0.05


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"calls": 0}, "calls must be at least 1"),
        ({"calls": None}, "seconds, calls or both"),
        ({"seconds": float("nan")}, "seconds must be a positive number"),
        ({"seconds": -0.5}, "seconds must be a positive number"),
        ({"planner": "magic"}, "unknown planner 'magic'"),
        ({"features": "smell"}, "unknown features 'smell'"),
        ({"max_frames": 0}, "max_frames must be at least 1"),
        ({"frameskip": 0}, "frameskip must be between 1 and 18000"),
        ({"decisions": 0}, "decisions must be at least 1"),
        ({"noops": -1}, "noops must be between 0 and 1000"),
        ({"sticky": 1.0}, "sticky must be 0 or more, and below 1"),
        ({"discount": 1.5}, "discount must be between 0 and 1"),
    ],
)
def test_wrong_settings_are_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        settings(**changes)
