"""The code in the tutorials runs as it stands: block after block, in one namespace."""

import re
from pathlib import Path

import pytest

TUTORIALS = Path(__file__).parent.parent / "docs" / "tutorials"


@pytest.mark.parametrize("path", sorted(TUTORIALS.glob("*.md")), ids=lambda path: path.stem)
def test_a_tutorial_runs(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", path.read_text(), re.DOTALL | re.MULTILINE)
    namespace: dict[str, object] = {"__name__": path.stem}
    for block in blocks:
        assert "print(" in block or "assert " in block, f"nothing to see in\n{block}"
        exec(compile(block, path.name, "exec"), namespace)
    assert capsys.readouterr().out
