from __future__ import annotations

import subprocess
import sys
from pathlib import Path

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


@pytest.mark.slow
def test_the_signature_is_the_same_without_what_tests_share() -> None:
    """Costs 20 s. Other tests share emulators and backgrounds, see conftest.py; another process does not."""
    script = Path(__file__).parent / "compute_signature.py"
    output = subprocess.run([sys.executable, script], check=True, capture_output=True, text=True).stdout
    lines = (f"Signature: {sum(ARRIVALS.values())}", f"of which: {ARRIVALS}", f"Other planners: {OTHERS}")
    assert output.splitlines() == list(lines)
