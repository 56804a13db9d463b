"""Run folders: the files of an episode. A folder is complete or absent, never half.

- `run.json` holds settings, result, timing and versions.
- `decisions.parquet` has one row per decision.
- `nodes.parquet`, if asked for, has one row per node and decision, in the order of their first visit. Kept
  nodes that were not visited come last, if they are worth something else than before.
- `background.npz`, with it, has the background of each decision.

recorded_run.py reads them.
"""

from __future__ import annotations

import io
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from pixelplan.play.decision_record import DecisionRecord, to_columns
from pixelplan.play.parquet import to_parquet
from pixelplan.play.summary import outcome, timing, versions
from pixelplan.play.trace import VISIT
from pixelplan.system.drafts import Draft, remove, resolved

if TYPE_CHECKING:
    from types import TracebackType

    from pixelplan.play.episode import EpisodeResult, PlayedDecision
    from pixelplan.play.parquet import Columns

RUN_FILE = "run.json"
DECISIONS_FILE = "decisions.parquet"
NODES_FILE = "nodes.parquet"
BACKGROUND_FILE = "background.npz"
SET_ASIDE_FOLDER = "set-aside"
"""Experiments keep run folders in it that are of no use any more."""

Files = dict[str, bytes]
"""The content of a folder by file name."""


def run_files(result: EpisodeResult) -> Files:
    """Return the files of an episode."""
    run = {
        "settings": result.settings,
        "result": outcome(result),
        "timing": timing(result),
        "versions": versions(),
    }
    records = [DecisionRecord.of(number, played) for number, played in enumerate(result.played)]
    files = {
        RUN_FILE: msgspec.json.format(msgspec.json.encode(run), indent=2) + b"\n",
        DECISIONS_FILE: to_parquet(to_columns(records)),
    }
    if any(played.decision.trace.visits is not None for played in result.played):
        files[NODES_FILE] = to_parquet(_node_columns(result.played))
        if result.backgrounds.colours is not None:
            packed = io.BytesIO()
            np.savez_compressed(packed, **vars(result.backgrounds))
            files[BACKGROUND_FILE] = packed.getvalue()
    return files


class RunFolderWriter:
    """Reserves a place for a run folder, and puts the folder there when it is complete."""

    def __init__(self, folder: Path) -> None:
        self.problem = ""
        """The reason why the folder could not be put in its place, if it lies elsewhere."""
        self.folder = folder = resolved(folder)
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise FileExistsError(f"{folder} exists already")
        self._draft = Draft(folder, is_folder=True)

    def __enter__(self) -> RunFolderWriter:
        """Return the writer."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Leave nothing behind if `write` was not reached."""
        self._draft.discard()

    def write(self, result: EpisodeResult) -> Path:
        """Write the folder of an episode, and return where it is."""
        return self.write_files(run_files(result))

    def write_files(self, files: Files) -> Path:
        """Write a folder that was made elsewhere; if that is impossible, among the temporary files."""
        wanted = self._draft.place
        try:
            if not self._draft.path.exists():
                # Somebody has removed the folder that it lies in.
                self._draft.discard()
                self._draft = Draft(wanted, is_folder=True)
            _fill(self._draft.path, files)
            place = self._draft.finish()
        except OSError as error:
            place = Path(tempfile.mkdtemp(prefix=f"{wanted.name}-"))
            try:
                _fill(place, files)
            except OSError:
                remove(place)
                raise error from None
            self.problem = error.strerror or str(error)
        if place != wanted and not self.problem:
            self.problem = "somebody else has taken the place"
        return place


def _fill(folder: Path, files: Files) -> None:
    for name, content in files.items():
        (folder / name).write_bytes(content)
    folder.chmod(0o755)


def find_run_folders(path: Path) -> list[Path]:
    """Return the run folders at a path and below it, sound or not, but for those that were set aside."""
    found = []
    for place, folders, files in os.walk(path):
        # Hidden folders are drafts.
        folders[:] = sorted(name for name in folders if name[0] != "." and name != SET_ASIDE_FOLDER)
        if not {RUN_FILE, DECISIONS_FILE}.isdisjoint(files):
            found.append(Path(place))
    return found


def _node_columns(played: tuple[PlayedDecision, ...]) -> Columns:
    visits = [step.decision.trace.visits for step in played]
    rows = np.concatenate([rows for rows in visits if rows is not None])
    sizes = [0 if rows is None else len(rows) for rows in visits]
    decision = np.repeat(np.arange(len(played), dtype=np.int32), sizes)
    return {"decision": decision} | {name: np.ascontiguousarray(rows[name]) for name in VISIT.names or ()}
