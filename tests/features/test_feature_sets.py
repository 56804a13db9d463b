"""What every feature set must do, whichever it is, and what the sets differ in."""

import pickle

import numpy as np
import pytest
from numpy.typing import NDArray

from pixelplan.errors import InputError
from pixelplan.features import b_prost, blob_prost
from pixelplan.features.background import Background
from pixelplan.features.feature_sets import FEATURE_SETS, find_feature_set
from pixelplan.features.observation import NO_OBSERVATION
from pixelplan.features.screens import ScreenTable
from pixelplan.planning.novelty import Novelty, check_width


class Sample:
    """A game with patches of many colours on its screen and noise in its memory."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        patches = rng.integers(0, 128, (21, 16), np.uint8) * np.uint8(2)
        self._screen = patches.repeat(10, axis=0).repeat(10, axis=1)
        self._ram = rng.integers(0, 256, 128, np.uint8)

    def screen(self) -> NDArray[np.uint8]:
        return self._screen

    def ram(self) -> NDArray[np.uint8]:
        return self._ram


FIRST, SECOND = Sample(1), Sample(2)


@pytest.mark.parametrize("name", FEATURE_SETS)
def test_a_table_judges_what_its_set_describes(name: str) -> None:
    known = FEATURE_SETS[name]
    background = Background.of_screen(Sample(0).screen())
    first, second = (known.observe(background, view) for view in (FIRST, SECOND))
    start, successor = known.describe(first, NO_OBSERVATION), known.describe(second, first)
    table = known.make_table(1)
    assert table.update(start, 0) is Novelty.IMPROVES
    assert table.update(start, 1) is Novelty.WORSE
    assert table.compare(successor, 1) is Novelty.IMPROVES
    assert table.update(successor, 1) is Novelty.IMPROVES
    assert table.compare(successor, 1) is Novelty.TIES
    assert known.make_table(1).compare(start, 1_500) is Novelty.IMPROVES


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


@pytest.mark.parametrize("name", FEATURE_SETS)
def test_whether_the_observation_before_matters(name: str) -> None:
    """If not, an action has no effect when it leads to an equal observation."""
    known = FEATURE_SETS[name]
    matters = name in {"b-prot", "b-prost", "blob-prost"}
    background = Background.of_screen(FIRST.screen())
    first, second = (known.observe(background, view) for view in (FIRST, SECOND))
    assert (known.describe(second, first) != known.describe(second, second)) == matters


VARIABLES = {"ram-bytes": 128, "ram-bits": 1_024, "pixels": 8_400}
TILES = {"basic": 28_672, "b-pros": 6_885_440, "b-prot": 13_742_080, "b-prost": 20_598_848}
COUNTS = VARIABLES | TILES | {"blob-prost": 114_702_400}


@pytest.mark.parametrize("name", FEATURE_SETS)
def test_how_many_atoms_can_be_true_at_once(name: str) -> None:
    assert FEATURE_SETS[name].max_atoms == COUNTS[name]


@pytest.mark.parametrize("name", ["ram-bytes", "ram-bits"])
def test_sets_of_variables_support_width_2(name: str) -> None:
    """After two states, one that has half of its values from each is new as a conjunction only."""
    known = FEATURE_SETS[name]
    first, second = (known.describe(view.ram().tobytes(), NO_OBSERVATION) for view in (FIRST, SECOND))
    half = len(first) // 2
    for width, verdict in ((1, Novelty.WORSE), (2, Novelty.IMPROVES)):
        table = known.make_table(width)
        table.update(first, 0)
        table.update(second, 0)
        assert table.compare(first[:half] + second[half:], 1) is verdict


@pytest.mark.parametrize("name", FEATURE_SETS)
def test_the_greatest_width(name: str) -> None:
    """Of which a state has no more than a million conjunctions."""
    greatest = {"ram-bytes": 3, "ram-bits": 2}.get(name, 1)
    known = FEATURE_SETS[name]
    check_width(known.max_atoms, greatest, name)
    known.make_table(greatest)
    message = f"^width {greatest + 1} is too much for {name}: .*; the greatest possible width is {greatest}$"
    with pytest.raises(InputError, match=message):
        check_width(known.max_atoms, greatest + 1, name)


@pytest.mark.parametrize("name", FEATURE_SETS)
def test_sets_are_found_by_name(name: str) -> None:
    known = find_feature_set(name)
    assert known is FEATURE_SETS[name]
    assert find_feature_set(known) is known


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("ram-byte", "unknown features 'ram-byte': did you mean ram-bytes?"),
        ("smell", "choose from b-prost, "),
    ],
)
def test_unknown_names_are_refused(name: str, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        find_feature_set(name)
    assert message in str(refusal.value)


FAMILIES = {
    "basic": (False, False),
    "b-pros": (True, False),
    "b-prot": (False, True),
    "b-prost": (True, True),
}
"""Whether pairs in space and pairs in time count."""


@pytest.mark.parametrize("name", FAMILIES)
def test_a_tile_set_has_the_atoms_of_its_families(name: str) -> None:
    """A table explains a screen by those of b_prost.atoms, whose numbers lie where they should."""
    in_space, in_time = FAMILIES[name]
    known = FEATURE_SETS[name]
    background = Background.of_screen(FIRST.screen())
    tiles, previous = known.observe(background, SECOND), known.observe(background, FIRST)
    table = known.make_table(1)
    assert isinstance(table, ScreenTable)
    explained = table.explain(known.describe(tiles, previous), 0)
    expected = b_prost.atoms(
        SECOND.screen(), FIRST.screen() if in_time else None, background.colours, in_space=in_space
    )
    np.testing.assert_array_equal(explained, expected)
    in_families = np.histogram(explained, [0, 28_672, 6_885_440, 20_598_848])[0] > 0
    assert in_families.tolist() == [True, in_space, in_time]


def test_blob_prost_has_the_atoms_of_its_blobs() -> None:
    """All three families, and none of the background."""
    known = FEATURE_SETS["blob-prost"]
    background = Background.of_screen(FIRST.screen())
    table = known.make_table(1)
    assert isinstance(table, ScreenTable)
    blobs, previous = known.observe(background, SECOND), known.observe(background, FIRST)
    assert previous == b""
    third = known.observe(background, Sample(3))
    explained = table.explain(known.describe(third, blobs), 0)
    expected = blob_prost.atoms(Sample(3).screen(), SECOND.screen(), background.colours)
    np.testing.assert_array_equal(explained, expected)
    assert (np.histogram(explained, [0, 153_600, 38_336_576, 114_702_400])[0] > 0).all()
    whole = blob_prost.atoms(FIRST.screen())
    assert whole.size > 0
    assert table.explain(known.describe(previous, third), 0).size == 0


@pytest.mark.parametrize("name", FEATURE_SETS)
def test_sets_can_be_handed_to_other_processes(name: str) -> None:
    """What comes out of the pickle observes the same, and makes tables that judge it."""
    known, copy = FEATURE_SETS[name], pickle.loads(pickle.dumps(FEATURE_SETS[name]))
    background = Background.of_screen(FIRST.screen())
    observation = copy.observe(background, SECOND)
    assert observation == known.observe(background, SECOND)
    features = copy.describe(observation, NO_OBSERVATION)
    assert copy.make_table(1).update(features, 0) is Novelty.IMPROVES
