"""`pixelplan export`: turn run folders into a dataset to learn from."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import tyro

from pixelplan.cli.arguments import read_arguments
from pixelplan.errors import InputError
from pixelplan.system import interrupts

if TYPE_CHECKING:
    from pixelplan.play.recorded_run import Run


@dataclass(frozen=True, kw_only=True)
class Export:
    """Write recorded episodes of a game as a Minari dataset: observations, actions, rewards, values.

    Each episode is played again to observe it, and must come out as recorded. Run folders that are not
    complete are left out. Minari is an extra: pip install 'pixelplan[minari]'.
    """

    folder: tyro.conf.Positional[Annotated[Path, tyro.conf.arg(metavar="DIR")]]
    """A run folder, or a folder with run folders in it, as that of a sweep."""
    minari: Annotated[str, tyro.conf.arg(metavar="ID")]
    """The dataset's id, as atari/breakout-v0."""
    game: str | None = None
    """Take the episodes of this game only."""
    observations: Literal["rgb", "grayscale", "ram"] = "rgb"
    """The screen in colour or in grey, or the console's memory."""


def run(arguments: list[str]) -> int:
    """Export run folders."""
    export = read_arguments("export", Export(folder=tyro.MISSING, minari=tyro.MISSING), arguments)

    from rich.console import Console
    from rich.progress import Progress

    from pixelplan.play.minari_export import check_dataset_id, export_runs

    check_dataset_id(export.minari)
    runs = _read_runs(export)
    steps = sum(len(run.decisions) for run in runs.values())
    console = Console(stderr=True)
    # Raised at once, a signal could be lost: in callbacks of dying HDF5 objects Python ignores all errors.
    interrupts.hold()
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(export.minari, total=steps + len(runs))

        def go_on() -> None:
            interrupts.check()
            progress.advance(task)

        place = export_runs(runs, export.minari, observations=export.observations, on_decision=go_on)
    sys.stdout.write(f"dataset: {place}\nepisodes: {len(runs)}, steps: {steps}\n")
    return 0


def _read_runs(export: Export) -> dict[str, Run]:
    """Return the runs that are wanted, by name; tell of run folders that are left out."""
    from pixelplan.play.minari_export import read_exportable_run
    from pixelplan.play.run_folder import find_run_folders
    from pixelplan.simulators.ale import rom_names
    from pixelplan.simulators.games import find_game

    game = None if export.game is None else find_game(export.game, rom_names())
    top = export.folder.resolve()
    runs, games = {}, set()
    for folder in find_run_folders(top):
        try:
            run = read_exportable_run(folder)
        except InputError as error:
            sys.stderr.write(f"left out: {error}\n")
            continue
        games.add(run.settings.game)
        if game in (None, run.settings.game):
            runs[str(folder.relative_to(top.parent))] = run
    if not games:
        raise InputError(f"there is no complete run folder in {export.folder}")
    if not runs:
        raise InputError(f"there is no {game} in {export.folder}, but {', '.join(sorted(games))}")
    return runs
