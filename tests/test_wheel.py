"""The built wheel installs and plays in an empty environment, outside the checkout."""

from __future__ import annotations

import json
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent


def test_the_wheel_plays_outside_the_checkout(tmp_path: Path) -> None:
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--quiet",
            "--no-deps",
            "--wheel-dir",
            str(tmp_path),
            str(ROOT),
        ],
        check=True,
    )
    (wheel,) = tmp_path.glob("pixelplan-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        files = {
            *("py.typed", "features/_kernel.pyi", "reference/paper_table2.csv", "reports/style.css"),
            *("viewer/static/index.html", "viewer/static/app.css", "viewer/static/app.js"),
        }
        assert {f"pixelplan/{name}" for name in files} <= set(archive.namelist())
    venv.create(tmp_path / "venv", with_pip=True)
    binaries = tmp_path / "venv" / "bin"
    subprocess.run([binaries / "python", "-m", "pip", "install", "--quiet", str(wheel)], check=True)
    command = [str(binaries / "pixelplan"), "play", "breakout", "--calls", "20", "--decisions", "5", "--json"]
    output = subprocess.run(
        [*command, "--video", "game.mp4", "--out", "run"],
        check=True,
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert json.loads(output.stdout)["simulator_calls"] == 100
    assert (tmp_path / "game.mp4").stat().st_size > 1_000
    assert (tmp_path / "run" / "run.json").exists()
