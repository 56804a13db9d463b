"""The viewer's page in a real browser, with a real server and real games.

Budgets are calls, so the same episode can be played again here, and compared pixel by pixel.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import av
import numpy as np
import pytest
from chromium import DESK, PHONE, Scheme, open_browser
from PIL import Image
from watched import Open, Pixels, Watched, film, opening_pages, serve

from pixelplan.planning.case import Case
from pixelplan.planning.settings import PRESETS
from pixelplan.play.episode import PlayedDecision, play_episode
from pixelplan.play.settings import EpisodeSettings
from pixelplan.play.video import BANNER_HEIGHT, SCALE_X, SCALE_Y
from pixelplan.simulators.ale import ACTION_NAMES
from pixelplan.simulators.games import PAPER_GAMES
from pixelplan.viewer.encoding import NO_PARENT_ROW, NOT_VISITED_ROW, Flag, Kind, decode_screen

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow

LIVE = EpisodeSettings(game="seaquest", calls=30, noops=3, seed=1)
CASE_NAMES = {
    0: "passed",
    1: "novel",
    2: "nothing new: the branch ends",
    3: "no longer novel: the branch ends",
    4: "still novel",
    5: "dead end",
    6: "as deep as it looks: the branch ends",
    7: "same as a sibling: the branch ends",
    8: "followed",
    NOT_VISITED_ROW: "not visited in this decision",
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    flags = ["--calls", f"{LIVE.calls}", "--noops", f"{LIVE.noops}", "--seed", f"{LIVE.seed}"]
    with serve(tmp_path_factory.mktemp("live"), LIVE.game, *flags) as url:
        yield url


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Open]:
    with opening_pages(browser) as open_page:
        yield open_page


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


def point_at(game: Watched, found: str) -> None:
    """Move the mouse over the tree until the facts of a node below the root have an element like this."""
    box = game.page.locator("#tree").bounding_box()
    assert box is not None
    for y in range(50, int(box["height"]), 10):
        for x in range(10, int(box["width"]), 20):
            game.page.mouse.move(box["x"] + x, box["y"] + y)
            if game.page.locator(f"#node-info {found}").count() > 0:
                return
    raise AssertionError("there is no such node")


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
    assert ("1 action ahead" if len(path) == 1 else f"{len(path)} actions ahead") in facts
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
    point_at(game, "h3")
    game.until(lambda: game.asked_node("screen") >= 0)
    node = game.asked_node("screen")
    check_node(game, node)
    game.page.mouse.down()
    game.page.mouse.up()
    game.until(lambda: game.asked_node("branch") == node)
    check_clip(game, node)


def test_a_node_is_shown_and_its_branch_played_by_the_keyboard(game: Watched) -> None:
    game.pause()
    while len(siblings := game.children(game.root())) < 2:
        game.step()
    game.page.focus("#tree")
    first = walk(game, "ArrowDown")
    check_node(game, first)
    second = walk(game, "ArrowLeft" if first == siblings[-1] else "ArrowRight")
    assert second in siblings
    check_node(game, second)
    for _ in range(2):
        if game.children(second):
            second = walk(game, "ArrowDown")
    check_node(game, second)
    game.page.keyboard.press("Enter")
    game.until(lambda: game.asked_node("branch") == second)
    check_clip(game, second)
    game.page.keyboard.press("Escape")
    assert "Point at a dot" in game.text("#node-info")
    assert not game.pixels("#node-screen").any()
    game.page.keyboard.press("ArrowDown")
    check_node(game, first)
    game.page.keyboard.press("ArrowUp")
    assert game.text("#node-info h3") == "now"


def test_speed_and_budget_change(game: Watched) -> None:
    game.page.select_option("#speed", "8")
    game.until(lambda: game.status["speed"] == 8)
    game.page.fill("#calls", "7")
    game.page.keyboard.press("Tab")
    game.until(lambda: game.news["decision"]["simulator_calls"] == 7)
    game.until(lambda: "7 of 7" in game.text("#stats"))


def test_another_game_is_started(game: Watched) -> None:
    assert game.page.locator("#game option").all_inner_texts() == sorted(PAPER_GAMES)
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


def until_played(game: Watched, action: str) -> None:
    """Wait until the page tells that a human has played something, beside what the planner chose."""

    def is_told() -> bool:
        decision = game.news["decision"]
        chosen = ACTION_NAMES[decision["branch"][0]]
        told = f"You played {action}; the planner would play {chosen}."
        return ACTION_NAMES[decision["action"]] == action and game.text("#played") == told

    game.until(is_told)


def test_actions_that_show_the_same_are_said_to(game: Watched) -> None:
    """Each but one of them; they have no bar."""
    game.start(LIVE.game, calls=60, preset="best")
    game.pause()
    root = next(row for row in game.rows.values() if row["parent"] == NO_PARENT_ROW)
    twins = [
        ACTION_NAMES[row["action"]]
        for row in game.rows.values()
        if row["parent"] == root["id"] and row["flags"] & Flag.TWIN
    ]
    assert len(twins) > 0
    assert game.page.locator("#actions .same .name").all_inner_texts() == [
        name for name in ACTION_NAMES if name in twins
    ]
    widths = game.page.locator("#actions .same .bar").evaluate_all("bars => bars.map(bar => bar.style.width)")
    assert widths == ["0%"] * len(twins)
    count = game.news["decision"]["twins"]
    assert f"same as a sibling {count}" in game.text("#stats")


def test_a_human_takes_the_controls_and_hands_them_back(game: Watched) -> None:
    page = game.page
    page.click("#control")
    game.until(lambda: game.status["controlled"])
    assert game.text("#control") == "Hand back"
    for key, action in (("ArrowRight", "RIGHT"), ("Space", "RIGHTFIRE"), ("ArrowUp", "UPRIGHTFIRE")):
        page.keyboard.down(key)
        until_played(game, action)
    for key in ("ArrowRight", "Space", "ArrowUp"):
        page.keyboard.up(key)
    until_played(game, "NOOP")
    page.keyboard.press("t")
    game.until(lambda: not game.status["controlled"])
    assert game.text("#control") == "Take the controls"

    def plays_its_choice() -> bool:
        decision = game.news["decision"]
        name = ACTION_NAMES[decision["action"]]
        return decision["action"] == decision["branch"][0] and game.text("#played") == f"Playing now: {name}."

    game.until(plays_its_choice)


def overlay(game: Watched, screen: str = "#screen") -> Pixels:
    """Return how opaque each pixel's overlay is: in its middle, and in its upper left corner."""
    opacity = game.pixels(f"{screen} + .overlay")[..., 3]
    high, wide = opacity.shape[0] // 210, opacity.shape[1] // 160
    return np.stack((opacity[high // 2 :: high, wide // 2 :: wide], opacity[::high, ::wide]))


def test_overlays_show_tiles_background_and_what_is_new(game: Watched) -> None:
    game.pause()
    assert not overlay(game).any()
    game.page.check("#overlay-tiles")
    _, corners = overlay(game)
    assert corners[15::15].all()
    assert corners[:, 10::10].all()
    assert not corners[1::15, 1::10].any()
    game.page.uncheck("#overlay-tiles")
    assert not overlay(game).any()
    game.page.check("#overlay-background")
    game.until(lambda: Kind.BACKGROUND in game.binary and bool(overlay(game).any()))
    is_background = decode_screen(game.binary[Kind.BACKGROUND][8:])
    assert 0 < is_background.sum() < is_background.size
    np.testing.assert_array_equal(overlay(game)[0] > 0, is_background)
    game.page.uncheck("#overlay-background")
    game.page.check("#overlay-novelty")
    point_at(game, "dd:text-is('novel')")
    game.until(
        lambda: "novelty" in game.news and game.rows[game.news["novelty"]["node"]]["case"] == Case.NOVEL
    )
    novelty = game.news["novelty"]
    basic, space, time = (novelty["counts"][kind] for kind in ("basic", "space", "time"))
    assert novelty["judged"]
    assert novelty["count"] == basic + space + time > 0
    tiles = "tile" if basic == 1 else "tiles"
    told = f"New here: {basic} coloured {tiles} (outlined), {space} pairs of tiles, {time} pairs with"
    game.until(lambda: told in game.text("#node-info"))
    assert bool(overlay(game, "#node-screen").any()) == (basic > 0)
    assert game.page.locator("#node-info .pairs li").count() == min(space, 2) + min(time, 2)


def test_a_picture_has_the_game_and_the_tree(game: Watched, tmp_path: Path) -> None:
    game.pause()
    game.until_shown("#screen", expected_frames(game.status["decision"] + 1)[-1])
    with game.page.expect_download() as download:
        game.page.click("#picture")
    assert download.value.suggested_filename == f"pixelplan-seaquest-{game.status['decision']}.png"
    download.value.save_as(tmp_path / "picture.png")
    with Image.open(tmp_path / "picture.png") as image:
        picture = np.asarray(image.convert("RGB"))
    screen = picture[2::4, 3 : 160 * 7 : 7]
    np.testing.assert_array_equal(screen, game.pixels("#screen")[..., :3])
    assert len(np.unique(picture[:, 160 * 7 :].reshape(-1, 3), axis=0)) > 3


def test_the_video_has_every_frame(game: Watched, tmp_path: Path) -> None:
    game.pause()
    expected = expected_frames(game.status["decision"] + 1)
    with game.page.expect_download() as download:
        game.page.click("#video")
    assert download.value.suggested_filename == "seaquest.mp4"
    download.value.save_as(tmp_path / "video.mp4")
    with av.open(str(tmp_path / "video.mp4")) as container:
        frames = [frame.to_ndarray(format="rgb24").astype(int) for frame in container.decode(video=0)]
    assert len(frames) == len(expected)
    shown = frames[-1][BANNER_HEIGHT + SCALE_Y // 2 :: SCALE_Y, SCALE_X // 2 :: SCALE_X]
    assert np.abs(shown - expected[-1]).mean() < 6


def test_two_pages_show_the_same(game: Watched, live: str, open_page: Open) -> None:
    other = open_page(live, PHONE, "dark")
    game.pause()
    other.until_still()
    assert other.status == game.status
    assert other.news["decision"] == game.news["decision"]
    assert other.nodes() == game.nodes()
    frame = expected_frames(game.status["decision"] + 1)[-1]
    for page in (game, other):
        page.until_shown("#screen", frame)
    assert other.text("#actions") == game.text("#actions")
    assert other.text("#stats") == game.text("#stats")
    other.page.select_option("#speed", "2")
    game.until(lambda: game.page.input_value("#speed") == "2")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [PHONE, DESK])
def test_nothing_is_wider_than_the_window(live: str, open_page: Open, width: int, scheme: Scheme) -> None:
    watched = open_page(live, width, scheme)
    watched.until(lambda: watched.nodes() > 20)
    watched.page.check("#overlay-novelty")
    watched.page.focus("#tree")
    watched.page.keyboard.press("ArrowDown")
    watched.page.keyboard.press("Enter")
    watched.check_width(width)
    background = watched.page.locator("body").evaluate("body => getComputedStyle(body).backgroundColor")
    assert background == {"light": "rgb(243, 244, 246)", "dark": "rgb(16, 20, 24)"}[scheme]


def test_a_game_in_real_time_cannot_be_paused(tmp_path: Path, open_page: Open) -> None:
    with serve(tmp_path, "pong", "--realtime", "--workers", "0", "--noops", "0") as url:
        watched = open_page(url)
        seen: set[bytes] = set()

        def is_moving() -> bool:
            seen.add(watched.pixels("#screen").tobytes())
            return len(seen) > 10 and len(watched.decisions) > 5

        watched.until(is_moving)
        watched.until(lambda: watched.nodes() > 20)
        for selector in ("#play", "#step", "#speed"):
            button = watched.page.locator(selector)
            assert button.is_disabled()
            assert button.get_attribute("title") == "A game in real time does not wait."
        assert "real time" in watched.text("#episode")
        watched.page.close()
