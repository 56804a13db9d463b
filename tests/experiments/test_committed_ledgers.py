"""Settings are stored as differences from their defaults: what was written stays what it was."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pixelplan.experiments.folder import gather_results
from pixelplan.experiments.ledger import read_ledger, read_settings, shorten
from pixelplan.experiments.spec import read_spec
from pixelplan.play.recorded_run import read_run
from pixelplan.play.replay import replay_episode
from pixelplan.play.settings import EpisodeSettings

if TYPE_CHECKING:
    from pixelplan.experiments.ledger import Row

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "docs" / "results"
LEDGERS = {
    "results": "episodes.csv",
    "strength": "strength-episodes.csv",
    "baselines": "baselines-episodes.csv",
    "best": "best-episodes.csv",
}
"""Experiment -> its ledger."""
RECORDED = ROOT / "tests" / "play" / "recorded"
"""A run folder of best with a patience of 7, as it was written before planners had types of settings."""

STORED_BASE = {
    "planner": "rollout-iw", "width": 1, "discount": 1.0, "caching": "full", "risk_averse": True,
    "alpha": 50_000.0, "death_penalty": 10.0, "lost_life_ends": False, "cautious": False,
    "subscoring": True, "subgoaling": False, "nothing_found": "longest", "root_in_table": True,
    "cached_nodes": "pass", "no_effect_repeats": 1, "persistence": 0.0, "foresight": False,
    "curiosity": 0.0, "verifications": 0, "patience": 0, "max_depth": 1_500, "max_nodes": 50_000,
    "uct_horizon": 20, "uct_constant": 0.1, "features": "b-prost", "seconds": None, "calls": None,
    "max_frames": 18_000, "decisions": None, "frameskip": 15, "actions": "full", "noops": 29,
    "sticky": 0.0, "seed": 0, "workers": 0, "deterministic": False, "realtime": False,
}  # fmt: skip


def test_the_base_of_what_is_stored_stays() -> None:
    defaults = {field.name: field.default for field in fields(EpisodeSettings) if field.name != "game"}
    assert STORED_BASE.items() <= defaults.items()


@pytest.mark.parametrize(("experiment", "ledger"), LEDGERS.items())
def test_committed_ledgers_have_the_settings_of_their_experiments(experiment: str, ledger: str) -> None:
    spec = read_spec(ROOT / "experiments" / f"{experiment}.toml")
    rows = read_ledger(RESULTS / ledger, spec.names_now())
    assert [row.name for row in rows if shorten(read_settings(row)) != row.settings] == []
    by_name: dict[str, Row] = {row.name: row for row in rows}
    results = gather_results(spec, by_name)
    assert results.problems == ()
    assert len(results.rows) == len(rows)


def test_an_older_run_folder_has_the_same_settings_and_is_replayed() -> None:
    run = read_run(RECORDED)
    best = {"discount": 0.99, "lost_life_ends": True, "cautious": True, "persistence": 0.5, "foresight": True}
    best |= {"curiosity": 1e-6, "verifications": 3, "max_depth": 15}
    own = {"game": "breakout", "calls": 12, "decisions": 3, "noops": 0, "patience": 7, "seed": 3}
    assert vars(run.settings) == STORED_BASE | best | own
    assert replay_episode(run).frames == run.result["frames"] == 45
