from __future__ import annotations

import pytest

from pixelplan.reports.typography import bind_units, format_number, format_range, format_short


@pytest.mark.parametrize(
    ("value", "text"),
    [(1234567.25, "1,234,567.2"), (-15.5, "\N{MINUS SIGN}15.5"), (-0.04, "0.0"), (0.0, "0.0")],
)
def test_numbers_have_separators_and_a_true_minus(value: float, text: str) -> None:
    assert format_number(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (0.01, "0.01"), (250, "250"), (1500, "1.5k"), (-2e7, "\N{MINUS SIGN}20M"), (3e9, "3G")],
)
def test_short_numbers(value: float, text: str) -> None:
    assert format_short(value) == text


def test_ranges_and_units() -> None:
    assert format_range(5, 5) == "5"
    assert format_range(1, 5) == "1\N{EN DASH}5"
    assert bind_units("RAS 0.5 s, 75 % of 10 seconds") == "RAS 0.5\xa0s, 75\xa0% of 10 seconds"
