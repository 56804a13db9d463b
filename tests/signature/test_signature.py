from __future__ import annotations

import pytest
from compute_signature import GAMES, OTHER_PLANNERS, arrivals, signature_of_other_planners

ARRIVALS = {"breakout": 3_933, "ms_pacman": 3_782, "private_eye": 3_275}
"""The signature is their sum."""
OTHERS = 2985763374


@pytest.mark.parametrize("game", GAMES)
def test_the_presets_do_what_they_did(game: str) -> None:
    assert arrivals(game) == ARRIVALS[game]


def test_the_other_planners_do_what_they_did() -> None:
    assert len(OTHER_PLANNERS) == 5
    assert signature_of_other_planners() == OTHERS
