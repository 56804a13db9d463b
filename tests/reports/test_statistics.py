"""The statistics against numbers worked out by hand, the paper's own counts, and rliable."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pixelplan.errors import InputError
from pixelplan.reference.scores import HUMAN, RANDOM, ScoreTable, paper_table1, paper_table2, reference_scores
from pixelplan.reports.statistics import (
    Interval,
    Scores,
    Statistic,
    bootstrap_interval,
    count_best,
    count_reaching,
    human_level,
    human_normalised,
    iqm,
    mean,
    median,
    performance_profile,
    probability_of_improvement,
    profile_interval,
)

RLIABLE = json.loads((Path(__file__).parent / "rliable_1_2.json").read_text())
NAMES = list(RLIABLE["scores"])
PAIRS = list(RLIABLE["probability_of_improvement"])
THRESHOLDS = RLIABLE["thresholds"]
REPETITIONS = 20_000
TOLERANCE = 0.05
"""How far our interval's ends may be from rliable's, in widths of the interval. Both are estimates from
10,000 resamples or more, whose ends scatter by about 1 % of the width."""

SINGLE = {"iqm": iqm, "median": median, "mean": mean}

values = st.integers(-20, 20).map(lambda tenths: tenths / 10)
runs = st.lists(values, min_size=1, max_size=6)
scores_of_games = st.dictionaries(st.sampled_from("abcde"), runs, min_size=1)


@st.composite
def matrices(draw: st.DrawFn) -> Scores:
    """Games with equally many runs."""
    count = draw(st.integers(1, 5))
    one_game = st.lists(values, min_size=count, max_size=count)
    return draw(st.dictionaries(st.sampled_from("abcdefg"), one_game, min_size=1))


def made_up(name: str) -> Scores:
    """Return the scores that rliable was given."""
    return {str(game): list(column) for game, column in enumerate(zip(*RLIABLE["scores"][name], strict=True))}


def assert_near(ours: Interval, theirs: list[float]) -> None:
    low, high = theirs
    assert [ours.low, ours.high] == pytest.approx(theirs, abs=TOLERANCE * (high - low))


def test_games_at_human_level_are_counted_with_an_interval() -> None:
    scores = {"a": [1.0], "b": [0.5, 1.5], "c": [0.9, 1.05], "d": [0.1, 0.2]}
    assert human_level(scores) == 2
    interval = bootstrap_interval(human_level, scores, rng=np.random.default_rng(0))
    assert (interval.low, interval.high) == (1, 3)


def test_human_normalised_is_0_for_random_play_and_1_for_the_human() -> None:
    scores = {"tennis": [-23.8, -8.9, 6.0], "pong": [1.0], "kaboom": [5.0]}
    normalised = human_normalised(scores, {"tennis": -23.8, "pong": 0.0}, {"tennis": -8.9, "kaboom": 9.0})
    assert normalised.keys() == {"tennis"}
    assert normalised["tennis"] == pytest.approx([0, 1, 2])


def test_median_and_mean_are_those_of_the_games_means() -> None:
    scores = {"a": [1.0, 3.0], "b": [10.0], "c": [0.0, 0.0, 9.0]}
    assert median(scores) == 3
    assert mean(scores) == 5


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ({"a": [7.0]}, 7),
        ({"a": [1.0, 2.0, 90.0]}, 31),  # three runs: 3 // 4 = 0 are cut
        ({"a": [-50.0, 1.0], "b": [2.0, 90.0]}, 1.5),
    ],
)
def test_iqm_by_hand(scores: Scores, expected: float) -> None:
    assert iqm(scores) == expected


def test_iqm_of_unequally_many_runs_by_hand() -> None:
    """Seven runs: 7 // 4 = 1 is cut. In a and b a run weighs 7/9, in c 7/3.

    So what goes is all of -50, 2/9 of what 1 weighs, and 1 of what 90 weighs.
    """
    scores = {"a": [-50.0, 1.0, 2.0], "b": [3.0, 4.0, 5.0], "c": [90.0]}
    assert iqm(scores) == pytest.approx((5 / 9 * 1 + 7 / 9 * (2 + 3 + 4 + 5) + 4 / 3 * 90) / 5)


@given(scores=matrices())
def test_iqm_of_equally_many_runs_is_the_trimmed_mean_of_all(scores: Scores) -> None:
    pooled = sorted(score for game in scores.values() for score in game)
    cut = int(0.25 * len(pooled))
    assert iqm(scores) == pytest.approx(fmean(pooled[cut : len(pooled) - cut]), abs=1e-12)


@given(scores=scores_of_games, times=st.integers(1, 4), name=st.sampled_from("abcde"))
def test_every_game_has_the_same_weight(scores: dict[str, list[float]], times: int, name: str) -> None:
    """Runs that are there several times change nothing. (Four times at least, so that no cut is rounded.)"""
    scores = {game: runs * 4 for game, runs in scores.items()}
    copied = scores | ({name: scores[name] * times} if name in scores else {})
    assert iqm(copied) == pytest.approx(iqm(scores), abs=1e-12)
    assert mean(copied) == pytest.approx(mean(scores))
    assert median(copied) == pytest.approx(median(scores))
    assert performance_profile(copied, THRESHOLDS) == pytest.approx(performance_profile(scores, THRESHOLDS))
    assert probability_of_improvement(copied, scores) == pytest.approx(0.5)


@given(scores=scores_of_games, scale=st.sampled_from([0.5, 2.0, 3.0]), shift=values)
def test_statistics_move_with_the_scores(scores: dict[str, list[float]], scale: float, shift: float) -> None:
    moved = {game: [scale * score + shift for score in runs] for game, runs in scores.items()}
    for statistic in SINGLE.values():
        lowest, highest = (pick(map(pick, scores.values())) for pick in (min, max))
        assert lowest - 1e-9 <= statistic(scores) <= highest + 1e-9
        assert statistic(moved) == pytest.approx(scale * statistic(scores) + shift, abs=1e-9)


def test_profile_by_hand() -> None:
    """Game a counts as much as game b; a score equal to the threshold is not above it."""
    profile = performance_profile({"a": [0.0, 1.0, 2.0, 3.0], "b": [1.0]}, [-1, 0, 1, 2, 3])
    assert profile.tolist() == [1, 0.875, 0.25, 0.125, 0]


def test_probability_of_improvement_by_hand() -> None:
    """Only the games of both; a tie is half a win; a: 2.5 of 4, b: 2 of 3."""
    ours = {"a": [1.0, 4.0], "b": [2.0], "ours only": [9.0]}
    theirs = {"theirs only": [9.0], "b": [0.0, 1.0, 5.0], "a": [1.0, 2.0]}
    assert probability_of_improvement(ours, theirs) == pytest.approx((2.5 / 4 + 2 / 3) / 2)


@given(ours=scores_of_games, theirs=scores_of_games)
def test_probability_of_improvement_counts_pairs_of_runs(
    ours: dict[str, list[float]], theirs: dict[str, list[float]]
) -> None:
    common = ours.keys() & theirs.keys()
    if not common:
        with pytest.raises(InputError, match="no game"):
            probability_of_improvement(ours, theirs)
        return
    wins = [
        fmean((x > y) + (x == y) / 2 for x in ours[game] for y in theirs[game]) for game in sorted(common)
    ]
    assert probability_of_improvement(ours, theirs) == pytest.approx(fmean(wins))
    assert probability_of_improvement(theirs, ours) == pytest.approx(1 - fmean(wins))


@pytest.mark.parametrize("scores", [{}, {"a": [1.0], "b": []}])
def test_no_runs_are_refused(scores: Scores) -> None:
    for statistic in SINGLE.values():
        with pytest.raises(InputError):
            statistic(scores)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("statistic", SINGLE)
def test_statistics_are_rliables(statistic: str, name: str) -> None:
    expected = RLIABLE[statistic][name]
    assert SINGLE[statistic](made_up(name)) == pytest.approx(expected["point"], rel=1e-12)
    rng = np.random.default_rng(0)
    interval = bootstrap_interval(SINGLE[statistic], made_up(name), rng=rng, repetitions=REPETITIONS)
    assert_near(interval, expected["interval"])


@pytest.mark.parametrize("pair", PAIRS)
def test_probability_of_improvement_is_rliables(pair: str) -> None:
    expected = RLIABLE["probability_of_improvement"][pair]
    both = [made_up(name) for name in pair.split(",")]
    assert probability_of_improvement(*both) == pytest.approx(expected["point"], rel=1e-12)
    rng = np.random.default_rng(0)
    interval = bootstrap_interval(probability_of_improvement, *both, rng=rng, repetitions=REPETITIONS)
    assert_near(interval, expected["interval"])


@pytest.mark.parametrize("name", NAMES)
def test_profile_is_rliables(name: str) -> None:
    """A profile moves by whole runs, and so do the ends of its interval: by one at most."""
    one_run = 1.001 / np.size(RLIABLE["scores"][name])
    expected = RLIABLE["performance_profile"][name]
    profile = performance_profile(made_up(name), THRESHOLDS)
    assert profile == pytest.approx(expected["point"], rel=1e-12)
    rng = np.random.default_rng(0)
    band = profile_interval(made_up(name), THRESHOLDS, rng=rng, repetitions=REPETITIONS)
    np.testing.assert_allclose(band, expected["interval"], atol=one_run)


@given(scores=scores_of_games, statistic=st.sampled_from(list(SINGLE.values())))
def test_games_are_never_mixed_in_a_resample(scores: dict[str, list[float]], statistic: Statistic) -> None:
    """Without variation inside the games there is nothing to be unsure of."""
    constant = {game: [runs[0]] * len(runs) for game, runs in scores.items()}
    interval = bootstrap_interval(statistic, constant, rng=np.random.default_rng(0), repetitions=50)
    assert [interval.low, interval.high] == pytest.approx([statistic(constant)] * 2, abs=1e-12)


@given(scores=scores_of_games, seed=st.integers(0, 99))
def test_intervals_follow_seed_and_level(scores: dict[str, list[float]], seed: int) -> None:
    wide, again, narrow = (
        bootstrap_interval(iqm, scores, rng=np.random.default_rng(seed), repetitions=50, level=level)
        for level in (0.95, 0.95, 0.5)
    )
    assert wide == again
    assert wide.low <= narrow.low <= narrow.high <= wide.high


def test_a_resample_draws_as_many_runs_as_were_played() -> None:
    """Two runs, 0 and 1: the mean of a resample is 0, 1/2, 1/2 or 1, so a quarter of them are 0."""
    rng = np.random.default_rng(0)
    scores = {"a": [0.0, 1.0]}
    for level, ends in ((0.48, [0.5, 0.5]), (0.52, [0.0, 1.0])):
        interval = bootstrap_interval(mean, scores, rng=rng, repetitions=REPETITIONS, level=level)
        assert [interval.low, interval.high] == ends


@pytest.mark.parametrize(
    ("table", "share", "expected"),
    [
        (paper_table1, 1.0, [23, 18, 25]),
        (paper_table1, 0.75, [27, 22, 29]),
        (paper_table2, 1.0, [7, 22, 19, 34, 22, 35, 25, 37]),
        (paper_table2, 0.75, [7, 24, 22, 34, 26, 39, 29, 40]),
    ],
)
def test_the_papers_counts_of_human_scores(
    table: Callable[[], ScoreTable], share: float, expected: list[int]
) -> None:
    human = table().columns["human"]
    columns = [column for name, column in table().columns.items() if name not in ("human", "iw1_ram")]
    assert [count_reaching(column, human, share) for column in columns] == expected


def test_the_papers_counts_of_best_scores() -> None:
    """In Table 2 boxing is a tie."""
    assert list(count_best(paper_table1().columns).values()) == [16, 12, 6, 15]
    assert list(count_best(paper_table2().columns).values()) == [5, 24, 1, 9, 0, 2, 0, 7, 0, 11]


@pytest.mark.parametrize(
    ("score", "share", "expected"),
    [(-9.0, 1.0, 0), (-8.0, 1.0, 1), (-9.0, 0.75, 0), (-8.0, 0.75, 1), (-5.0, 0.75, 1)],
)
def test_a_negative_human_score_is_reached_from_below(score: float, share: float, expected: int) -> None:
    assert count_reaching({"a": score, "no human": 1.0}, {"a": -8.0, "nobody": 0.0}, share) == expected


@pytest.mark.parametrize(
    ("column", "expected"), [("ras_rollout_iw1_0.5s", 1.05), ("ras_rollout_iw1_32s", 1.75)]
)
def test_the_median_human_normalised_score_of_the_paper(column: str, expected: float) -> None:
    reference = reference_scores().columns
    scores = {game: [score] for game, score in paper_table2().columns[column].items()}
    normalised = human_normalised(scores, reference[RANDOM], reference[HUMAN])
    assert len(normalised) == 49
    assert median(normalised) == pytest.approx(expected, abs=0.005)
