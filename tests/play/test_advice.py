"""Mistakes of newcomers: each is answered by one line that says what to write instead."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gymnasium
import msgspec
import pytest

import pixelplan
from pixelplan import PRESETS, AtariSimulator, EpisodeSettings, InputError, Planner, rollout_iw
from pixelplan.cli.play import preset_defaults
from pixelplan.planning.settings import settings_for
from pixelplan.play.episode import settings_of

MAX_LETTERS = 160
CARTPOLE = "GymnasiumSimulator(gymnasium.make('CartPole-v1'))"
NO_ATARI = f"unknown game 'CartPole-v1': it is no Atari game; write Agent({CARTPOLE})"
FROM_PRESET = "EpisodeSettings.from_preset('best', game='breakout', calls=89)"

CALM_RAS = ((), (replace(PRESETS["ras"], risk_averse=False),))
"""No settings, and those that are meant: where there are no lives, rewards are left as they are."""
pp: Any = pixelplan
"""Without types: these are mistakes that a type checker would find."""


def world() -> object:
    return pp.Corridor(3)


def environment() -> object:
    return gymnasium.make("CartPole-v1")


def with_list(lookahead: object) -> object:  # noqa: ARG001
    """Return no generator."""
    return []


def with_nothing(lookahead: object) -> object:  # noqa: ARG001
    """Return nothing at all."""
    return None


def decide(planner: object) -> object:
    return pp.Agent(world(), planner=planner).decide(pp.Budget(calls=5))


GAMES = {
    "settings, no Atari game": (lambda: pp.EpisodeSettings(game="CartPole-v1"), NO_ATARI),
    "episode, no Atari game": (lambda: pp.play_episode("CartPole-v1"), NO_ATARI),
    "simulator, no Atari game": (lambda: pp.AtariSimulator("CartPole-v1"), NO_ATARI),
    "an older name": (lambda: pp.play_episode("Breakout-v4"), "'Breakout-v4': did you mean breakout?"),
    "environment as a game": (lambda: pp.AtariSimulator(environment()), "write GymnasiumSimulator(env)"),
    "number as a game": (lambda: pp.AtariGame(5), "a game is given by its name, not as 5: write 'breakout'"),
    "real time of a number": (lambda: pp.play_in_real_time(5), f"not 5: write {FROM_PRESET}"),
    "real time with seconds": (lambda: pp.play_in_real_time("pong", seconds=1), "leave out seconds"),
    "no budget": (lambda: pp.play_episode("pong"), "write calls=89 or seconds=0.25"),
    "preset as a game": (lambda: pp.play_episode(PRESETS["best"]), f"a SearchSettings: write {FROM_PRESET}"),
}
SIMULATORS = {
    "name": (lambda: pp.Agent("breakout"), "'breakout' is no simulator: write AtariSimulator('breakout')"),
    "name of an environment": (lambda: pp.Agent("CartPole-v1"), f"write {CARTPOLE}"),
    "environment": (lambda: pp.Agent(environment()), "write GymnasiumSimulator(env)"),
    "class": (lambda: pp.Agent(pp.Corridor), "the class Corridor is no simulator: write Corridor(...)"),
    "nothing": (lambda: pp.Agent(None), "methods root, look, actions and transition"),
    "solve a name": (lambda: pp.solve("breakout", calls=5), "write AtariSimulator('breakout')"),
    "solve an environment": (lambda: pp.solve(environment(), calls=5), "write GymnasiumSimulator(env)"),
    "a simulator to rewind": (
        lambda: pp.GymnasiumSimulator(world()),
        "a simulator already: write Agent(world)",
    ),
    "nothing to rewind": (lambda: pp.GymnasiumSimulator(None), f"None is no environment: write {CARTPOLE}"),
    "a maker to rewind": (
        lambda: pp.GymnasiumSimulator(gymnasium.make),
        f"the function make is no environment: write {CARTPOLE}",
    ),
    "a name to rewind": (
        lambda: pp.GymnasiumSimulator("Taxi-v3"),
        "GymnasiumSimulator(gymnasium.make('Taxi-v3'))",
    ),
}
VALUES = {
    "frameskip": (lambda: pp.AtariSimulator("pong", frameskip=0), "frameskip must be at least 1, not 0"),
    "actions": (
        lambda: pp.AtariSimulator("pong", actions="all"),
        "actions must be one of full, minimal, not 'all'",
    ),
    "features": (lambda: pp.AtariSimulator("pong", features=5), "write features='atoms:MODULE:FUNCTION'"),
    "seed of a simulator": (
        lambda: pp.AtariSimulator("pong", seed="x"),
        "seed must be a whole number, not 'x'",
    ),
    "seed of an agent": (lambda: pp.Agent(world(), seed="x"), "seed must be a whole number, not 'x'"),
    "sticky": (lambda: pp.AtariGame("pong", sticky="x"), "sticky must be a number, not 'x'"),
    "workers": (lambda: pp.AtariPool("pong", workers="2"), "workers must be a whole number, not '2'"),
    "atoms": (lambda: pp.atom_set("x"), "not by 'x': write features='atoms:MODULE:FUNCTION'"),
    "calls": (lambda: pp.play_episode("pong", calls="50"), "calls must be a whole number, not '50'"),
    "planner": (
        lambda: pp.play_episode("pong", planner=rollout_iw, calls=5),
        "planner must be a word, not the function rollout_iw: write planner='MODULE:NAME'",
    ),
    "feature set": (
        lambda: pp.play_episode("pong", features=pp.atom_set(len), calls=5),
        "features must be a word, not a FeatureSet: write features='atoms:MODULE:FUNCTION'",
    ),
}
NAMES = {
    "search": (lambda: pp.SearchSettings("rollout"), "write SearchSettings.from_preset('rollout')"),
    "search from presets": (
        lambda: pp.SearchSettings(PRESETS),
        "not a dict: write SearchSettings.from_preset",
    ),
    "episode": (
        lambda: pp.EpisodeSettings("pong"),
        "EpisodeSettings.from_preset('best', game='pong', calls=89)",
    ),
    "no game": (lambda: pp.EpisodeSettings(calls=5), f"game is missing: write {FROM_PRESET}"),
    "preset, no game": (
        lambda: pp.EpisodeSettings.from_preset("best", calls=5),
        f"game is missing: write {FROM_PRESET}",
    ),
    "preset as a setting": (lambda: pp.SearchSettings(preset="ra"), "write SearchSettings.from_preset('ra')"),
    "preset of an agent": (lambda: pp.Agent(world(), preset="ra"), "write Agent(simulator, 'ra')"),
    "all presets": (lambda: pp.Agent(world(), PRESETS), "not a dict: write 'best'"),
    "misspelt": (lambda: pp.Agent(world(), "bset"), "unknown preset 'bset': did you mean best?"),
    "budget in calls": (lambda: pp.Budget(50), "Budget takes values by name, not 50: write Budget(calls=50)"),
    "budget in seconds": (lambda: pp.Budget(0.25), "write Budget(seconds=0.25)"),
}
DECISIONS = {
    "seconds": (lambda: pp.Agent(world()).decide(0.25), "not 0.25: write Budget(seconds=0.25)"),
    "calls in words": (lambda: pp.Agent(world()).decide("50"), "not '50': write Budget(calls=50)"),
    "no budget": (lambda: pp.Agent(world()).decide(None), "write Budget(calls=89) or Budget(seconds=0.25)"),
    "list of strands": (lambda: decide(with_list), "'Return no generator.' returned a list: write `yield`"),
    "no strands": (lambda: decide(Planner(search=with_nothing, about="mine")), "'mine' returned None"),  # type: ignore[arg-type]
    "a planner's class": (lambda: decide(Planner), "neither a Planner nor a function that makes a search"),
}
MISTAKES = [*GAMES.values(), *SIMULATORS.values(), *VALUES.values(), *NAMES.values(), *DECISIONS.values()]
NAMES_OF_MISTAKES = [*GAMES, *SIMULATORS, *VALUES, *NAMES, *DECISIONS]


@pytest.mark.parametrize(("mistake", "advice"), MISTAKES, ids=NAMES_OF_MISTAKES)
def test_a_mistake_gets_one_line_of_advice(mistake: Callable[[], object], advice: str) -> None:
    with pytest.raises(InputError) as refusal:
        mistake()
    message = str(refusal.value)
    assert advice in message
    assert len(message) <= MAX_LETTERS
    assert "\n" not in message


def test_what_is_right_passes() -> None:
    """Presets by name, with a game; and for plans."""
    settings = pp.EpisodeSettings.from_preset("ras", game="pong", calls=5)
    assert settings == pp.EpisodeSettings(game="pong", calls=5)
    blocks = pp.Blocksworld(["ab"], [("on", "b", "a")])
    assert pp.solve(blocks, "rollout", calls=50).is_solved
    assert pp.solve(blocks, "best", calls=50) == pp.solve(
        blocks, replace(PRESETS["best"], risk_averse=False), calls=50
    )


def test_a_game_is_kept_by_the_name_of_its_rom() -> None:
    """Whatever name it is given by, and wherever the settings come from."""
    settings = pp.EpisodeSettings(game="ALE/MsPacman-v5", calls=5)
    assert settings.game == "ms_pacman"
    assert replace(settings, game="ALE/Pong-v5").game == "pong"
    read = msgspec.json.decode(b'{"game": "ALE/Pong-v5", "calls": 5, "workers": 2}', type=EpisodeSettings)
    assert (read.game, read.deterministic) == ("pong", True)


@pytest.mark.parametrize("changes", [{}, pytest.param({"workers": 1}, marks=pytest.mark.slow)])
def test_settings_that_wait_for_the_planner_are_played_in_real_time(changes: dict[str, int]) -> None:
    """Once they are handed to it."""
    settings = pp.EpisodeSettings(game="pong", calls=2, decisions=1, noops=0, **changes)
    result = pp.play_in_real_time(settings)
    assert result.settings == replace(settings, realtime=True, deterministic=False)
    assert len(result.played) == 1
    assert pp.play_in_real_time("pong", decisions=1, calls=2, noops=0).settings.cautious


def test_named_planners_have_the_same_default_everywhere() -> None:
    """`ras`, and `best` where no planner is named, on the command line and in Python."""
    game = AtariSimulator("pong", features="ram-bytes")
    for planner, preset in ((None, "best"), ("iw", "ras")):
        named = {} if planner is None else {"planner": planner}
        flags = preset_defaults([f"--planner={planner}"] if named else [])
        assert flags["preset"] == preset
        played = settings_of("pong", {"calls": 5} | named)
        assert played == EpisodeSettings.from_preset(preset, game="pong", calls=5, **named)
        assert settings_for(game, None, names_planner=bool(named)) == PRESETS[preset]
        calm = replace(PRESETS[preset], risk_averse=False)
        assert settings_for(pp.Corridor(3), None, names_planner=bool(named)) == calm
    decisions = [
        pp.Agent(pp.Corridor(9), *preset, planner="iw").decide(pp.Budget(calls=9)) for preset in CALM_RAS
    ]
    assert len({(one.action, one.trace.nodes, one.trace.cases) for one in decisions}) == 1
