"""What every feature set must do, whichever it is, and what the sets differ in."""

import pickle

import numpy as np
import pytest
from numpy.typing import NDArray

from pixelplan.features.background import Background
from pixelplan.features.feature_sets import FEATURE_SETS
from pixelplan.features.observation import NO_OBSERVATION
from pixelplan.planning.novelty import Novelty


class Sample:
    """A game with noise on its screen and in its memory."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self._screen = rng.integers(0, 128, (210, 160), np.uint8) * np.uint8(2)
        self._ram = rng.integers(0, 256, 128, np.uint8)

    def screen(self) -> NDArray[np.uint8]:
        return self._screen

    def ram(self) -> NDArray[np.uint8]:
        return self._ram


FIRST, SECOND = Sample(1), Sample(2)


@pytest.mark.parametrize("name", FEATURE_SETS)
def test_a_table_judges_what_its_set_describes(name: str) -> None:
    known = FEATURE_SETS[name]
    background = Background.of_screen(FIRST.screen())
    first, second = (known.observe(background, view) for view in (FIRST, SECOND))
    start, successor = known.describe(first, NO_OBSERVATION), known.describe(second, first)
    table = known.make_table()
    assert table.update(start, 0) is Novelty.IMPROVES
    assert table.update(start, 1) is Novelty.WORSE
    assert table.compare(successor, 1) is Novelty.IMPROVES
    assert table.update(successor, 1) is Novelty.IMPROVES
    assert table.compare(successor, 1) is Novelty.TIES
    assert known.make_table().compare(start, 1_500) is Novelty.IMPROVES


@pytest.mark.parametrize("name", FEATURE_SETS)
def test_observations_and_features_are_values(name: str) -> None:
    """Not views of an array that the next action overwrites; and features can be pickled."""
    known = FEATURE_SETS[name]
    view = Sample(3)
    background = Background.of_screen(SECOND.screen())
    observation = known.observe(background, view)
    assert known.observe(background, Sample(3)) == observation
    features = known.describe(observation, NO_OBSERVATION)
    assert pickle.loads(pickle.dumps(features)) == features
    copy = bytes(observation)
    view.screen()[:] = view.ram()[:] = 0
    assert observation == copy != known.observe(background, view)


@pytest.mark.parametrize("name", FEATURE_SETS)
def test_a_background_is_learned_where_it_is_looked_at(name: str) -> None:
    known = FEATURE_SETS[name]
    background = Background.of_screen(FIRST.screen())
    known.observe(background, SECOND)
    assert np.any(background.departed) == known.needs_background


@pytest.mark.parametrize(("name", "matters"), [("b-prost", True), ("ram-bytes", False)])
def test_whether_the_observation_before_matters(name: str, matters: bool) -> None:
    """If not, an action has no effect when it leads to an equal observation."""
    known = FEATURE_SETS[name]
    background = Background.of_screen(FIRST.screen())
    first, second = (known.observe(background, view) for view in (FIRST, SECOND))
    assert (known.describe(second, first) != known.describe(second, second)) == matters
