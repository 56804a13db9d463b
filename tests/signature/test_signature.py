from __future__ import annotations

from compute_signature import signature

SIGNATURE = 10990


def test_the_searches_do_what_they_did() -> None:
    assert signature() == SIGNATURE
