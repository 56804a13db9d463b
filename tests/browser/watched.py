"""The viewer's server as a process, its page in a browser, and all that the two say to each other."""

from __future__ import annotations

import base64
import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt
from chromium import DESK, Scheme, Witness

from pixelplan.play.episode import PlayedEpisode
from pixelplan.viewer.encoding import NO_PARENT_ROW, ROW, Kind

if TYPE_CHECKING:
    from playwright.sync_api import Browser, WebSocket

    from pixelplan.play.settings import EpisodeSettings

Pixels = npt.NDArray[np.uint8]

PATIENCE = 5_000
"""How often it is looked whether something has happened, 20 ms apart at least."""

# By way of a copy: Chromium complains of a canvas that is drawn on fast and read often.
READ_CANVAS = """canvas => {
    const {width, height} = canvas;
    const context = new OffscreenCanvas(width, height).getContext("2d", {willReadFrequently: true});
    context.drawImage(canvas, 0, 0);
    const {data} = context.getImageData(0, 0, width, height);
    const parts = [];
    for (let start = 0; start < data.length; start += 32768) {
        parts.push(String.fromCharCode(...data.subarray(start, start + 32768)));
    }
    return [height, width, btoa(parts.join(""))];
}"""


@contextmanager
def serve(folder: Path, *arguments: str) -> Iterator[str]:
    """Serve the page and yield its address. At the end, the server has nothing to complain of."""
    with (folder / "errors").open("w+") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "pixelplan", "watch", *arguments, "--no-browser", "--port", "0"],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
        assert process.stdout is not None
        with process:
            try:
                yield process.stdout.readline().strip()
            finally:
                process.send_signal(signal.SIGINT)
        errors.seek(0)
        complaints = errors.read()
        assert not complaints, complaints
        assert process.returncode == 0


class Watched:
    """A page, and what was said since the episode began."""

    def __init__(self, browser: Browser, url: str, width: int, scheme: Scheme) -> None:
        self.page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
        self.url = url
        self.witness = Witness(self.page)
        self.episodes = 0
        self.news: dict[str, dict[str, Any]] = {}
        """The server's newest text message of each type."""
        self.decisions: list[dict[str, Any]] = []
        self.binary: dict[Kind, bytes] = {}
        """The server's newest binary message of each kind."""
        self.rows: dict[int, dict[str, Any]] = {}
        """Of the tree, by id."""
        self.asked: list[dict[str, Any]] = []
        """What the page has said."""
        self.page.on("websocket", self._listen)
        self.page.goto(url)
        self.until(lambda: {"episode", "status"} <= self.news.keys() and Kind.FRAME in self.binary)

    def _listen(self, websocket: WebSocket) -> None:
        websocket.on("framereceived", self._hear)
        websocket.on("framesent", lambda text: self.asked.append(json.loads(text)))

    def _hear(self, payload: str | bytes) -> None:
        if isinstance(payload, str):
            message = json.loads(payload)
            if message["type"] == "episode":
                self.episodes += 1
                for said in (self.news, self.decisions, self.binary, self.rows):
                    said.clear()
            self.news[message["type"]] = message
            if message["type"] == "decision":
                self.decisions.append(message)
        else:
            kind = Kind(payload[0])
            self.binary[kind] = payload
            if kind is Kind.TREE:
                self.rows.clear()
            if kind in (Kind.TREE, Kind.GROWTH):
                count = int.from_bytes(payload[8:12], "little")
                self._add_rows(payload[12 : 12 + count * ROW.itemsize])

    def _add_rows(self, encoded: bytes) -> None:
        for row in np.frombuffer(encoded, ROW):
            self.rows[int(row["id"])] = {name: row[name].item() for name in ROW.names or ()}

    @property
    def status(self) -> dict[str, Any]:
        return self.news["status"]

    def until(self, is_so: Callable[[], bool]) -> None:
        """Wait until something has happened."""
        for _ in range(PATIENCE):
            if is_so():
                return
            self.page.wait_for_timeout(20)
        raise AssertionError(f"it never came to that; the last news: {self.news}")

    def text(self, selector: str) -> str:
        return self.page.locator(selector).inner_text()

    def nodes(self) -> int:
        """Return how many nodes the tree has that the page shows."""
        count: int = self.page.evaluate("window.pixelplan.nodes")
        return count

    def pixels(self, selector: str) -> Pixels:
        """Return what is on a canvas: red, green, blue and opacity."""
        height, width, encoded = self.page.locator(selector).evaluate(READ_CANVAS)
        return np.frombuffer(base64.b64decode(encoded), np.uint8).reshape(height, width, 4)

    def until_shown(self, selector: str, rgb: Pixels) -> None:
        """Wait until a canvas shows exactly this."""
        self.until(lambda: np.array_equal(self.pixels(selector)[..., :3], rgb))

    def start(self, game: str, *, calls: int, preset: str = "ras") -> None:
        """Begin another episode with the page's form."""
        episodes = self.episodes
        self.page.select_option("#game", game)
        self.page.select_option("#preset", preset)
        self.page.fill("#calls", str(calls))
        self.page.click("#start")
        self.until(lambda: self.episodes > episodes and "decision" in self.news)

    def pause(self) -> None:
        """Pause, and wait until all is decided and shown that was begun."""
        self.until(lambda: self.text("#play") == "Pause")
        self.page.click("#play")
        self.until(lambda: not self.status["playing"])
        self.until_still()

    def step(self) -> None:
        """Have one decision made, and wait until it is shown."""
        decision = self.status["decision"]
        self.page.click("#step")
        self.until(lambda: self.news["decision"]["decision"] > decision)
        self.until_still()

    def until_still(self) -> None:
        """Wait until nothing more is decided or shown."""
        self.until(
            lambda: (
                self.status["decision"] == self.news["decision"]["decision"]
                and int.from_bytes(self.binary[Kind.FRAME][4:8], "little") == 1 + self.status["frames"]
                and self.nodes() == len(self.rows)
            )
        )

    def check_width(self, width: int) -> None:
        """Check that nothing reaches beyond the window's right edge."""
        assert self.page.evaluate("document.documentElement.scrollWidth") == width
        wide = """[...document.querySelectorAll("body *")]
            .filter(element => element.getBoundingClientRect().right > innerWidth + 0.5)
            .map(element => element.outerHTML.slice(0, 80))"""
        assert self.page.evaluate(wide) == []

    def path(self, node: int) -> list[int]:
        """Return the actions that lead from the tree's root to a node."""
        row = self.rows[node]
        return [] if row["parent"] == NO_PARENT_ROW else [*self.path(row["parent"]), row["action"]]

    def root(self) -> int:
        """Return the tree's root."""
        return next(node for node, row in self.rows.items() if row["parent"] == NO_PARENT_ROW)

    def children(self, node: int) -> list[int]:
        """Return the nodes to which actions lead from a node, in the order of these."""
        children = [row for row in self.rows.values() if row["parent"] == node]
        return [row["id"] for row in sorted(children, key=lambda row: row["action"])]

    def asked_node(self, question: str) -> int:
        """Return which node the page has asked about last; -1: none."""
        return next((said["node"] for said in reversed(self.asked) if said["type"] == question), -1)


Open = Callable[..., Watched]


@contextmanager
def opening_pages(browser: Browser) -> Iterator[Open]:
    """Open pages; none of them may complain, or ask another host for anything."""
    pages: list[Watched] = []

    def open_page(url: str, width: int = DESK, scheme: Scheme = "light") -> Watched:
        pages.append(Watched(browser, url, width, scheme))
        return pages[-1]

    yield open_page
    for watched in pages:
        watched.page.close()
        assert not watched.witness.complaints, watched.witness.complaints
        hosts = {urlsplit(url).netloc for url in watched.witness.requests}
        assert hosts == {urlsplit(watched.url).netloc}


def film(settings: EpisodeSettings, actions: list[int]) -> list[Pixels]:
    """Return all frames of an episode with these actions, from the no-op actions on."""
    frames: list[Pixels] = []
    episode = PlayedEpisode(settings, lambda episode: frames.append(episode.game.rgb().copy()))
    for action in actions:
        episode.play(action)
    return frames
