"""How the tests run here: Hypothesis with the same examples every time, and ROMs that are loaded once."""

from collections.abc import Iterator

import pytest
from hypothesis import settings

from loaded_roms import Shelf
from pixelplan.simulators import ale

settings.register_profile("pixelplan", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("pixelplan")


@pytest.fixture(autouse=True, scope="session")
def _shelf() -> Iterator[None]:
    """Let all tests of a process share emulators."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ale, "load_rom", Shelf().load_rom)
        yield
