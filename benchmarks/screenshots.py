"""The pictures of the viewer in docs/images: a real game on the real page, light, dark and on a phone.

Run it with `.venv/bin/python benchmarks/screenshots.py`; it needs what developers have, and chromium.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from watching import CHROMIUM, serving

FOLDER = Path(__file__).parents[1] / "docs" / "images"
GAME = ("ms_pacman", "--calls", "250", "--noops", "20", "--seed", "1")
DECISION = 40
"""Ten seconds into the game."""
DEPTH = 12
"""Of the node that is pointed at."""
PATIENCE_MS = 120_000


def play_until(page: Page, decision: int) -> None:
    """Let the game go on until a decision is made, and no further."""
    page.select_option("#speed", "8")
    reached = "least => Number(document.querySelector('#position').textContent.split(' ')[1]) >= least"
    # A pause comes a little late; the last decisions are made one by one.
    page.wait_for_function(reached, arg=decision - 8, timeout=PATIENCE_MS)
    page.click("#play")
    page.wait_for_function("document.querySelector('#play').textContent === 'Play'")
    page.wait_for_timeout(1_000)
    while not page.evaluate(reached, decision):
        page.click("#step")
        page.wait_for_timeout(1_000)


def point_at_a_node(page: Page) -> None:
    """Move the mouse to a node of some depth."""
    box = page.locator("#tree").bounding_box()
    assert box is not None
    for x in range(int(0.6 * box["width"]), int(box["width"]), 4):
        for y in range(20, int(box["height"]), 8):
            page.mouse.move(box["x"] + x, box["y"] + y)
            if f"{DEPTH} actions ahead" in page.locator("#node-info").inner_text():
                return


def save(page: Page, name: str) -> None:
    """Save what the window shows, with few colours."""
    page.wait_for_timeout(1_000)
    with Image.open(BytesIO(page.screenshot())) as image:
        reduced = image.convert("RGB").quantize(256, dither=Image.Dither.NONE)
    reduced.save(FOLDER / name, optimize=True)
    print(name, (FOLDER / name).stat().st_size // 1_000, "kB")


def main() -> None:
    """Take all pictures at the same moment of the same game."""
    FOLDER.mkdir(exist_ok=True)
    with serving(*GAME) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        pages = {
            "watch.png": browser.new_page(viewport={"width": 1280, "height": 800}, color_scheme="light"),
            "watch-dark.png": browser.new_page(viewport={"width": 1280, "height": 800}, color_scheme="dark"),
            "watch-phone.png": browser.new_page(viewport={"width": 390, "height": 844}, color_scheme="light"),
        }
        for page in pages.values():
            page.goto(address)
        play_until(pages["watch.png"], DECISION)
        pages["watch-phone.png"].locator("section.game").evaluate("section => section.scrollIntoView()")
        for name, page in pages.items():
            point_at_a_node(page)
            save(page, name)
        browser.close()


if __name__ == "__main__":
    main()
