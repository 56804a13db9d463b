"""What sweeps and reports cost, beside the playing."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import NamedTuple

import msgspec

from pixelplan.experiments.folder import ExperimentFolder, read_results
from pixelplan.experiments.playing import play_to_files
from pixelplan.experiments.spec import make_experiment
from pixelplan.play.run_folder import DECISIONS_FILE, RUN_FILE, RunFolderWriter
from pixelplan.system.cores import usable_cores

SMOKE = Path(__file__).parents[1] / "experiments" / "smoke.toml"
RUNS = 5


class Command(NamedTuple):
    """What a command has cost."""

    seconds: float
    peak_megabytes: float


def run_command(*arguments: str | Path) -> Command:
    """Run a command of pixelplan."""
    started = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-m", "pixelplan", *arguments], stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"{arguments} failed")
    return Command(time.perf_counter() - started, usage.ru_maxrss / 1024)


class SweepCost(NamedTuple):
    """Where the core seconds of a sweep went."""

    wall_seconds: float
    playing: float
    """Core seconds, as the next one."""
    calls: int
    """Simulator calls that were made."""
    waiting_for_the_last: float
    """There was nothing left to play for some cores, while others were still playing."""
    overhead: float
    """Share of what is neither of the two."""


def sweep_smoke() -> SweepCost:
    """Run the smoke test."""
    cores = max(usable_cores(), 1)
    with tempfile.TemporaryDirectory() as place:
        seconds = run_command("sweep", SMOKE, "--out", place).seconds
        folders = [path for path in Path(place).glob("runs/*/*") if path.is_dir()]
        ends = sorted(path.stat().st_mtime for path in folders)
        rows = read_results(Path(place)).rows
    playing, calls = sum(row.wall_seconds for row in rows), sum(row.simulator_calls for row in rows)
    waiting = sum(ends[-1] - end for end in ends[-cores:])
    return SweepCost(seconds, playing, calls, waiting, 1 - (playing + waiting) / (cores * seconds))


def report_on_made_up_runs() -> Command:
    """Report on 58 games, four planners and five runs, with 1,200 decisions each."""
    presets = ("iw", "rollout", "ra", "ras")
    columns = {preset: {"preset": preset, "calls": 5, "noops": 0} for preset in presets}
    experiment = make_experiment({"title": "Made up", "runs": RUNS, "columns": columns})
    rng = Random(0)
    with tempfile.TemporaryDirectory() as place:
        folder = ExperimentFolder(Path(place))
        folder.write_experiment(experiment)
        # Solaris goes on for all of the 18,000 frames.
        settings = replace(experiment.episodes[-1].settings, game="solaris")
        template = play_to_files(settings)
        run = msgspec.json.decode(template[RUN_FILE])
        for episode in experiment.episodes:
            result = run["result"] | {"score": rng.randrange(20_000)}
            content = msgspec.json.encode(run | {"settings": episode.settings, "result": result})
            with RunFolderWriter(folder.run_folder(episode.name)) as writer:
                writer.write_files({RUN_FILE: content, DECISIONS_FILE: template[DECISIONS_FILE]})
        assert run["result"]["decisions"] == 1_200
        return run_command("report", place)
