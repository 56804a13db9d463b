from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from sweeping import make, play_once

from pixelplan.errors import InputError
from pixelplan.experiments.ledger import (
    BUSY_SHARE,
    Row,
    read_ledger,
    read_row,
    shorten,
    write_ledger,
)
from pixelplan.play.run_folder import RunFolderWriter
from pixelplan.play.settings import EpisodeSettings

ROW = Row(
    column="ras",
    game="pong",
    run=1,
    score=-3,
    frames=30,
    decisions=2,
    simulator_calls=8,
    nodes=7,
    rollouts=2,
    dropped_trees=0,
    seconds_mean=0.25,
    seconds_p50=0.2,
    seconds_p99=0.3,
    seconds_max=0.31,
    depth_mean=3.5,
    simulator_share=0.9,
    overruns=0,
    late=0,
    replaced_workers=0,
    wall_seconds=12.5,
    cpu_share=0.99,
    version="0.1.0",
    settings='{"calls":4,"game":"pong"}',
)


def test_a_row_is_what_its_run_folder_says(tmp_path: Path) -> None:
    episode = make().episodes[0]
    folder = tmp_path / episode.name
    with RunFolderWriter(folder) as writer:
        writer.write_files(play_once(episode.settings))
    row = read_row(folder)
    run = msgspec.json.decode((folder / "run.json").read_bytes())
    assert row.name == episode.name
    assert (row.score, row.decisions, row.simulator_calls) == (run["result"]["score"], 2, 8)
    assert row.seconds_p99 == run["timing"]["per_decision"]["seconds"]["p99"]
    assert row.cpu_share == run["timing"]["cpu_share"]
    assert row.settings == shorten(episode.settings)
    wrong = folder.rename(tmp_path / "ras" / "hero-1")
    with pytest.raises(InputError, match="not named after its game"):
        read_row(wrong)


def test_settings_are_shortened_to_what_is_not_the_default() -> None:
    assert shorten(EpisodeSettings(game="pong", calls=4, seed=0)) == '{"calls":4,"game":"pong"}'
    short = shorten(EpisodeSettings(game="pong", seconds=0.5, caching="partial", risk_averse=False))
    assert short == '{"caching":"partial","game":"pong","risk_averse":false,"seconds":0.5}'
    assert msgspec.json.decode(short, type=EpisodeSettings).caching == "partial"


def test_a_ledger_is_read_back_as_it_was_written_and_sorted(tmp_path: Path) -> None:
    rows = [msgspec.structs.replace(ROW, run=run, game=game) for run in (2, 1) for game in ("pong", "hero")]
    path = tmp_path / "episodes.csv"
    write_ledger(path, rows)
    assert read_ledger(path) == [rows[3], rows[1], rows[2], rows[0]]
    text = path.read_text()
    write_ledger(path, read_ledger(path))
    assert path.read_text() == text


@pytest.mark.parametrize("text", ["a,b\n1,2\n", "column,game\nras,pong\n", "\x00"])
def test_a_file_that_is_no_ledger_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "episodes.csv"
    path.write_text(text)
    with pytest.raises(InputError, match="is not a list of episodes"):
        assert read_ledger(path)
    write_ledger(path, [msgspec.structs.replace(ROW, settings="{")])
    with pytest.raises(InputError, match="is not a list of episodes"):
        read_ledger(path)


@pytest.mark.parametrize(
    ("changes", "flags"),
    [
        ({}, []),
        ({"cpu_share": 0.5, "overruns": 2}, []),
        ({"cpu_share": 0.5, "settings": '{"seconds":0.5}'}, ["busy machine: 50% of a CPU"]),
        ({"cpu_share": BUSY_SHARE, "settings": '{"seconds":0.5}'}, []),
        ({"cpu_share": 0.5, "overruns": 1, "settings": '{"realtime":true}'}, []),
        ({"overruns": 1, "settings": '{"seconds":0.5}'}, ["1 of 2 decisions over budget"]),
        ({"late": 3}, ["late actions: 3"]),
        ({"replaced_workers": 1}, ["workers replaced: 1"]),
        ({"dropped_trees": 1}, ["trees dropped because the game went elsewhere than predicted: 1"]),
        ({"dropped_trees": 1, "settings": '{"sticky":0.25}'}, []),
    ],
)
def test_a_row_says_why_to_look_at_it_with_care(changes: dict[str, object], flags: list[str]) -> None:
    assert msgspec.structs.replace(ROW, **changes).flags() == flags
