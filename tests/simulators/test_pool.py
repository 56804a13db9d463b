"""A search with worker processes: the same as without, whatever becomes of the workers.

Nothing here depends on time: budgets are calls, and what must happen is waited for.
"""

import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from random import Random

import numpy as np
import pytest
from emulators import (
    FOLDER,
    PATIENCE_SECONDS,
    DelayedEmulator,
    DoomedEmulator,
    GatedEmulator,
    HangingEmulator,
    LoggingEmulator,
    children,
    has_ended,
    log_lines,
    memory_files,
    wait_until,
)

from pixelplan.errors import InputError
from pixelplan.features.background import NO_BACKGROUND, Background
from pixelplan.planning.budget import Budget, Ending, Meter
from pixelplan.planning.driver import drive
from pixelplan.planning.node import Node, walk
from pixelplan.planning.rollout_iw import ROLLOUT_IW, rollout
from pixelplan.planning.settings import PRESETS, SearchSettings
from pixelplan.planning.simulator import Request
from pixelplan.play import episode
from pixelplan.play.agent import Agent, Decision
from pixelplan.play.episode import EpisodeResult, play_episode
from pixelplan.play.settings import EpisodeSettings
from pixelplan.play.summary import outcome
from pixelplan.simulators import worker_pool
from pixelplan.simulators.ale import AleEmulator, AtariGame
from pixelplan.simulators.atari import NOOP, AtariSimulator, AtariState
from pixelplan.simulators.emulator import EmulatorMaker
from pixelplan.simulators.emulators import make_emulator
from pixelplan.simulators.pool import LANES, AtariPool
from pixelplan.simulators.worker_pool import WorkerPool
from pixelplan.system import child_process
from worlds import Clock

PLAIN = replace(PRESETS["ras"], risk_averse=False)
"""The rewards in the tree are those of the game."""
CALLS = 30
LONG_SECONDS = 60.0
"""No busy machine makes a worker wait so long."""

Maker = Callable[[AtariGame], AtariSimulator]
Hook = Callable[[AtariPool, int], None]
"""Told of a pool and of the number of a call, when a worker has the call."""


class Player:
    """Plays a game with a simulator, decision by decision."""

    def __init__(
        self,
        simulator: AtariSimulator,
        game: AtariGame,
        settings: SearchSettings = PLAIN,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.agent = Agent(simulator, settings, traces_nodes=True, clock=clock)
        self.records: list[tuple[object, ...]] = []
        """What must be the same whenever the same is played."""
        self.replaced_workers: list[int] = []
        self._simulator = simulator
        self._game = game
        self._judge = Judge(game.name)

    def play(self, budget: Budget) -> Decision:
        """Decide, make sure that the tree is right, and play the action."""
        decision = self.agent.decide(budget)
        self._judge.check(self.agent._lookahead.root, self._simulator._background)
        for _ in range(15):
            self._game.act(decision.action)
        state = self._simulator.arrive(self._game, self.agent.state.observation)
        self.agent.observe(decision.action, state)
        self._record(decision)
        return decision

    def _record(self, decision: Decision) -> None:
        trace = decision.trace
        assert trace.visits is not None
        background = self._simulator._background.colours.tobytes()
        self.replaced_workers.append(trace.replaced_workers)
        self.records.append((
            decision.action, decision.value, trace.simulator_calls, trace.nodes, trace.new_nodes,
            trace.rollouts, trace.cases, trace.depth, trace.ending, trace.has_dropped_tree,
            trace.visits.tobytes(), background,
        ))  # fmt: skip


undisturbed_simulator = cache(AtariSimulator)


class Judge:
    """Knows what a simulator without workers says of a transition."""

    def __init__(self, game: str) -> None:
        self._simulator = undisturbed_simulator(game)
        self._seen: set[int] = set()

    def check(self, root: Node, background: Background) -> None:
        """Compare all transitions in a tree that have not been compared yet."""
        self._simulator._background = Background(background.colours.copy(), background.departed.copy())
        for parent in walk(root):
            for action, child in parent.children.items():
                if child.number not in self._seen:
                    self._seen.add(child.number)
                    assert parent.state is not None
                    state, features, *rest = self._simulator.transition(parent.state, action)
                    assert child.state == state
                    assert [child.reward, child.is_terminal, child.lives] == rest
                    # The features of kept nodes are of an earlier background.
                    assert child.features == features or child.is_known


def start_game(game: str) -> AtariGame:
    """Start a game, and wait until there is something to do in it."""
    played = AtariGame(game)
    for _ in range(300):
        played.act(NOOP)
    return played


def play(
    make: Maker, game: str = "breakout", settings: SearchSettings = PLAIN, *, decisions: int, calls: int
) -> Player:
    """Play some decisions of a game."""
    played = start_game(game)
    with make(played) as simulator:
        player = Player(simulator, played, settings)
        for _ in range(decisions):
            # A call that got lost would never be answered.
            player.play(Budget(calls=calls, seconds=LONG_SECONDS))
    return player


def make_pool(
    game: AtariGame,
    *,
    workers: int = 2,
    is_deterministic: bool = True,
    make_emulator: EmulatorMaker = make_emulator,
    hang_seconds: float = LONG_SECONDS,
    after_send: Hook = lambda _pool, _number: None,
) -> AtariPool:
    """Make a pool that a busy machine does not make replace its workers."""
    pool = AtariPool(
        game,
        workers=workers,
        is_deterministic=is_deterministic,
        make_worker_emulator=make_emulator,
        hang_seconds=hang_seconds,
    )
    send = pool.pool.send

    def send_and_tell(ticket: int, request: Request) -> None:
        send(ticket, request)
        after_send(pool, ticket)

    pool.pool.send = send_and_tell  # type: ignore[method-assign]
    return pool


def spares(pool: AtariPool) -> set[int]:
    """Return the processes of a pool that make no calls yet."""
    workers = pool.pool._by_descriptor.values()
    return {worker.process.process_id for worker in workers} - set(pool.pool.process_ids())


def kill_all(process_ids: set[int]) -> None:
    """Kill processes, and wait until the system has ended them."""
    for process_id in process_ids:
        os.kill(process_id, signal.SIGKILL)
    assert wait_until(lambda: all(map(has_ended, process_ids)))


def course(result: EpisodeResult) -> list[tuple[object, ...]]:
    """Return what was decided in an episode, what was seen for it, and what came of it."""
    return [
        (
            played.decision.action,
            played.decision.value,
            played.decision.trace.cases,
            None if played.decision.trace.visits is None else played.decision.trace.visits.tobytes(),
            played.score,
        )
        for played in result.played
    ]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where emulators look and write."""
    monkeypatch.setenv(FOLDER, str(tmp_path))
    return tmp_path


@pytest.fixture
def impatience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers that hang are not given the time to end by themselves."""
    monkeypatch.setattr(child_process, "END_SECONDS", 0.05)


@pytest.fixture(scope="module")
def undisturbed() -> list[tuple[object, ...]]:
    """The records of two workers' decisions to which nothing happens."""
    return play(make_pool, decisions=3, calls=CALLS).records


@pytest.fixture
def before() -> set[int]:
    """The child processes that were there before the test."""
    return children(os.getpid())


# One worker


@pytest.mark.parametrize(
    ("game", "preset"),
    [
        ("breakout", "ras"),
        pytest.param("ms_pacman", "ras", marks=pytest.mark.slow),
        pytest.param("private_eye", "ras", marks=pytest.mark.slow),
        pytest.param("breakout", "iw", marks=pytest.mark.slow),
        pytest.param("ms_pacman", "iw", marks=pytest.mark.slow),
        pytest.param("private_eye", "iw", marks=pytest.mark.slow),
    ],
)
def test_one_worker_searches_as_no_worker_does(game: str, preset: str) -> None:
    """Node for node; and the background is the same, of which only the worker has seen the screens."""
    settings = replace(PRESETS[preset], risk_averse=False)
    alone = play(AtariSimulator, game, settings, decisions=3, calls=40)
    one = play(partial(AtariPool, workers=1, is_deterministic=True), game, settings, decisions=3, calls=40)
    assert one.records == alone.records
    assert len({background for *_, background in alone.records}) > 1


@pytest.mark.parametrize(
    "game",
    ["private_eye", *(pytest.param(game, marks=pytest.mark.slow) for game in ("breakout", "ms_pacman"))],
)
def test_one_worker_plays_the_same_episode(game: str) -> None:
    alone, one = (
        play_episode(EpisodeSettings(game=game, calls=40, decisions=4, workers=workers), traces_nodes=True)
        for workers in (0, 1)
    )
    assert outcome(one) == outcome(alone)
    assert course(one) == course(alone)


def test_no_worker_is_too_few() -> None:
    with pytest.raises(InputError, match="workers must be at least 1, not 0"):
        AtariPool("breakout", workers=0)


# More than one worker


@pytest.mark.slow
@pytest.mark.parametrize("workers", [2, 3])
def test_delays_do_not_change_a_deterministic_search(workers: int) -> None:
    """Whichever worker is the first to answer."""
    make = partial(make_pool, workers=workers, make_emulator=DelayedEmulator)
    runs = [play(make, "ms_pacman", decisions=2, calls=40).records for _ in range(3)]
    assert runs[0] == runs[1] == runs[2]


@pytest.mark.slow
def test_delays_change_a_search_that_is_not_deterministic() -> None:
    """Otherwise the test above would show nothing. The transitions are right all the same."""
    make = partial(make_pool, is_deterministic=False, make_emulator=DelayedEmulator)
    first = play(make, "ms_pacman", decisions=1, calls=50).records
    assert any(play(make, "ms_pacman", decisions=1, calls=50).records != first for _ in range(4))


def test_an_episode_with_a_budget_of_calls_is_deterministic(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = EpisodeSettings(game="ms_pacman", calls=30, decisions=4, workers=2)
    undelayed = play_episode(settings, traces_nodes=True)
    monkeypatch.setattr(episode, "AtariPool", partial(AtariPool, make_worker_emulator=DelayedEmulator))
    assert course(play_episode(settings, traces_nodes=True)) == course(undelayed)


@pytest.mark.slow
def test_the_background_is_what_all_workers_together_have_seen() -> None:
    """The main process has looked at few screens. The judge has seen that all workers had it."""
    played = start_game("space_invaders")
    with make_pool(played, make_emulator=DelayedEmulator) as pool:
        player = Player(pool, played)
        first = pool._background.colours.copy()
        for _ in range(5):
            player.play(Budget(calls=60))
            noted = [departed != 0 for departed in pool.pool.departed()]
            gone = pool._background.colours == NO_BACKGROUND
            assert np.all(gone[np.any(noted, axis=0)])
        assert np.any(gone & (first != NO_BACKGROUND))
        assert sum(bool(np.any(one & (first != NO_BACKGROUND))) for one in noted) == 2


# Restores, and calls that nobody wants any more


@pytest.mark.usefixtures("folder")
def test_an_emulator_is_restored_once_in_a_rollout() -> None:
    """Each call but the first begins where the one before it ended."""
    clock = Clock()
    with AtariPool("breakout", workers=1, make_worker_emulator=LoggingEmulator) as pool:
        lookahead = ROLLOUT_IW.plant(pool, PLAIN, Random(1))
        lookahead.start()
        calls = []
        seen = 0
        for _ in range(20):
            meter = Meter(Budget(calls=1_000), clock)
            drive(iter([rollout(lookahead)]), lookahead, pool.dispatcher(clock), meter)
            lines = log_lines()
            names = [line.split()[0] for line in lines[seen:]]
            assert names == ["restore"] * min(meter.calls, 1) + ["act"] * meter.calls
            seen = len(lines)
            calls.append(meter.calls)
    assert max(calls) > 3


def test_a_call_of_a_decision_that_is_over_is_not_begun(folder: Path) -> None:
    """Nor is the answer to the one that was begun taken for one to the next decision's call."""
    simulator = AtariSimulator("breakout")
    root = simulator.root()
    elsewhere = simulator.transition(root, 5).state
    make_emulator = partial(GatedEmulator, "breakout", frameskip=15, seed=0)
    with closing(WorkerPool(make_emulator, 1, lanes=2, hang_seconds=LONG_SECONDS)) as pool:
        pool.share_background(simulator._background.colours)
        # Two lie at the worker, which begins with the first. The third waits for room.
        for action in (1, 2, 3):
            pool.send(action, Request(root, action))
        assert wait_until(lambda: log_lines() == ["restore", "begin 1"])
        pool.abandon()
        pool.send(1, Request(elsewhere, 4))
        (folder / "gate").touch()
        arrival = pool.receive(LONG_SECONDS)
        assert arrival == (1, simulator.transition(elsewhere, 4))
        assert pool.receive(0.05) is None
    assert log_lines() == ["restore", "begin 1", "act 1", "restore", "begin 4", "act 4"]


@pytest.mark.parametrize("is_deterministic", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_answers_to_an_earlier_decision_are_not_taken(is_deterministic: bool) -> None:
    """Decisions that end with calls under way, each followed at once by another in the same tree."""
    clock = Clock()
    played = start_game("ms_pacman")
    with make_pool(
        played,
        is_deterministic=is_deterministic,
        make_emulator=DelayedEmulator,
        after_send=lambda _, number: clock.advance(LONG_SECONDS if number == 20 else 0.0),
    ) as pool:
        player = Player(pool, played, clock=clock)
        for _ in range(4):
            for _ in range(3):
                # The deadline comes when the twentieth call has just been sent.
                trace = player.agent.decide(Budget(seconds=LONG_SECONDS)).trace
                assert (trace.ending, trace.simulator_calls) == (Ending.SECONDS, 20)
                assert trace.new_nodes < 20
            assert player.play(Budget(calls=19)).trace.ending is Ending.CALLS


def test_an_interrupted_decision_leaves_nothing_to_the_next() -> None:
    """Someone may catch the exception and decide again."""
    interrupts = [KeyboardInterrupt()]

    def interrupt(_: AtariPool, number: int) -> None:
        if number == 20 and interrupts:
            raise interrupts.pop()

    played = start_game("ms_pacman")
    with make_pool(played, is_deterministic=False, after_send=interrupt) as pool:
        player = Player(pool, played)
        with pytest.raises(KeyboardInterrupt):
            player.play(Budget(calls=30))
        for _ in range(3):
            player.play(Budget(calls=30))


# Workers that die


def kill_one(pool: AtariPool, number: int) -> None:
    """Kill a worker in the middle of a decision."""
    if number == CALLS // 2:
        kill_all({Random(pool.pool.replaced_workers).choice(pool.pool.process_ids())})


def test_killed_workers_change_nothing(undisturbed: list[tuple[object, ...]]) -> None:
    """One in each decision."""
    make = partial(make_pool, make_emulator=DelayedEmulator, after_send=kill_one)
    disturbed = play(make, decisions=3, calls=CALLS)
    assert disturbed.records == undisturbed
    assert disturbed.replaced_workers == [1, 1, 1]


@pytest.mark.slow
def test_twenty_killed_workers_change_nothing() -> None:
    make = partial(make_pool, make_emulator=DelayedEmulator, after_send=kill_one)
    disturbed = play(make, decisions=20, calls=CALLS)
    assert disturbed.records == play(make_pool, decisions=20, calls=CALLS).records
    assert disturbed.replaced_workers == [1] * 20


@pytest.mark.slow
def test_a_killed_spare_changes_nothing(undisturbed: list[tuple[object, ...]]) -> None:
    """It has no call yet; and another one is there when a worker is killed."""
    played = start_game("breakout")
    with make_pool(played) as pool:
        player = Player(pool, played)
        kill_all(spares(pool))
        player.play(Budget(calls=CALLS, seconds=LONG_SECONDS))
        kill_all(set(pool.pool.process_ids()[:1]))
        player.play(Budget(calls=CALLS, seconds=LONG_SECONDS))
    assert player.records == undisturbed[:2]
    assert player.replaced_workers == [1, 1]


@pytest.mark.slow
def test_a_search_goes_on_when_all_workers_are_killed(undisturbed: list[tuple[object, ...]]) -> None:
    """The spare too, all at once, with calls under way."""

    def kill_everyone(pool: AtariPool, number: int) -> None:
        if number == CALLS // 2:
            kill_all(set(pool.pool.process_ids()) | spares(pool))

    make = partial(make_pool, make_emulator=DelayedEmulator, after_send=kill_everyone)
    disturbed = play(make, decisions=1, calls=CALLS)
    assert disturbed.records == undisturbed[:1]
    assert disturbed.replaced_workers == [3]


@pytest.mark.slow
def test_answers_are_right_although_workers_are_killed() -> None:
    """Also when they are taken in the order in which they come."""
    make = partial(make_pool, is_deterministic=False, make_emulator=DelayedEmulator, after_send=kill_one)
    assert play(make, decisions=8, calls=CALLS).replaced_workers == [1] * 8


def test_workers_that_never_start_are_given_up(before: set[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pool, "MAX_FAILURES", 3)
    with pytest.raises(ChildProcessError, match="4 worker processes in a row have ended at once"):
        AtariPool("breakout", workers=2, make_worker_emulator=DoomedEmulator)
    assert children(os.getpid()) <= before


# Workers that hang


@pytest.mark.slow
def test_a_worker_that_hangs_is_replaced(folder: Path, undisturbed: list[tuple[object, ...]]) -> None:
    """And its calls are asked again."""

    def tell_to_hang(_: AtariPool, number: int) -> None:
        if number == CALLS // 2:
            (folder / "hang").touch()

    make = partial(make_pool, make_emulator=HangingEmulator, hang_seconds=0.5, after_send=tell_to_hang)
    disturbed = play(make, decisions=2, calls=CALLS)
    assert disturbed.records == undisturbed[:2]
    assert not (folder / "hang").exists()
    # A busy machine may have made others look as if they hung.
    assert all(replaced >= 1 for replaced in disturbed.replaced_workers)


@pytest.mark.usefixtures("folder", "impatience")
@pytest.mark.parametrize("is_deterministic", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_decision_ends_at_its_deadline_although_all_workers_hang(
    is_deterministic: bool, before: set[int]
) -> None:
    """Without a single answer, and with the calls of another decision before its own."""
    clock = Clock()
    with make_pool(
        AtariGame("breakout"), is_deterministic=is_deterministic, make_emulator=GatedEmulator
    ) as pool:
        agent = Agent(pool, clock=clock)
        for _ in range(2):
            trace = agent.decide(Budget(seconds=0.2)).trace
            assert trace.ending is Ending.SECONDS
            assert (trace.simulator_calls, trace.new_nodes) == (2 * LANES, 0)
        assert wait_until(lambda: sum("begin" in line for line in log_lines()) == 2)
    assert children(os.getpid()) <= before


# The end


PARENT = """
import os, sys
import emulators
from emulators import children
from pixelplan.planning.budget import Budget
from pixelplan.play.agent import Agent
from pixelplan.simulators.pool import AtariPool

ending, emulator = sys.argv[1:]
make_emulator = getattr(emulators, emulator)
pool = AtariPool("breakout", workers=2, make_worker_emulator=make_emulator, hang_seconds=3_600.0)
send = pool.pool.send

def send_and_tell(ticket, request):
    send(ticket, request)
    if ticket == 4:
        # Each worker has two calls now.
        print(*children(os.getpid()), flush=True)

pool.pool.send = send_and_tell
while ending == "killed":
    Agent(pool).decide(Budget(calls=10_000))
Agent(pool).decide(Budget(calls=50))
if ending == "exit":
    sys.exit(3)
if ending == "error":
    raise ValueError("on purpose")
"""


@contextmanager
def start_parent(ending: str, make_emulator: type[AleEmulator]) -> Iterator[subprocess.Popen[str]]:
    """Start a process that has a pool of two workers, and tells their ids when it decides."""
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, ending, make_emulator.__name__],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as parent:
        try:
            yield parent
        finally:
            parent.kill()


def all_memory_files() -> set[str]:
    """Return the memories of all pools on this machine."""
    processes = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdecimal()]
    return set().union(*map(memory_files, processes))


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "make_emulator", [pytest.param(DelayedEmulator, marks=pytest.mark.slow), GatedEmulator]
)
def test_workers_end_when_their_parent_is_killed(make_emulator: type[AleEmulator]) -> None:
    """Also those that hang in a call, and do not look at their channel. Their memory goes with them."""
    with start_parent("killed", make_emulator) as parent:
        assert parent.stdout is not None
        workers = set(map(int, parent.stdout.readline().split()))
        assert len(workers) == 3
        if make_emulator is GatedEmulator:
            assert wait_until(lambda: sum("begin" in line for line in log_lines()) == 2)
        memory = memory_files(parent.pid)
        assert len(memory) == 1
        assert sum(memory_files(worker) == memory for worker in workers) >= 2
        assert not any("/dev/shm" in Path(f"/proc/{worker}/maps").read_text() for worker in workers)
        assert not any(map(has_ended, workers))
    assert parent.returncode == -signal.SIGKILL
    assert wait_until(lambda: all(map(has_ended, workers)))
    assert not memory & all_memory_files()


@pytest.mark.parametrize(
    ("ending", "code"),
    [
        ("end", 0),
        pytest.param("exit", 3, marks=pytest.mark.slow),
        pytest.param("error", 1, marks=pytest.mark.slow),
    ],
)
def test_workers_end_with_a_parent_that_does_not_close_its_pool(ending: str, code: int) -> None:
    with start_parent(ending, AleEmulator) as parent:
        # The workers have the pipes too.
        output, errors = parent.communicate(timeout=PATIENCE_SECONDS)
    assert parent.returncode == code
    workers = set(map(int, output.split()))
    assert len(workers) == 3
    assert wait_until(lambda: all(map(has_ended, workers)))
    assert errors.strip().splitlines()[-1:] == (["ValueError: on purpose"] if ending == "error" else [])


def open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def decide_and_fail(pool: AtariPool) -> None:
    with pool:
        Agent(pool).decide(Budget(calls=20))
        raise ArithmeticError


def test_a_closed_pool_leaves_nothing(before: set[int]) -> None:
    """No process, ended or not, no descriptor and no memory, although it was left by an error."""
    gc.collect()
    descriptors, memory = open_descriptors(), memory_files(os.getpid())
    for workers in (1, 2):
        pool = make_pool(AtariGame("breakout"), workers=workers)
        processes = set(pool.pool.process_ids()) | spares(pool)
        assert processes == children(os.getpid()) - before
        assert len(processes) == workers + 1
        with pytest.raises(ArithmeticError):
            decide_and_fail(pool)
        assert not any(Path(f"/proc/{process}").exists() for process in processes)
    del pool
    gc.collect()
    assert (open_descriptors(), memory_files(os.getpid())) == (descriptors, memory)


def test_a_closed_pool_leaves_nothing_to_the_garbage_collector() -> None:
    """Which does not run during an episode."""
    gc.collect()
    gc.disable()
    try:
        descriptors, memory = open_descriptors(), memory_files(os.getpid())
        AtariPool("breakout", workers=1).close()
        assert (open_descriptors(), memory_files(os.getpid())) == (descriptors, memory)
    finally:
        gc.enable()
        gc.collect()


def test_a_pool_can_be_closed_twice() -> None:
    with AtariPool("breakout", workers=1) as pool:
        pool.close()


def live(kind: type) -> int:
    """Return how many objects of a kind there are."""
    gc.collect()
    return sum(isinstance(thing, kind) for thing in gc.get_objects())


@pytest.mark.slow
@pytest.mark.parametrize("is_deterministic", [False, True])
def test_nothing_grows_from_decision_to_decision(is_deterministic: bool) -> None:
    """Over hundreds of decisions, half of which end with calls under way."""
    clock = Clock()
    nodes, states = live(Node), live(AtariState)
    with make_pool(
        start_game("ms_pacman"),
        is_deterministic=is_deterministic,
        after_send=lambda _, number: clock.advance(LONG_SECONDS if number == 20 else 0.0),
    ) as pool:
        agent = Agent(pool, clock=clock)
        for number in range(150):
            agent.decide(Budget(seconds=LONG_SECONDS))
            decision = agent.decide(Budget(calls=19))
            if number % 30 == 29:
                assert live(Node) - nodes == decision.trace.nodes
                # A lane has the state that it stands at, or a call; the simulator has some too.
                assert live(AtariState) - states <= decision.trace.nodes + pool.pool.capacity + 2
                assert not pool.pool._waiting
                assert not pool.pool._arrived
                assert len(pool.pool._by_descriptor) == 3
            agent.observe(decision.action)
            if agent.state.is_terminal:
                agent = Agent(pool, clock=clock)
    assert pool.pool.replaced_workers == 0
