"""What the kernel refuses: each message names the argument that is wrong."""

from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray

from pixelplan.features import _kernel
from pixelplan.features.reference import encode_tiles

SHAPE = (210, 160)

WRONG_PIXELS = {
    "taller": np.zeros((214, 160), np.uint8),
    "flat": np.zeros(210 * 160, np.uint8),
    "three planes": np.zeros((210, 160, 3), np.uint8),
    "signed": np.zeros(SHAPE, np.int8),
    "wider items": np.zeros(SHAPE, np.uint16),
    "boolean": np.zeros(SHAPE, bool),
    "turned": np.zeros((160, 210), np.uint8).T,
    "every other column": np.zeros((210, 320), np.uint8)[:, ::2],
    "upside down": np.zeros(SHAPE, np.uint8)[::-1],
}


@pytest.mark.parametrize("name", ["screen", "background", "departed"])
@pytest.mark.parametrize("wrong", WRONG_PIXELS.values(), ids=WRONG_PIXELS.keys())
def test_wrong_pixels_are_refused(name: str, wrong: NDArray[np.generic]) -> None:
    """Nothing is converted behind the caller's back: notes in a copy would be lost."""
    arguments: dict[str, Any] = {
        key: np.zeros(SHAPE, np.uint8) for key in ("screen", "background", "departed")
    }
    with pytest.raises(ValueError, match=f"^{name} must be"):
        _kernel.extract_tiles(**(arguments | {name: wrong}))


def test_departed_must_be_writable() -> None:
    """A read-only array is refused."""
    departed = np.zeros(SHAPE, np.uint8)
    departed.setflags(write=False)
    with pytest.raises(TypeError, match="departed"):
        _kernel.extract_tiles(departed, departed, departed)


@pytest.mark.parametrize("name", ["tiles", "previous"])
@pytest.mark.parametrize(
    "wrong",
    [b"1", bytes(29), bytes(31), 2 * encode_tiles([(0, 0, 1)]), encode_tiles([(0, 0, 128)])],
    ids=["one byte", "too short", "too long", "colour twice", "no such colour"],
)
def test_wrong_tiles_are_refused(name: str, wrong: bytes) -> None:
    """Bytes that extract_tiles cannot have returned."""
    with pytest.raises(ValueError, match=f"^{name} is not"):
        _kernel.atoms(**cast("dict[str, Any]", {"tiles": b"", "previous": b"", name: wrong}))


@pytest.mark.parametrize("wrong", [None, "tiles", bytearray(30), np.zeros(30, np.uint8)])
def test_tiles_must_be_bytes(wrong: object) -> None:
    """Other types are refused."""
    with pytest.raises(TypeError, match="tiles"):
        _kernel.atoms(cast("bytes", wrong), b"")


@pytest.mark.parametrize("method", ["compare", "update", "explain"])
@pytest.mark.parametrize("depth", [-1, 32_767, -(2**31)])
def test_depth_has_bounds(method: str, depth: int) -> None:
    """Depths are stored in 16 bits, of which the highest value means never reached."""
    with pytest.raises(ValueError, match=r"^depth must lie in 0\.\.32766"):
        getattr(_kernel.NoveltyTable(), method)(b"", b"", depth)


@pytest.mark.parametrize("method", ["compare", "update", "explain"])
@pytest.mark.parametrize("depth", [2**31, 1.0, "1", None])
def test_depth_must_be_an_int(method: str, depth: object) -> None:
    """Other types, and what no C++ int holds, are refused."""
    with pytest.raises(TypeError, match="depth"):
        getattr(_kernel.NoveltyTable(), method)(b"", b"", depth)


@pytest.mark.parametrize("method", ["compare", "update", "explain"])
@pytest.mark.parametrize("name", ["tiles", "previous"])
def test_tables_refuse_wrong_tiles(method: str, name: str) -> None:
    """Every method checks its tiles, and a refused screen leaves the table empty."""
    table = _kernel.NoveltyTable()
    with pytest.raises(ValueError, match=f"^{name} is not"):
        getattr(table, method)(**{"tiles": b"", "previous": b"", "depth": 0, name: bytes(29)})
    assert table.blocks == 0


@pytest.mark.parametrize("wrong", WRONG_PIXELS.values(), ids=WRONG_PIXELS.keys())
def test_luminance_refuses_wrong_pixels(wrong: NDArray[np.generic]) -> None:
    with pytest.raises(ValueError, match=r"^screen must be"):
        _kernel.extract_luminance(cast("NDArray[np.uint8]", wrong))


@pytest.mark.parametrize("method", ["compare", "update"])
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (b"", "must have 4 bytes below 3; got 0 bytes$"),
        (bytes(3), "must have 4 bytes below 3; got 3 bytes$"),
        (bytes(5), "must have 4 bytes below 3; got 5 bytes$"),
        (b"\0\2\3\1", "must have 4 bytes below 3; got 4 bytes, some too great$"),
    ],
)
def test_tables_of_variables_refuse_wrong_states(method: str, wrong: bytes, message: str) -> None:
    """A refused state leaves the table empty."""
    table = _kernel.VariableTable(4, 3, 2)
    with pytest.raises(ValueError, match=message):
        getattr(table, method)(wrong, 0)
    assert len(table) == 0


@pytest.mark.parametrize("method", ["compare", "update"])
def test_tables_of_variables_refuse_wrong_types_and_depths(method: str) -> None:
    judge = getattr(_kernel.VariableTable(4, 3, 1), method)
    with pytest.raises(TypeError, match="state"):
        judge(bytearray(4), 0)
    with pytest.raises(TypeError, match="depth"):
        judge(bytes(4), "1")
    with pytest.raises(ValueError, match=r"^depth must lie in 0\.\.32766"):
        judge(bytes(4), 32_767)


@pytest.mark.parametrize("sizes", [(0, 2, 1), (-1, 2, 1), (4, 0, 1), (4, 257, 1), (4, 2, 0)])
def test_tables_of_variables_have_sizes(sizes: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match=r"^variables and width must be at least 1"):
        _kernel.VariableTable(*sizes)


def test_conjunctions_need_keys() -> None:
    """Four of 32,769 digits fit into 64 bits, five do not."""
    _kernel.VariableTable(128, 256, 4)
    with pytest.raises(ValueError, match=r"^conjunctions of 5 of 128 variables with 256 values have no keys"):
        _kernel.VariableTable(128, 256, 5)
