"""The README and the tutorials run as they stand, and print what they show."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

from documents import ROOT, Block, read_blocks, run_blocks

FOLDER = ROOT / "docs" / "tutorials"
TUTORIALS = [path for path in sorted(FOLDER.glob("*.md")) if path.name != "README.md"]


@pytest.mark.parametrize(
    "document",
    [ROOT / "README.md", *(pytest.param(path, marks=pytest.mark.slow) for path in TUTORIALS)],
    ids=lambda path: path.stem,
)
def test_a_document_runs_and_prints_what_it_shows(document: Path, tmp_path: Path) -> None:
    check(read_blocks(document), tmp_path)


def check(blocks: list[Block], folder: Path) -> None:
    assert any(block.language == "python" for block in blocks)
    printed = run_blocks(blocks, folder)
    for (_, shown), text in zip(pairwise(blocks), printed[:-1], strict=True):
        if shown.language == "text":
            assert text == shown.text


def test_the_index_names_every_tutorial() -> None:
    links = re.findall(r"\]\(([\w-]+\.md)\)", (FOLDER / "README.md").read_text())
    assert sorted(links) == [path.name for path in TUTORIALS]


def test_blocks_share_names_files_and_folder(tmp_path: Path) -> None:
    document = tmp_path / "document.md"
    document.write_text(
        "```python\n# atoms.py\nNUMBER = 6\n```\n"
        "```python\nfrom atoms import NUMBER\nnumber = NUMBER + 1\n```\n"
        "```sh\n.venv/bin/pixelplan games  # every game\n# pixelplan is no command here\n```\n"
        "```python\nprint(number)\n```\n"
        "```text\n7\n```\n"
    )
    blocks = read_blocks(document)
    check(blocks, tmp_path)
    assert "breakout " in run_blocks(blocks, tmp_path)[2]
    with pytest.raises(AssertionError, match="8"):
        check([*blocks[:-1], Block("text", "8\n")], tmp_path)


@pytest.mark.parametrize(
    "block", [Block("python", "raise ValueError('wrong')"), Block("console", "pixelplan play no_such_game")]
)
def test_what_fails_is_noticed(block: Block, tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"wrong|no_such_game"):
        run_blocks([block], tmp_path)
