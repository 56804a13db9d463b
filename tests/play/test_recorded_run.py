"""Run folders of strangers: whatever is wrong in them is one line, and nothing is run.

A folder is played once (0.3 s) and copied for each case (10 ms); Hypothesis tries 300 of them, slowly.
"""

from __future__ import annotations

import io
import json
import os
import resource
import shutil
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pixelplan.cli import run
from pixelplan.errors import InputError
from pixelplan.play import recorded_run
from pixelplan.play.episode import play_episode
from pixelplan.play.minari_export import read_exportable_run
from pixelplan.play.recorded_run import read_backgrounds, read_nodes, read_run
from pixelplan.play.run_folder import RunFolderWriter
from pixelplan.reports.figures import draw
from pixelplan.viewer.record import Recording

FILES = ("run.json", "decisions.parquet", "nodes.parquet", "background.npz")
GENEROUS_SECONDS = 5.0
GENEROUS_MEGABYTES = 500


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("played") / "breakout-1"
    with RunFolderWriter(place) as writer:
        writer.write(play_episode("breakout", calls=20, decisions=4, noops=0, traces_nodes=True))
    return place


@pytest.fixture
def folder(original: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(original, tmp_path / "runs" / "best" / "breakout-1"))


def change_json(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    record = json.loads((folder / "run.json").read_text())
    change(record)
    (folder / "run.json").write_text(json.dumps(record))


def change_columns(folder: Path, name: str, query: str) -> None:
    """Write a file anew, as a query of its own columns."""
    place = folder / name
    duckdb.sql(f"CREATE OR REPLACE TEMP TABLE columns AS FROM '{place}'")
    duckdb.sql(f"COPY ({query.format('columns')}) TO '{place}' (FORMAT parquet)")


def open_everywhere(folder: Path) -> None:
    """Read a folder as replay, watch, report and export do."""
    whole = read_run(folder)
    recording = Recording(folder)
    for _ in recording.read():
        pass
    for decision in range(len(whole.decisions)):
        tree = recording.tree(decision)
        for row, _ in tree.nodes():
            tree.path(row.id)


SETTINGS = {
    "frameskip": 10**9,
    "noops": 10**9,
    "game": "../../../etc/passwd",
    "features": 5,
    "planner": "no planner",
    "seed": 1.5,
    "max_frames": 0,
}


@pytest.mark.parametrize("name", SETTINGS)
def test_settings_that_cannot_be_are_refused(name: str, folder: Path) -> None:
    change_json(folder, lambda record: record["settings"].update({name: SETTINGS[name]}))
    with pytest.raises(InputError, match=r"run\.json") as refused:
        read_run(folder)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ("SELECT * REPLACE (-1 AS action) FROM {}", "row 0, column action: -1 cannot be"),
        ("SELECT * REPLACE (999 AS action) FROM {}", "row 0, column action: 999 cannot be"),
        ("SELECT * REPLACE (NULL::BIGINT AS action) FROM {}", "row 0, column action: there is no value"),
        ("SELECT * EXCLUDE frames FROM {}", "row 0: Object missing required field `frames`"),
        ("SELECT * EXCLUDE value FROM {}", "row 0: Object missing required field `value`"),
        ("SELECT * REPLACE ('x' AS branch) FROM {}", "row 0, column branch: Expected actions"),
        ("SELECT * REPLACE ('3 99' AS branch) FROM {}", r"row 0, column branch: \(3, 99\) cannot be"),
        ("SELECT * REPLACE ('never' AS ending) FROM {}", "row 0, column ending: never cannot be"),
        ("SELECT * REPLACE (-frames AS frames) FROM {}", "row 0, column frames: -15 cannot be"),
        ("SELECT * REPLACE ('nan'::DOUBLE AS value) FROM {}", "row 0, column value: it is not finite"),
        ("SELECT * REPLACE (1 AS late) FROM {}", "column late: truth values expected, not INTEGER"),
        ("SELECT * FROM {} ORDER BY decision DESC", "row 0, column decision: 3 cannot be"),
        ("SELECT * FROM {}, range(400000)", "has 1600000 rows, and may have 1000000"),
        ("SELECT * REPLACE (repeat('3 ', 1000000) AS branch) FROM {}", "column branch: a text of 2000000"),
    ],
)
def test_decisions_that_cannot_be_are_refused(query: str, place: str, folder: Path) -> None:
    change_columns(folder, "decisions.parquet", query)
    with pytest.raises(InputError, match=f"decisions.parquet.*{place}"):
        read_run(folder)


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ("SELECT * REPLACE (if(parent < 0, parent, id) AS parent) FROM {}", "row 1: the nodes of decision 0"),
        ("SELECT * REPLACE (if(parent < 0, -1, 1000 - id) AS parent) FROM {}", "are no tree"),
        ("SELECT * FROM {} UNION ALL SELECT * FROM {} WHERE id = 3 ORDER BY decision", "are no tree"),
        ("SELECT * REPLACE (77 AS action) FROM {}", "row 1, column action: it is no action of the game"),
        ('SELECT * REPLACE (-5 AS "case") FROM {}', "row 0, column case: it is not between"),
        ("SELECT * REPLACE (5000000000 AS id) FROM {}", "row 0, column id: it is not between"),
        ("SELECT * REPLACE ('inf'::DOUBLE AS reward) FROM {}", "row 0, column reward: it is not finite"),
        ("SELECT * REPLACE (-depth - 1 AS depth) FROM {}", "row 0, column depth: it is not between"),
        ("SELECT * EXCLUDE lives FROM {}", None),
    ],
)
def test_nodes_that_cannot_be_are_refused(query: str, place: str | None, folder: Path) -> None:
    """Above all a node that is its own parent: whoever follows it never ends."""
    change_columns(folder, "nodes.parquet", query.replace("{}", "{0}"))
    if place is None:
        open_everywhere(folder)
        return
    with pytest.raises(InputError, match=f"nodes.parquet.*{place}"):
        read_nodes(folder)


def test_a_node_that_changes_its_parent_later_is_refused(folder: Path) -> None:
    """Two nodes that are each other's, told in two decisions."""
    change_columns(
        folder,
        "nodes.parquet",
        """SELECT * FROM (
            SELECT * FROM {0} UNION ALL
            SELECT * REPLACE (3 AS decision, (SELECT min(id) FROM {0} WHERE parent = 1) AS parent,
                              -1 AS "case")
            FROM {0} WHERE decision = 0 AND id = 1
        ) ORDER BY decision""",
    )
    with pytest.raises(InputError, match="the nodes of decision 3 are no tree"):
        read_nodes(folder)


def test_what_the_decisions_say_of_the_nodes_is_not_relied_on(folder: Path) -> None:
    change_columns(folder, "decisions.parquet", "SELECT * REPLACE (0 AS nodes) FROM {0}")
    open_everywhere(folder)
    change_columns(
        folder, "nodes.parquet", "SELECT * REPLACE (if(parent < 0, parent, id) AS parent) FROM {0}"
    )
    with pytest.raises(InputError, match="row 1: the nodes of decision 0 are no tree"):
        read_nodes(folder)


@pytest.mark.parametrize(("limit", "most"), [("MAX_NODES", 60), ("MAX_TREE", 22)])
def test_of_a_long_trace_the_first_decisions_are_read(
    limit: str, most: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = read_nodes(folder)
    monkeypatch.setattr(recorded_run, limit, most)
    part = read_nodes(folder)
    sizes = [len(rows) for rows in part]
    assert len(part) == len(whole)
    assert sizes[0] > 0
    assert sizes[-1] == 0
    assert all(len(own) in (0, len(other)) for own, other in zip(part, whole, strict=True))
    open_everywhere(folder)


def packed(name: str, content: bytes) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for array in ("colours", "left"):
            file.writestr(f"{array}.npy", content if array == name else b"")
    return archive.getvalue()


def header(shape: tuple[int, ...]) -> bytes:
    content = io.BytesIO()
    np.lib.format.write_array_header_1_0(content, {"descr": "|u1", "fortran_order": False, "shape": shape})
    return content.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        b"no archive",
        packed("colours", b"no array"),
        packed("colours", header((10**15,))),
        packed("colours", header((210, 160))),
        packed("colours", header((210, 160)) + bytes(10**9)),
    ],
    ids=["no archive", "no array", "huge", "cut", "bomb"],
)
def test_a_background_that_cannot_be_is_refused_before_it_is_unpacked(content: bytes, folder: Path) -> None:
    (folder / "background.npz").write_bytes(content)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(InputError, match=r"has no sound background\.npz"):
        read_backgrounds(folder)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50 * 1024


@pytest.mark.parametrize("name", FILES)
def test_what_is_no_file_is_refused(name: str, folder: Path) -> None:
    """A named pipe would be waited for without end."""
    (folder / name).unlink()
    os.mkfifo(folder / name)
    with pytest.raises(InputError, match=f"{name.split('.')[0]}.*is no file"):
        (read_backgrounds if name == "background.npz" else open_everywhere)(folder)


def test_json_that_is_deep_or_large_is_refused(folder: Path) -> None:
    (folder / "run.json").write_text('{"settings": ' + "[" * 200_000 + "]" * 200_000 + "}")
    with pytest.raises(InputError, match=r"run\.json"):
        read_run(folder)
    (folder / "run.json").write_text(" " * 2_000_000)
    with pytest.raises(InputError, match=r"run\.json has more than 1000000 bytes"):
        read_run(folder)


def test_code_that_a_run_folder_names_is_not_imported(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pwn.py").write_text("raise SystemExit('imported')")
    monkeypatch.chdir(tmp_path)
    change_json(
        folder, lambda record: record["settings"].update(features="atoms:pwn:f", planner="pwn:search")
    )
    open_everywhere(folder)
    assert run(["replay", str(folder)]) == 0
    assert run(["report", str(tmp_path)]) == 0
    assert "pwn" not in sys.modules
    assert str(tmp_path) not in sys.path


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.text(max_size=20),
    st.just([[]] * 3),
    st.just({}),
)


@st.composite
def mutations(draw: st.DrawFn) -> tuple[str, Any]:
    """Return a kind of damage, and what it takes."""
    kind = draw(st.sampled_from(["json", "column", "drop", "bytes", "cut", "remove"]))
    if kind == "json":
        return kind, (draw(st.integers(0, 60)), draw(SCALARS))
    if kind in ("column", "drop"):
        values = ["-1", "NULL", "0.5", "'x'", "1e300", "'nan'::DOUBLE", "9223372036854775807", "[1]", "true"]
        return kind, (draw(st.booleans()), draw(st.integers(0, 40)), draw(st.sampled_from(values)))
    return kind, (draw(st.sampled_from(FILES)), draw(st.floats(0, 1)), draw(st.integers(0, 255)))


def damage(folder: Path, kind: str, what: Any) -> None:  # noqa: ANN401
    """Damage a folder."""
    if kind == "json":
        number, value = what

        def change(record: dict[str, Any]) -> None:
            parts: list[tuple[Any, Any]] = [(record, key) for key in record]
            for part in list(record.values()):
                if isinstance(part, dict):
                    parts += [(part, key) for key in part]
            place, key = parts[number % len(parts)]
            place[key] = value

        change_json(folder, change)
    elif kind in ("column", "drop"):
        is_node, number, value = what
        name = "nodes.parquet" if is_node else "decisions.parquet"
        described = duckdb.execute(f"DESCRIBE FROM '{folder / name}'").fetchall()
        column = described[number % len(described)][0]
        other = f'EXCLUDE "{column}"' if kind == "drop" else f'REPLACE ({value} AS "{column}")'
        change_columns(folder, name, f"SELECT * {other} FROM {{0}}")
    else:
        name, where, byte = what
        content = bytearray((folder / name).read_bytes())
        place = int(where * (len(content) - 1))
        if kind == "remove":
            (folder / name).unlink()
        elif kind == "cut":
            (folder / name).write_bytes(content[:place])
        else:
            content[place] = byte
            (folder / name).write_bytes(content)


@pytest.mark.slow
@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(mutation=mutations())
def test_a_damaged_folder_works_or_is_one_line(
    mutation: tuple[str, Any],
    original: Path,
    tmp_path_factory: pytest.TempPathFactory,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Costs 70 s: 300 folders through replay, report, the reader of exports, and the viewer's recording."""
    top = tmp_path_factory.mktemp("damaged")
    folder = top / "runs" / "best" / "breakout-1"
    shutil.copytree(original, folder)
    damage(folder, *mutation)
    monkeypatch.setattr(draw, "draw_figures", lambda _: [])
    before, started = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.monotonic()
    for command in (["replay", str(folder)], ["report", str(top)]):
        capsys.readouterr()
        code = run(command)
        errors = capsys.readouterr().err
        assert code in (0, 2)
        assert "Traceback" not in errors
        assert code == 0 or errors.count("\n") == 1
    problem = ""
    try:
        read_exportable_run(folder)
        open_everywhere(folder)
    except InputError as error:
        problem = str(error)
    assert "\n" not in problem
    assert time.monotonic() - started < GENEROUS_SECONDS
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024 < GENEROUS_MEGABYTES
    shutil.rmtree(top)
