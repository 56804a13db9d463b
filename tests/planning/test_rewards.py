"""Risk aversion."""

from dataclasses import replace

import pytest
from searching import PLAIN, node_at, plant, roll

from pixelplan.planning.rewards import RiskAversion
from worlds import make_world


@pytest.mark.parametrize(
    ("reward", "has_lost_life", "expected"),
    [
        (5.0, False, 5.0),
        (0.0, False, 0.0),
        (-1.0, False, -50_000.0),
        (-0.5, False, -25_000.0),
        (0.0, True, -500_000.0),
        (1_000.0, True, -500_000.0),
        (-20.0, True, -500_000.0),
    ],
)
def test_risk_aversion_by_hand(reward: float, has_lost_life: bool, expected: float) -> None:
    """A lost life costs 10 alpha instead of the reward, be that better or worse."""
    risk = RiskAversion(alpha=50_000.0, death_penalty=10.0)
    assert risk.transform(reward, has_lost_life=has_lost_life) == expected


def test_risk_aversion_takes_its_numbers_from_the_settings() -> None:
    """Alpha is the factor, and the penalty counts in alphas."""
    risk = RiskAversion(alpha=3.0, death_penalty=7.0)
    assert risk.transform(-2.0, has_lost_life=False) == -6.0
    assert risk.transform(-2.0, has_lost_life=True) == -21.0


# Action 0 loses a life and scores, 1 gains one and is punished, 2 keeps what there is.
LIVES = make_world(
    {"s": ("s", "abc"), "a": ("a", "s"), "b": ("b", "bc"), "c": ("c", "ss")},
    rewards={("s", 0): 9.0, ("s", 1): -2.0, ("s", 2): 4.0, ("b", 1): 1.0},
    lives={"s": 3, "a": 2, "b": 5, "c": 3},
)


@pytest.mark.parametrize("risk_averse", [False, True])
def test_rewards_in_the_tree(risk_averse: bool) -> None:
    """Lives are compared with the parent's, not with the root's."""
    settings = replace(PLAIN, risk_averse=risk_averse, alpha=10.0, death_penalty=4.0)
    lookahead = plant(LIVES, settings)
    roll(lookahead, LIVES, 0, 0)  # s a s: a gains a life
    roll(lookahead, LIVES, 1, 0)
    roll(lookahead, LIVES, 2, 0)
    roll(lookahead, LIVES, 1, 1)  # s b c: c has two lives less than b, and as many as the root
    rewards = {path: node_at(lookahead, *path).reward for path in ((0,), (0, 0), (1,), (1, 0), (1, 1), (2,))}
    if risk_averse:
        assert rewards == {(0,): -40.0, (0, 0): 0.0, (1,): -20.0, (1, 0): 0.0, (1, 1): -40.0, (2,): 4.0}
        assert node_at(lookahead, 1, 1).path_reward == -60.0
    else:
        assert rewards == {(0,): 9.0, (0, 0): 0.0, (1,): -2.0, (1, 0): 0.0, (1, 1): 1.0, (2,): 4.0}
        assert node_at(lookahead, 1, 1).path_reward == -1.0


def test_a_lost_life_is_not_the_end() -> None:
    """The rollout goes on from there."""
    lookahead = plant(LIVES, replace(PLAIN, risk_averse=True))
    roll(lookahead, LIVES, 0, 0)
    assert node_at(lookahead, 0, 0).depth == 2
