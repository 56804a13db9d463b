"""How the tests run here: Hypothesis with the same examples every time, and what is dear made once."""

import gc
from collections.abc import Iterator

import pytest
from hypothesis import settings

from known_backgrounds import learn_once
from loaded_roms import Shelf
from pixelplan.simulators import ale
from pixelplan.simulators.atari import AtariSimulator

settings.register_profile("pixelplan", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("pixelplan")


def pytest_collection_finish() -> None:
    """Leave what stays to the end out of all garbage collections, which would look at it again and again."""
    gc.collect()
    gc.freeze()


def pytest_sessionfinish() -> None:
    """Let the interpreter end as it does without this."""
    gc.unfreeze()


@pytest.fixture(autouse=True, scope="session")
def _shelf() -> Iterator[None]:
    """Let all tests of a process share emulators, and the first backgrounds of games."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ale, "load_rom", Shelf().load_rom)
        patch.setattr(AtariSimulator, "_learn_background", learn_once())
        yield
