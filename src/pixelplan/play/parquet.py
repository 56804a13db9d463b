"""Columns as Parquet files, through DuckDB, which takes names in UTF-8 only: so it is given none.

Files are read and written by the number of an open file. What is read may come from a stranger: types and
numbers of rows are looked at before values are.
"""

from __future__ import annotations

import contextlib
import glob
import os
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np

from pixelplan.system.streams import name_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import numpy.typing as npt

Columns = dict[str, "npt.NDArray[Any]"]

MEMORY_LIMIT = "400MB"
"""Of DuckDB's own memory: what a file unpacks to, a block at a time."""
MAX_TEXT_BYTES = 200_000
"""Of one value: a branch as deep as a search can look."""
_WHOLE = {f"{sign}{size}" for sign in ("", "U") for size in ("TINYINT", "SMALLINT", "INTEGER", "BIGINT")}
TYPES = {
    int: _WHOLE - {"UBIGINT"},
    float: {"DOUBLE", "FLOAT", *_WHOLE},
    bool: {"BOOLEAN"},
    str: {"VARCHAR"},
}
"""DuckDB's types of a column, by that of its values."""
_WORDS = {int: "whole numbers", float: "numbers", bool: "truth values", str: "text"}


def to_parquet(columns: Columns) -> bytes:
    """Return the content of a file."""
    with _nameless_file() as (name, read), _database().cursor() as connection:
        connection.register("columns", columns)
        try:
            connection.execute(f"COPY columns TO {_quoted(name)} (FORMAT parquet, USE_TMP_FILE false)")
        except duckdb.Error as error:
            raise OSError(f"columns cannot be written: {str(error).splitlines()[0]}") from error
        return read()


def read_parquet(path: Path, kinds: Mapping[str, type], *, max_rows: int, may_cut: bool = False) -> Columns:
    """Read those columns of a file that it has; ValueError says which is not of its kind.

    Of a file with too many rows one more than are allowed is read, if it may be cut.
    """
    if not path.exists():
        raise FileNotFoundError(f"{path.name} is missing")
    if not path.is_file():
        raise ValueError(f"{path.name} is no file")
    try:
        with path.open("rb") as file, _database().cursor() as connection:
            return _read(connection, _source(file.fileno(), path), path.name, kinds, max_rows, may_cut)
    except duckdb.Error as error:
        raise ValueError(f"{path.name}: {str(error).splitlines()[0]}") from None


def _read(
    connection: duckdb.DuckDBPyConnection,
    source: str,
    name: str,
    kinds: Mapping[str, type],
    max_rows: int,
    may_cut: bool,
) -> Columns:
    described = connection.execute(f"DESCRIBE SELECT * FROM {source}").fetchall()
    types = {column: kind for column, kind, *_ in described if column in kinds}
    (rows,) = connection.execute(f"SELECT count(*) FROM {source}").fetchone() or (0,)
    if rows > max_rows and not may_cut:
        raise ValueError(f"{name} has {rows} rows, and may have {max_rows}")
    if rows == 0 or not types:
        return {}
    for column, kind in types.items():
        if kind not in TYPES[kinds[column]]:
            raise ValueError(f"{name}, column {column}: {_WORDS[kinds[column]]} expected, not {kind}")
    for column, kind in kinds.items():
        if kind is str and column in types:
            longest = f'SELECT coalesce(max(strlen("{column}")), 0) FROM {source}'
            (size,) = connection.execute(longest).fetchone() or (0,)
            if size > MAX_TEXT_BYTES:
                raise ValueError(f"{name}, column {column}: a text of {size} bytes")
    # One order in all versions of DuckDB, whatever the number of its threads.
    wanted = ", ".join(f'"{column}"' for column in types)
    columns: Columns = connection.execute(f"SELECT {wanted} FROM {source} LIMIT {max_rows + 1}").fetchnumpy()
    for column, values in columns.items():
        if np.ma.is_masked(values):
            row = int(np.flatnonzero(np.ma.getmaskarray(values))[0])
            raise ValueError(f"{name}, row {row}, column {column}: there is no value")
    return {column: np.asarray(values) for column, values in columns.items()}


@cache
def _database() -> duckdb.DuckDBPyConnection:
    """Return a database in memory. To make one takes longer than to read a file."""
    return duckdb.connect(config={"threads": 1, "memory_limit": MEMORY_LIMIT, "temp_directory": ""})


def _source(descriptor: int, path: Path) -> str:
    return f"read_parquet({_quoted(glob.escape(name_of(descriptor, path)))})"


def _quoted(name: str) -> str:
    return "'" + name.replace("'", "''") + "'"


@contextlib.contextmanager
def _nameless_file() -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Yield a name for DuckDB to write to, and a function that reads what was written."""
    if sys.platform == "linux":
        descriptor = os.memfd_create("parquet")
        try:
            name = f"/proc/self/fd/{descriptor}"
            yield name, lambda: os.pread(descriptor, os.fstat(descriptor).st_size, 0)
        finally:
            os.close(descriptor)
    else:
        with tempfile.TemporaryDirectory() as place:
            path = Path(place) / "columns.parquet"
            yield str(path), path.read_bytes
