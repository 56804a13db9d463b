"""The one door for run folders: they are read here, and checked whole before anything is done with them.

A run folder may come from a stranger. What is wrong in it is one line that names the file, the column and
the row. Nothing in it is ever run: settings that name code are kept as names.
"""

from __future__ import annotations

import io
import math
import re
import zipfile
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from pixelplan.errors import InputError
from pixelplan.features.background import SCREEN_SHAPE
from pixelplan.planning.budget import Ending
from pixelplan.planning.case import Case
from pixelplan.planning.paper_settings import DEEPEST
from pixelplan.play.backgrounds import Backgrounds
from pixelplan.play.decision_record import DecisionRecord, from_columns, kinds_of_columns
from pixelplan.play.parquet import read_parquet
from pixelplan.play.run_folder import BACKGROUND_FILE, DECISIONS_FILE, NODES_FILE, RUN_FILE
from pixelplan.play.settings import EpisodeSettings
from pixelplan.play.trace import NO_PARENT, NOT_VISITED, VISIT
from pixelplan.simulators.ale import ACTION_NAMES, AtariGame

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pixelplan.planning.simulator import Action
    from pixelplan.play.parquet import Columns
    from pixelplan.play.trace import Visits
    from pixelplan.simulators.games import ActionSet

MAX_JSON_BYTES = 1_000_000
MAX_DECISIONS = 1_000_000
MAX_NODES = 2_000_000
"""Rows that are read of nodes.parquet, in some 400 MB. Of longer files the first decisions are read."""
MAX_TREE = 250_000
"""Nodes of one decision: five times as many as a search keeps unless asked to keep more."""
MAX_NODE_ID = 2**32 - 2
MAX_BACKGROUND_BYTES = 1_000_000
"""Of one unpacked array; 210 x 160 numbers of four bytes have 134,528 with their head."""
BACKGROUND_ARRAYS = {"colours": "uint8", "left": "int32"}
UNKNOWN: dict[str, float] = {"lives": -1, "value": np.nan, "assured": np.nan, "repeats": -1}
"""Stands in nodes that earlier versions recorded, which did not tell these."""
_VISIT_KINDS = {"decision": int} | {
    name: {"f": float, "b": bool}.get(VISIT[name].kind, int) for name in VISIT.names or ()
}


class _RunFile(msgspec.Struct):
    """The content of run.json."""

    settings: EpisodeSettings
    result: dict[str, Any]
    timing: dict[str, Any]
    versions: dict[str, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """A run folder, read back."""

    settings: EpisodeSettings
    result: dict[str, Any]
    timing: dict[str, Any]
    versions: dict[str, str]
    decisions: tuple[DecisionRecord, ...]


def read_run(folder: Path) -> Run:
    """Read the settings, the result and the decisions of a run folder; InputError names its fault."""
    try:
        run = read_run_file(folder / RUN_FILE)
        decisions = _read_decisions(folder / DECISIONS_FILE, run.settings)
        if len(decisions) != run.result.get("decisions"):
            raise ValueError(f"{DECISIONS_FILE} does not have the decisions that {RUN_FILE} counts")
        score = run.result.get("score")
        if not isinstance(score, int) or abs(score) >= 2**63:
            raise ValueError(f"the score in {RUN_FILE} is not a whole number of 64 bits")
        return Run(
            settings=run.settings,
            result=run.result,
            timing=run.timing,
            versions=run.versions,
            decisions=decisions,
        )
    except (OSError, ValueError, MemoryError) as error:
        raise InputError(f"{folder} is not a complete run folder: {_say(error)}") from error


def read_run_file(path: Path) -> _RunFile:
    """Read run.json."""
    try:
        return msgspec.json.decode(read_bytes(path, MAX_JSON_BYTES), type=_RunFile)
    except RecursionError:
        raise ValueError(f"{path.name} is nested too deeply") from None
    except msgspec.MsgspecError as error:
        raise ValueError(f"{path.name}: {error}") from None


def read_bytes(path: Path, most: int) -> bytes:
    """Read a file of at most so many bytes; FileNotFoundError or ValueError names its fault."""
    if not path.exists():
        raise FileNotFoundError(f"{path.name} is missing")
    if not path.is_file():
        raise ValueError(f"{path.name} is no file")
    with path.open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise ValueError(f"{path.name} has more than {most} bytes")
    return content


def _say(error: BaseException) -> str:
    if isinstance(error, MemoryError):
        return "it is too large for the memory"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return (str(error).splitlines() or [type(error).__name__])[0]


def _read_decisions(path: Path, settings: EpisodeSettings) -> tuple[DecisionRecord, ...]:
    columns = read_parquet(path, kinds_of_columns(), max_rows=MAX_DECISIONS)
    _check_decisions(path, columns, settings)
    try:
        records = from_columns({name: column.tolist() for name, column in columns.items()})
    except ValueError as error:
        raise ValueError(f"{path.name}{_place(str(error))}") from None
    actions = known_actions(settings)
    for record in records:
        if not actions.issuperset(record.branch):
            raise ValueError(f"{path.name}, row {record.decision}, column branch: {record.branch} cannot be")
    return records


def _check_decisions(path: Path, columns: Columns, settings: EpisodeSettings) -> None:
    """Refuse values that no decision has. A column that is missing is told of later."""
    endings = [ending.value for ending in Ending]
    are_right: dict[str, Callable[[Any], Any]] = {
        "decision": lambda values: values == np.arange(len(values)),
        "action": lambda values: np.isin(values, sorted(known_actions(settings))),
        "ending": lambda values: np.isin(values.astype(str), endings),
        "frames": lambda values: (values >= 0) & (values <= settings.max_frames) & _rises(values),
    }
    for name, values in columns.items():
        if values.dtype.kind == "f":
            _check(path, name, np.isfinite(values), "is not finite")
    for name, is_right in are_right.items():
        if name in columns:
            values = columns[name]
            for row in np.flatnonzero(~is_right(values))[:1]:
                raise ValueError(f"{path.name}, row {row}, column {name}: {values[row]} cannot be")


def _rises(values: Any) -> Any:  # noqa: ANN401
    return np.diff(values, prepend=values[:1]) >= 0


def _place(message: str) -> str:
    """Return msgspec's message with the row and the column in words."""
    found = re.fullmatch(r"(.*?)(?: - at `\$\[(\d+)\]\.?(\w*).*`)?", message, re.DOTALL)
    words, row, column = found.groups() if found else (message, None, None)
    where = "" if row is None else f", row {row}" + (f", column {column}" if column else "")
    return f"{where}: {words}"


def _check(path: Path, column: str, is_right: Any, words: str) -> None:  # noqa: ANN401
    """Refuse a column; the message names the first wrong row."""
    wrong = np.flatnonzero(~is_right)
    if len(wrong) > 0:
        raise ValueError(f"{path.name}, row {wrong[0]}, column {column}: it {words}")


def known_actions(settings: EpisodeSettings) -> frozenset[Action]:
    """Return the actions that the planner may use in a game."""
    return _known_actions(settings.game, settings.actions)


@cache
def _known_actions(game: str, kind: ActionSet) -> frozenset[Action]:
    # To load a game takes longer than to read a run folder.
    return frozenset(range(len(ACTION_NAMES)) if kind == "full" else AtariGame(game).action_set(kind))


def read_nodes(folder: Path, run: Run | None = None) -> list[Visits]:
    """Read the nodes that each decision has visited; InputError names their fault."""
    run = run or read_run(folder)
    path = folder / NODES_FILE
    if not path.exists():
        raise InputError(f"{folder} has no {NODES_FILE}: play with --trace")
    try:
        columns = read_parquet(path, _VISIT_KINDS, max_rows=MAX_NODES, may_cut=True)
        if missing := [name for name in _VISIT_KINDS if name not in {*columns, *UNKNOWN}]:
            raise ValueError(f"{path.name} has no column {missing[0]}")
        _check_values(path, columns, run.settings)
        return _split(path, columns, run)
    except (OSError, ValueError, MemoryError) as error:
        raise InputError(f"{folder} has no sound {NODES_FILE}: {_say(error)}") from error


def _check_values(path: Path, columns: Columns, settings: EpisodeSettings) -> None:
    """Refuse values that no node has, before they are put into narrower types."""
    cases = [*Case, NOT_VISITED]
    is_root = columns["parent"] == NO_PARENT
    ranges = {
        "id": (0, MAX_NODE_ID),
        "parent": (NO_PARENT, MAX_NODE_ID),
        "depth": (0, DEEPEST),
        "case": (min(cases), max(cases)),
        "lives": (-1, 2**31 - 1),
        "repeats": (-1, DEEPEST),
    }
    for name, (least, most) in ranges.items():
        if name in columns:
            values = columns[name]
            _check(path, name, (values >= least) & (values <= most), f"is not between {least} and {most}")
    actions = np.array(sorted(known_actions(settings)))
    _check(path, "action", is_root | np.isin(columns["action"], actions), "is no action of the game")
    _check(
        path, "action", (columns["action"] >= -1) & (columns["action"] < 2**15), "is no action of the game"
    )
    _check(path, "reward", np.isfinite(columns["reward"]), "is not finite")
    if "value" in columns:
        _check(path, "value", np.isfinite(columns["value"]), "is not finite")
    if "assured" in columns:
        _check(path, "assured", columns["assured"] >= -math.inf, "is no number")


def _split(path: Path, columns: Columns, run: Run) -> list[Visits]:
    """Return the nodes of each decision; ValueError if they form no tree where there is one."""
    decision = columns["decision"]
    rows = np.empty(len(decision), VISIT)
    for name in VISIT.names or ():
        rows[name] = columns.get(name, UNKNOWN.get(name))
    if (decision < 0).any() or (np.diff(decision) < 0).any():
        raise ValueError(f"it does not have the decisions that {RUN_FILE} counts")
    traced = len(run.decisions)
    if len(decision) > MAX_NODES:
        # The last one may be there in part.
        traced = int(decision[-1])
    sizes = np.bincount(decision, minlength=len(run.decisions))
    if len(sizes) != len(run.decisions):
        raise ValueError(f"it does not have the decisions that {RUN_FILE} counts")
    traced = min([traced, *np.flatnonzero(sizes > MAX_TREE).tolist()])
    visits = np.split(rows, np.cumsum(sizes)[:-1]) if len(sizes) > 0 else []
    parents: dict[int, int] = {}
    for record, visited in zip(run.decisions[:traced], visits, strict=False):
        if record.nodes > 0 or len(visited) > 0:
            row = _wrong_row(visited, parents)
            if row is not None:
                first = int(sizes[: record.decision].sum())
                raise ValueError(
                    f"{path.name}, row {first + row}: the nodes of decision {record.decision} are no tree"
                )
    return visits[:traced] + [rows[:0]] * (len(run.decisions) - traced)


def _wrong_row(rows: Visits, parents: dict[int, int]) -> int | None:
    """Return the first row that makes the nodes no tree; None if they are one.

    Parents come before their children. Those of nodes that were not visited may come from earlier decisions.
    A node keeps its parent, so there is no cycle.
    """
    if len(rows) == 0:
        return 0
    told: set[int] = set()
    visited: set[int] = set()
    for place, (node, parent, case) in enumerate(rows[["id", "parent", "case"]].tolist()):
        is_root = place == 0
        is_wrong = is_root != (parent == NO_PARENT) or node in told
        if not is_root:
            is_wrong |= parent not in (parents if case == NOT_VISITED else visited)
            is_wrong |= parents.setdefault(node, parent) != parent
        if is_wrong:
            return place
        parents.setdefault(node, parent)
        told.add(node)
        if case != NOT_VISITED:
            visited.add(node)
    return None


def read_backgrounds(folder: Path) -> Backgrounds:
    """Read the background of each decision, as far as there is one."""
    path = folder / BACKGROUND_FILE
    if not path.exists():
        return Backgrounds()
    try:
        with zipfile.ZipFile(io.BytesIO(read_bytes(path, MAX_BACKGROUND_BYTES))) as archive:
            arrays = {
                name: _read_array(archive, f"{name}.npy", kind) for name, kind in BACKGROUND_ARRAYS.items()
            }
        return Backgrounds(**arrays)
    except Exception as error:
        # An archive can be damaged in more ways than Python's module has errors for.
        raise InputError(f"{folder} has no sound {BACKGROUND_FILE}: {_say(error)}") from error


def _read_array(archive: zipfile.ZipFile, name: str, kind: str) -> Any:  # noqa: ANN401
    """Read an array of a screen's shape; its form is looked at before it is unpacked."""
    with archive.open(name) as packed:
        content = io.BytesIO(packed.read(MAX_BACKGROUND_BYTES))
    if np.lib.format.read_magic(content) != (1, 0):
        raise ValueError(f"{name} has another form")
    shape, _, dtype = np.lib.format.read_array_header_1_0(content)
    if (shape, dtype.name) != (SCREEN_SHAPE, kind):
        raise ValueError(f"{name}: an array of {SCREEN_SHAPE} {kind} expected, not of {shape} {dtype.name}")
    content.seek(0)
    return np.lib.format.read_array(content, allow_pickle=False)
