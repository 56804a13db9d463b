"""Gymnasium environments: solved, rewound, refused if they cannot be, and seen as atoms."""

import math
import pickle
from collections.abc import Callable, Sequence
from dataclasses import FrozenInstanceError, replace
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from environments import (
    Counter,
    HiddenCounter,
    RunningCounter,
    Showing,
    restore_elsewhere,
    save_elsewhere,
)
from gymnasium import spaces
from gymnasium.wrappers import TimeLimit
from minigrid.wrappers import FullyObsWrapper

from pixelplan import Agent, Budget, GymnasiumSimulator, SearchSettings, solve
from pixelplan.errors import InputError
from pixelplan.simulators.gymnasium import GymnasiumState, Quantisation

Environment = gymnasium.Env[Any, Any]

PLAIN = SearchSettings(discount=0.99, risk_averse=False, subscoring=False)
SEED = 4


def play(simulator: GymnasiumSimulator, settings: SearchSettings, calls: int, steps: int) -> list[int]:
    """Let an agent play until the episode ends, or for so many steps; return its actions."""
    agent = Agent(simulator, settings)
    actions: list[int] = []
    while simulator.actions(agent.state) and len(actions) < steps:
        actions.append(agent.decide(Budget(calls=calls)).action)
        agent.observe(actions[-1])
    return actions


def replay(env: Environment, actions: Sequence[int], seed: int = SEED) -> list[tuple[float, bool]]:
    """Return the rewards and endings of actions in an environment that no planner has touched."""
    env.reset(seed=seed)
    steps = [env.step(action) for action in actions]
    return [(float(reward), terminated or truncated) for _, reward, terminated, truncated, _ in steps]


# Solved


def make_lake() -> Environment:
    return gymnasium.make("FrozenLake-v1", map_name="8x8", is_slippery=False)


def make_taxi() -> Environment:
    return gymnasium.make("Taxi-v4")


@pytest.mark.parametrize("planner", ["iw", "rollout-iw"])
@pytest.mark.parametrize(
    ("make", "calls", "reward"),
    [
        (make_lake, 300, 1.0),
        pytest.param(make_taxi, 600, 20.0, marks=pytest.mark.slow),
    ],
)
def test_toy_worlds_are_solved(
    make: Callable[[], Environment], calls: int, reward: float, planner: str
) -> None:
    simulator = GymnasiumSimulator(make(), seed=SEED)
    actions = play(simulator, replace(PLAIN, planner=planner), calls, steps=30)
    *earlier, last = replay(make(), actions)
    assert last == (reward, True)
    assert not any(is_end for _, is_end in earlier)


@pytest.mark.parametrize(("make", "reward"), [(make_lake, 1.0), (make_taxi, 20.0)])
def test_solve_reaches_the_goal_of_toy_worlds(make: Callable[[], Environment], reward: float) -> None:
    plan = solve(GymnasiumSimulator(make(), seed=SEED), calls=1_000)
    assert plan.is_solved
    assert replay(make(), plan.actions)[-1] == (reward, True)


def situation(observation: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Return where the agent is and how it is turned, whether the key lies there, and how the door is."""
    kinds, _, states = observation["image"].astype(int).transpose(2, 0, 1)
    key, door, agent = kinds == 5, kinds == 4, kinds == 10
    return [
        (*np.argwhere(agent)[0].tolist(), *states[agent].tolist(), bool(key.any()), *states[door].tolist())
    ]


def parts(observation: dict[str, Any]) -> list[object]:
    """Return the same as three atoms."""
    ((x, y, direction, has_key, *door),) = situation(observation)
    return [("agent", x, y, direction), ("key", has_key), ("door", *door)]


def make_rooms() -> Environment:
    return FullyObsWrapper(gymnasium.make("minigrid:MiniGrid-DoorKey-8x8-v0"))  # type: ignore[no-untyped-call]


@pytest.mark.slow
def test_an_agent_unlocks_a_door() -> None:
    """A key must be fetched, far from the door: the parts of the picture alone are not novel for long."""
    simulator = GymnasiumSimulator(make_rooms(), seed=SEED, atoms=situation)
    agent = Agent(simulator, replace(PLAIN, planner="iw", no_effect_repeats=0))
    plan = agent.decide(Budget(calls=2_000)).branch
    *_, (reward, is_end) = replay(make_rooms(), plan)
    assert is_end
    assert reward > 0.9


def test_a_door_is_unlocked_by_a_search_of_width_2() -> None:
    plan = solve(GymnasiumSimulator(make_rooms(), seed=5, atoms=parts), calls=5_000)
    assert plan.is_solved
    assert plan.widths == (2,)
    *_, (reward, is_end) = replay(make_rooms(), plan.actions, seed=5)
    assert is_end
    assert reward > 0.9


@pytest.mark.parametrize("quantisation", ["bins", pytest.param("bee", marks=pytest.mark.slow)])
def test_a_pole_is_held(quantisation: Quantisation) -> None:
    """For 200 steps, with 50 calls a decision."""
    simulator = GymnasiumSimulator(gymnasium.make("CartPole-v1"), seed=3, quantisation=quantisation)
    actions = play(simulator, replace(PLAIN, discount=1.0), calls=50, steps=200)
    env = gymnasium.make("CartPole-v1")
    env.reset(seed=3)
    assert [env.step(action)[2] for action in actions] == [False] * 200


# Rewound


def make_atari(obs_type: str = "ram", sticky: float = 0.0) -> Environment:
    return gymnasium.make(
        "ale_py:ALE/MsPacman-v5", obs_type=obs_type, frameskip=15, repeat_action_probability=sticky
    )


def wander(simulator: GymnasiumSimulator, steps: int) -> list[tuple[GymnasiumState, float, list[int]]]:
    """Step from states seen before, in no order; return each state with its reward and the path to it."""
    rng = Random(1)
    seen: list[tuple[GymnasiumState, float, list[int]]] = []
    going_on: list[tuple[GymnasiumState, list[int]]] = [(simulator.root(), [])]
    for _ in range(steps):
        # Late ones more often, to get far.
        state, path = going_on[int(len(going_on) * rng.random() ** 0.2)]
        action = rng.choice(simulator.actions(state))
        transition = simulator.transition(state, action)
        seen.append((transition.state, transition.reward, [*path, action]))
        if simulator.actions(transition.state):
            going_on.append((transition.state, [*path, action]))
    return seen


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(make_atari, marks=pytest.mark.slow),
        lambda: gymnasium.make("CartPole-v1", max_episode_steps=12),
        lambda: gymnasium.make("FrozenLake-v1", is_slippery=True),
        lambda: gymnasium.make("Blackjack-v1"),
        lambda: gymnasium.make("MountainCar-v0"),
        lambda: gymnasium.make("minigrid:MiniGrid-DoorKey-5x5-v0"),
        lambda: gymnasium.wrappers.FrameStackObservation(gymnasium.make("Acrobot-v1"), 2),
    ],
    ids=["atari", "cartpole", "dice", "cards", "car", "grid", "stack"],
)
def test_rewinding_is_a_replay(make: Callable[[], Environment]) -> None:
    """In whatever order states are visited: same observations, rewards and endings, dice included."""
    env = make()
    simulator = GymnasiumSimulator(env, seed=SEED)
    encode = simulator._atoms
    visited = wander(simulator, 120)
    other = make()
    for state, reward, path in visited[::7]:
        other.reset(seed=SEED)
        for action in path:
            step = other.step(action)
        observation, last_reward, terminated, truncated, info = step
        assert state.features == frozenset(encode(observation))
        assert reward == last_reward
        assert state.is_terminal == terminated
        assert bool(state.actions) == (not terminated and not truncated)
        assert state.lives == info.get("lives", 0)


def test_atari_rewards_come_back() -> None:
    rewards = [reward for _, reward, _ in wander(GymnasiumSimulator(make_atari(), seed=SEED), 120)]
    assert sum(rewards) > 0


@pytest.mark.parametrize(
    ("make", "pair"),
    [
        (Counter, {}),
        (HiddenCounter, {"save": save_elsewhere, "restore": restore_elsewhere}),
        (make_atari, {}),
    ],
    ids=["attributes", "pair", "atari"],
)
def test_a_time_limit_is_rewound(make: Callable[[], Environment], pair: dict[str, Any]) -> None:
    simulator = GymnasiumSimulator(TimeLimit(make(), 3), **pair)
    for _ in range(3):
        state = simulator.root()
        for actions_left in (True, True, False):
            transition = simulator.transition(state, simulator.actions(state)[0])
            state = transition.state
            assert bool(simulator.actions(state)) == actions_left
            assert not transition.is_terminal


def test_an_agent_does_not_look_beyond_a_time_limit() -> None:
    simulator = GymnasiumSimulator(gymnasium.make("CartPole-v1", max_episode_steps=4), seed=SEED)
    decision = Agent(simulator, replace(PLAIN, discount=1.0)).decide(Budget(calls=100))
    assert decision.trace.depth == 4
    assert decision.value == 4


def test_the_environment_stands_where_it_stood() -> None:
    env, twin = (gymnasium.make("CartPole-v1") for _ in range(2))
    for each in (env, twin):
        each.reset(seed=SEED)
        observation, *_ = each.step(1)
    simulator = GymnasiumSimulator(env, observation=observation)
    assert simulator.look(simulator.root()).features == frozenset(simulator._atoms(observation))
    for action in (0, 1, 1, 0):
        np.testing.assert_array_equal(env.step(action)[0], twin.step(action)[0])


def test_what_is_great_and_constant_is_not_saved() -> None:
    env = gymnasium.make("Taxi-v4")
    table = env.unwrapped.P  # type: ignore[attr-defined]
    simulator = GymnasiumSimulator(env, seed=SEED)
    assert len(simulator.root().snapshot.attributes) < 10_000 < len(pickle.dumps(table))
    assert env.unwrapped.P is table  # type: ignore[attr-defined]


# Refused


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (HiddenCounter, "HiddenCounter did not do the same again .* give save and restore"),
        (RunningCounter, "RunningCounter cannot be saved: .*generator.*; give save and restore"),
        (lambda: make_atari(sticky=0.25), "repeat_action_probability=0.0"),
        (lambda: make_atari(obs_type="rgb"), "100800 components .* AtariSimulator"),
        (lambda: gymnasium.make("Pendulum-v1"), "must be Discrete, not Box"),
        (lambda: Showing(spaces.Sequence(spaces.Discrete(2)), (1,)), "no atoms are known .* Sequence"),
    ],
    ids=["hidden", "uncopyable", "sticky", "picture", "continuous", "sequence"],
)
def test_worlds_that_cannot_be_planned_in_are_refused(make: Callable[[], Environment], message: str) -> None:
    with pytest.raises(InputError, match=message):
        GymnasiumSimulator(make(), seed=SEED)


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(InputError, match="give both or neither"):
        GymnasiumSimulator(Counter(), save=save_elsewhere)
    with pytest.raises(InputError, match="save and restore miss some of its state"):
        GymnasiumSimulator(Counter(), save=save_elsewhere, restore=restore_elsewhere)
    with pytest.raises(InputError, match="unknown quantisation 'bin': did you mean bins"):
        GymnasiumSimulator(Counter(), quantisation="bin")  # type: ignore[arg-type]
    env = gymnasium.make("CartPole-v1")
    env.reset(seed=SEED)
    with pytest.raises(InputError, match="give the observation that it shows, or a seed"):
        GymnasiumSimulator(env)
    assert GymnasiumSimulator(env, seed=SEED).root().actions == (0, 1)


# States


def test_actions_goals_and_lives_are_the_environments() -> None:
    simulator = GymnasiumSimulator(Counter())
    state = simulator.root()
    assert simulator.look(state) == (state, {(0, 0)}, 0.0, False, 20)
    assert simulator.actions(state) == (1,), "the mask forbids 2"
    for action in (1, 1, 2, 2, 2):
        state = simulator.transition(state, action).state
        assert simulator.goals(state) == (False,)
    assert simulator.actions(state) == (1, 2)
    over, exact = (simulator.transition(simulator.transition(state, action).state, 1) for action in (2, 1))
    assert exact[1:] == ({(0, 10)}, 1.0, True, 10)
    assert (simulator.goals(over.state), simulator.goals(exact.state)) == ((False,), (True,))
    assert simulator.actions(exact.state) == ()


def test_goals_are_what_the_user_says() -> None:
    simulator = GymnasiumSimulator(
        Counter(),
        goals=lambda step: [step.observation[0] >= 1, step.reward > 0],
        atoms=lambda shown: [("count", int(shown[0]))],
    )
    assert simulator.goals(simulator.root()) == (False, False)
    transition = simulator.transition(simulator.root(), 1)
    assert simulator.goals(transition.state) == (True, False)
    assert transition.features == {("count", 1)}


def test_states_are_compared_by_what_was_saved() -> None:
    simulator = GymnasiumSimulator(gymnasium.make("CartPole-v1"), seed=SEED)
    root = simulator.root()
    first, second, other = (simulator.transition(root, action).state for action in (0, 0, 1))
    assert first == second
    assert hash(first) == hash(second)
    assert first != other
    assert first != root
    again = pickle.loads(pickle.dumps(first))
    assert again == first
    assert simulator.transition(again, 1) == simulator.transition(first, 1)
    with pytest.raises(FrozenInstanceError):
        first.lives = 3


def test_an_agent_keeps_its_tree() -> None:
    """A state that is reached again, after others, equals the one in the tree."""
    simulator = GymnasiumSimulator(gymnasium.make("minigrid:MiniGrid-DoorKey-5x5-v0"), seed=SEED)
    agent = Agent(simulator, PLAIN)
    for _ in range(5):
        decision = agent.decide(Budget(calls=30))
        assert not decision.trace.has_dropped_tree
        agent.observe(decision.action, simulator.transition(agent.state, decision.action).state)


# Atoms

ARRAY = np.array([[1, 0], [2, 3]])


@pytest.mark.parametrize(
    ("space", "observation", "atoms"),
    [
        (spaces.Discrete(5), np.int64(3), {(3,)}),
        (spaces.MultiDiscrete(ARRAY + 2), ARRAY, {(0, 1), (1, 0), (2, 2), (3, 3)}),
        (spaces.MultiBinary(3), np.array([0, 1, 1], np.int8), {(0, 0), (1, 1), (2, 1)}),
        (spaces.Box(0, 255, (2, 2), np.uint8), ARRAY.astype(np.uint8), {(0, 1), (1, 0), (2, 2), (3, 3)}),
        (spaces.Box(0, 1, (2,), np.float32), np.array([0.04, 0.96], np.float32), {(0, 0), (1, 19)}),
        (spaces.Box(-math.inf, math.inf, (1,), np.float64), np.array([0.2]), {(0, 11)}),
        (spaces.Text(5), "red", {("red",)}),
        (
            spaces.Tuple([spaces.Discrete(2), spaces.MultiBinary(2)]),
            (1, np.array([0, 1])),
            {(0, 1), (1, 0, 0), (1, 1, 1)},
        ),
        (
            spaces.Dict(colour=spaces.Text(5), place=spaces.Tuple([spaces.Discrete(9)])),
            {"colour": "red", "place": (8,)},
            {("colour", "red"), ("place", 0, 8)},
        ),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, spaces.Space) else "",
)
def test_observations_are_atoms(space: spaces.Space[Any], observation: object, atoms: set[object]) -> None:
    simulator = GymnasiumSimulator(Showing(space, observation))
    assert simulator.look(simulator.root()).features == atoms
    assert simulator.transition(simulator.root(), 1).features == atoms


def test_bins_and_levels_can_be_chosen() -> None:
    def features(**settings: Any) -> object:  # noqa: ANN401
        env = Showing(spaces.Box(0, 1, (1,), np.float32), np.array([0.75], np.float32))
        simulator = GymnasiumSimulator(env, **settings)
        return simulator.look(simulator.root()).features

    assert features(bins=2) == {(0, 1)}
    assert features(bins=4) == {(0, 3)}
    assert features(quantisation="bee", levels=2) == {(0, (0, 0))}
