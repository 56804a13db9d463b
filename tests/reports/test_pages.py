"""The tables of the project's own pages are those of their ledgers."""

from __future__ import annotations

from pathlib import Path

import pytest

from pixelplan.reports.pages import fill_page, main
from pixelplan.reports.typography import MISSING

ROOT = Path(__file__).parents[2]
PAGES = [
    page
    for page in [ROOT / "README.md", *sorted((ROOT / "docs/results").glob("*.md"))]
    if "<!-- results: " in page.read_text()
]
LEDGER = f"{ROOT}/docs/results/strength-episodes.csv"
RESULTS = f"<!-- results: {ROOT}/experiments/strength.toml {LEDGER} -->"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_says_what_its_ledger_says(page: Path) -> None:
    assert page.read_text() == fill_page(page)


def fill(folder: Path, text: str) -> str:
    page = folder / "page.md"
    page.write_text(text)
    main([str(page)])
    return page.read_text()


def test_what_stood_between_markers_is_replaced(tmp_path: Path) -> None:
    table = "<!-- scores: best-800 ras-realtime best-89-no-patience games=best-800 -->"
    number = "<!-- number: human_level best-400 -->"
    written = fill(tmp_path, f"{RESULTS}\n\n{table}\nold\n<!-- end -->\n\nIn {number}0<!-- end --> games.\n")
    lines = written.splitlines()
    assert lines[2] == table
    assert lines[3].startswith("| game | human | best, 800 calls | RAS, real time (calls a decision) |")
    assert lines[5].startswith("| alien | 6,875 | 35,910 ◆ | 8,600 (218) ◆ | 18,840, 15,800, 19,840 ◆ |")
    assert [line.split(" | ")[0] for line in lines[6:9]] == ["| breakout", "| ms pacman", "| seaquest"]
    assert lines[9:] == ["<!-- end -->", "", f"In {number}17<!-- end --> games."]


def test_columns_are_compared_over_the_games_that_all_of_them_have(tmp_path: Path) -> None:
    marker = "<!-- statistics: best-800 best-89 rollout_iw1_0.5s against=best-89 -->"
    lines = fill(tmp_path, f"{RESULTS}\n{marker}<!-- end -->\n").splitlines()
    assert "games ≥ human, of 4" in lines[2]
    assert [line.count("|") for line in lines[2:7]] == [6] * 5
    assert lines[6].startswith(f"| Rollout IW(1) 0.5 s, paper | {MISSING} |")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("<!-- scores: ras-89 --><!-- end -->", "unknown column 'ras-89'"),
        (f"{RESULTS}<!-- scores: ras-98 --><!-- end -->", "did you mean ras-89?"),
        (f"{RESULTS}<!-- scores: games=ras-89 --><!-- end -->", "no column is named"),
        (f"{RESULTS}<!-- scores: ras-89 of=ras-89 --><!-- end -->", "unknown option 'of'"),
        (f"{RESULTS}<!-- number: mode ras-89 --><!-- end -->", "expected human_level or median or iqm"),
        (f"{RESULTS}<!-- scores: ras-89 -->", "the last marker has no <!-- end -->"),
        (f"{RESULTS}<!-- scores: ras-89 -->{RESULTS}", "no <!-- end --> before it"),
        ("<!-- end -->", "nothing to end"),
        ("<!-- results: a.toml -->", "expected the path of an experiment and that of its ledger"),
        (
            f"<!-- results: {ROOT}/experiments/smoke.toml {LEDGER} -->",
            "does not fit",
        ),
    ],
)
def test_what_is_wrong_is_said_and_changes_nothing(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(SystemExit) as error:
        fill(tmp_path, text)
    assert complaint in str(error.value)
    assert (tmp_path / "page.md").read_text() == text
