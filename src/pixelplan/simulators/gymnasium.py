"""Gymnasium environments as worlds to plan in: any with a discrete action space that can be rewound.

How an environment is rewound:
- An `ALE/...` environment is rewound by the emulator's own clone, without its random generator.
- Where the user gives a pair of functions, `save` and `restore`, these do it.
- Of all others the attributes are saved and put back (see snapshots.py). The environment's own random
  generator is among them: where dice are thrown, the lookahead knows how they will fall.

The attributes of the wrappers around the environment, such as the steps that a time limit has counted, are
saved in each case. Spaces and the specification are not, because no action changes them.

Not every environment can be rewound in this way: its state may be somewhere else, in a module or a library.
So this is tried out, and an environment that does not do the same again is refused. It is a trial of some
random actions, and no proof.
"""

from __future__ import annotations

import math
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import chain
from random import Random
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import gymnasium
from gymnasium import spaces
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.wrappers import OrderEnforcing

from pixelplan.errors import InputError, suggest
from pixelplan.features.quantisation import BoundaryExtension, EqualBins, component_atoms, exact
from pixelplan.planning.simulator import Simulator, Transition
from pixelplan.simulators.advice import check_environment
from pixelplan.simulators.snapshots import Snapshots

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from pixelplan.features.quantisation import Path, Quantiser
    from pixelplan.planning.simulator import Action

    Environment = gymnasium.Env[Any, Any]
    Space = spaces.Space[Any]
    Save = Callable[[Environment], Any]
    Restore = Callable[[Environment, Any], None]
    Encoder = Callable[[Any], Iterable[Hashable]]

Quantisation = Literal["bins", "bee"]

MAX_COMPONENTS = 10_000
"""An observation with more would take a megabyte for each state."""
TRIALS = 3
"""Number of trials whether an environment can be rewound."""
TRIAL_ACTIONS = 30


class Step(NamedTuple):
    """Answer of an environment to an action."""

    observation: Any
    reward: float
    terminated: bool
    truncated: bool
    info: dict[str, Any]


def ends_with_reward(step: Step) -> tuple[bool]:
    """Say whether the episode has ended, and its last action was rewarded: the one goal of many worlds."""
    return (step.terminated and step.reward > 0,)


class Snapshot(NamedTuple):
    """An environment's state: the result of `save`, and the attributes that are saved beside it."""

    core: Any
    attributes: bytes


@dataclass(frozen=True, kw_only=True, slots=True)
class GymnasiumState:
    """A state of an environment, with its observation.

    Equal states have equal snapshots: everything that was saved is the same, random generators and the
    steps of time limits too. A state is of use only to the simulator that has made it.
    """

    snapshot: Snapshot
    features: frozenset[Hashable] = field(compare=False)
    actions: tuple[Action, ...] = field(compare=False)
    """Empty if the episode has ended."""
    is_terminal: bool = field(compare=False)
    lives: int = field(compare=False)
    goals: tuple[bool, ...] = field(compare=False)


class GymnasiumSimulator(Simulator):
    """A Gymnasium environment that is rewound to whatever state a search asks for.

    A state in which the episode was truncated, by a time limit for instance, is not terminal, but it has
    no actions. If the environment's `info` has an `action_mask`, a state has only the actions that it allows.
    """

    def __init__(
        self,
        env: Environment,
        *,
        seed: int | None = None,
        observation: object = None,
        save: Save | None = None,
        restore: Restore | None = None,
        goals: Callable[[Step], Sequence[bool]] = ends_with_reward,
        atoms: Encoder | None = None,
        quantisation: Quantisation = "bins",
        bins: int = 20,
        levels: int = 1,
    ) -> None:
        """Plan in an environment from where it stands, if its observation there is given; else reset it.

        The environment is moved about by searches, and must not be used for anything else meanwhile.

        :param seed: Seed of the reset.
        :param observation: Observation of the last reset or step. Lives and forbidden actions are known
            from the next step on.
        :param save: Returns the state of an environment, as something that can be compared and pickled.
        :param restore: Puts an environment into a state that was saved.
        :param goals: Tells which goals hold after a step. The default is one: a reward has ended the episode.
        :param atoms: Makes atoms of an observation, in place of one for each of its components.
        :param quantisation: Kind of intervals for continuous components: equal bins, or boundary extension.
        :param bins: Number of equal bins.
        :param levels: Number of levels of boundary extension, which remembers the values it has seen.
        """
        check_environment(env)
        if not isinstance(env.action_space, spaces.Discrete):
            raise InputError(f"the action space must be Discrete, not {env.action_space}")
        first = int(env.action_space.start)
        self._actions = tuple(range(first, first + int(env.action_space.n)))
        self._goals = goals
        self._atoms = atoms or _make_encoder(
            env.observation_space, (), _quantisers(quantisation, bins, levels)
        )
        self._env = env
        self._standing_at: GymnasiumState | None = None
        start = _start(env, seed, observation)
        self.has_lives = "lives" in start.info
        self._rewinding = _Rewinding(env, save, restore)
        self._root = self._arrive(start)
        self._try_to_rewind(Random("rewinding"))

    def root(self) -> GymnasiumState:
        """Return the state in which the environment stood when this simulator was made."""
        return self._root

    def look(self, state: GymnasiumState) -> Transition:
        """Describe a state without acting in it."""
        return Transition(state, state.features, 0.0, state.is_terminal, state.lives)

    def actions(self, state: GymnasiumState) -> tuple[Action, ...]:
        """Return the actions that the environment allows; none if the episode has ended."""
        return state.actions

    def transition(self, state: GymnasiumState, action: Action) -> Transition:
        """Take one step of the environment."""
        if state is not self._standing_at:
            self._rewinding.restore(state.snapshot)
        self._standing_at = None
        step = self._act(action)
        arrived = self._standing_at = self._arrive(step)
        return Transition(arrived, arrived.features, step.reward, arrived.is_terminal, arrived.lives)

    def goals(self, state: GymnasiumState) -> tuple[bool, ...]:
        """Return which goals hold in a state."""
        return state.goals

    def _act(self, action: Action) -> Step:
        observation, reward, terminated, truncated, info = self._env.step(action)
        return Step(observation, float(reward), bool(terminated), bool(truncated), info)

    def _arrive(self, step: Step) -> GymnasiumState:
        """Return the state in which the environment is after a step."""
        return GymnasiumState(
            snapshot=self._rewinding.save(),
            features=frozenset(self._atoms(step.observation)),
            actions=self._allowed(step),
            is_terminal=step.terminated,
            lives=int(step.info.get("lives", 0)),
            goals=tuple(bool(holds) for holds in self._goals(step)),
        )

    def _allowed(self, step: Step) -> tuple[Action, ...]:
        if step.terminated or step.truncated:
            return ()
        mask = step.info.get("action_mask")
        if mask is None:
            return self._actions
        return tuple(action for action, allows in zip(self._actions, mask, strict=True) if allows)

    def _try_to_rewind(self, rng: Random) -> None:
        """Play some actions, go back, to the start and to a state on the way, and play them again."""
        for _ in range(TRIALS):
            trail = self._play_at_random(rng)
            if not (self._is_repeated(trail) and self._is_repeated(trail[len(trail) // 2 :])):
                name = type(self._env.unwrapped).__name__
                raise InputError(f"{name} did not do the same again when rewound: {self._rewinding.advice}")
            self._rewinding.restore(self._root.snapshot)

    def _play_at_random(self, rng: Random) -> list[tuple[Snapshot, Action, Step]]:
        trail: list[tuple[Snapshot, Action, Step]] = []
        actions = self._root.actions
        while actions and len(trail) < TRIAL_ACTIONS:
            snapshot, action = self._rewinding.save(), rng.choice(actions)
            # Some environments use their arrays again.
            step = deepcopy(self._act(action))
            trail.append((snapshot, action, step))
            actions = self._allowed(step)
        return trail

    def _is_repeated(self, trail: list[tuple[Snapshot, Action, Step]]) -> bool:
        if trail:
            self._rewinding.restore(trail[0][0])
        return all(
            data_equivalence(tuple(self._act(action))[:4], tuple(step)[:4], exact=True)
            for _, action, step in trail
        )


class _Rewinding:
    """Saves and restores an environment and the wrappers around it."""

    def __init__(self, env: Environment, save: Save | None, restore: Restore | None) -> None:
        if (save is None) != (restore is None):
            raise InputError("save and restore are a pair: give both or neither")
        self._env = env
        layers = _layers(env)
        core = layers[-1]
        emulator: Any = getattr(core, "ale", None)
        saved = layers
        self.advice = "its state is not in its attributes alone; give save and restore"
        if save is not None and restore is not None:
            saved = layers[:-1]
            self.advice = "save and restore miss some of its state"
        elif hasattr(emulator, "cloneState"):
            if emulator.getFloat("repeat_action_probability") > 0:
                raise InputError(
                    "actions are sticky: make the environment with repeat_action_probability=0.0"
                )
            save, restore = _clone, _restore_clone
            self.advice = "the emulator's clone does not have all of its state"
        self._save, self._restore = save, restore
        self._snapshots = Snapshots(
            saved, keeps=[*layers, *_tables(core)], kept_types=(spaces.Space, EnvSpec)
        )

    def save(self) -> Snapshot:
        """Return the environment's state."""
        try:
            attributes = self._snapshots.save()
        except Exception as error:
            name = type(self._env.unwrapped).__name__
            raise InputError(f"{name} cannot be saved: {error}; give save and restore") from error
        return Snapshot(None if self._save is None else self._save(self._env), attributes)

    def restore(self, snapshot: Snapshot) -> None:
        """Put the environment into a state."""
        self._snapshots.restore(snapshot.attributes)
        if self._restore is not None:
            self._restore(self._env, snapshot.core)


def _layers(env: Environment) -> list[Environment]:
    """Return the wrappers around an environment, from the outside, and the environment."""
    layers = [env]
    while isinstance(layers[-1], gymnasium.Wrapper):
        layers.append(layers[-1].env)
    return layers


def _tables(core: Environment) -> list[object]:
    """Return the transition table of one of Gymnasium's own toy worlds: it is great, and never changes."""
    is_toy = type(core).__module__.startswith("gymnasium.envs.toy_text.")
    return [vars(core)["P"]] if is_toy and "P" in vars(core) else []


def _clone(env: Environment) -> bytes:
    """Return the state of an environment's emulator, serialised, without its random generator."""
    state: bytes = env.unwrapped.ale.cloneState().serialize()  # type: ignore[attr-defined]
    return state


def _restore_clone(env: Environment, state: bytes) -> None:
    """Put an environment's emulator into a state."""
    emulator = env.unwrapped.ale  # type: ignore[attr-defined]
    # The class of states, without an import of ale_py.
    emulator.restoreState(type(emulator.cloneState())(state))


def _start(env: Environment, seed: int | None, observation: object) -> Step:
    """Return the observation of an environment as it stands; reset it, unless that is known."""
    if observation is not None and seed is not None:
        raise InputError("give a seed, for a reset, or the observation of where it stands, not both")
    if observation is not None:
        return Step(observation, 0.0, False, False, {})
    has_reset = any(isinstance(layer, OrderEnforcing) and layer.has_reset for layer in _layers(env))
    if has_reset and seed is None:
        raise InputError("the environment has been reset: give the observation that it shows, or a seed")
    observation, info = env.reset(seed=seed)
    return Step(observation, 0.0, False, False, info)


def _quantisers(quantisation: str, bins: int, levels: int) -> Callable[..., Quantiser]:
    """Return a maker of quantisers for the bounds of a continuous space."""
    kinds: dict[str, Callable[..., Quantiser]] = {
        "bins": lambda low, high: EqualBins(low, high, bins),
        "bee": lambda low, high: BoundaryExtension(levels),  # noqa: ARG005
    }
    if quantisation not in kinds:
        raise InputError(f"unknown quantisation {quantisation!r}: {suggest(quantisation, kinds)}")
    return kinds[quantisation]


def _make_encoder(space: Space, path: Path, quantisers: Callable[..., Quantiser]) -> Encoder:
    """Return an encoder of the observations in a space, with an atom for each component."""
    match space:
        case spaces.Discrete():
            return lambda value: [(*path, int(value))]
        case spaces.Box() | spaces.MultiDiscrete() | spaces.MultiBinary():
            components = math.prod(space.shape)
            if components > MAX_COMPONENTS:
                raise InputError(
                    f"an observation of {components} components would be as many atoms: give atoms, "
                    "or for Atari obs_type='ram', or use AtariSimulator"
                )
            quantise: Quantiser = exact
            if isinstance(space, spaces.Box) and space.dtype.kind == "f":
                quantise = quantisers(space.low, space.high)
            return lambda value: component_atoms(path, quantise(value))
        case spaces.Dict():
            parts: Iterable[tuple[Any, Space]] = space.spaces.items()
        case spaces.Tuple():
            parts = enumerate(space.spaces)
        case _ if space.dtype is not None and space.dtype.kind == "U":
            return lambda text: [(*path, text)]
        case _:
            raise InputError(f"no atoms are known for observations in {space}: give atoms")
    encoders = [(key, _make_encoder(part, (*path, key), quantisers)) for key, part in parts]
    return lambda value: chain.from_iterable(encode(value[key]) for key, encode in encoders)
