from __future__ import annotations

from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from pixelplan.errors import InputError
from pixelplan.play.episode import EpisodeResult, PlayedEpisode, play_episode
from pixelplan.play.run_folder import RunFolderWriter
from pixelplan.play.settings import EpisodeSettings
from pixelplan.play.trace import NOT_VISITED
from pixelplan.viewer.encoding import decode_screen
from pixelplan.viewer.record import Recording
from pixelplan.viewer.scene import Lookback
from pixelplan.viewer.tree import ShownTree

if TYPE_CHECKING:
    from pixelplan.play.decision_record import DecisionRecord

DECISIONS = 8


@pytest.fixture(scope="module")
def result() -> EpisodeResult:
    settings = EpisodeSettings(game="seaquest", calls=30, decisions=DECISIONS, seed=4, patience=2)
    return play_episode(settings, traces_nodes=True)


@pytest.fixture
def recording(result: EpisodeResult, tmp_path: Path) -> Recording:
    with RunFolderWriter(tmp_path / "one") as writer:
        writer.write(result)
    return Recording(tmp_path / "one")


def with_decision(recording: Recording, record: DecisionRecord) -> Recording:
    """Return a recording in which a decision is told otherwise."""
    changed = copy(recording)
    decisions = list(recording.run.decisions)
    decisions[record.decision] = record
    changed.run = replace(recording.run, decisions=tuple(decisions))
    return changed


def test_a_recording_is_read_one_decision_at_a_time(recording: Recording) -> None:
    for expected, read in enumerate(recording.read()):
        assert read == expected == len(recording.moments) - 1
    assert read == DECISIONS


def test_a_recording_has_what_was_played(recording: Recording, result: EpisodeResult) -> None:
    list(recording.read())
    screens: list[list[list[int]]] = []
    episode = PlayedEpisode(result.settings, lambda episode: screens.append(episode.game.screen().tolist()))
    del screens[:-1]
    assert decode_screen(recording.moments[0].screen).tolist() == screens[-1]
    for decision, (step, moment) in enumerate(zip(result.played, recording.moments[1:], strict=True)):
        screens.clear()
        episode.play(step.action)
        assert [decode_screen(frame).tolist() for frame in recording.clip(decision)] == screens
        assert decode_screen(moment.screen).tolist() == screens[-1]
        assert (moment.score, moment.frames, moment.lives) == (step.score, step.frames, step.lives)
        assert moment.state == episode.game.clone()


def test_what_was_read_can_be_shown_before_the_rest_is_read(recording: Recording) -> None:
    reading = recording.read()
    while next(reading) < 3:
        pass
    tree, root = recording.tree(3), recording.root(3)
    branch = tree.path(int(tree.rows()["id"][-1]))
    assert len(Lookback(recording.run.settings).clip(root, branch)) == 15 * len(branch)
    assert len(recording.moments) == 4


def test_a_tree_is_the_same_as_one_that_was_watched_from_the_start(recording: Recording) -> None:
    watched = ShownTree()
    kept = 0
    for decision, rows in enumerate(recording.visits):
        watched.begin(decision, rows[:1], is_bold=recording.run.decisions[decision].bold)
        watched.add(rows[1:])
        tree = recording.tree(decision)
        ids = tree.rows()["id"].tolist()
        assert tree.decision == decision
        assert sorted(tree.rows().tolist()) == sorted(watched.rows().tolist())
        assert [tree.born(node) for node in ids] == [watched.born(node) for node in ids]
        assert tree.born_before == watched.born_before
        last = int(rows["id"][rows["case"] != NOT_VISITED][-1])
        assert tree.visits_until(last) == watched.visits_until(last)
        kept += len(rows) < len(ids)
    assert kept > 0


def test_a_risk_is_told_of(recording: Recording, result: EpisodeResult) -> None:
    is_bold = [played.decision.trace.risks_life for played in result.played]
    assert True in is_bold
    assert [record.bold for record in recording.run.decisions] == is_bold


def test_where_there_was_nothing_to_decide_the_tree_is_empty(recording: Recording) -> None:
    recording.visits[5] = recording.visits[5][:0]
    assert recording.tree(5).decision == 5
    assert len(recording.tree(5).rows()) == 0
    assert len(recording.tree(6).rows()) > 0


def test_a_lookahead_began_where_the_game_was(recording: Recording) -> None:
    list(recording.read())
    assert recording.root(0).previous is None
    for decision in range(1, DECISIONS):
        root = recording.root(decision)
        assert root.state == recording.moments[decision].state
        assert root.screen.tolist() == decode_screen(recording.clip(decision - 1)[-1]).tolist()
        assert root.previous is not None
        assert root.previous.tolist() == recording.root(decision - 1).screen.tolist()


def test_a_mispredicted_lookahead_began_where_the_game_should_have_been(tmp_path: Path) -> None:
    settings = EpisodeSettings(game="seaquest", calls=20, decisions=4, seed=4, sticky=0.9)
    with RunFolderWriter(tmp_path / "one") as writer:
        writer.write(play_episode(settings, traces_nodes=True))
    recording = Recording(tmp_path / "one")
    list(recording.read())
    lookback = Lookback(settings)
    differ = 0
    for decision in range(1, 4):
        true = recording.root(decision)
        action = recording.run.decisions[decision - 1].action
        expected = lookback.screen(recording.root(decision - 1), (action,))
        mispredicted = replace(recording.run.decisions[decision], mispredicted=True)
        assert with_decision(recording, mispredicted).root(decision).screen.tolist() == expected.tolist()
        differ += not np.array_equal(true.screen, expected)
    assert differ > 0


def test_a_folder_without_a_trace_is_refused(tmp_path: Path) -> None:
    with RunFolderWriter(tmp_path / "one") as writer:
        writer.write(play_episode(EpisodeSettings(game="seaquest", calls=5, decisions=1)))
    with pytest.raises(InputError, match="play with --trace"):
        Recording(tmp_path / "one")
