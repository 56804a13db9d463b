from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pixelplan.reports.figures.points import (
    even_ticks,
    log_ticks,
    mean_point,
    shared_label,
    signed_limits,
    signed_ticks,
)


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (50, 20_000, [100, 1000, 10_000]),
        (5, 200_000, [10, 1000, 100_000]),
        (60, 500, [100, 300]),
        (150, 600, [200, 500]),
        (4.1, 7.5, [5, 6, 7]),
    ],
)
def test_log_ticks_are_few_and_round(low: float, high: float, ticks: list[float]) -> None:
    assert log_ticks(low, high) == ticks


@given(st.floats(0.1, 1e6), st.floats(1.01, 1e4))
def test_log_ticks_lie_between_the_limits(low: float, factor: float) -> None:
    ticks = log_ticks(low, low * factor)
    assert ticks == sorted(set(ticks))
    assert len(ticks) <= 3
    assert all(low <= tick <= low * factor for tick in ticks)


def test_signed_ticks_are_symmetric_and_become_sparser() -> None:
    assert signed_ticks(1.3) == [-1, 0, 1]
    assert signed_ticks(130) == [-100, -10, -1, 0, 1, 10, 100]
    assert signed_ticks(20_000) == [-10_000, -100, -1, 0, 1, 100, 10_000]


def test_limits_leave_room_and_hold_zero() -> None:
    low, high = signed_limits([(10.0, 2000.0), (-50.0, 3.0)])
    assert low < -50
    assert high > 2000
    assert even_ticks(low, high) == [0, 100]


def test_mean_point() -> None:
    assert mean_point([(1.0, 10.0), (3.0, -10.0)]) == (2.0, 0.0)


@pytest.mark.parametrize(
    ("labels", "label"),
    [
        (["RAS, 89 calls", "RAS, 400 calls"], "RAS"),
        (["RAS Rollout 0.5 s", "RAS Rollout 32 s"], "RAS Rollout"),
        (["best, 89 calls"], "best, 89 calls"),
        (["twin", "twin"], "twin"),
        (["quick", "slow"], "quick"),
    ],
)
def test_a_planner_is_called_by_what_the_labels_of_its_budgets_share(labels: list[str], label: str) -> None:
    assert shared_label(labels) == label
