"""Experiments with made-up episodes: no emulator is needed to report on them."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from pixelplan.experiments.folder import ExperimentFolder
from pixelplan.experiments.ledger import Row, shorten, write_ledger
from pixelplan.experiments.spec import Column, Episode, Experiment
from pixelplan.play.settings import EpisodeSettings
from pixelplan.reference.scores import paper_table2
from pixelplan.simulators.games import PAPER_GAMES

RAS = "ras_rollout_iw1_0.5s"

THREE_COLUMNS = (
    Column(name="ras-0.5s", label="RAS 0.5 s", paper="ras_rollout_iw1_0.5s"),
    Column(name="ras-32s", label="RAS 32 s", paper="ras_rollout_iw1_32s"),
    Column(name="rollout-0.5s", label="Rollout 0.5 s", paper="rollout_iw1_0.5s"),
)
SETTINGS: dict[str, dict[str, Any]] = {
    "ras-0.5s": {"seconds": 0.5},
    "ras-32s": {"seconds": 32.0},
    "rollout-0.5s": {"seconds": 0.5, "risk_averse": False, "subscoring": False},
}


def make_experiment(
    columns: Sequence[Column] = THREE_COLUMNS,
    games: Iterable[str] = PAPER_GAMES,
    runs: int = 1,
    title: str = "Made up",
) -> Experiment:
    """Return an experiment in which every column plays every game."""
    episodes = [
        Episode(
            column=column.name,
            game=game,
            run=run,
            settings=EpisodeSettings(
                game=game, seed=run - 1, **SETTINGS.get(column.name, {"calls": 10 + place})
            ),
        )
        for run in range(1, runs + 1)
        for place, column in enumerate(columns)
        for game in games
    ]
    return Experiment(title=title, columns=tuple(columns), episodes=tuple(episodes))


def make_row(episode: Episode, score: int, **others: Any) -> Row:  # noqa: ANN401
    """Return a finished episode with nothing to complain about."""
    seconds = episode.settings.seconds or 0.25
    calls = int(1200 * 500 * seconds)
    values: dict[str, Any] = {
        "column": episode.column,
        "game": episode.game,
        "run": episode.run,
        "score": score,
        "frames": 18_000,
        "decisions": 1200,
        "simulator_calls": calls,
        "nodes": calls,
        "rollouts": calls // 20,
        "dropped_trees": 0,
        "seconds_mean": seconds,
        "seconds_p50": seconds,
        "seconds_p99": 1.002 * seconds,
        "seconds_max": 1.004 * seconds,
        "depth_mean": 25.5,
        "simulator_share": 0.9,
        "overruns": 0,
        "late": 0,
        "replaced_workers": 0,
        "wall_seconds": 1200 * seconds,
        "cpu_share": 0.99,
        "version": "0.1.0",
        "settings": shorten(episode.settings),
    }
    return Row(**values | others)


def published_score(episode: Episode, experiment: Experiment) -> float:
    """Return the paper's score of a column's counterpart."""
    paper = next(column.paper for column in experiment.columns if column.name == episode.column)
    return paper_table2().columns[paper or RAS].get(episode.game, 0.0)


def make_rows(experiment: Experiment, seed: int = 0, share: float = 1.0) -> list[Row]:
    """Return episodes with scores near the paper's; only some of them, if a share is given."""
    draw = random.Random(seed)
    rows = []
    for episode in experiment.episodes:
        score = round(published_score(episode, experiment) * draw.lognormvariate(0, 0.35) + draw.gauss(0, 2))
        speed = draw.lognormvariate(0, 0.4)
        calls = round(600_000 * speed * (episode.settings.seconds or 0.1))
        if draw.random() < share:
            rows.append(make_row(episode, score, simulator_calls=calls))
    return rows


def write_experiment(folder: Path, experiment: Experiment, rows: Iterable[Row]) -> Path:
    """Write an experiment without run folders, and return the ledger of its episodes."""
    ExperimentFolder(folder).write_experiment(experiment)
    ledger = folder / "made-up.csv"
    write_ledger(ledger, rows)
    return ledger
