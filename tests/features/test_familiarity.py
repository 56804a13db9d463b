"""Counts of what a game has shown, for each feature set."""

import numpy as np
import pytest
from test_feature_sets import FIRST, SECOND

from pixelplan.features.background import Background
from pixelplan.features.feature_sets import FEATURE_SETS
from pixelplan.features.observation import NO_OBSERVATION


@pytest.mark.parametrize("name", FEATURE_SETS)
def test_each_set_knows_what_is_familiar(name: str) -> None:
    """What was seen once is worth half of what was never seen, whatever the screen before it was."""
    known = FEATURE_SETS[name]
    background = Background.of_screen(np.zeros((210, 160), np.uint8))
    first, second = (known.observe(background, view) for view in (FIRST, SECOND))
    features = known.describe(first, NO_OBSERVATION)
    familiarity = known.make_familiarity()
    atoms = familiarity.rarity(features)
    assert atoms > 0
    assert atoms == int(atoms)
    unseen = familiarity.rarity(known.describe(second, NO_OBSERVATION))
    familiarity.note(features)
    assert familiarity.rarity(features) == pytest.approx(atoms / 2)
    assert familiarity.rarity(known.describe(first, second)) == pytest.approx(atoms / 2)
    assert unseen / 2 <= familiarity.rarity(known.describe(second, first)) <= unseen
    familiarity.note(features)
    assert familiarity.rarity(features) == pytest.approx(atoms / 3)
