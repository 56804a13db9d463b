"""The tables of the project's own pages are those of their ledgers."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from pixelplan.errors import InputError
from pixelplan.reports.figures.beside_paper import LIMIT, ratios
from pixelplan.reports.pages.fill import fill_page, write_page
from pixelplan.reports.pages.request import GROUPS, games_of
from pixelplan.reports.typography import MISSING
from pixelplan.simulators.games import DEVELOPMENT_GAMES, OTHER_DUMPS, PAPER_GAMES

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
    assert page.read_text() == fill_page(page).text


def fill(folder: Path, text: str) -> str:
    page = folder / "page.md"
    page.write_text(text)
    write_page(page)
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
        (f"{RESULTS}<!-- number: mode ras-89 --><!-- end -->", "or iqm or episodes and a column, or"),
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
    with pytest.raises(InputError) as error:
        fill(tmp_path, text)
    assert complaint in str(error.value)
    assert (tmp_path / "page.md").read_text() == text


BEST = f"<!-- results: {ROOT}/experiments/best.toml {ROOT}/docs/results/best-episodes.csv -->"


def test_scores_stand_beside_the_published_ones(tmp_path: Path) -> None:
    marker = "<!-- beside: best-89 ras_rollout_iw1_32s over=development -->"
    lines = fill(tmp_path, f"{BEST}\n{marker}<!-- end -->\n").splitlines()
    assert lines[2].split(" | ")[1:6] == [
        "random",
        "human",
        "DQN",
        "RAS Rollout IW(1) 32 s, paper",
        "best, 89 calls",
    ]
    assert "| breakout | 1.7 | 31.8 | 401 ◆ | 370 ◆ | 378 ◆ | 377, 413, 345 |" in lines
    assert len(lines) == 4 + len(DEVELOPMENT_GAMES) + 1
    assert sum("<sup>†</sup>" in line for line in lines) == len(OTHER_DUMPS & set(DEVELOPMENT_GAMES))


def test_groups_of_games_are_the_papers_58() -> None:
    groups = {group: games_of(group) for group in GROUPS}
    assert {group: len(games) for group, games in groups.items()} == {
        "test": 29, "development": 20, "all": 49, "unscored": 9,
    }  # fmt: skip
    assert sorted(groups["all"]) == sorted(groups["test"] + groups["development"])
    assert sorted(groups["all"] + groups["unscored"]) == sorted(PAPER_GAMES)


def test_statistics_are_summed_up_group_by_group(tmp_path: Path) -> None:
    marker = "<!-- summary: best-89 ras_rollout_iw1_0.5s over=development -->"
    ours, theirs = fill(tmp_path, f"{BEST}\n{marker}<!-- end -->\n").splitlines()[4:6]
    assert ours.startswith(
        "| 20 development | best, 89 calls | 12 \\[11, 13\\] | 14 | 1.43 \\[1.36, 1.47\\] |"
    )
    assert theirs.startswith("| 20 development | RAS Rollout IW(1) 0.5 s, paper | 6 | 8 | 0.61 | 0.64 | 0.92")


def test_a_figure_is_drawn_beside_its_page(tmp_path: Path) -> None:
    marker = "<!-- figure: best-89 ras_rollout_iw1_32s file=figures/ours -->"
    assert "](figures/ours.png)" in fill(tmp_path, f"{BEST}\n{marker}<!-- end -->\n")
    svg = (tmp_path / "figures/ours.svg").read_text()
    assert "montezuma's revenge" in svg
    assert "pitfall" not in svg, "it has no human score"
    assert (tmp_path / "figures/ours.png").stat().st_size > 10_000


def test_bars_are_scores_above_random_play_over_the_papers() -> None:
    """Random play has 1.7 in Breakout and -20.7 in Pong; the paper 370, 18.2 and 1,080."""
    means = {"pong": -20.7, "breakout": 1.7 + 2 * 368.3, "montezuma_revenge": 1.0, "kaboom": 1.0}
    column = SimpleNamespace(means=means)
    found = ratios(column, "ras_rollout_iw1_32s")  # type: ignore[arg-type]
    assert list(found) == ["breakout", "pong", "montezuma_revenge"]
    assert found == pytest.approx({"breakout": 2.0, "pong": 1 / LIMIT, "montezuma_revenge": 1 / LIMIT})
