"""Statistics of many runs of many games, with confidence intervals.

Definitions: Agarwal et al., "Deep Reinforcement Learning at the Edge of the Statistical Precipice",
NeurIPS 2021, as in rliable 1.2. Unlike there, games may have different numbers of runs: every game has
the same weight, and shares it among its runs. With equally many runs that is rliable.

A resample of the bootstrap only changes how often each run counts. So a statistic is written once, for
runs with counts. It works on one row of counts (the runs as played) or on thousands of rows at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from pixelplan.errors import InputError

Scores = Mapping[str, Sequence[float]]
"""Game -> the scores of its runs, at least one."""
GameScores = Mapping[str, float]
"""Game -> one score. A game without a score is not in it."""
FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

REPETITIONS = 2_000
"""Resamples of a bootstrap. From seed to seed the ends of a 95 % interval move by some 2 % of its width."""
ROUNDING = 1e-9


@dataclass(frozen=True, kw_only=True)
class Sample:
    """The runs of all games in one row, game after game, and how often each of them counts."""

    values: FloatArray
    """[run]"""
    runs_per_game: IntArray
    """[game]"""
    counts: FloatArray
    """[..., run]: 1 as played; in a resample, how often the run was drawn."""

    def weights(self) -> FloatArray:
        """Return [..., run]: what each run weighs. Together they weigh as many as there are runs."""
        shares = len(self.values) / len(self.runs_per_game) / self.runs_per_game
        return self.counts * np.repeat(shares, self.runs_per_game)

    def game_means(self) -> FloatArray:
        """Return [..., game]: the mean score of each game."""
        starts = np.cumsum(self.runs_per_game) - self.runs_per_game
        sums: FloatArray = np.add.reduceat(self.counts * self.values, starts, axis=-1)
        return sums / self.runs_per_game

    def resampled(self, repetitions: int, rng: np.random.Generator) -> Sample:
        """Return resamples, stratified by game: each game keeps its number of runs, drawn from its own."""
        drawn = [rng.multinomial(runs, np.full(runs, 1 / runs), repetitions) for runs in self.runs_per_game]
        return replace(self, counts=np.concatenate(drawn, axis=1).astype(np.float64))


@dataclass(frozen=True)
class Statistic:
    """A number that sums up scores: called with Scores, it is that of the runs as played."""

    of_samples: Callable[..., FloatArray]
    """The number for every row of counts of one Sample, or of several."""

    def __call__(self, *scores: Scores) -> float:
        """Return the number for the runs as played, over the games that all the scores have."""
        return float(self.of_samples(*_as_played(scores)))


@dataclass(frozen=True, kw_only=True)
class Interval:
    """A confidence interval."""

    low: float
    high: float


def human_normalised(scores: Scores, random: GameScores, human: GameScores) -> dict[str, list[float]]:
    """Return 0 for random play and 1 for the human; games without a reference are left out."""
    return {
        game: [(score - random[game]) / (human[game] - random[game]) for score in runs]
        for game, runs in scores.items()
        if game in random and game in human
    }


@Statistic
def mean(sample: Sample) -> FloatArray:
    """Return the mean over games of the game's mean."""
    means: FloatArray = sample.game_means().mean(axis=-1)
    return means


@Statistic
def median(sample: Sample) -> FloatArray:
    """Return the median over games of the game's mean."""
    return np.asarray(np.median(sample.game_means(), axis=-1))


@Statistic
def iqm(sample: Sample) -> FloatArray:
    """Return the interquartile mean: the mean without the lowest and the highest quarter of all runs.

    As in scipy's trim_mean, a quarter of n runs is n // 4 runs. With unequal numbers of runs a run weighs
    more in a game that has few. Then n // 4 is the weight that is cut, out of n; the run where the cut
    falls keeps the rest of its weight.
    """
    order = np.argsort(sample.values)
    total = len(order)
    cut = total // 4
    reached = np.cumsum(sample.weights()[..., order], axis=-1)
    kept = np.diff(np.clip(reached, cut, total - cut), axis=-1, prepend=cut)
    return np.asarray(kept @ sample.values[order] / (total - 2 * cut))


@Statistic
def human_level(sample: Sample) -> FloatArray:
    """Return the number of games whose mean human-normalised score is that of the human, or higher."""
    return np.asarray((sample.game_means() >= 1 - ROUNDING).sum(axis=-1), np.float64)


@Statistic
def probability_of_improvement(ours: Sample, theirs: Sample) -> FloatArray:
    """Return P(ours > theirs) + P(ours = theirs) / 2 for two runs of one game, as mean over the games."""
    left, right = ours.values[:, np.newaxis], theirs.values
    wins = (left > right) + (left == right) / 2
    games = np.arange(len(ours.runs_per_game))
    same_game = np.repeat(games, ours.runs_per_game)[:, np.newaxis] == np.repeat(games, theirs.runs_per_game)
    pairs = np.repeat(ours.runs_per_game * theirs.runs_per_game, ours.runs_per_game)[:, np.newaxis]
    probabilities = (ours.counts @ (wins * same_game / pairs)) * theirs.counts
    return np.asarray(probabilities.sum(axis=-1) / len(games))


def performance_profile(scores: Scores, thresholds: Sequence[float]) -> FloatArray:
    """Return, for each threshold, the share of runs with a score above it."""
    (sample,) = _as_played([scores])
    return _share_above(sample, thresholds)


def bootstrap_interval(
    statistic: Statistic,
    *scores: Scores,
    rng: np.random.Generator,
    repetitions: int = REPETITIONS,
    level: float = 0.95,
) -> Interval:
    """Return the percentile bootstrap's interval; runs are resampled within each game and each Scores."""
    samples = [sample.resampled(repetitions, rng) for sample in _as_played(scores)]
    low, high = _middle(statistic.of_samples(*samples), level)
    return Interval(low=float(low), high=float(high))


def profile_interval(
    scores: Scores,
    thresholds: Sequence[float],
    *,
    rng: np.random.Generator,
    repetitions: int = REPETITIONS,
    level: float = 0.95,
) -> tuple[FloatArray, FloatArray]:
    """Return the lower and the upper bound of a performance profile at each threshold."""
    (sample,) = _as_played([scores])
    low, high = _middle(_share_above(sample.resampled(repetitions, rng), thresholds), level)
    return low, high


def count_reaching(scores: GameScores, human: GameScores, share: float = 1.0) -> int:
    """Count the games with at least this share of the human's score.

    Where the human's score is negative (double_dunk, tennis), its share lies above it. Whoever equals the
    human counts there too, so that a smaller share never counts fewer games.
    Paper: this gives every count of Tables 1 and 2, as the bare score >= share * human does, too. Other
    readings do not: a share of the way from random play to the human, or human - (1 - share) * |human|.
    """
    common = scores.keys() & human.keys()
    return sum(scores[game] >= min(human[game], share * human[game]) for game in common)


def count_best(columns: Mapping[str, GameScores]) -> dict[str, int]:
    """Count for each column the games in which no other is better. Paper: a tie counts for each."""
    games = {game for column in columns.values() for game in column}
    best = {game: max(column[game] for column in columns.values() if game in column) for game in games}
    return {
        name: sum(score == best[game] for game, score in column.items()) for name, column in columns.items()
    }


def _as_played(several: Sequence[Scores]) -> list[Sample]:
    games = [game for game in several[0] if all(game in scores for scores in several)]
    if not games:
        raise InputError("there are no scores to compare: no game has runs on every side")
    return [_sample([scores[game] for game in games]) for scores in several]


def _sample(games: list[Sequence[float]]) -> Sample:
    runs_per_game = np.array([len(runs) for runs in games])
    if not runs_per_game.all():
        raise InputError("every game needs at least one run")
    values = np.concatenate([np.asarray(runs, dtype=np.float64) for runs in games])
    return Sample(values=values, runs_per_game=runs_per_game, counts=np.ones(len(values)))


def _share_above(sample: Sample, thresholds: Sequence[float]) -> FloatArray:
    above = sample.values[:, np.newaxis] > np.asarray(thresholds)
    return np.asarray(sample.weights() @ above / len(sample.values))


def _middle(draws: FloatArray, level: float) -> FloatArray:
    tail = (1 - level) / 2
    return np.quantile(draws, [tail, 1 - tail], axis=0)
