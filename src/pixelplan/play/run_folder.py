"""Run folders: the files of an episode. A folder is complete or absent, never half.

- `run.json` holds settings, result, timing and versions.
- `decisions.parquet` has one row per decision.
- `nodes.parquet`, if asked for, has one row per node and decision, in the order of their first visit. Kept
  nodes that were not visited come last, if they are worth something else than before.
- `background.npz`, with it, has the background of each decision.
"""

from __future__ import annotations

import glob
import os
import shutil
import tempfile
import zipfile
import zlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import msgspec
import numpy as np

from pixelplan.errors import InputError
from pixelplan.features.background import SCREEN_SHAPE
from pixelplan.play.backgrounds import Backgrounds
from pixelplan.play.decision_record import DecisionRecord, from_columns, to_columns
from pixelplan.play.settings import EpisodeSettings
from pixelplan.play.summary import outcome, timing, versions
from pixelplan.play.trace import NO_PARENT, NOT_VISITED, VISIT

if TYPE_CHECKING:
    from types import TracebackType

    import numpy.typing as npt

    from pixelplan.play.decision_record import Columns
    from pixelplan.play.episode import EpisodeResult, PlayedDecision
    from pixelplan.play.trace import Visits

RUN_FILE = "run.json"
DECISIONS_FILE = "decisions.parquet"
NODES_FILE = "nodes.parquet"
BACKGROUND_FILE = "background.npz"
SET_ASIDE_FOLDER = "set-aside"
"""Experiments keep run folders in it that are of no use any more."""
BACKGROUND_FORM = {(SCREEN_SHAPE, "uint8"), (SCREEN_SHAPE, "int32")}
UNKNOWN: dict[str, float] = {"lives": -1, "value": np.nan, "assured": np.nan, "repeats": -1}
"""Stands in nodes that earlier versions recorded, which did not tell these."""


class RunFolderWriter:
    """Reserves a place for a run folder, and puts the folder there when it is complete."""

    def __init__(self, folder: Path) -> None:
        folder = folder.resolve()
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise FileExistsError(f"{folder} exists already")
        folder.parent.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._draft = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))

    def __enter__(self) -> RunFolderWriter:
        """Return the writer."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Leave nothing behind if `write` was not reached."""
        shutil.rmtree(self._draft, ignore_errors=True)

    def write(self, result: EpisodeResult) -> None:
        """Write the folder of an episode."""
        run = {
            "settings": result.settings,
            "result": outcome(result),
            "timing": timing(result),
            "versions": versions(),
        }
        (self._draft / RUN_FILE).write_bytes(msgspec.json.format(msgspec.json.encode(run), indent=2) + b"\n")
        records = [DecisionRecord.of(number, played) for number, played in enumerate(result.played)]
        _write_parquet(self._draft / DECISIONS_FILE, to_columns(records))
        if any(played.decision.trace.visits is not None for played in result.played):
            _write_parquet(self._draft / NODES_FILE, _node_columns(result.played))
            if result.backgrounds.colours is not None:
                np.savez_compressed(self._draft / BACKGROUND_FILE, **vars(result.backgrounds))
        self._finish()

    def write_files(self, files: dict[str, bytes]) -> None:
        """Write a folder that was made elsewhere."""
        for name, content in files.items():
            (self._draft / name).write_bytes(content)
        self._finish()

    def _finish(self) -> None:
        self._draft.chmod(0o755)
        self._draft.replace(self._folder)


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """A run folder, read back."""

    settings: EpisodeSettings
    result: dict[str, Any]
    timing: dict[str, Any]
    versions: dict[str, str]
    decisions: tuple[DecisionRecord, ...]


def read_run(folder: Path) -> Run:
    """Read a run folder; InputError names its fault."""
    try:
        run = msgspec.json.decode((folder / RUN_FILE).read_bytes())
        settings = msgspec.convert(run["settings"], EpisodeSettings)
        decisions = _read_decisions(folder / DECISIONS_FILE)
        if len(decisions) != run["result"]["decisions"]:
            raise ValueError(f"{DECISIONS_FILE} does not have the decisions that {RUN_FILE} counts")
        if not isinstance(run["result"]["score"], int):
            raise ValueError(f"the score in {RUN_FILE} is not a whole number")
        return Run(
            settings=settings,
            result=run["result"],
            timing=run["timing"],
            versions=run["versions"],
            decisions=decisions,
        )
    except (
        *(FileNotFoundError, NotADirectoryError),
        *(KeyError, TypeError, ValueError, duckdb.Error),
    ) as error:
        raise InputError(f"{folder} is not a complete run folder: {str(error).splitlines()[0]}") from error


def find_run_folders(path: Path) -> list[Path]:
    """Return the run folders at a path and below it, sound or not, but for those that were set aside."""
    found = []
    for place, folders, files in os.walk(path):
        # Hidden folders are drafts.
        folders[:] = sorted(name for name in folders if name[0] != "." and name != SET_ASIDE_FOLDER)
        if not {RUN_FILE, DECISIONS_FILE}.isdisjoint(files):
            found.append(Path(place))
    return found


def read_nodes(folder: Path) -> list[Visits]:
    """Read the nodes that each decision has visited; InputError names their fault."""
    run = read_run(folder)
    try:
        columns = _read_parquet(folder / NODES_FILE)
        decision = columns["decision"]
        rows = np.empty(len(decision), VISIT)
        for name in VISIT.names or ():
            rows[name] = columns[name] if name in columns or name not in UNKNOWN else UNKNOWN[name]
        visits = np.split(rows, np.searchsorted(decision, np.arange(1, run.result["decisions"])))
        _check_nodes(visits, decision, [record.nodes for record in run.decisions])
        return visits
    except FileNotFoundError as error:
        raise InputError(f"{folder} has no {NODES_FILE}: play with --trace") from error
    except (KeyError, TypeError, ValueError, duckdb.Error) as error:
        raise InputError(f"{folder} has no sound {NODES_FILE}: {str(error).splitlines()[0]}") from error


def _read_decisions(path: Path) -> tuple[DecisionRecord, ...]:
    columns = _read_parquet(path)
    try:
        records = from_columns({name: column.tolist() for name, column in columns.items()})
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from None
    if [record.decision for record in records] != list(range(len(records))):
        raise ValueError(f"{path.name}: decisions are not numbered from 0 on")
    return records


def _check_nodes(visits: list[Visits], decision: npt.NDArray[Any], nodes: list[int]) -> None:
    """Refuse nodes that form no tree for each decision that has one."""
    if not np.array_equal(decision, np.repeat(np.arange(len(visits)), [len(rows) for rows in visits])):
        raise ValueError(f"it does not have the decisions that {RUN_FILE} counts")
    known: set[int] = set()
    for number, rows in enumerate(visits):
        if nodes[number] > 0 and not _is_tree(rows, known):
            raise ValueError(f"the nodes of decision {number} are no tree")


def _is_tree(rows: Visits, known: set[int]) -> bool:
    """Say whether parents come before their children; those not visited may come from earlier decisions."""
    visited: set[int] = set()
    if len(rows) == 0:
        return False
    for place, (node, parent, case) in enumerate(rows[["id", "parent", "case"]].tolist()):
        is_root = place == 0
        if is_root != (parent == NO_PARENT):
            return False
        if not is_root and parent not in (known if case == NOT_VISITED else visited):
            return False
        known.add(node)
        if case != NOT_VISITED:
            visited.add(node)
    return True


def read_backgrounds(folder: Path) -> Backgrounds:
    """Read the background of each decision, as far as there is one."""
    if not (folder / BACKGROUND_FILE).exists():
        return Backgrounds()
    try:
        with np.load(folder / BACKGROUND_FILE) as file:
            colours, left = file["colours"], file["left"]
        if {(colours.shape, colours.dtype.name), (left.shape, left.dtype.name)} != BACKGROUND_FORM:
            raise ValueError("its arrays have another form")
        return Backgrounds(colours, left)
    except (EOFError, KeyError, ValueError, zipfile.BadZipFile, zlib.error) as error:
        raise InputError(f"{folder} has no sound {BACKGROUND_FILE}: {error}") from error


def _node_columns(played: tuple[PlayedDecision, ...]) -> Columns:
    visits = [step.decision.trace.visits for step in played]
    rows = np.concatenate([rows for rows in visits if rows is not None])
    sizes = [0 if rows is None else len(rows) for rows in visits]
    decision = np.repeat(np.arange(len(played), dtype=np.int32), sizes)
    return {"decision": decision} | {name: np.ascontiguousarray(rows[name]) for name in VISIT.names or ()}


@cache
def _database() -> duckdb.DuckDBPyConnection:
    """Return a database in memory. To make one takes longer than to read a file."""
    return duckdb.connect(config={"threads": 1})


def _write_parquet(path: Path, columns: Columns) -> None:
    try:
        with _database().cursor() as connection:
            connection.register("columns", columns)
            connection.sql("SELECT * FROM columns").write_parquet(str(path))
    except duckdb.Error as error:
        raise OSError(f"{path.name} cannot be written: {error}") from error


def _read_parquet(path: Path) -> Columns:
    if not path.exists():
        raise FileNotFoundError(f"{path.name} is missing")
    with _database().cursor() as connection:
        return dict(connection.read_parquet(glob.escape(str(path))).fetchnumpy())
