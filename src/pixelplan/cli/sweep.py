"""`pixelplan sweep`: play the episodes that an experiment still lacks."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import tyro

from pixelplan.cli.arguments import read_arguments
from pixelplan.errors import InputError

if TYPE_CHECKING:
    from pixelplan.experiments.engines.engine import Engine
    from pixelplan.experiments.spec import Episode

FAILED = 1


@dataclass(frozen=True, kw_only=True)
class SweepFlags:
    """Play the episodes that a spec describes, each into a run folder, as many at once as there are cores.

    The same command goes on after an interruption: it plays only missing episodes.
    """

    spec: tyro.conf.Positional[Annotated[Path, tyro.conf.arg(metavar="SPEC")]]
    """TOML file, as experiments/smoke.toml."""
    out: Path
    """Folder for the run folders."""
    engine: Literal["local", "ray"] = "local"
    """Place where episodes are played: processes of this machine, or a Ray cluster."""
    address: str | None = None
    """Ray cluster to use; unless given, one is started on this machine and ended again."""
    workers: int | None = None
    """Cores to use on this machine; unless given, all. Wall-clock planners never get more than there are."""
    columns: Annotated[tuple[str, ...], tyro.conf.arg(help_behavior_hint="(default: all)")] = ()
    """Columns of the spec to play for now."""
    episodes: Path | None = None
    """CSV file of episodes: those that it lists count as played, and those played are added."""
    accept_changes: bool = False
    """If the spec has changed: set aside the run folders that do not fit it any more."""


def run(arguments: list[str]) -> int:
    """Sweep."""
    arguments_read = read_arguments("sweep", SweepFlags(spec=tyro.MISSING, out=tyro.MISSING), arguments)

    from pixelplan.cli.sweep_progress import SweepProgress
    from pixelplan.experiments import sweep
    from pixelplan.experiments.folder import ExperimentFolder
    from pixelplan.experiments.spec import import_code, read_spec

    experiment = read_spec(arguments_read.spec)
    part = experiment.part(arguments_read.columns)
    import_code(part, f"{arguments_read.spec}: ")
    engine = _make_engine(arguments_read, part.episodes)
    folder = ExperimentFolder(arguments_read.out)
    with sweep.locked(folder, arguments_read.episodes), SweepProgress(experiment) as progress:
        task = sweep.Sweep(experiment, folder, progress, ledger=arguments_read.episodes)
        task.accept(may_set_aside=arguments_read.accept_changes)
        with engine:
            task.play(engine, part)
    failed = f", {len(task.failed)} failed (see failures.jsonl)" if task.failed else ""
    sys.stdout.write(f"{progress.summary()}{failed}: {arguments_read.out}\n")
    ledger = f" --episodes {arguments_read.episodes}" if arguments_read.episodes else ""
    sys.stdout.write(f"report: pixelplan report {arguments_read.out}{ledger}\n")
    return FAILED if task.failed else 0


def _make_engine(arguments: SweepFlags, episodes: tuple[Episode, ...]) -> Engine:
    if arguments.workers is not None and arguments.workers < 1:
        raise InputError(f"workers must be at least 1, not {arguments.workers}")
    if arguments.address is not None and arguments.engine != "ray":
        raise InputError("--address needs --engine ray")
    if arguments.address in ("", "local"):
        raise InputError("without --address a cluster is started on this machine")
    if arguments.address is not None and arguments.workers is not None:
        raise InputError("the cores at --address are the cluster's: leave out --workers")

    from pixelplan.experiments.playing import is_timed, needs_cores
    from pixelplan.system.cores import usable_cores

    there_are = max(usable_cores(), 1)
    cores = arguments.workers or there_are
    for episode in episodes:
        if is_timed(episode.settings) and arguments.address is None:
            if cores > there_are:
                sys.stderr.write(f"{cores} workers, but {there_are} cores: {there_are} play at once\n")
            cores = min(cores, there_are)
            if (needed := needs_cores(episode.settings)) > cores:
                raise InputError(
                    f"{episode.name} needs {needed} cores to keep to its seconds: there are {cores}"
                )
    if arguments.engine == "ray":
        from pixelplan.experiments.engines.ray import RayEngine

        return RayEngine(cores=cores, address=arguments.address)

    from pixelplan.experiments.engines.local import LocalEngine

    return LocalEngine(cores)
