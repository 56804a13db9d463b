"""Documents whose code runs as it stands: the README and the tutorials.

Python blocks run one after another in one process, and lines that call `pixelplan` run in a shell's
place, in the same folder. A Python block whose first line is a file's name (`# NAME.py`) is that
file. A text block shows what the block before it prints, exactly.
"""

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
COMMAND = Path(sys.executable).with_name("pixelplan")
END_OF_BLOCK = "\N{END OF TRANSMISSION BLOCK}"


class Block(NamedTuple):
    """A fenced block of a document."""

    language: str
    text: str


def read_blocks(document: Path) -> list[Block]:
    """Return the fenced blocks of a document, in order."""
    fenced = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
    return [Block(*found) for found in fenced.findall(document.read_text())]


def run_blocks(blocks: list[Block], folder: Path) -> list[str]:
    """Run all blocks in a process of their own, and return what each of them prints."""
    script = "".join(f"{_script(block)}\nprint({END_OF_BLOCK!r}, end='')\n" for block in blocks)
    # Unbuffered: commands print to the same place.
    result = subprocess.run(
        [sys.executable, "-u", "-c", script], cwd=folder, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.split(END_OF_BLOCK)[:-1]


def _script(block: Block) -> str:
    """Return a Python script that does what a block says."""
    if block.language == "python":
        if name := re.match(r"# (\w+\.py)\n", block.text):
            return f"open({name[1]!r}, 'w').write({block.text!r})"
        return block.text
    if block.language in ("console", "sh"):
        lines = block.text.replace("\\\n", " ").splitlines()
        return "\n".join(_call(line) for line in lines if re.match(r"(\.venv/bin/)?pixelplan ", line))
    return ""


def _call(line: str) -> str:
    command = [str(COMMAND), *shlex.split(line, comments=True)[1:]]
    return f"import subprocess\nsubprocess.run({command}, check=True)"
