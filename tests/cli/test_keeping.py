"""What was played is kept: after many signals, under any name, on a full disk, without standard streams.

A game of a few decisions in a process of its own costs 1 to 2 s; most of it is Python's start.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import av
import pytest

from pixelplan.play.recorded_run import read_run

GAME = ["play", "breakout", "--calls", "5", "--decisions", "3", "--noops", "0", "--features", "ram-bytes"]
PIXELPLAN = [sys.executable, "-m", "pixelplan"]
ONE_CLOSED = ("0<&-", "1>&-", "2>&-")
NO_UTF8 = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def play(*arguments: object, **options: object) -> subprocess.CompletedProcess[str]:
    command = [*PIXELPLAN, *GAME, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, **options)  # type: ignore[call-overload, no-any-return]


def impatient(folder: Path, command: str, signals: list[tuple[int, float]], started: str) -> int:
    """Start a command, wait for a file, send signals some seconds apart, and return the exit code."""
    temporary = folder.with_name(f"{folder.name}-temporary")
    temporary.mkdir()
    process = subprocess.Popen(
        [*PIXELPLAN, *command.split()],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"TMPDIR": str(temporary)},
    )
    while not list(folder.glob(started)):
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    for number, seconds in signals:
        time.sleep(seconds)
        process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    assert "Traceback" not in errors, errors
    assert list(temporary.iterdir()) == []
    return process.returncode


ENDLESS = "play yars_revenge --calls 1 --features ram-bytes --noops 0 --trace --video game.mp4 --out run"


@pytest.mark.parametrize("count", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_more_signals_than_one_cost_nothing(count: int, tmp_path: Path) -> None:
    signals: list[tuple[int, float]] = [(signal.SIGINT, 0.5), *[(signal.SIGINT, 0.02)] * (count - 1)]
    assert impatient(tmp_path, ENDLESS, signals, ".game.mp4.draft-*") == 130
    assert names(tmp_path) == ["game.mp4", "run"]
    assert read_run(tmp_path / "run").result["interrupted"]
    with av.open(str(tmp_path / "game.mp4")) as container:
        assert sum(1 for _ in container.decode(video=0)) > 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_ten_rounds_of_impatience(seed: int, tmp_path: Path) -> None:
    """Costs 2 to 5 s a round. Whatever was begun is kept whole or not at all."""
    rng = Random(seed)
    columns = '[columns.iw]\npreset = "iw"\ncalls = 2\nfeatures = "ram-bytes"\nmax_frames = 900\n'
    (tmp_path / "spec.toml").write_text(f'title = "T"\ngames = ["pong"]\nruns = 9\n{columns}')
    kind = ("play", "realtime", "sweep")[seed % 3]
    command, started = {
        "play": (ENDLESS, ".game.mp4.draft-*"),
        "realtime": ("play pong --realtime --workers 0 --features ram-bytes --out run", ".run.draft-*"),
        "sweep": ("sweep spec.toml --out sweep --workers 1", "sweep/runs/iw/pong-1"),
    }[kind]
    numbers = [rng.choice((signal.SIGINT, signal.SIGTERM, signal.SIGHUP)) for _ in range(rng.randint(1, 4))]
    signals: list[tuple[int, float]] = [(number, rng.uniform(0, 0.2)) for number in numbers]
    signals[0] = (numbers[0], rng.uniform(0.2, 2.5))
    assert impatient(tmp_path, command, signals, started) == 130
    assert not list(tmp_path.glob(".*"))
    assert not list(tmp_path.glob("sweep/runs/*/.*"))
    if kind == "sweep":
        assert all(read_run(folder).decisions for folder in tmp_path.glob("sweep/runs/iw/*"))
    elif (tmp_path / "run").exists():
        # It does not if no action was played yet.
        assert read_run(tmp_path / "run").result["interrupted"]


@pytest.mark.parametrize("environment", [{}, pytest.param(NO_UTF8, marks=pytest.mark.slow)])
def test_any_name_will_do(environment: dict[str, str], tmp_path: Path) -> None:
    name = "bad\udcff" if not environment else "größer"
    out = tmp_path / os.fsdecode(os.fsencode(name))
    played = play("--out", out, "--video", out.with_name(f"{out.name}.mp4"), env=os.environ | environment)
    assert (played.returncode, played.stderr) == (0, "")
    assert len(read_run(out).decisions) == 3
    assert len(names(tmp_path)) == 2


@pytest.mark.slow
def test_two_games_do_not_take_one_place(tmp_path: Path) -> None:
    """Costs 2 s: two processes at once."""
    command = [*PIXELPLAN, *GAME, "--out", "run"]
    both = [
        subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    errors = [process.communicate(timeout=60)[1] for process in both]
    codes = sorted(process.returncode for process in both)
    # The later one is told when it begins, not when it has played.
    assert codes in ([0, 2], [0, 0])
    if codes == [0, 2]:
        assert any("another program is writing it now" in text or "exists already" in text for text in errors)
    assert names(tmp_path) == ["run"]


FULL = """
import errno, sys
from pathlib import Path
from pixelplan.cli import main
from pixelplan.play import run_folder

fill = run_folder._fill
disk = sys.argv.pop()
def full(folder, files):
    if str(folder).startswith(disk):
        raise OSError(errno.ENOSPC, "No space left on device")
    fill(folder, files)
run_folder._fill = full
main()
"""


def test_a_full_disk_costs_only_what_lies_on_it(tmp_path: Path) -> None:
    full, other, temporary = (tmp_path / name for name in ("full", "other", "temporary"))
    for folder in (full, other, temporary):
        folder.mkdir()
    outputs = ["--out", full / "run", "--video", other / "game.mp4"]
    played = subprocess.run(
        [sys.executable, "-c", FULL, *GAME, *map(str, outputs), str(full)],
        capture_output=True,
        text=True,
        timeout=60,
        env=os.environ | {"TMPDIR": str(temporary)},
    )
    assert played.returncode == 1
    assert played.stderr.count("\n") == 1
    assert "No space left on device; the run folder is" in played.stderr
    assert names(other) == ["game.mp4"]
    assert names(full) == []
    (rescued,) = temporary.iterdir()
    assert len(read_run(rescued).decisions) == 3


@pytest.mark.parametrize(
    "closed", ["0<&- 1>&- 2>&-", *(pytest.param(one, marks=pytest.mark.slow) for one in ONE_CLOSED)]
)
def test_closed_streams_cost_nothing(closed: str, tmp_path: Path) -> None:
    """Costs 1 to 2 s a case; with closed input two workers play."""
    workers = "--workers 2" if "0" in closed else ""
    command = f"{' '.join([*PIXELPLAN, *GAME])} {workers} --out run {closed}"
    finished = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (finished.returncode, finished.stderr) == (0, "")
    assert len(read_run(tmp_path / "run").decisions) == 3


@pytest.mark.slow
def test_whoever_reads_one_byte_is_enough(tmp_path: Path) -> None:
    command = f"{{ {' '.join([*PIXELPLAN, *GAME])} --json --out run; echo $? > code; }} | head -c 1"
    finished = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (finished.stdout, finished.stderr) == ("{", "")
    assert (tmp_path / "code").read_text() == "0\n"
    assert len(read_run(tmp_path / "run").decisions) == 3


@pytest.mark.slow
def test_a_game_whose_process_dies_is_kept_as_far_as_it_was_played(tmp_path: Path) -> None:
    """Costs 3 s: half of it a game in real time."""
    words = "play pong --realtime --workers 0 --features ram-bytes --out run --json"
    command = [*PIXELPLAN, *words.split()]
    process = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    while not (found := children.read_text().split()):
        time.sleep(0.02)
    time.sleep(2.5)
    os.kill(int(found[0]), signal.SIGKILL)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert errors == "pixelplan: the process of the played game has ended\n"
    run = read_run(tmp_path / "run")
    assert json.loads(output)["decisions"] == len(run.decisions) > 0
    assert run.result["interrupted"]


@pytest.mark.slow
def test_a_folder_from_which_one_starts_is_not_imported_from(tmp_path: Path) -> None:
    """Costs 1.5 s. A worker would have taken its own modules from there."""
    for name in ("pickle", "socket", "numpy", "pixelplan"):
        (tmp_path / f"{name}.py").write_text("open('imported', 'w')")
    script = Path(sys.executable).with_name("pixelplan")
    command = [str(script), *GAME, "--workers", "1"]
    played = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (played.returncode, played.stderr) == (0, "")
    assert not (tmp_path / "imported").exists()
