"""The viewer's page in a real browser, with a real server and real games.

Budgets are calls, so the same episode can be played again here, and compared pixel by pixel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import av
import numpy as np
import pytest
from chromium import DESK, PHONE, Scheme, open_browser
from PIL import Image
from watched import Pixels, Watched, film, serve

from pixelplan.planning.settings import PRESETS
from pixelplan.play.episode import EpisodeSettings, PlayedDecision, play_episode
from pixelplan.play.run_folder import RunFolderWriter, read_nodes, read_run
from pixelplan.simulators.atari import ACTION_NAMES, rom_names
from pixelplan.viewer.encoding import NOT_VISITED, Kind, decode_screen

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow

LIVE = EpisodeSettings(game="seaquest", calls=30, noops=3, seed=1)
RUNS = {
    "alien": EpisodeSettings(game="alien", calls=40, noops=0, decisions=12, seed=2),
    "pong": EpisodeSettings(game="pong", calls=20, noops=0, decisions=5, seed=3),
}

CASE_NAMES = {
    0: "passed, not judged",
    1: "novel",
    2: "nothing new: the branch ends here",
    3: "no longer novel: the branch ends here",
    4: "still novel",
    5: "dead end",
    NOT_VISITED: "not visited in this decision",
}

Open = Callable[..., Watched]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    flags = ["--calls", f"{LIVE.calls}", "--noops", f"{LIVE.noops}", "--seed", f"{LIVE.seed}"]
    with serve(tmp_path_factory.mktemp("live"), LIVE.game, *flags) as url:
        yield url


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    for name, settings in RUNS.items():
        with RunFolderWriter(folder / name) as writer:
            writer.write(play_episode(settings, traces_nodes=True))
    return folder


@pytest.fixture(scope="module")
def replay(runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serve(tmp_path_factory.mktemp("replay"), "--replay", str(runs)) as url:
        yield url


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Open]:
    """Open pages; none of them may complain, or ask another host for anything."""
    pages: list[Watched] = []

    def open_page(url: str, width: int = DESK, scheme: Scheme = "light") -> Watched:
        pages.append(Watched(browser, url, width, scheme))
        return pages[-1]

    yield open_page
    for watched in pages:
        watched.page.close()
        assert watched.witness.complaints == []
        host = watched.url.removeprefix("http:")
        assert {url.partition(":")[2][: len(host)] for url in watched.witness.requests} == {host}


@pytest.fixture
def game(live: str, open_page: Open) -> Watched:
    """A page with an episode that has just begun."""
    watched = open_page(live)
    watched.start(LIVE.game, calls=LIVE.calls or 0)
    return watched


@cache
def played(decisions: int) -> tuple[PlayedDecision, ...]:
    """Play the first decisions of the live episode."""
    return play_episode(replace(LIVE, decisions=decisions)).played


def expected_frames(decisions: int) -> list[Pixels]:
    """Return all frames until so many decisions are played."""
    return film(LIVE, [played.action for played in played(decisions)] if decisions else [])


def expected_branch(watched: Watched, node: int) -> list[Pixels]:
    """Return the frames from the root of the tree that is shown to a node."""
    decision = watched.status["decision"]
    actions = [played.action for played in played(decision + 1)[:-1]]
    return film(LIVE, actions + watched.path(node))[len(film(LIVE, actions)) - 1 :]


def opaque(rgb: Pixels) -> bytes:
    """Return pixels as a canvas has them."""
    return np.insert(rgb, 3, 255, axis=2).tobytes()


def test_the_screen_shows_what_the_emulator_shows(game: Watched) -> None:
    seen: set[bytes] = set()

    def is_moving() -> bool:
        seen.add(game.pixels("#screen").tobytes())
        return len(seen) > 5

    game.until(is_moving)
    game.pause()
    frames = expected_frames(game.news["decision"]["decision"] + 1)
    game.until_shown("#screen", frames[-1])
    assert seen <= {*map(opaque, frames)}


def test_a_step_is_one_decision(game: Watched) -> None:
    game.pause()
    assert game.text("#play") == "Play"
    for _ in range(2):
        decision = game.status["decision"]
        game.step()
        assert game.status["decision"] == decision + 1
        assert game.status["frames"] == (decision + 2) * LIVE.frameskip
        game.until_shown("#screen", expected_frames(decision + 2)[-1])
    game.page.keyboard.press("n")
    game.until(lambda: game.status["decision"] == decision + 2)
    game.page.keyboard.press("p")
    game.until(lambda: game.text("#play") == "Pause" and game.status["decision"] > decision + 3)


def test_the_tree_grows(game: Watched) -> None:
    counts: set[int] = set()

    def is_growing() -> bool:
        counts.add(game.nodes())
        return len(counts) > 3

    game.until(is_growing)
    game.pause()
    decided = played(game.status["decision"] + 1)[-1].decision
    assert game.nodes() == decided.trace.nodes
    assert game.pixels("#tree")[..., 3].any()
    assert game.text("#actions .chosen .name") == ACTION_NAMES[decided.action]
    assert game.page.locator("#actions li").count() == len(ACTION_NAMES)
    assert f"{decided.trace.nodes}, {decided.trace.new_nodes} of them new" in game.text("#stats")


def point_at_a_node(game: Watched) -> int:
    """Move the mouse over the tree until it has found a node below the root, and return that."""
    box = game.page.locator("#tree").bounding_box()
    assert box is not None
    places = [(x, y) for y in range(60, int(box["height"]), 20) for x in range(10, int(box["width"]), 20)]
    for x, y in places:
        game.page.mouse.move(box["x"] + x, box["y"] + y)
        if game.page.locator("#node-info h3").count() > 0:
            break
    game.until(lambda: game.asked_node("screen") >= 0)
    return game.asked_node("screen")


def walk(game: Watched, key: str) -> int:
    """Walk in the tree to a node that was not looked at yet, and return that."""
    before = game.asked_node("screen")
    game.page.keyboard.press(key)
    game.until(lambda: game.asked_node("screen") != before)
    return game.asked_node("screen")


def check_node(game: Watched, node: int) -> None:
    """Check the screen and the facts of the node that is shown."""
    path = game.path(node)
    game.until_shown("#node-screen", expected_branch(game, node)[-1])
    assert game.text("#node-info h3") == ACTION_NAMES[path[-1]]
    facts = game.text("#node-info")
    assert f"{len(path)} actions ahead" in facts
    assert CASE_NAMES[game.rows[node]["case"]] in facts


def check_clip(game: Watched, node: int) -> None:
    """Check that the branch to a node is played, frame by frame and in a loop."""
    expected = expected_branch(game, node)
    assert len(expected) == 1 + LIVE.frameskip * len(game.path(node))
    seen: list[bytes] = []

    def has_begun_again() -> bool:
        shown = game.pixels("#node-screen").tobytes()
        if shown not in seen[-1:]:
            seen.append(shown)
        return opaque(expected[-1]) in seen[3:-1]

    game.until(has_begun_again)
    assert {*seen} <= {*map(opaque, expected)}


def test_a_node_is_shown_and_its_branch_played_by_the_mouse(game: Watched) -> None:
    game.pause()
    node = point_at_a_node(game)
    check_node(game, node)
    game.page.mouse.down()
    game.page.mouse.up()
    game.until(lambda: game.asked_node("branch") == node)
    check_clip(game, node)


def test_a_node_is_shown_and_its_branch_played_by_the_keyboard(game: Watched) -> None:
    game.pause()
    game.page.focus("#tree")
    path = [walk(game, "ArrowDown") for _ in range(3)]
    check_node(game, path[2])
    game.page.keyboard.press("ArrowUp")
    check_node(game, path[1])
    game.page.keyboard.press("ArrowUp")
    check_node(game, path[0])
    actions = [row["action"] for row in game.rows.values() if row["parent"] == game.rows[path[0]]["parent"]]
    is_last = game.rows[path[0]]["action"] == max(actions)
    sibling = walk(game, "ArrowLeft" if is_last else "ArrowRight")
    assert len(game.path(sibling)) == 1
    check_node(game, sibling)
    game.page.keyboard.press("Enter")
    game.until(lambda: game.asked_node("branch") == sibling)
    check_clip(game, sibling)
    game.page.keyboard.press("Escape")
    assert "Point at a dot" in game.text("#node-info")
    assert not game.pixels("#node-screen").any()


def test_speed_and_budget_change(game: Watched) -> None:
    game.page.select_option("#speed", "8")
    game.until(lambda: game.status["speed"] == 8)
    game.page.fill("#calls", "7")
    game.page.keyboard.press("Tab")
    game.until(lambda: game.news["decision"]["calls"] == 7)
    game.until(lambda: "7 of 7" in game.text("#stats"))


def test_another_game_is_started(game: Watched) -> None:
    assert game.page.locator("#game option").all_inner_texts() == rom_names()
    game.start("breakout", calls=11, preset="iw")
    assert game.news["episode"] | {"game": "breakout", "preset": "iw", "calls": 11} == game.news["episode"]
    assert game.text("#episode") == "Breakout · iw · seed 1"
    assert game.page.title() == "Breakout · pixelplan"
    assert game.decisions[0]["decision"] == 0
    game.pause()
    iw = EpisodeSettings(**asdict(PRESETS["iw"]), game="breakout", calls=11, noops=LIVE.noops, seed=1)
    decisions = game.news["decision"]["decision"] + 1
    result = play_episode(replace(iw, decisions=decisions))
    game.until_shown("#screen", film(iw, [played.action for played in result.played])[-1])


def test_a_human_takes_the_controls_and_hands_them_back(game: Watched) -> None:
    page = game.page
    page.click("#control")
    game.until(lambda: game.status["controlled"])
    assert game.text("#control") == "Hand back"
    for key, action in (("ArrowRight", "RIGHT"), ("Space", "RIGHTFIRE"), ("ArrowUp", "UPRIGHTFIRE")):
        page.keyboard.down(key)
        game.until(lambda action=action: f"You played {action};" in game.text("#played"))  # type: ignore[misc]
        told = {
            f"You played {action}; the planner would play {ACTION_NAMES[decision['chosen']]}."
            for decision in game.decisions
            if decision["action"] == ACTION_NAMES.index(action)
        }
        game.until(lambda told=told: game.text("#played") in told)
    for key in ("ArrowRight", "Space", "ArrowUp"):
        page.keyboard.up(key)
    game.until(lambda: "You played NOOP;" in game.text("#played"))
    page.keyboard.press("t")
    game.until(lambda: not game.status["controlled"] and game.text("#played").startswith("Plays "))
    assert game.text("#control") == "Take the controls"
    assert game.news["decision"]["action"] == game.news["decision"]["chosen"]
