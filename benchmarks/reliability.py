"""Attacks on the program, counted: kills, signals, full disks, damaged folders, hostile clients.

Each attack is tried some times, at random moments with a fixed seed. A try is survived if what was played
is kept whole or was never begun, nothing half is left, no process lives on, and no traceback is printed.
"""

from __future__ import annotations

import contextlib
import os
import random
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PIXELPLAN = [sys.executable, "-m", "pixelplan"]
TRIES = 20
FOLDERS = 200
CLIENTS = 300
GAME = "play breakout --calls 1 --features ram-bytes --noops 0 --trace --video game.mp4 --out run"
POOL = "play breakout --seconds 0.05 --workers 2 --max-frames 3000 --out run"
REALTIME = "play pong --realtime --workers 1 --max-frames 360 --out run"
SWEEP = "sweep spec.toml --out sweep --workers 2"
SPEC = """
title = "T"
games = ["pong", "breakout"]
runs = 20
[columns.iw]
preset = "iw"
calls = 2
features = "ram-bytes"
max_frames = 900
"""


class Survival(NamedTuple):
    """How often an attack was tried, and survived."""

    attack: str
    tries: int
    survived: int


@contextlib.contextmanager
def started(folder: Path, command: str) -> Iterator[subprocess.Popen[str]]:
    """Start a command in a folder; kill it in the end if it still runs."""
    (folder / "spec.toml").write_text(SPEC)
    process = subprocess.Popen(
        [*PIXELPLAN, *command.split()], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def is_running(process_id: int) -> bool:
    """Say whether a process has not ended."""
    try:
        return Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def children_of(process_id: int) -> list[int]:
    """Return the processes that one has started."""
    try:
        return [
            int(child)
            for task in Path(f"/proc/{process_id}/task").iterdir()
            for child in (task / "children").read_text().split()
        ]
    except FileNotFoundError:
        return []


def have_ended(process_ids: list[int], seconds: float = 5.0) -> bool:
    """Say whether processes end within some seconds."""
    deadline = time.monotonic() + seconds
    while any(map(is_running, process_ids)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not any(map(is_running, process_ids))


def is_sound(folder: Path, *, may_be_absent: bool = True) -> bool:
    """Say whether a run folder can be read, or is not there at all."""
    from pixelplan.errors import InputError
    from pixelplan.play.recorded_run import read_run

    if not folder.exists():
        return may_be_absent
    try:
        return bool(read_run(folder).decisions)
    except InputError:
        return False


def drafts(folder: Path) -> list[Path]:
    """Return what is hidden in a folder and below it, but for the lock of a sweep."""
    return [path for path in folder.rglob(".*") if path.name != ".lock"]


def survive_signals(folder: Path, rng: random.Random) -> bool:
    """Send 1 to 4 signals of any kind, 0 to 0.2 s apart."""
    command = rng.choice((GAME, REALTIME, SWEEP))
    with started(folder, command) as process:
        time.sleep(rng.uniform(1.5, 4))
        children = children_of(process.pid)
        for _ in range(rng.randint(1, 4)):
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(rng.choice((signal.SIGINT, signal.SIGTERM, signal.SIGHUP)))
            time.sleep(rng.uniform(0, 0.2))
        _, errors = process.communicate(timeout=60)
        runs = [folder / "run", *folder.glob("sweep/runs/*/*")]
        return (
            process.returncode in (0, 130)
            and "Traceback" not in errors
            and all(map(is_sound, runs))
            and not drafts(folder)
            and have_ended(children)
        )


def survive_kill_of_parent(folder: Path, rng: random.Random) -> bool:
    """Kill the program, then play to the same place again."""
    command = rng.choice((GAME, POOL, REALTIME, SWEEP))
    with started(folder, command) as process:
        time.sleep(rng.uniform(1, 4))
        children = children_of(process.pid)
        process.kill()
        process.wait()
        if not have_ended(children) or not all(map(is_sound, folder.glob("sweep/runs/*/*"))):
            return False
    shutil.rmtree(folder / "run", ignore_errors=True)
    if command is SWEEP:
        return True
    with started(folder, f"{command} --decisions 3") as process:
        process.communicate(timeout=60)
        return (
            process.returncode == 0 and is_sound(folder / "run", may_be_absent=False) and not drafts(folder)
        )


def survive_kill_of_child(folder: Path, rng: random.Random) -> bool:
    """Kill a worker, the process of the played game, or a player of a sweep."""
    command = rng.choice((POOL, REALTIME, SWEEP))
    with started(folder, command) as process:
        time.sleep(rng.uniform(1.5, 3))
        if not (children := children_of(process.pid)):
            return process.wait(60) == 0
        os.kill(rng.choice(children), signal.SIGKILL)
        if command is SWEEP:
            time.sleep(2)
            process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=90)
        return (
            process.returncode in (0, 1, 130)
            and "Traceback" not in errors
            and all(map(is_sound, [folder / "run", *folder.glob("sweep/runs/*/*")]))
            and (command is SWEEP or is_sound(folder / "run", may_be_absent=False))
        )


def survive_full_disk(folder: Path, rng: random.Random) -> bool:
    """Play where no file may be larger than some kB: the run folder is kept, here or elsewhere."""
    most = rng.choice((0, 500, 2_000, 20_000, 200_000))
    temporary = folder / "temporary"
    temporary.mkdir()
    command = [*PIXELPLAN, *GAME.split(), "--decisions", "40"]
    finished = subprocess.run(
        command,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        env=os.environ | {"TMPDIR": str(temporary)},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)),
    )
    if "Traceback" in finished.stderr or drafts(folder):
        return False
    if finished.returncode == 0:
        return is_sound(folder / "run", may_be_absent=False)
    # The videos of all tries are too large; run folders are not, but for the least limits.
    is_kept = is_sound(folder / "run") and not (folder / "game.mp4").exists()
    return finished.returncode == 1 and is_kept and finished.stderr.count("\n") >= 1


def survive_damage(folder: Path, rng: random.Random, original: Path) -> bool:
    """Change, cut or lengthen a file of a run folder, and have it replayed."""
    run = folder / "run"
    shutil.copytree(original, run)
    file = rng.choice(sorted(run.iterdir()))
    content = bytearray(file.read_bytes())
    kind = rng.choice(("flip", "cut", "longer"))
    if kind == "flip":
        for _ in range(rng.randint(1, 20)):
            content[rng.randrange(len(content))] = rng.randrange(256)
    elif kind == "cut":
        del content[rng.randrange(len(content)) :]
    else:
        content += rng.randbytes(1_000)
    file.write_bytes(content)
    code = (
        "import sys\nfrom pathlib import Path\nfrom pixelplan.cli import run\n"
        "from pixelplan.errors import InputError\nfrom pixelplan.viewer.record import Recording\n"
        "code = run(['replay', 'run'])\n"
        "try:\n    recording = Recording(Path('run'))\n    list(recording.read())\n"
        "    [recording.tree(number) for number in range(len(recording.visits))]\n"
        "except InputError:\n    pass\nsys.exit(code)\n"
    )
    finished = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, timeout=20
    )
    return finished.returncode in (0, 2) and "Traceback" not in finished.stderr


def survive_clients(rng: random.Random) -> Survival:
    """Send a server requests of other names and sites, half requests, noise, and videos that nobody takes."""
    with (
        tempfile.TemporaryDirectory() as place,
        started(Path(place), "watch breakout --calls 20 --no-browser --port 0") as process,
    ):
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        host, port = address.removeprefix("http://").rstrip("/").split(":")
        own = f"Host: {host}:{port}\r\n"
        requests: list[Callable[[], bytes]] = [
            lambda: rng.randbytes(rng.randint(1, 2_000)),
            lambda: f"GET /{'../' * rng.randint(1, 9)}etc/passwd HTTP/1.1\r\n{own}\r\n".encode(),
            lambda: b"GET / HTTP/1.1\r\nHost: example.net\r\n\r\n",
            lambda: f"GET /video.mp4 HTTP/1.1\r\n{own}Sec-Fetch-Site: cross-site\r\n\r\n".encode(),
            lambda: f"GET /video.mp4 HTTP/1.1\r\n{own}\r\n".encode(),
            lambda: f"GET / HTTP/1.1\r\n{own}".encode(),
            lambda: (
                f"GET /socket HTTP/1.1\r\n{own}Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n".encode()
            ),
        ]
        survived = 0
        for _ in range(CLIENTS):
            with (
                contextlib.suppress(OSError),
                socket.create_connection((host, int(port)), timeout=5) as client,
            ):
                client.sendall(rng.choice(requests)())
            with contextlib.suppress(OSError), socket.create_connection((host, int(port)), timeout=5) as page:
                page.sendall(f"GET / HTTP/1.1\r\n{own}Connection: close\r\n\r\n".encode())
                survived += b"200 OK" in page.recv(100) and process.poll() is None
        process.send_signal(signal.SIGINT)
        process.wait(10)
        return Survival("hostile clients: the page is served after each", CLIENTS, survived)


def survivals() -> list[Survival]:
    """Try all attacks."""
    rng = random.Random(0)
    found = []
    attacks = {
        "1 to 4 signals, up to 0.2 s apart, in play, real time and sweep": survive_signals,
        "kill -9 of play, real time and sweep, then the same again": survive_kill_of_parent,
        "kill -9 of a worker, a played game or a sweep's player": survive_kill_of_child,
        "a disk on which no file may be larger than 0 to 200 kB": survive_full_disk,
    }
    for attack, survive in attacks.items():
        outcomes = []
        for _ in range(TRIES):
            with tempfile.TemporaryDirectory() as folder:
                outcomes.append(survive(Path(folder), rng))
        found.append(Survival(attack, TRIES, sum(outcomes)))
    with tempfile.TemporaryDirectory() as place:
        with started(Path(place), f"{GAME.replace(' --video game.mp4', '')} --decisions 20") as process:
            process.communicate(timeout=60)
        original, outcomes = Path(place) / "run", []
        for number in range(FOLDERS):
            damaged = Path(place) / str(number)
            damaged.mkdir()
            outcomes.append(survive_damage(damaged, rng, original))
    found.append(Survival("run folders with changed, missing or more bytes", FOLDERS, sum(outcomes)))
    found.append(survive_clients(rng))
    return found
