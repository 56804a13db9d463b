from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import pixelplan

ROOT = Path(__file__).parent.parent


def test_every_public_name_can_be_imported() -> None:
    for name in pixelplan.__all__:
        assert getattr(pixelplan, name) is not None
    assert dir(pixelplan) == sorted(pixelplan.__all__)
    assert re.fullmatch(r"\d+\.\d+\.\d+", str(pixelplan.__version__))
    with pytest.raises(AttributeError, match="no attribute 'Agnet'"):
        _ = pixelplan.Agnet


def test_importing_the_package_imports_nothing_heavy() -> None:
    heavy = {"numpy", "ale_py", "tyro", "rich", "av"}
    script = f"import sys, pixelplan, pixelplan.cli; print(*{heavy} & set(sys.modules))"
    result = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert result.stdout.strip() == ""


def test_every_deliberate_difference_is_listed() -> None:
    protocol = (ROOT / "docs" / "protocol.md").read_text()
    places = [path for path in (ROOT / "src").rglob("*.py") if "Differs:" in path.read_text()]
    assert places
    for path in places:
        assert path.relative_to(ROOT / "src" / "pixelplan").as_posix() in protocol


def test_every_link_in_the_documents_leads_somewhere() -> None:
    documents = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    links = [
        (document, target)
        for document in documents
        for target in re.findall(r"\]\(([^)#]+)\)", document.read_text())
        if not target.startswith("http")
    ]
    assert links
    for document, target in links:
        assert (document.parent / target).exists(), f"{document.name}: {target}"
