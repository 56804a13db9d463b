"""Presets and settings."""

from dataclasses import asdict, replace
from typing import Any, get_args

import pytest

from pixelplan.errors import InputError
from pixelplan.planning.planners import PLANNERS
from pixelplan.planning.settings import PRESETS, Preset, SearchSettings

COMMON = {
    "discount": 1.0,
    "caching": "full",
    "alpha": 50_000.0,
    "death_penalty": 10.0,
    "root_in_table": True,
    "cached_nodes": "pass",
    "no_effect_repeats": 1,
    "lost_life_ends": False,
    "cautious": False,
    "persistence": 0.0,
    "foresight": False,
    "curiosity": 0.0,
    "verifications": 0,
    "patience": 0,
    "max_depth": 1_500,
    "max_nodes": 50_000,
    "width": 1,
    "subgoaling": False,
    "uct_horizon": 20,
    "uct_constant": 0.1,
}


@pytest.mark.parametrize(
    ("preset", "planner", "risk_averse", "subscoring", "nothing_found"),
    [
        ("iw", "iw", False, False, "random"),
        ("rollout", "rollout-iw", False, False, "random"),
        ("ra", "rollout-iw", True, False, "longest"),
        ("ras", "rollout-iw", True, True, "longest"),
    ],
)
def test_presets_are_those_of_the_published_experiments(
    preset: str, planner: str, risk_averse: bool, subscoring: bool, nothing_found: str
) -> None:
    """What differs between them, and what does not: the paper's text where the program did otherwise."""
    assert asdict(PRESETS[preset]) == {
        **COMMON,
        "planner": planner,
        "risk_averse": risk_averse,
        "subscoring": subscoring,
        "nothing_found": nothing_found,
    }


@pytest.mark.parametrize("name", ["caching", "nothing_found", "cached_nodes"])
def test_unknown_choices_are_refused(name: str) -> None:
    """With the choices there are."""
    wrong: dict[str, Any] = {name: "sometimes"}
    with pytest.raises(InputError, match=f"{name} must be one of .*, not 'sometimes'"):
        SearchSettings(**wrong)


def test_the_strong_preset_differs_from_the_strongest_of_the_paper_in_a_few_settings() -> None:
    """Each of which is an idea of its own."""
    ideas = {"discount": 0.99, "persistence": 0.5, "foresight": True, "max_depth": 15}
    ideas |= {"lost_life_ends": True, "cautious": True, "verifications": 3, "curiosity": 1e-6}
    ideas |= {"patience": 100}
    assert asdict(PRESETS["best"]) == asdict(PRESETS["ras"]) | ideas


def test_there_are_no_other_presets() -> None:
    """And each has a planner that exists; ras is what one gets without asking."""
    assert list(PRESETS) == list(get_args(Preset)) == ["iw", "rollout", "ra", "ras", "best"]
    assert {settings.planner for settings in PRESETS.values()} <= set(PLANNERS)
    assert SearchSettings() == PRESETS["ras"]


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("discount", -0.1, "discount must be between 0 and 1, not -0.1"),
        ("discount", 1.1, "discount must be between 0 and 1, not 1.1"),
        ("discount", float("nan"), "discount must be between 0 and 1, not nan"),
        ("persistence", -0.1, "persistence must be between 0 and 1, not -0.1"),
        ("persistence", 1.1, "persistence must be between 0 and 1, not 1.1"),
        ("alpha", -1.0, "alpha must be 0 or more, not -1.0"),
        ("alpha", float("inf"), "alpha must be 0 or more, not inf"),
        ("death_penalty", -1.0, "death_penalty must be 0 or more, not -1.0"),
        ("death_penalty", float("nan"), "death_penalty must be 0 or more, not nan"),
        ("no_effect_repeats", -1, "no_effect_repeats must be 0 or more, not -1"),
        ("curiosity", -1.0, "curiosity must be 0 or more, not -1.0"),
        ("verifications", -1, "verifications must be 0 or more, not -1"),
        ("patience", -1, "patience must be 0 or more, not -1"),
        ("max_depth", 0, "max_depth must be between 1 and 32766, not 0"),
        ("max_depth", 32_767, "max_depth must be between 1 and 32766, not 32767"),
        ("max_nodes", 0, "max_nodes must be at least 1, not 0"),
        ("width", 0, "width must be at least 1, not 0"),
        ("uct_horizon", 0, "uct_horizon must be at least 1, not 0"),
        ("uct_constant", -1.0, "uct_constant must be 0 or more, not -1.0"),
    ],
)
def test_values_that_mean_nothing_are_refused(name: str, value: float, message: str) -> None:
    """With one clear line; also when a preset is changed."""
    changes: dict[str, Any] = {name: value}
    with pytest.raises(ValueError, match=f"^{message}$"):
        replace(PRESETS["ras"], **changes)


@pytest.mark.parametrize(
    ("name", "value"),
    [("discount", 0.0), ("alpha", 0.0), ("death_penalty", 0.0), ("no_effect_repeats", 0), ("max_depth", 1)],
)
def test_the_least_values_are_accepted(name: str, value: float) -> None:
    """The limits themselves mean something."""
    changes: dict[str, Any] = {name: value}
    assert getattr(replace(PRESETS["ras"], **changes), name) == value
