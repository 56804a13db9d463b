"""Small worlds that the tests plan in: hand-made, random, and one whose states are paths."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from hypothesis import strategies as st

from pixelplan.planning.simulator import Action, Simulator, Transition

Name = Hashable
Atoms = frozenset[Hashable]

LIVES = 3
"""Lives in a state of which nothing is said."""


@dataclass(frozen=True, kw_only=True)
class World(Simulator):
    """A table of states; the first one is the root. Notes every simulator call."""

    atoms: Mapping[Name, Atoms]
    successors: Mapping[Name, Sequence[Name]]
    """Where the actions 0, 1, ... of a state lead to."""
    terminals: frozenset[Name] = frozenset()
    rewards: Mapping[tuple[Name, Action], float] = field(default_factory=dict)
    """Of an action in a state, where it is not 0."""
    lives: Mapping[Name, int] = field(default_factory=dict)
    goal_atoms: Sequence[Hashable] = ()
    """Each of them is a goal."""
    calls: list[tuple[Name, Action]] = field(default_factory=list, repr=False)
    decisions: list[int] = field(default_factory=list, repr=False)
    """For each decision, how many calls had been made before it."""
    on_call: Callable[[], None] = field(default=lambda: None, repr=False)
    """What else happens during a call."""

    def root(self) -> Name:
        """Return the first state of the table."""
        return next(iter(self.atoms))

    def look(self, state: Name) -> Transition:
        """Describe a state."""
        lives = self.lives.get(state, LIVES)
        return Transition(state, self.atoms[state], 0.0, state in self.terminals, lives)

    def actions(self, state: Name) -> Sequence[Action]:
        """Return the actions of a state, which may have more or fewer than others."""
        return range(len(self.successors[state]))

    def transition(self, state: Name, action: Action) -> Transition:
        """Apply an action, unless the game is over."""
        assert state not in self.terminals, f"action {action} in {state}, where the game is over"
        self.calls.append((state, action))
        self.on_call()
        reward = self.rewards.get((state, action), 0.0)
        return self.look(self.successors[state][action])._replace(reward=reward)

    def goals(self, state: Name) -> Sequence[bool]:
        """Say which of the goals are true in a state."""
        return [atom in self.atoms[state] for atom in self.goal_atoms]

    def start_decision(self) -> None:
        """Note when a decision began."""
        self.decisions.append(len(self.calls))


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.now += seconds


class UnfoldedWorld(Simulator):
    """Another world in which a state is the path to it, so that each node has a state of its own."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.calls: list[tuple[Action, ...]] = []
        """Paths to the states that were simulated."""
        self._ends: dict[tuple[Action, ...], Name] = {(): world.root()}

    def end(self, path: tuple[Action, ...]) -> Name:
        """Return the state of the other world in which a path ends."""
        if path not in self._ends:
            self._ends[path] = self.world.successors[self.end(path[:-1])][path[-1]]
        return self._ends[path]

    def root(self) -> tuple[Action, ...]:
        """Return the empty path."""
        return ()

    def look(self, state: tuple[Action, ...]) -> Transition:
        """Describe the state in which a path ends."""
        return self.world.look(self.end(state))._replace(state=state)

    def actions(self, state: tuple[Action, ...]) -> Sequence[Action]:
        """Return the actions by which a path can be extended."""
        return self.world.actions(self.end(state))

    def transition(self, state: tuple[Action, ...], action: Action) -> Transition:
        """Extend a path by an action."""
        path = (*state, action)
        self.calls.append(path)
        return self.world.transition(self.end(state), action)._replace(state=path)

    def goals(self, state: tuple[Action, ...]) -> Sequence[bool]:
        """Say which of the goals are true where a path ends."""
        return self.world.goals(self.end(state))

    def start_decision(self) -> None:
        """Tell the other world."""
        self.world.start_decision()


def make_world(
    table: Mapping[str, tuple[str, str]],
    *,
    terminals: str = "",
    rewards: Mapping[tuple[Name, Action], float] | None = None,
    lives: Mapping[Name, int] | None = None,
    goals: str = "",
) -> World:
    """Make a world of one-letter states and atoms: for each state its atoms and its successors."""
    return World(
        atoms={state: frozenset(atoms) for state, (atoms, _) in table.items()},
        successors={state: tuple(successors) for state, (_, successors) in table.items()},
        terminals=frozenset(terminals),
        rewards=rewards or {},
        lives=lives or {},
        goal_atoms=goals,
    )


def corridor(length: int, *, reward: float = 0.0) -> World:
    """A corridor of states 0 to `length`: action 0 steps back, 1 forward; at the end is a reward."""
    places = range(length + 1)
    return World(
        atoms={place: frozenset({place}) for place in places},
        successors={place: (max(place - 1, 0), min(place + 1, length)) for place in places},
        rewards={(length - 1, 1): reward},
    )


def binary_tree(depth: int, rewards: Mapping[str, float] | None = None) -> World:
    """A tree with two actions: states are strings of 0 and 1, atoms their own; leaves are terminal."""
    names = [""]
    for name in names:
        if len(name) < depth:
            names += [name + "0", name + "1"]
    leaves = frozenset(name for name in names if len(name) == depth)
    return World(
        atoms={name: frozenset({name}) for name in names},
        successors={name: (name, name) if name in leaves else (name + "0", name + "1") for name in names},
        terminals=leaves,
        rewards={(name[:-1], int(name[-1])): reward for name, reward in (rewards or {}).items()},
    )


def random_world(rng: Random, size: int, *, is_uniform: bool = False) -> World:
    """Draw a world with 1 to 4 actions and 0 to 3 atoms in each state, at least one in the root.

    In a uniform world all states have the same actions. In three quarters of the worlds a state's
    actions lead at most one state further, and one of them often does, so that some states are deep.
    """
    is_deep = rng.random() < 0.75
    pool = range(rng.randint(3, 2 * size))

    def draw_successor(state: int) -> int:
        if is_deep and state + 1 < size:
            return state + 1 if rng.random() < 0.5 else rng.randint(0, state + 1)
        return rng.randrange(size)

    counts = [rng.randint(1, 4)] * size if is_uniform else [rng.randint(1, 4) for _ in range(size)]
    successors = [[draw_successor(state) for _ in range(count)] for state, count in enumerate(counts)]
    edges = [(state, action) for state in range(size) for action in range(len(successors[state]))]
    return World(
        atoms={
            state: frozenset(rng.sample(pool, rng.choice([0, 1, 1, 2, 2, 3] if state else [1, 2])))
            for state in range(size)
        },
        successors=dict(enumerate(successors)),
        terminals=frozenset(state for state in range(1, size) if rng.random() < 0.08),
        rewards={edge: rng.choice([-2.0, -0.5, 0.25, 1.0, 4.0]) for edge in edges if rng.random() < 0.3},
        lives={state: rng.randint(1, 3) for state in range(size) if rng.random() < 0.3},
        goal_atoms=pool[:2],
    )


def crowded_world(rng: Random) -> World:
    """Draw a world whose states share a few atoms, so that it takes some of them to tell states apart."""
    world = random_world(rng, 9)
    return replace(world, atoms={state: frozenset(rng.sample(range(6), 2)) for state in world.atoms})


def winding_world(rng: Random) -> World:
    """Draw a world with long and short ways to the same places, for case 3, which is rare in others."""
    places = range(12)
    steps = {place: (1, rng.randint(-2, 4)) for place in places}
    edges = [(place, action) for place in places for action in range(2)]
    return World(
        atoms={place: frozenset({place, rng.choice((place, rng.choice(places)))}) for place in places},
        successors={place: [min(max(place + step, 0), 11) for step in steps[place]] for place in places},
        terminals=frozenset(place for place in places[1:] if rng.random() < 0.05),
        rewards={edge: rng.choice([-2.0, -0.5, 0.25, 1.0, 4.0]) for edge in edges if rng.random() < 0.3},
    )


seeds = st.integers(0, 2**32)
sizes = st.integers(3, 9)

worlds = st.builds(random_world, rng=seeds.map(Random), size=sizes)
"""Random worlds. A seed is drawn and not the numbers themselves: Hypothesis prefers small numbers,
and in most of the worlds made of these nothing can be reached."""
uniform_worlds = st.builds(random_world, rng=seeds.map(Random), size=sizes, is_uniform=st.just(True))
"""For searches that repeat an action, which must then be possible where it has led to."""
crowded_worlds = st.builds(crowded_world, rng=seeds.map(Random))
winding_worlds = st.builds(winding_world, rng=seeds.map(Random))
