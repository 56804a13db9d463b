"""A sweep: play whatever an experiment still lacks.

An episode's run folder is complete or absent, so a sweep can be stopped at any moment, in any way, and
the same command goes on where it was. Episodes that fail are tried again, and never stop the rest.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections import Counter, deque
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Protocol

from pixelplan.errors import InputError
from pixelplan.experiments.ledger import read_ledger, read_row, shorten, write_ledger
from pixelplan.experiments.playing import needs_cores
from pixelplan.play.run_folder import RunFolderWriter

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pixelplan.experiments.engines.engine import Ended, Engine
    from pixelplan.experiments.folder import ExperimentFolder
    from pixelplan.experiments.ledger import Row
    from pixelplan.experiments.spec import Episode, Experiment

ATTEMPTS = 3
"""How often an episode is tried before it is left to the next sweep."""
LOCK_FILE = ".lock"
LOOK_SECONDS = 2.0
"""How often the observer may look at the time."""


class Observer(Protocol):
    """Who is told how a sweep goes."""

    def say(self, line: str) -> None:
        """Hear of something unusual."""
        ...

    def begin(self, missing: list[Episode], finished: list[Row]) -> None:
        """Hear what is to be played, and what was played before."""
        ...

    def finished(self, row: Row) -> None:
        """Hear of a finished episode."""
        ...

    def look(self) -> None:
        """Hear that time has passed."""
        ...


@contextlib.contextmanager
def locked(folder: ExperimentFolder) -> Iterator[None]:
    """Keep other sweeps out of a folder. The lock goes when its process does, however that ends."""
    folder.path.mkdir(parents=True, exist_ok=True)
    with (folder.path / LOCK_FILE).open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            raise InputError(
                f"another sweep is at work in {folder.path} (process {file.read().strip()})"
            ) from None
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
        observer: Observer,
        *,
        ledger: Path | None = None,
    ) -> None:
        self._experiment = experiment
        self._folder = folder
        self._observer = observer
        self._ledger = ledger
        self._rows = {row.name: row for row in read_ledger(ledger)} if ledger and ledger.exists() else {}
        self._attempts: Counter[str] = Counter()
        self.failed: list[Episode] = []
        """Episodes that were tried too often."""

    def accept(self, *, may_set_aside: bool) -> None:
        """Make the experiment the folder's own; InputError says what would be lost of an earlier one."""
        changes = compare(self._folder.read_experiment(), self._experiment, set(self._folder.run_names()))
        if changes.set_aside and not may_set_aside:
            raise InputError(
                f"the spec has changed since {self._folder.path} was begun: {changes}; "
                "go on with --accept-changes, or use another folder"
            )
        for name in changes.set_aside:
            place = self._folder.set_aside(name)
            self._observer.say(f"{name} was played with other settings: now in {place}")
        if not changes.set_aside and str(changes):
            self._observer.say(f"the spec has changed: {changes}")
        self._folder.write_experiment(self._experiment)

    def play(self, engine: Engine) -> None:
        """Play what is missing."""
        queue = deque(self._missing())
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

    def _missing(self) -> list[Episode]:
        """Look at what is there, and return what is not."""
        self._folder.remove_drafts()
        missing, finished = [], []
        for episode in self._experiment.episodes:
            row = self._find_row(episode)
            if row is None:
                missing.append(episode)
            else:
                finished.append(row)
                self._rows[row.name] = row
        self._observer.begin(missing, finished)
        return missing

    def _find_row(self, episode: Episode) -> Row | None:
        if self._folder.run_folder(episode.name).exists():
            try:
                return read_row(self._folder.run_folder(episode.name))
            except InputError as error:
                place = self._folder.set_aside(episode.name)
                self._observer.say(f"{error}: now in {place}, to be played again")
        row = self._rows.get(episode.name)
        return row if row is not None and row.settings == shorten(episode.settings) else None

    def _take(self, ended: Ended) -> bool:
        """Keep what an episode has given; say whether it is done with."""
        name = ended.episode.name
        if ended.files is not None:
            with RunFolderWriter(self._folder.run_folder(name)) as writer:
                writer.write_files(ended.files)
            row = self._rows[name] = read_row(self._folder.run_folder(name))
            self._write_ledger()
            self._observer.finished(row)
            return True
        self._attempts[name] += 1
        self._folder.note_failure(ended.episode, self._attempts[name], ended.error)
        is_last = self._attempts[name] >= ATTEMPTS
        if is_last:
            self.failed.append(ended.episode)
        self._observer.say(f"{name} failed{' for good' if is_last else ''}: {ended.error}")
        return is_last

    def _write_ledger(self) -> None:
        if self._ledger is not None:
            write_ledger(self._ledger, self._rows.values())


@dataclass(frozen=True, kw_only=True)
class Changes:
    """How an experiment differs from what a folder was begun with."""

    lines: tuple[str, ...]
    set_aside: tuple[str, ...]
    """Episodes whose run folders are of no use any more."""

    def __str__(self) -> str:
        """Return all in one line."""
        return "; ".join(self.lines)


def compare(old: Experiment | None, new: Experiment, played: set[str]) -> Changes:
    """Say, column by column, what would change, and which played episodes would not count any more."""
    if old is None:
        return Changes(lines=(), set_aside=())
    before = {episode.name: episode for episode in old.episodes}
    after = {episode.name: episode for episode in new.episodes}
    kinds: dict[str, list[str]] = {}
    for name in before | after:
        if (kind := _kind_of_change(before.get(name), after.get(name))) is not None:
            kinds.setdefault(kind, []).append(name)
    lines, set_aside = [], []
    for kind, names in kinds.items():
        gone = [name for name in names if name in played and name in before]
        set_aside += gone
        loss = f", {len(gone)} played already" if gone else ""
        lines.append(f"{kind} ({len(names)} episode{'s' * (len(names) != 1)}{loss})")
    return Changes(lines=tuple(lines), set_aside=tuple(set_aside))


def _kind_of_change(old: Episode | None, new: Episode | None) -> str | None:
    if new is None:
        return None if old is None else f"{old.column}: left out"
    if old is None:
        return f"{new.column}: new"
    before, after = asdict(old.settings), asdict(new.settings)
    changed = [name for name in before if before[name] != after[name]]
    return f"{new.column}: other {', '.join(changed)}" if changed else None
