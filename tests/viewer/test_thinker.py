from __future__ import annotations

import contextlib
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from processes import children_of, wait_for_the_end_of

from pixelplan.errors import InputError
from pixelplan.planning.budget import Budget
from pixelplan.planning.settings import PRESETS
from pixelplan.play.agent import Agent
from pixelplan.play.episode import PlayedEpisode, play_episode
from pixelplan.play.settings import EpisodeSettings
from pixelplan.simulators.ale import AtariGame
from pixelplan.simulators.atari import AtariSimulator
from pixelplan.simulators.sighting import Sighting
from pixelplan.viewer.thinker import (
    FLUSH_SECONDS,
    Began,
    Decided,
    Errand,
    Event,
    Failed,
    Grew,
    Played,
    Thinker,
    ToldVisits,
    follow,
)

if TYPE_CHECKING:
    from pixelplan.play.agent import Decision

CALLS = 60
DECISIONS = 3


def decide(game: str, **options: Any) -> list[Decision]:  # noqa: ANN401
    """Make some decisions, and play them."""
    simulator = AtariSimulator(game, seed=2)
    preset = options.pop("preset")
    agent = Agent(simulator, PRESETS[preset], seed=2, **options)
    decisions = []
    for _ in range(DECISIONS):
        decisions.append(agent.decide(Budget(calls=CALLS)))
        agent.observe(decisions[-1].action)
    return decisions


@pytest.mark.parametrize("notes", [1, 7, 1_000])
@pytest.mark.parametrize(("game", "preset"), [("seaquest", "ras"), ("breakout", "rollout"), ("pong", "iw")])
def test_what_is_told_is_what_a_trace_has(game: str, preset: str, notes: int) -> None:
    """However often it is told."""
    events: list[Event] = []
    ticks = count()
    told = ToldVisits(events.append, lambda: None, lambda: next(ticks) * FLUSH_SECONDS / notes)
    told_of = decide(game, preset=preset, visits=told)
    traced = decide(game, preset=preset, traces_nodes=True)
    begun = [index for index, event in enumerate(events) if isinstance(event, Began)]
    assert len(begun) == DECISIONS
    grew = 0
    for first, last, without, decision in zip(begun, [*begun[1:], None], told_of, traced, strict=True):
        began, *growth = events[first:last]
        assert isinstance(began, Began)
        assert without.trace.visits is None
        assert (without.action, without.value) == (decision.action, decision.value)
        told_last: dict[int, tuple[Any, ...]] = {}
        for rows in (began.root, *(event.visits for event in growth if isinstance(event, Grew))):
            told_last |= {row[0]: row for row in rows.tolist()}
        expected = decision.trace.visits
        assert expected is not None
        assert told_last == {row[0]: row for row in expected.tolist()}
        grew += len(growth)
    assert grew >= DECISIONS
    assert notes > 1 or grew > 30 * DECISIONS


def settings(**changes: Any) -> EpisodeSettings:  # noqa: ANN401
    defaults: dict[str, Any] = {"game": "seaquest", "calls": CALLS, "seed": 4, "decisions": 2}
    return EpisodeSettings(**defaults | changes)


def until_decided(thinker: Thinker) -> tuple[list[Event], Decision]:
    events: list[Event] = []
    while not events or not isinstance(events[-1], Decided):
        events.append(thinker.next_event())
    return events, events[-1].decision


def test_a_thinker_decides_as_an_episode_does() -> None:
    played = play_episode(settings(), traces_nodes=True).played
    episode = PlayedEpisode(settings())
    thinker = Thinker(settings())
    thinker.send(Errand(budget=Budget(calls=CALLS)))
    for number, expected in enumerate(played):
        events, decision = until_decided(thinker)
        assert (decision.action, decision.value) == (expected.decision.action, expected.decision.value)
        assert decision.trace.cases == expected.decision.trace.cases
        began = events[0]
        assert isinstance(began, Began)
        assert began.state == episode.game.clone()
        assert began.background is not None
        visits = [began.root, *(event.visits for event in events if isinstance(event, Grew))]
        trace = expected.decision.trace.visits
        assert trace is not None
        assert {*np.concatenate(visits)["id"].tolist()} == {*trace["id"].tolist()}
        episode.play(decision.action)
        if number + 1 < len(played):
            sighting = Sighting.of(episode.game)
            thinker.send(Errand(budget=Budget(calls=CALLS), sighting=sighting, action=decision.action))
    thinker.kill()
    with pytest.raises(EOFError):
        thinker.next_event()


def test_a_thinker_that_has_died_is_heard_of_by_its_events() -> None:
    thinker = Thinker(settings())
    thinker._process._process.kill()
    thinker._process._process.wait()
    thinker.send(Errand(budget=Budget(calls=1)))
    with pytest.raises(EOFError):
        thinker.next_event()
    thinker.kill()


def test_the_workers_of_a_thinker_end_with_it() -> None:
    thinker = Thinker(settings(workers=1, seconds=0.05))
    thinker.send(Errand(budget=Budget(seconds=0.05)))
    until_decided(thinker)
    children = children_of(thinker._process.process_id)
    assert children
    thinker.kill()
    wait_for_the_end_of(children)


def test_what_goes_wrong_is_told() -> None:
    thinker = Thinker(settings(features="atoms:math:sqrt"))
    failed = thinker.next_event()
    assert isinstance(failed, Failed)
    assert "atoms by sqrt: TypeError" in failed.message
    with pytest.raises(EOFError):
        thinker.next_event()
    thinker.kill()


@pytest.mark.slow
def test_a_game_in_real_time_is_told_of_to_its_end() -> None:
    """Whether its decisions are late depends on the machine; how many there are does not."""
    thinker = Thinker(settings(realtime=True, calls=2, noops=0, max_frames=40, decisions=None))
    events: list[Event] = []
    with contextlib.suppress(EOFError):
        while True:
            events.append(thinker.next_event())
    played = [event.played for event in events if isinstance(event, Played)]
    assert [step.frames for step in played] == [15, 30, 40]
    assert sum(isinstance(event, Began) for event in events) >= len(played)
    thinker.kill()


@pytest.fixture
def agent() -> tuple[Agent, AtariSimulator, AtariGame]:
    """A planner that may do only what its game needs."""
    game = AtariGame("breakout", seed=3)
    simulator = AtariSimulator(game, actions="minimal", seed=3)
    return Agent(simulator, PRESETS["ras"]), simulator, game


@pytest.mark.parametrize("action", [None, 17])
def test_it_follows_a_human_wherever_the_game_goes(
    agent: tuple[Agent, AtariSimulator, AtariGame], action: int | None
) -> None:
    """Also by an action that the planner may not choose, and by more or less than one."""
    planner, simulator, game = agent
    planner.decide(Budget(calls=20))
    for _ in range(15):
        game.act(17)
    follow(planner, simulator, Errand(budget=Budget(calls=9), sighting=Sighting.of(game), action=action))
    assert planner.state.emulator == game.clone()
    assert planner.decide(Budget(calls=9)).action in simulator.actions(planner.state)


def test_it_keeps_its_tree_if_the_game_goes_as_expected(
    agent: tuple[Agent, AtariSimulator, AtariGame],
) -> None:
    planner, simulator, game = agent
    decision = planner.decide(Budget(calls=20))
    for _ in range(15):
        game.act(decision.action)
    errand = Errand(budget=Budget(calls=9), sighting=Sighting.of(game), action=decision.action)
    follow(planner, simulator, errand)
    following = planner.decide(errand.budget)
    assert not following.trace.has_dropped_tree
    assert following.trace.nodes > following.trace.new_nodes + 1


@pytest.mark.parametrize("action", [None, 0])
@pytest.mark.parametrize(("reward", "risks_life"), [(0.0, True), (1.0, False)])
def test_patience_learns_of_the_played_reward(action: int | None, reward: float, risks_life: bool) -> None:
    game = AtariGame("breakout", seed=3)
    simulator = AtariSimulator(game, seed=3)
    planner = Agent(simulator, replace(PRESETS["best"], patience=1))
    planner.decide(Budget(calls=5))
    for _ in range(15):
        game.act(0)
    errand = Errand(budget=Budget(calls=5), sighting=Sighting.of(game), action=action, reward=reward)
    follow(planner, simulator, errand)
    assert planner.decide(errand.budget).trace.risks_life == risks_life


def test_a_first_errand_leads_nowhere(agent: tuple[Agent, AtariSimulator, AtariGame]) -> None:
    planner, simulator, _ = agent
    state = planner.state
    follow(planner, simulator, Errand(budget=Budget(calls=9)))
    assert planner.state is state
    with pytest.raises(InputError):
        planner.observe(17)
