"""Recorded runs on the viewer's page, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from chromium import DESK, PHONE, open_browser
from watched import Open, Watched, film, opening_pages, serve

from pixelplan.planning.settings import PRESETS
from pixelplan.play.episode import play_episode
from pixelplan.play.recorded_run import read_nodes, read_run
from pixelplan.play.run_folder import RunFolderWriter
from pixelplan.play.settings import EpisodeSettings
from pixelplan.play.trace import NOT_VISITED
from pixelplan.viewer.encoding import NOT_VISITED_ROW

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow

RUNS = {
    "alien": EpisodeSettings(game="alien", calls=40, noops=0, decisions=12, seed=2),
    "pong": EpisodeSettings(game="pong", calls=20, noops=0, decisions=5, seed=3),
    "breakout": EpisodeSettings(
        game="breakout", calls=20, noops=0, decisions=8, seed=3, **vars(replace(PRESETS["best"], patience=2))
    ),
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as browser:
        yield browser


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
    with opening_pages(browser) as open_page:
        yield open_page


def open_run(watched: Watched, name: str) -> None:
    """Open a run from its beginning."""
    episodes = watched.episodes
    watched.page.select_option("#run", name)
    watched.until(lambda: watched.episodes > episodes and "decision" in watched.news)


def check_decision(watched: Watched, folder: Path, decision: int) -> None:
    """Go to a decision, and compare what is shown with what was recorded."""
    run, visits = read_run(folder), read_nodes(folder)[decision]
    watched.page.fill("#scrubber", str(decision))
    watched.until(lambda: watched.text("#position") == f"decision {decision + 1} of 12")
    watched.until_shown(
        "#screen", film(run.settings, [record.action for record in run.decisions[:decision]])[-1]
    )
    watched.until(lambda: watched.nodes() == run.decisions[decision].nodes)
    visited = {node for node, row in watched.rows.items() if row["case"] != NOT_VISITED_ROW}
    assert visited == {*visits["id"][visits["case"] != NOT_VISITED].tolist()}
    assert watched.text("#score") == str(run.decisions[decision - 1].score if decision > 0 else 0)


def test_a_run_is_shown_from_any_decision_on(replay: str, runs: Path, open_page: Open) -> None:
    watched = open_page(replay)
    open_run(watched, "alien")
    watched.until(lambda: watched.text("#play") == "Pause")
    watched.page.click("#play")
    watched.until(lambda: not watched.status["playing"])
    assert read_run(runs / "alien").decisions[6].score > 0
    for decision in (7, 2, 11, 0):
        check_decision(watched, runs / "alien", decision)
    watched.page.click("#step")
    watched.until(lambda: watched.text("#position") == "decision 2 of 12")


@pytest.mark.parametrize(("decision", "is_bold"), [(1, False), (3, True)])
def test_it_is_said_when_a_risk_is_taken(
    decision: int, is_bold: bool, replay: str, runs: Path, open_page: Open
) -> None:
    watched = open_page(replay)
    open_run(watched, "breakout")
    watched.page.click("#play")
    watched.until(lambda: not watched.status["playing"])
    assert read_run(runs / "breakout").decisions[decision].bold == is_bold
    watched.page.fill("#scrubber", str(decision))
    watched.until(lambda: watched.status["decision"] == decision)
    watched.until(lambda: watched.page.is_visible("#bold") == is_bold)


def test_a_run_is_shown_to_its_end_and_then_another(replay: str, runs: Path, open_page: Open) -> None:
    watched = open_page(replay)
    open_run(watched, "alien")
    watched.page.fill("#scrubber", "9")
    watched.until(lambda: watched.status["is_over"])
    run = read_run(runs / "alien")
    watched.until_shown("#screen", film(run.settings, [record.action for record in run.decisions])[-1])
    assert watched.text("#score") == str(run.result["score"])
    assert watched.page.locator("#over").is_visible()
    assert watched.page.locator("#settings").is_hidden()
    watched.page.select_option("#run", "pong")
    watched.until(lambda: watched.text("#episode").startswith("Pong"))
    assert watched.page.locator("#run option").all_inner_texts() == sorted(RUNS)
    assert watched.page.input_value("#run") == "pong"


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_nothing_is_wider_than_the_window(replay: str, open_page: Open, width: int) -> None:
    watched = open_page(replay, width)
    watched.until(lambda: watched.nodes() > 10)
    watched.check_width(width)
