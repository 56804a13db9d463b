"""What it costs to be watched: the planner's speed with a page that does not read, and the page's own."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import Page, sync_playwright
from websockets.asyncio.client import connect

import pixelplan

if TYPE_CHECKING:
    from collections.abc import Iterator

PIXELPLAN = (sys.executable, "-m", "pixelplan")
EPISODE = ("breakout", "--preset", "ras", "--seconds", "0.25", "--workers", "1")
DECISIONS = 60
CHROMIUM = "/usr/bin/chromium"
STATIC = Path(pixelplan.__file__).parent / "viewer" / "static"


@contextlib.contextmanager
def serving(*arguments: str) -> Iterator[str]:
    """Run `pixelplan watch`, and yield the page's address."""
    command = [*PIXELPLAN, "watch", *arguments, "--no-browser", "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait()


def unwatched_calls_per_second() -> float:
    """Return the planner's simulator calls per second of deciding, when nobody looks."""
    command = [*PIXELPLAN, "play", *EPISODE, "--decisions", str(DECISIONS), "--json"]
    result: dict[str, Any] = json.loads(subprocess.check_output(command, stderr=subprocess.DEVNULL))
    seconds: float = result["decisions"] * result["per_decision"]["seconds"]["mean"]
    calls: int = result["simulator_calls"]
    return calls / seconds


def watched_calls_per_second() -> float:
    """Return the same when one page looks, and another has stopped reading."""
    with serving(*EPISODE) as address, stalled_page(address):
        decisions = asyncio.run(hear_decisions(address))
    calls: int = sum(each["calls"] for each in decisions)
    seconds: float = sum(each["seconds"] for each in decisions)
    return calls / seconds


@contextlib.contextmanager
def stalled_page(address: str) -> Iterator[None]:
    """Open a WebSocket as a page does, and never read from it."""
    host, port = address.removeprefix("http://").rstrip("/").split(":")
    with socket.socket() as channel:
        # The smallest buffer that there is: it is full at once.
        channel.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
        channel.connect((host, int(port)))
        head = {
            "Host": f"{host}:{port}",
            "Origin": f"http://{host}:{port}",
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
            "Sec-WebSocket-Version": "13",
        }
        lines = ["GET /socket HTTP/1.1", *(f"{name}: {value}" for name, value in head.items()), "", ""]
        channel.sendall("\r\n".join(lines).encode())
        yield


async def hear_decisions(address: str) -> list[dict[str, Any]]:
    """Return what a page is told of some decisions."""
    decisions: list[dict[str, Any]] = []
    socket_address = address.replace("http", "ws") + "socket"
    async with connect(socket_address, origin=address.rstrip("/"), max_size=None) as messages:  # type: ignore[arg-type]
        async for message in messages:
            if isinstance(message, str) and '"type":"decision"' in message:
                decisions.append(json.loads(message))
                if len(decisions) == DECISIONS:
                    break
    return decisions


@contextlib.contextmanager
def page_at(address: str) -> Iterator[Page]:
    """Open a page in a real browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(address)
        yield page
        browser.close()


def frame_interval(seconds: float) -> float:
    """Return the median time between two frames on the page, in ms."""
    with serving(*EPISODE) as address, page_at(address) as page:
        time.sleep(3 + seconds)
        times: list[float] = page.evaluate("[...window.pixelplan.frameTimes]")
    times = [each for each in times if each > times[-1] - 1_000 * seconds]
    return statistics.median(after - before for before, after in pairwise(times))


def draw_milliseconds(nodes: int) -> tuple[int, float]:
    """Return how many nodes a large tree has, and how long it takes to lay it out and draw it, in ms."""
    with tempfile.TemporaryDirectory() as folder:
        run = str(Path(folder) / "run")
        budget = ("--calls", str(nodes), "--decisions", "1", "--seed", "1")
        command = [*PIXELPLAN, "play", "alien", "--preset", "ras", *budget, "--out", run, "--trace"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with serving("--replay", run) as address, page_at(address) as page:
            page.wait_for_function("(nodes) => window.pixelplan.nodes >= nodes", arg=nodes)
            drawn = []
            for width in range(900, 1_300, 20):
                # Another width: everything is laid out and drawn again.
                page.set_viewport_size({"width": width, "height": 800})
                page.wait_for_timeout(100)
                drawn.append(page.evaluate("window.pixelplan.drawMilliseconds"))
            return page.evaluate("window.pixelplan.nodes"), max(drawn)


def page_kilobytes() -> float:
    """Return the size of everything that the page loads."""
    return sum(path.stat().st_size for path in STATIC.iterdir()) / 1_000
