"""Ledgers, specs and records of experiments from strangers: they work, or what is wrong is one line.

A case costs 20 ms, without figures; Hypothesis tries 100 of them slowly.
"""

from __future__ import annotations

import csv
import io
import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pixelplan.cli import run
from pixelplan.reports.figures import draw

LEDGER = Path(__file__).parents[2] / "docs" / "results" / "baselines-episodes.csv"
SPEC = """
title = "T"
games = ["pong"]
runs = 1
[columns.iw]
preset = "iw"
calls = 3
decisions = 1
"""
EXPERIMENT = {
    "title": "T",
    "columns": [{"name": "iw", "label": "IW", "paper": None, "formerly": None}],
    "episodes": [{"column": "iw", "run": 1, "settings": {"game": "pong", "calls": 3, "planner": "iw"}}],
}
VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-(10**30), 10**30), st.floats(), st.text(max_size=10), st.just([1]),
    st.just({}), st.just("../../x"), st.just("9" * 400), st.just("code:f"),
)  # fmt: skip


@pytest.fixture(autouse=True)
def _no_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draw, "draw_figures", lambda _: [])


def check(capsys: pytest.CaptureFixture[str], *arguments: str) -> None:
    """Run a command: it works, or says in a line why not."""
    capsys.readouterr()
    started = time.monotonic()
    code = run(list(arguments))
    errors = capsys.readouterr().err
    assert code in (0, 2)
    assert code == 0 or errors.splitlines()[-1].startswith("pixelplan: ")
    assert "Traceback" not in errors
    assert time.monotonic() - started < 5


def experiment(folder: Path, content: object) -> Path:
    (folder / "experiment.json").write_text(json.dumps(content))
    return folder


@pytest.mark.parametrize(
    "change",
    [
        {"title": 5},
        {"title": None},
        {"columns": 5},
        {"columns": [{"name": "../../x", "label": "x"}]},
        {"episodes": [1]},
    ],
)
def test_a_record_of_an_experiment_that_cannot_be_is_refused(
    change: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = experiment(tmp_path, EXPERIMENT | change)
    assert run(["report", str(folder), "--episodes", str(LEDGER)]) == 2
    errors = capsys.readouterr().err
    assert errors.count("\n") == 1
    assert "experiment.json" in errors


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("score", "9" * 400),
        ("score", "1.5"),
        ("seconds_mean", "nan"),
        ("cpu_share", "inf"),
        ("settings", "[" * 9_000),
    ],
)
def test_a_ledger_that_cannot_be_is_refused(
    column: str, value: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ledger.csv").write_text(changed_ledger(3, column, value))
    folder = experiment(tmp_path, EXPERIMENT)
    assert run(["report", str(folder), "--episodes", str(tmp_path / "ledger.csv")]) == 2
    errors = capsys.readouterr().err
    assert errors.count("\n") == 1
    assert "ledger.csv is not a list of episodes" in errors


def changed_ledger(row: int, column: str, value: str) -> str:
    with LEDGER.open(newline="") as file:
        rows = list(csv.DictReader(file))
    rows[row % len(rows)][column] = value
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


COLUMNS = LEDGER.read_text().splitlines()[0].split(",")


@pytest.mark.slow
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_what_a_stranger_has_changed_works_or_is_one_line(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    """Costs 10 s: 100 ledgers, specs and records."""
    folder = tmp_path_factory.mktemp("stranger")
    kind = data.draw(st.sampled_from(["ledger", "record", "spec", "bytes"]))
    ledger, spec = folder / "ledger.csv", folder / "spec.toml"
    content: dict[str, Any] = json.loads(json.dumps(EXPERIMENT))
    text, spec_text = LEDGER.read_text(), SPEC
    value = data.draw(VALUES)
    if kind == "ledger":
        text = changed_ledger(data.draw(st.integers(0, 40)), data.draw(st.sampled_from(COLUMNS)), str(value))
    elif kind == "record":
        parts = [content, content["columns"][0], content["episodes"][0], content["episodes"][0]["settings"]]
        place = data.draw(st.sampled_from(parts))
        place[data.draw(st.sampled_from(sorted(place)))] = value
    else:
        cut = data.draw(st.integers(0, len(SPEC)))
        spec_text = SPEC[:cut] + str(value) + SPEC[cut + data.draw(st.integers(0, 9)) :]
        if kind == "bytes":
            place = data.draw(st.integers(0, len(text) - 1))
            text = text[:place] + str(value) + text[place + 1 :]
    ledger.write_text(text)
    spec.write_text(spec_text)
    experiment(folder, content)
    check(capsys, "report", str(folder), "--episodes", str(ledger))
    check(capsys, "sweep", str(spec), "--out", str(folder / "out"), "--columns", "none")
    assert sorted(path.name for path in folder.parent.glob("x*")) == []
