"""The report's page in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from chromium import DESK, PHONE, Scheme, Witness, open_browser

from pixelplan.cli import run
from pixelplan.experiments.folder import ExperimentFolder
from pixelplan.experiments.spec import Column, Episode, Experiment
from pixelplan.play.episode import play_episode
from pixelplan.play.run_folder import RunFolderWriter
from pixelplan.play.settings import EpisodeSettings

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report on eight short episodes, with a column left to be played."""
    folder = ExperimentFolder(tmp_path_factory.mktemp("experiment"))
    budgets = {"short": 4, "long": 8, "unplayed": 16}
    episodes = [
        Episode(
            column=column,
            game=game,
            run=number,
            settings=EpisodeSettings(game=game, calls=calls, decisions=3, noops=0, seed=number),
        )
        for column, calls in budgets.items()
        for game in ("alien", "pong")
        for number in (1, 2)
    ]
    columns = tuple(Column(name=name, label=f"{name} <i>& so on", paper="iw1_0.5s") for name in budgets)
    folder.write_experiment(Experiment(title="In a <browser>", columns=columns, episodes=tuple(episodes)))
    for episode in episodes:
        if episode.column != "unplayed":
            with RunFolderWriter(folder.run_folder(episode.name)) as writer:
                writer.write(play_episode(episode.settings))
    assert run(["report", str(folder.path)]) == 0
    return folder.path / "report" / "report.html"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as browser:
        yield browser


def open_page(browser: Browser, report: Path, width: int = DESK, scheme: Scheme = "light") -> Page:
    """Open the report; any complaint of the page, and any request but for the page itself, is an error."""
    page = browser.new_page(viewport={"width": width, "height": 844}, color_scheme=scheme)
    witness = Witness(page)
    page.goto(report.as_uri(), wait_until="networkidle")
    assert witness.complaints == []
    assert witness.requests == [report.as_uri()]
    return page


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [PHONE, DESK])
def test_the_page_opens_by_itself(browser: Browser, report: Path, width: int, scheme: Scheme) -> None:
    page = open_page(browser, report, width, scheme)
    assert page.title() == "In a <browser>"
    assert page.locator("h1").inner_text() == "In a <browser>"
    assert page.evaluate("document.documentElement.scrollWidth") == width
    sizes = page.evaluate("[...document.images].map(image => [image.complete, image.naturalWidth])")
    assert len(sizes) == 5
    assert all(is_complete and natural_width > 0 for is_complete, natural_width in sizes)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_red_and_quiet_text_can_be_read(browser: Browser, report: Path, scheme: Scheme) -> None:
    page = open_page(browser, report, scheme=scheme)
    contrasts = page.evaluate("""() => {
        const channels = text => text.match(/[\\d.]+/g).slice(0, 3).map(Number);
        const linear = c => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
        const light = text => {
            const [r, g, b] = channels(text).map(linear);
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const page = light(getComputedStyle(document.body).backgroundColor);
        return ['td.human', 'td.missing', '.notes', 'figcaption', 'nav a'].map(selector => {
            const text = light(getComputedStyle(document.querySelector(selector)).color);
            return (Math.max(text, page) + 0.05) / (Math.min(text, page) + 0.05);
        });
    }""")
    assert min(contrasts) > 4.5
    card = page.locator(".card").first
    assert card.evaluate("card => getComputedStyle(card).backgroundColor") == "rgb(255, 255, 255)"


def test_tables_scroll_in_their_own_box(browser: Browser, report: Path) -> None:
    page = open_page(browser, report, PHONE)
    box = page.locator("#table-2 .box")
    assert box.evaluate("box => box.scrollWidth > box.clientWidth")
    box.evaluate("box => box.scrollLeft = 300")
    name = page.locator("#table-2 tbody th").first.bounding_box()
    assert name is not None
    assert 0 <= name["x"] < PHONE / 4


def test_every_link_leads_to_its_section(browser: Browser, report: Path) -> None:
    page = open_page(browser, report)
    for link in page.locator("nav a").all():
        link.click()
        title = page.locator(f"{link.get_attribute('href')} h2")
        assert title.inner_text() == link.inner_text()
