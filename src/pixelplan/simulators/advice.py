"""Advice where something is given that is no simulator, no environment or no game."""

from __future__ import annotations

from pixelplan.errors import InputError, describe
from pixelplan.simulators.games import is_name_of_environment

_SIMULATOR_METHODS = ("root", "look", "actions", "transition")
_ENVIRONMENT_PARTS = ("reset", "step", "action_space", "observation_space")
_ANY_SIMULATOR = (
    "AtariSimulator('breakout'), or a class of your own with methods root, look, actions and transition"
)


def check_simulator(world: object) -> None:
    """Refuse what is no simulator, and tell how to make one of it."""
    if not is_simulator(world):
        raise InputError(f"{describe(world)} is no simulator: write {simulator_of(world)}")


def check_environment(env: object) -> None:
    """Refuse what is no Gymnasium environment, and tell what to write."""
    if is_simulator(env):
        raise InputError(
            f"{describe(env)} is a simulator already: write Agent(world), without GymnasiumSimulator"
        )
    if not is_environment(env):
        name = env if isinstance(env, str) else "CartPole-v1"
        raise InputError(
            f"{describe(env)} is no environment: write GymnasiumSimulator(gymnasium.make({name!r}))"
        )


def check_game(game: object) -> None:
    """Refuse what is no name of a game, and tell what to write."""
    if not isinstance(game, str):
        advice = simulator_of(game) if is_environment(game) else "'breakout'"
        raise InputError(f"a game is given by its name, not as {describe(game)}: write {advice}")


def is_simulator(world: object) -> bool:
    """Say whether something can do what searches ask of a world. A class is no world yet."""
    return _has_all(world, _SIMULATOR_METHODS)


def is_environment(env: object) -> bool:
    """Say whether something has the parts of a Gymnasium environment."""
    return _has_all(env, _ENVIRONMENT_PARTS)


def _has_all(thing: object, names: tuple[str, ...]) -> bool:
    return not isinstance(thing, type) and all(hasattr(thing, name) for name in names)


def simulator_of(thing: object) -> str:
    """Return the code that makes a simulator of something, as far as that can be told."""
    if isinstance(thing, str):
        maker = (
            "GymnasiumSimulator(gymnasium.make({!r}))"
            if is_name_of_environment(thing)
            else "AtariSimulator({!r})"
        )
        return maker.format(thing)
    if isinstance(thing, type) and all(hasattr(thing, name) for name in _SIMULATOR_METHODS):
        return f"{thing.__name__}(...)"
    return "GymnasiumSimulator(env)" if is_environment(thing) else _ANY_SIMULATOR
