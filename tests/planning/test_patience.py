"""Where nothing has happened for long, the risk of a lost life is taken."""

from dataclasses import replace

import pytest

from pixelplan.planning.best.patience import Patience
from pixelplan.planning.budget import Budget
from pixelplan.planning.paper_settings import Caching
from pixelplan.planning.settings import PRESETS
from pixelplan.play.agent import Agent, Decision
from worlds import UnfoldedWorld, World, make_world

STAY, LEAVE = 0, 1
CACHING: tuple[Caching, ...] = ("none", "partial", "full")

LEDGE = make_world(
    {"s": ("p", "sf"), "f": ("q", "rr"), "r": ("r", "rr")},
    rewards={("f", 0): 5.0, ("f", 1): 5.0},
    lives={"s": 3, "f": 2, "r": 2},
)
"""There is nothing to be had before a life is lost, and a reward behind that."""


def play(world: World, preset: str, caching: Caching, count: int) -> list[Decision]:
    """Decide and play so many times, with a patience of three decisions."""
    agent = Agent(UnfoldedWorld(world), replace(PRESETS[preset], caching=caching, patience=3))
    decisions = []
    for _ in range(count):
        decisions.append(agent.decide(Budget(calls=50)))
        agent.observe(decisions[-1].action)
    return decisions


@pytest.mark.parametrize("caching", CACHING)
@pytest.mark.parametrize("preset", ["ras", "best"])
def test_a_life_is_risked_when_nothing_has_happened_for_long(preset: str, caching: Caching) -> None:
    """Then there is patience again: a life was lost, and one decision later there was a reward."""
    decisions = play(LEDGE, preset, caching, 8)
    assert [decision.action for decision in decisions[:4]] == [STAY, STAY, STAY, LEAVE]
    assert [decision.trace.risks_life for decision in decisions] == [False] * 3 + [True] + [False] * 4
    assert decisions[3].value > 0


@pytest.mark.parametrize("caching", CACHING)
def test_what_was_seen_with_other_eyes_is_not_kept(caching: Caching) -> None:
    """Neither when patience has run out, nor when it is back."""
    decisions = play(LEDGE, "best", caching, 5)
    for decision in decisions[3:]:
        assert decision.trace.nodes == 1 + decision.trace.new_nodes
        assert not decision.trace.has_dropped_tree


@pytest.mark.parametrize("caching", CACHING)
def test_who_gets_rewards_is_patient(caching: Caching) -> None:
    """One in three decisions is enough."""
    world = make_world(
        {"s": ("p", "tf"), "t": ("q", "uf"), "u": ("r", "sf"), "f": ("z", "ff")},
        rewards={("u", 0): 1.0},
        lives={"s": 3, "t": 3, "u": 3, "f": 2},
    )
    decisions = play(world, "best", caching, 12)
    assert [decision.action for decision in decisions] == [STAY] * 12
    assert not any(decision.trace.risks_life for decision in decisions)


def test_the_last_life_is_not_risked() -> None:
    """However long nothing happens. Nor is a life where the world has none."""
    for left in (1, 0):
        decisions = play(replace(LEDGE, lives={"s": left, "f": 0, "r": 0}), "ras", "full", 6)
        assert not any(decision.trace.risks_life for decision in decisions)


@pytest.mark.parametrize(("limit", "risks_from"), [(0, None), (1, 1), (4, 4)])
def test_patience_is_counted_in_decisions(limit: int, risks_from: int | None) -> None:
    """Those since the last event; 0 is without end."""
    patience = Patience(limit)
    for _ in range(2):
        risked_life = patience.risks_life
        for number in range(6):
            risks_life = risks_from is not None and number >= risks_from
            assert patience.start(lives=2) == (risks_life != risked_life)
            assert patience.risks_life == risks_life
            risked_life = risks_life
        patience.observe(1.0)


def test_a_life_that_was_not_lost_after_all_is_risked_again() -> None:
    """As with sticky actions: the fall was predicted, and did not happen."""
    agent = Agent(UnfoldedWorld(LEDGE), replace(PRESETS["best"], patience=3))
    for _ in range(3):
        agent.decide(Budget(calls=50))
        agent.observe(STAY)
    for _ in range(2):
        decision = agent.decide(Budget(calls=50))
        assert (decision.action, decision.trace.risks_life) == (LEAVE, True)
        agent.observe(LEAVE, (*agent.state, STAY))


def test_the_game_itself_is_not_risked() -> None:
    """If it can end while lives are left."""
    world = make_world({"s": ("p", "se"), "e": ("q", "ee")}, terminals="e", lives={"s": 3, "e": 3})
    decisions = play(world, "best", "full", 6)
    assert [decision.action for decision in decisions] == [STAY] * 6
    assert [decision.trace.risks_life for decision in decisions] == [False] * 3 + [True] * 3


def test_who_is_not_averse_to_risk_has_nothing_to_change() -> None:
    """The kept tree stays as it is."""
    decisions = play(LEDGE, "rollout", "full", 6)
    assert not any(decision.trace.risks_life for decision in decisions)


@pytest.mark.parametrize(("reward", "risks_life"), [(None, False), (0.0, True), (2.0, False)])
def test_the_played_reward_counts_not_the_predicted_one(reward: float | None, risks_life: bool) -> None:
    """With sticky actions they differ. Where nobody says what was played, the prediction is believed."""
    world = make_world({"s": ("p", "sf"), "f": ("z", "ff")}, rewards={("s", 0): 1.0}, lives={"s": 3, "f": 2})
    agent = Agent(UnfoldedWorld(world), replace(PRESETS["best"], patience=2))
    for _ in range(3):
        decision = agent.decide(Budget(calls=50))
        agent.observe(STAY, reward=reward)
    assert decision.trace.risks_life == risks_life


def test_rewards_are_noted_that_were_not_looked_ahead_to() -> None:
    """As in real time, where an action's reward is known when the next one is played."""
    agent = Agent(UnfoldedWorld(LEDGE), replace(PRESETS["best"], patience=2))
    for _ in range(4):
        decision = agent.decide(Budget(calls=50))
        agent.observe(STAY, reward=0.0)
        agent.correct(agent.state, reward=1.0)
    assert not decision.trace.risks_life
