from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import fields
from pathlib import Path

import av
import pytest

from pixelplan.cli import run
from pixelplan.cli.play import Play
from pixelplan.planning.settings import PRESETS
from pixelplan.play.recorded_run import read_run
from pixelplan.play.settings import EpisodeSettings
from pixelplan.simulators.games import PAPER_GAMES

QUICK = ["--calls", "5", "--decisions", "2", "--noops", "0"]


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    text = capsys.readouterr().out
    assert all(command in text for command in ("play", "replay", "bench", "games", "planners", "features"))


@pytest.mark.parametrize("command", ["play", "replay", "bench", "games", "planners", "features"])
def test_each_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leaving:
        run([command, "--help"])
    assert leaving.value.code == 0
    assert f"pixelplan {command}" in capsys.readouterr().out


def test_play_prints_one_json_object(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["play", "ALE/Breakout-v5", *QUICK, "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["game"] == "breakout"
    assert summary["simulator_calls"] == 10
    assert summary["settings"]["seconds"] is None


def test_play_has_a_default_budget_and_preset(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["play", "pong", "--decisions", "1", "--noops", "0", "--workers", "0", "--json"]) == 0
    settings = json.loads(capsys.readouterr().out)["settings"]
    assert settings["seconds"] == 0.25
    assert vars(PRESETS["best"]).items() <= settings.items()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--preset", "iw"], {"planner": "iw", "risk_averse": False, "nothing_found": "random"}),
        (["--preset=rollout"], {"planner": "rollout-iw", "risk_averse": False, "subscoring": False}),
        (["--preset", "ra"], {"risk_averse": True, "subscoring": False, "nothing_found": "longest"}),
        (["--preset", "ra", "--subscoring"], {"subscoring": True, "risk_averse": True}),
        (["--preset", "ras"], {"subscoring": True, "max_depth": 1_500, "discount": 1.0}),
        (["--planner", "uct"], {"planner": "uct", "max_depth": 1_500, "cautious": False}),
        (["--preset", "best", "--planner=uct"], {"planner": "uct", "max_depth": 15, "cautious": True}),
        (["--no-risk-averse"], {"subscoring": True, "risk_averse": False}),
        (["--caching", "partial", "--cached-nodes", "test"], {"caching": "partial", "cached_nodes": "test"}),
        (
            ["--no-root-in-table", "--no-effect-repeats", "2"],
            {"root_in_table": False, "no_effect_repeats": 2},
        ),
        (["--discount", "0.99", "--alpha", "3", "--death-penalty", "2"], {"alpha": 3, "death_penalty": 2}),
        (["--actions", "minimal", "--frameskip", "5", "--seed", "9"], {"frameskip": 5, "seed": 9}),
        (["--sticky", "0.25", "--max-frames", "30"], {"sticky": 0.25, "max_frames": 30}),
        (["--max-depth", "7", "--max-nodes", "4"], {"max_depth": 7, "max_nodes": 4}),
        (["--persistence", "0.7", "--no-lost-life-ends"], {"persistence": 0.7, "lost_life_ends": False}),
        (["--curiosity", "0", "--no-foresight"], {"curiosity": 0.0, "foresight": False, "cautious": True}),
        (["--no-cautious", "--verifications", "2"], {"cautious": False, "verifications": 2}),
        (["--patience", "7"], {"patience": 7, "risk_averse": True}),
    ],
)
def test_flags_override_the_preset(
    arguments: list[str], expected: dict[str, object], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["play", "breakout", *QUICK, *arguments, "--json"]) == 0
    settings = json.loads(capsys.readouterr().out)["settings"]
    assert {name: settings[name] for name in expected} == expected


def test_an_episode_is_written_and_replayed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, video, replayed = tmp_path / "run", tmp_path / "game.mp4", tmp_path / "replay.mp4"
    arguments = ["--calls", "10", "--decisions", "5", "--out", str(out), "--trace", "--video", str(video)]
    assert run(["play", "breakout", *arguments]) == 0
    report = capsys.readouterr().out
    assert str(video) in report
    assert str(out) in report
    assert sorted(path.name for path in out.iterdir()) == [
        "background.npz",
        "decisions.parquet",
        "nodes.parquet",
        "run.json",
    ]
    assert run(["replay", str(out), "--video", str(replayed)]) == 0
    assert "as recorded" in capsys.readouterr().out
    assert replayed.read_bytes() == video.read_bytes()


def test_lists(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["games"]) == run(["planners"]) == run(["features"]) == 0
    text = capsys.readouterr().out
    assert all(f"\n{game} " in f"\n{text}" for game in PAPER_GAMES)
    assert "ALE/MsPacman-v5" in text
    assert "rollout-iw" in text
    assert "b-prost" in text


def test_bench_measures_both(capsys: pytest.CaptureFixture[str]) -> None:
    flags = "--games pong --seconds 0.02 --decisions 2 --features ram-bytes --json"
    assert run(["bench", *flags.split()]) == 0
    report = json.loads(capsys.readouterr().out)
    (speed,) = report["games"]
    assert set(speed) == {
        *("game", "raw_calls_per_second", "planner_calls_per_second", "ratio", "kernel_us_per_node"),
        "emulator_share",
    }
    assert report["geometric_mean"] == pytest.approx(speed["ratio"])
    assert speed["kernel_us_per_node"] > 0
    assert 0 < speed["emulator_share"] < 1


def test_bench_measures_real_time(capsys: pytest.CaptureFixture[str]) -> None:
    flags = "--games pong --realtime --decisions 1 --features ram-bytes --json"
    assert run(["bench", *flags.split()]) == 0
    assert json.loads(capsys.readouterr().out)["geometric_mean"] > 0
    assert run(["bench", "--realtime", "--seconds", "1"]) == 2
    assert "leave out seconds" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["paly"], "did you mean play?"),
        (["play"], "GAME"),
        (["play", "brekout"], "did you mean breakout?"),
        (["play", "carnival"], "214 lines"),
        (["play", "pong", "--seconds", "0"], "seconds must be a positive number"),
        (["play", "pong", "--seconds", "-1"], "seconds must be a positive number"),
        (["play", "pong", "--seconds", "nan"], "seconds must be a positive number"),
        (["play", "pong", "--seconds", "soon"], "--seconds: 'soon' is not a number"),
        (["play", "pong", "--calls", "1.5"], "--calls: '1.5' is not a whole number"),
        (["play", "pong", "--seed", "1.5"], "--seed: '1.5' is not a whole number"),
        (["play", "CartPole-v1"], "it is no Atari game; write Agent(GymnasiumSimulator(gymnasium.make("),
        (["sweep", "nosuch.toml", "--out", "out"], "pixelplan: nosuch.toml: No such file or directory ("),
        (["report", "nosuch.md"], "pixelplan: nosuch.md: No such file or directory ("),
        (["play", "pong", "--calls", "0"], "calls must be at least 1"),
        (["play", "pong", "--calls", "-3"], "calls must be at least 1"),
        (["play", "pong", "--planner", "magic"], "choose from iw, rollout-iw"),
        (["play", "pong", "--features", "smell"], "choose from b-prost"),
        (["play", "pong", "--preset", "worst"], "--preset"),
        (["play", "pong", "--wokers", "1"], "--wokers"),
        (["play", "pong", "--workers", "-1"], "workers must be between 0 and 64"),
        (["play", "pong", "--deterministic"], "deterministic needs a budget of calls"),
        (["play", "pong", "--realtime", "--seconds", "0.1"], "a real-time game sets the budget itself"),
        (["play", "pong", "--realtime", "--calls", "9", "--deterministic"], "deterministic needs"),
        (["bench", "--workers", "many"], "--workers"),
        (["play", "pong", "--width", "2"], "the greatest possible width is 1"),
        (["play", "pong", "--features", "atoms:no_such_module:f"], "No module named 'no_such_module'"),
        (["play", "pong", "--features", "atoms:math:pi"], "pi is no function"),
        (["play", "pong", "--features", "atoms:math:sqrt", "--calls", "9"], "atoms by sqrt: TypeError"),
        (["play", "pong", "--width", "4", "--features", "ram-bytes"], "the greatest possible width is 3"),
        (["play", "pong", "--trace"], "--trace needs --out"),
        (["play", "pong", "--video", "game.gif"], "must end in .mp4"),
        (["play", "pong", "--out", "run", "--video", "run/game.mp4"], "outside the run folder"),
        (
            ["bench", "--games", "pong", "--seconds", "1e-9", "--decisions", "1", "--json"],
            "no simulator call fits",
        ),
        (["play", "pong", "--discount", "2"], "discount must be between 0 and 1"),
        (["play", "pong", "--out", "/dev/null/run"], "/dev/null"),
        (["play", "pong", "--video", "/dev/null/game.mp4"], "/dev/null"),
        (["replay", "nowhere"], "nowhere is not a complete run folder"),
        (["bench", "--games", "pnog"], "did you mean pong?"),
        (["bench", "--seconds", "0"], "seconds must be a positive number"),
        (["games", "all"], "all"),
    ],
)
def test_wrong_input_gets_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.count("\n") == 1
    assert message in output.err
    assert "--help" in output.err


def test_the_flags_defaults_are_those_of_the_settings() -> None:
    """But for the budget and the number of workers, for which the command line has defaults of its own.

    Subgoaling is no flag: games have no goals.
    """
    play = {field.name: field.default for field in fields(Play)}
    settings = {field.name: field.default for field in fields(EpisodeSettings)}
    del settings["subgoaling"]
    assert settings.keys() <= play.keys()
    assert {name: play[name] for name in settings} == settings | {"workers": None}


def test_wrong_input_leaves_nothing_behind(tmp_path: Path) -> None:
    out, video = str(tmp_path / "a" / "run"), str(tmp_path / "a" / "game.mp4")
    assert run(["play", "carnival", "--out", out, "--video", video]) == 2
    assert list(tmp_path.iterdir()) == []


def test_a_run_folder_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes").write_text("mine")
    assert run(["play", "pong", *QUICK, "--out", str(tmp_path)]) == 2
    assert "exists already" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["notes"]


@pytest.mark.skipif(os.geteuid() != 0, reason="needs a folder that even this user cannot write to")
def test_an_unwritable_folder_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["play", "pong", *QUICK, "--out", "/proc/pixelplan/run"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    command = f"{sys.executable} -m pixelplan games | head -1; exit ${{PIPESTATUS[0]}}"
    result = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert result.stdout.startswith("alien")
    assert result.stderr == ""


@pytest.mark.parametrize(
    ("signal_number", "workers"),
    [
        (signal.SIGINT, "0"),
        (signal.SIGTERM, "2"),
        pytest.param(signal.SIGINT, "2", marks=pytest.mark.slow),
        pytest.param(signal.SIGTERM, "0", marks=pytest.mark.slow),
    ],
)
def test_an_interrupted_game_leaves_a_valid_video_and_run_folder(
    tmp_path: Path, signal_number: signal.Signals, workers: str
) -> None:
    # A screen full of noise: its video grows fast. A call a decision: so does the episode.
    episode = f"play yars_revenge --calls 1 --features ram-bytes --noops 0 --workers {workers}"
    outputs = ["--video", str(tmp_path / "game.mp4"), "--out", str(tmp_path / "run")]
    process = subprocess.Popen(
        [sys.executable, "-m", "pixelplan", *episode.split(), *outputs],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    # More than the few frames before the first decision.
    while not any(path.stat().st_size > 50_000 for path in tmp_path.glob(".game.mp4.draft-*")):
        time.sleep(0.1)
        assert process.poll() is None
    process.send_signal(signal_number)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors == ""
    assert "interrupted: this is what was played until then" in output
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.mp4", "run"]
    assert read_run(tmp_path / "run").result["interrupted"]
    assert run(["replay", str(tmp_path / "run")]) == 0
    with av.open(str(tmp_path / "game.mp4")) as container:
        assert sum(1 for _ in container.decode(video=0)) > 0
