"""Columns over many games: human-normalised statistics, profiles, and probabilities of improvement.

Random play and human are those of Mnih et al. 2015, the source of the paper's human scores: 49 games.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from pixelplan.reference.scores import HUMAN, RANDOM, paper_table2, reference_scores
from pixelplan.reports.columns import in_paper_order
from pixelplan.reports.statistics import (
    bootstrap_interval,
    human_level,
    human_normalised,
    iqm,
    mean,
    median,
    performance_profile,
    probability_of_improvement,
    profile_interval,
)
from pixelplan.reports.tables import PAPER_HEADS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pixelplan.reports.columns import PlayedColumn
    from pixelplan.reports.statistics import FloatArray, Interval, Scores, Statistic

STATISTICS: dict[str, Statistic] = {"iqm": iqm, "median": median, "mean": mean, "human_level": human_level}
THRESHOLDS: tuple[float, ...] = tuple(np.geomspace(0.01, 100, 161).tolist())
"""Human-normalised scores at which performance profiles are computed."""
NORMALISED_PAPER_COLUMNS = tuple(name for name in paper_table2().columns if name != "human")


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """A statistic and its 95 % interval, if runs were repeated."""

    value: float
    interval: Interval | None


@dataclass(frozen=True, kw_only=True)
class Aggregate:
    """The statistics of a column over some games."""

    key: str
    label: str
    is_ours: bool
    games: int
    runs: tuple[int, int] | None
    """The fewest and the most runs of a game; None for the paper's columns, of which only means are known."""
    statistics: Mapping[str, Estimate]


class Over(enum.StrEnum):
    """The games over which columns are put side by side."""

    BROAD = "common games of broad columns"
    """Those that all columns have, but for columns with fewer than half of the games that were played."""
    COMMON = "common games"
    """Those that all columns have."""
    OWN = "own games"
    """Each column's own."""


@dataclass(frozen=True, kw_only=True)
class AggregateGroup:
    """Columns side by side."""

    over: Over
    aggregates: tuple[Aggregate, ...]


@dataclass(frozen=True, kw_only=True)
class Improvement:
    """Probability that a run of the first column is better than one of the second, in the same game."""

    first: PlayedColumn
    second: PlayedColumn
    games: int
    probability: Estimate | None
    """None if no game was played by both."""


@dataclass(frozen=True, kw_only=True)
class Profile:
    """The share of runs above each of THRESHOLDS."""

    key: str
    label: str
    is_ours: bool
    place: int
    """Place of our column: of this one, or of the one beside which the paper's is shown."""
    shares: FloatArray
    bounds: tuple[FloatArray, FloatArray] | None


def normalise(scores: Scores) -> dict[str, list[float]]:
    """Return the human-normalised scores of the games that have a reference."""
    references = reference_scores().columns
    return human_normalised(scores, references[RANDOM], references[HUMAN])


def paper_label(key: str) -> str:
    """Return the name of a column of the paper, on one line."""
    return " ".join(filter(None, PAPER_HEADS[key]))


def aggregate(columns: Sequence[PlayedColumn]) -> tuple[AggregateGroup, ...]:
    """Compare all columns over their common games, then, if some have more, each with the paper's.

    A column that has few games would leave little to compare the others by: first those that have many.
    """
    ours = [(column, scores) for column in columns if (scores := normalise(column.scores))]
    played = {game for _, scores in ours for game in scores}
    broad = [(column, scores) for column, scores in ours if 2 * len(scores) >= len(played)]
    groups = []
    if 1 < len(broad) < len(ours):
        groups += _aggregate_common(Over.BROAD, broad)
    groups += _aggregate_common(Over.COMMON, ours)
    if any(scores.keys() != played for _, scores in ours):
        aggregates = []
        for column, scores in ours:
            games = in_paper_order(set(scores))
            aggregates.append(aggregate_ours(column, games))
            if column.paper in NORMALISED_PAPER_COLUMNS:
                aggregates.append(aggregate_paper(column.paper, games))
        groups.append(AggregateGroup(over=Over.OWN, aggregates=tuple(aggregates)))
    return tuple(groups)


def compare(columns: Sequence[PlayedColumn]) -> tuple[Improvement, ...]:
    """Return the probability of improvement of every column over every later one."""
    return tuple(compare_two(first, second) for first, second in combinations(columns, 2))


def make_profiles(columns: Sequence[PlayedColumn]) -> tuple[Profile, ...]:
    """Return the profiles of our columns, each followed by that of the paper's column over its games."""
    profiles = []
    for place, column in enumerate(columns):
        if not (scores := normalise(column.scores)):
            continue
        bounds = profile_interval(scores, THRESHOLDS, rng=_rng()) if _has_spread(scores) else None
        profiles.append(
            Profile(
                key=column.name,
                label=column.label,
                is_ours=True,
                place=place,
                shares=performance_profile(scores, THRESHOLDS),
                bounds=bounds,
            )
        )
        if column.paper in NORMALISED_PAPER_COLUMNS:
            theirs = _paper_scores(column.paper, list(scores))
            profiles.append(
                Profile(
                    key=column.paper,
                    label=f"{paper_label(column.paper)}, paper",
                    is_ours=False,
                    place=place,
                    shares=performance_profile(theirs, THRESHOLDS),
                    bounds=None,
                )
            )
    return tuple(profiles)


def compare_two(first: PlayedColumn, second: PlayedColumn) -> Improvement:
    """Return the probability of improvement of one column over another, over the games that both have."""
    games = [game for game in first.scores if game in second.scores]
    if not games:
        return Improvement(first=first, second=second, games=0, probability=None)
    sides = [{game: column.scores[game] for game in games} for column in (first, second)]
    return Improvement(
        first=first,
        second=second,
        games=len(games),
        probability=_estimate(probability_of_improvement, *sides),
    )


def compare_with_paper(column: PlayedColumn, key: str, games: Sequence[str]) -> Estimate:
    """Return the probability that a run of ours has a higher score than the mean of the paper."""
    published = paper_table2().columns[key]
    ours = {game: column.scores[game] for game in games}
    return _estimate(probability_of_improvement, ours, {game: [published[game]] for game in games})


def _aggregate_common(over: Over, ours: Sequence[tuple[PlayedColumn, Scores]]) -> list[AggregateGroup]:
    """Compare columns over the games that all of them have, and with the paper's; not if there is none."""
    games = in_paper_order(set.intersection(*(set(scores) for _, scores in ours))) if ours else []
    if not games:
        return []
    aggregates = [aggregate_ours(column, games) for column, _ in ours]
    aggregates += [aggregate_paper(key, games) for key in NORMALISED_PAPER_COLUMNS]
    return [AggregateGroup(over=over, aggregates=tuple(aggregates))]


def aggregate_ours(column: PlayedColumn, games: list[str]) -> Aggregate:
    """Return the statistics of a column of ours over some of its games."""
    normalised = normalise(column.scores)
    scores = {game: normalised[game] for game in games}
    numbers = [len(runs) for runs in scores.values()]
    return Aggregate(
        key=column.name,
        label=column.label,
        is_ours=True,
        games=len(games),
        runs=(min(numbers), max(numbers)),
        statistics={name: _estimate(statistic, scores) for name, statistic in STATISTICS.items()},
    )


def aggregate_paper(key: str, games: list[str]) -> Aggregate:
    """Return the statistics of a column of the paper over those of some games that it has."""
    scores = _paper_scores(key, games)
    return Aggregate(
        key=key,
        label=paper_label(key),
        is_ours=False,
        games=len(scores),
        runs=None,
        statistics={name: _estimate(statistic, scores) for name, statistic in STATISTICS.items()},
    )


def _paper_scores(key: str, games: list[str]) -> dict[str, list[float]]:
    published = paper_table2().columns[key]
    return normalise({game: [published[game]] for game in games if game in published})


def _estimate(statistic: Statistic, *several: Scores) -> Estimate:
    has_spread = any(_has_spread(scores) for scores in several)
    interval = bootstrap_interval(statistic, *several, rng=_rng()) if has_spread else None
    return Estimate(value=statistic(*several), interval=interval)


def _has_spread(scores: Scores) -> bool:
    """Say whether any game has several runs: else resampling within games changes nothing."""
    return any(len(runs) > 1 for runs in scores.values())


def _rng() -> np.random.Generator:
    # A new one each time, so that a number does not depend on what was computed before it.
    return np.random.default_rng(0)
