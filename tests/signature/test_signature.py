from __future__ import annotations

from compute_signature import OTHER_PLANNERS, signature, signature_of_other_planners

SIGNATURE = 10990
OTHERS = 2985763374


def test_the_presets_do_what_they_did() -> None:
    assert signature() == SIGNATURE


def test_the_other_planners_do_what_they_did() -> None:
    assert len(OTHER_PLANNERS) == 5
    assert signature_of_other_planners() == OTHERS
