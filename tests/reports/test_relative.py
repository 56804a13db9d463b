from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pixelplan.reports.relative import relative_score

scores = st.floats(-1e6, 1e6).map(lambda score: round(score, 1))


@pytest.mark.parametrize(
    ("ours", "reference", "length"),
    [
        (30, 10, 2),
        (10, 30, -2),
        (10, 10, 0),
        (0, 0, 0),
        (-4, -16, 0.75),
        (-16, -4, -0.75),
        (100, 0, math.inf),
        (0, 100, -math.inf),
        (-2, 6, -4),
        (6, -2, 4),
    ],
)
def test_the_length_of_a_bar(ours: float, reference: float, length: float) -> None:
    assert relative_score(ours, reference) == length


@given(scores, scores)
def test_better_and_worse_are_mirror_images(ours: float, reference: float) -> None:
    assert relative_score(ours, reference) == -relative_score(reference, ours)
    assert (relative_score(ours, reference) > 0) == (ours > reference)
