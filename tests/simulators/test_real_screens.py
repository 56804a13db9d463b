"""Each kernel feature set against its NumPy twin, on screens of real games without their background."""

from collections.abc import Callable
from random import Random
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from pixelplan.features import _kernel, reference
from pixelplan.features.background import Background
from pixelplan.features.feature_sets import FEATURE_SETS
from pixelplan.features.observation import NO_OBSERVATION
from pixelplan.features.reference import atoms, blob_atoms
from pixelplan.simulators.atari import AtariSimulator

GAMES = ("breakout", "seaquest", "alien")

ListAtoms = Callable[[bytes, bytes], NDArray[np.uint32]]

TWINS: dict[str, ListAtoms] = {
    "basic": lambda tiles, _: atoms(tiles, NO_OBSERVATION, in_space=False),
    "b-pros": lambda tiles, _: atoms(tiles, NO_OBSERVATION),
    "b-prot": lambda tiles, previous: atoms(tiles, previous, in_space=False),
    "b-prost": atoms,
    "blob-prost": blob_atoms,
}
"""What lists the atoms of a screen and the one before it."""


class Picture(NamedTuple):
    """A state as a feature set sees it, in arrays of its own."""

    pixels: NDArray[np.uint8]
    memory: NDArray[np.uint8]

    def screen(self) -> NDArray[np.uint8]:
        return self.pixels

    def ram(self) -> NDArray[np.uint8]:
        return self.memory


def walk(game: str) -> tuple[Background, list[Picture]]:
    """Return the background of a game after some random actions, and what they have shown."""
    simulator, rng = AtariSimulator(game), Random(1)
    state, pictures = simulator.root(), []
    for _ in range(6):
        state = simulator.transition(state, rng.randrange(18)).state
        emulator = simulator._emulator
        pictures.append(Picture(emulator.screen().copy(), emulator.ram().copy()))
    return simulator._background, pictures


@pytest.mark.parametrize("game", GAMES)
def test_tiles_and_blobs_equal_the_twins(game: str) -> None:
    background, pictures = walk(game)
    nothing = np.full_like(background.colours, reference.NO_BACKGROUND)
    for name in ("extract_tiles", "extract_blobs"):
        for colours in (background.colours, nothing):
            departed, twins_departed = background.departed.copy(), background.departed.copy()
            for picture in pictures[-2:]:
                found = getattr(_kernel, name)(picture.pixels, colours, departed)
                assert found == getattr(reference, name)(picture.pixels, colours, twins_departed)
                assert found != b""
            np.testing.assert_array_equal(departed, twins_departed)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", TWINS)
def test_verdicts_on_screens_equal_the_twins(game: str, name: str) -> None:
    """Each state is entered at its depth, and then met again at others."""
    known = FEATURE_SETS[name]
    background, pictures = walk(game)
    table, twin = known.make_table(1), reference.ScreenTable(TWINS[name])
    before = NO_OBSERVATION
    for depth, picture in enumerate(pictures):
        observation = known.observe(background, picture)
        features = known.describe(observation, before)
        for met_at in (depth + 1, depth):
            assert table.compare(features, met_at).value == twin.compare(observation, before, met_at)
        assert table.update(features, depth).value == twin.update(observation, before, depth)
        before = observation


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("name", "width"), [("ram-bytes", 1), ("ram-bytes", 2), ("ram-bits", 1), ("pixels", 1)]
)
def test_verdicts_on_variables_equal_the_twins(game: str, name: str, width: int) -> None:
    known = FEATURE_SETS[name]
    background, pictures = walk(game)
    table, twin = known.make_table(width), reference.VariableTable(known.max_atoms, 256, width)
    verdicts = []
    for depth, picture in enumerate([*pictures, *pictures]):
        features = known.describe(known.observe(background, picture), NO_OBSERVATION)
        verdicts.append(table.compare(features, depth).value)
        assert verdicts[-1] == twin.compare(features, depth)
        assert table.update(features, depth).value == twin.update(features, depth)
    assert {reference.IMPROVES, reference.WORSE} == set(verdicts)
