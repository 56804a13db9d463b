"""A sweep: play the episodes that an experiment still lacks.

An episode's run folder is complete or absent. So a sweep can be stopped at any moment, in any way; the
same command goes on where it was. Episodes that fail are tried again, and never stop the rest.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections import Counter, deque
from typing import TYPE_CHECKING, Protocol

from pixelplan.errors import InputError
from pixelplan.experiments.changes import compare
from pixelplan.experiments.ledger import read_ledger, read_row, read_settings, write_ledger
from pixelplan.experiments.playing import needs_cores
from pixelplan.play.run_folder import RunFolderWriter
from pixelplan.system import interrupts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pixelplan.experiments.engines.engine import Ended, Engine
    from pixelplan.experiments.folder import ExperimentFolder
    from pixelplan.experiments.ledger import Row
    from pixelplan.experiments.spec import Episode, Experiment
    from pixelplan.play.run_folder import Files

ATTEMPTS = 3
"""Attempts at an episode before it is left to the next sweep."""
LOCK_FILE = ".lock"
LOOK_SECONDS = 2.0
"""Seconds between two calls of the observer's `look`."""


class SweepObserver(Protocol):
    """A listener that is told of the progress of a sweep."""

    def say(self, line: str) -> None:
        """Hear of something unusual."""
        ...

    def begin(self, missing: list[Episode], finished: list[Row]) -> None:
        """Hear of the episodes to be played, and of those played before."""
        ...

    def finished(self, row: Row) -> None:
        """Hear of a finished episode."""
        ...

    def failed(self, episode: Episode, error: str, *, is_last: bool) -> None:
        """Hear of an attempt that failed, and whether it was the last one."""
        ...

    def look(self) -> None:
        """Hear that time has passed."""
        ...


@contextlib.contextmanager
def locked(folder: ExperimentFolder, ledger: Path | None = None) -> Iterator[None]:
    """Keep other sweeps out of a folder, and out of a ledger. A lock goes when its process does."""
    with contextlib.ExitStack() as stack:
        stack.enter_context(_lock(folder.path / LOCK_FILE, folder.path))
        if ledger is not None:
            stack.enter_context(_lock(ledger.with_name(f".{ledger.name}{LOCK_FILE}"), ledger))
        yield


@contextlib.contextmanager
def _lock(path: Path, what: Path) -> Iterator[None]:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            raise InputError(f"another sweep is at work in {what} (process {file.read().strip()})") from None
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield


class Sweep:
    """An experiment on its way into a folder, which must be locked."""

    def __init__(
        self,
        experiment: Experiment,
        folder: ExperimentFolder,
        observer: SweepObserver,
        *,
        ledger: Path | None = None,
    ) -> None:
        self._experiment = experiment
        self._folder = folder
        self._observer = observer
        self._ledger = ledger
        rows = read_ledger(ledger, experiment.names_now()) if ledger and ledger.exists() else []
        self._rows = {row.name: row for row in rows}
        self._attempts: Counter[str] = Counter()
        self.failed: list[Episode] = []
        """Episodes that were tried too often."""

    def accept(self, *, may_set_aside: bool) -> None:
        """Look at the played episodes, and make the experiment the folder's own.

        InputError says which played episodes would not count any more; then nothing has changed but the
        names of columns.
        """
        self._folder.rename_columns(self._experiment.names_now())
        damaged = self._look_at_run_folders()
        wanted = {episode.name for episode in self._experiment.episodes}
        played = {name: read_settings(row) for name, row in self._rows.items() if name in wanted}
        folders = set(self._folder.run_names())
        changes = compare(self._folder.read_experiment(), self._experiment, played, folders)
        if changes.lost and not may_set_aside:
            raise InputError(
                f"the spec does not fit what was played before: {changes}; "
                "go on with --accept-changes, or leave that alone: other --out, other --episodes"
            )
        for name, why in changes.lost.items():
            if name in folders:
                place = self._folder.set_aside(name)
                self._rows.pop(name, None)
            else:
                place = self._folder.set_row_aside(self._rows.pop(name))
            self._observer.say(f"{name}: {why}, now in {place}")
        if not changes.lost and changes.lines:
            self._observer.say(f"the spec has changed: {changes}")
        for name, error in damaged.items():
            again = "" if name in self._rows else ", to be played again"
            self._observer.say(f"{error}: now in {self._folder.set_aside(name)}{again}")
        self._folder.remove_drafts()
        self._folder.write_experiment(self._experiment)

    def _look_at_run_folders(self) -> dict[str, str]:
        """Take in sound run folders, and return the faults of the others."""
        damaged = {}
        for episode in self._experiment.episodes:
            folder = self._folder.run_folder(episode.name)
            if folder.exists():
                try:
                    self._rows[episode.name] = read_row(folder)
                except InputError as error:
                    damaged[episode.name] = str(error)
        return damaged

    def play(self, engine: Engine, part: Experiment | None = None) -> None:
        """Play missing episodes, of all or of a part."""
        wanted = (part or self._experiment).episodes
        queue = deque(episode for episode in wanted if episode.name not in self._rows)
        finished = [self._rows[e.name] for e in self._experiment.episodes if e.name in self._rows]
        self._observer.begin(list(queue), finished)
        self._write_ledger()
        busy_cores = running = 0
        while queue or running:
            # A cluster may grow and shrink. What needs more cores than there are left waits its turn.
            while queue and (running == 0 or busy_cores + needs_cores(queue[0].settings) <= engine.cores()):
                episode = queue.popleft()
                engine.start(episode)
                running += 1
                busy_cores += needs_cores(episode.settings)
            ended = engine.wait(LOOK_SECONDS)
            self._observer.look()
            if ended is not None:
                running -= 1
                busy_cores -= needs_cores(ended.episode.settings)
                if not self._take(ended):
                    queue.append(ended.episode)

    def _take(self, ended: Ended) -> bool:
        """Keep the result of an episode; say whether it needs no further attempt."""
        name = ended.episode.name
        if ended.files is not None:
            # A signal waits until what was played is kept.
            with interrupts.held():
                row = self._keep(name, ended.files)
            self._observer.finished(row)
            return True
        self._attempts[name] += 1
        self._folder.note_failure(ended.episode, self._attempts[name], ended.error)
        is_last = self._attempts[name] >= ATTEMPTS
        if is_last:
            self.failed.append(ended.episode)
        self._observer.failed(ended.episode, ended.error, is_last=is_last)
        return is_last

    def _keep(self, name: str, files: Files) -> Row:
        folder = self._folder.run_folder(name)
        try:
            with RunFolderWriter(folder) as writer:
                place = writer.write_files(files)
            if writer.problem:
                raise OSError(f"{writer.problem}; the episode is kept in {place}")
            self._rows[name] = read_row(folder)
            self._write_ledger()
        except OSError as error:
            raise OSError(f"{folder}: {error.strerror or error}; what was finished before is safe") from error
        return self._rows[name]

    def _write_ledger(self) -> None:
        if self._ledger is not None:
            write_ledger(self._ledger, self._rows.values())
