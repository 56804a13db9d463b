"""Several rollouts in flight: what holds whatever the order in which their transitions come back."""

import math
from collections import Counter
from collections.abc import Hashable
from dataclasses import replace
from random import Random

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from playing import Player, check_tree, searches
from searching import (
    ENOUGH,
    PLAIN,
    WIDTH_PLANNERS,
    Kept,
    Log,
    Scattered,
    Script,
    least_depths,
    node_at,
    plant,
    search_of,
)
from width import has_width_1, lasting_trajectories, optimal_depth, optimal_trajectories, reachable_atoms

from pixelplan.planning.budget import Budget, Ending, Meter
from pixelplan.planning.case import Case
from pixelplan.planning.driver import drive
from pixelplan.planning.node import Node, walk
from pixelplan.planning.novelty import AtomTable, Novelty, NoveltyTables
from pixelplan.planning.planners import PLANNERS
from pixelplan.planning.rollout_iw import SOLVING_CASES, rollout_iw
from pixelplan.planning.settings import PRESETS, SearchSettings
from pixelplan.planning.simulator import Dispatcher, InOrder, InProcess, Request
from worlds import (
    Clock,
    World,
    corridor,
    make_world,
    seeds,
    uniform_worlds,
    winding_world,
    winding_worlds,
    worlds,
)

planners = pytest.mark.parametrize("planner", WIDTH_PLANNERS)
all_planners = pytest.mark.parametrize("planner", [name for name in PLANNERS if name != "random"])
in_flight = pytest.mark.parametrize("capacity", [pytest.param(2, marks=pytest.mark.slow), 4])


def case_of(node: Node, depths: dict[Hashable, int], is_visited: bool) -> Case:
    """Judge a node as Figure 1 does."""
    least = max((depths.get(atom, math.inf) for atom in node.features), default=-math.inf)
    if node.is_terminal:
        return Case.DEAD_END
    if node.depth < least:
        return Case.NOVEL
    if not is_visited:
        return Case.NOT_NOVEL
    return Case.NO_LONGER_NOVEL if least < node.depth else Case.STILL_NOVEL


@in_flight
@planners
@settings(max_examples=200)
@given(world=worlds | winding_worlds, seed=seeds)
def test_the_search_ends_with_labels_values_and_table_as_they_should_be(
    planner: str, capacity: int, world: World, seed: int
) -> None:
    """Each node was judged by what had arrived before it, in whatever order it was asked for.

    So the table has the least depths of the nodes that were novel, and nothing of those never judged.
    """
    player = Player(world, planner, seed)
    assert player.decide(player.scattered(capacity)) is Ending.SOLVED
    root = player.lookahead.root
    assert root.is_solved
    check_tree(player)
    depths: dict[Hashable, int] = dict.fromkeys(root.features, 0)
    judged = set()
    for node, case in player.log.arrivals:
        assert case is case_of(node, depths, node in judged)
        judged.add(node)
        if case is Case.NOVEL:
            depths.update({atom: min(node.depth, depths.get(atom, node.depth)) for atom in node.features})
    for atom in reachable_atoms(world):
        if atom in depths:
            assert player.tables[0].compare({atom}, depths[atom]) is Novelty.TIES
            assert player.tables[0].compare({atom}, depths[atom] + 1) is Novelty.WORSE
        else:
            assert player.tables[0].compare({atom}, 1_000) is Novelty.IMPROVES


@in_flight
@settings(max_examples=300)
@given(world=worlds | winding_worlds, seed=seeds)
def test_rollouts_are_as_few_and_as_short_as_one_after_another(
    capacity: int, world: World, seed: int
) -> None:
    """The bounds of Theorem 2 need not be raised.

    Length: a rollout judges its nodes from the root downwards, and least depths never grow. So its
    non-tip nodes were optimal so far for different atoms, though by now they may not be.
    Number: a counted rollout has solved its tip, or its last node was never judged. No two end at
    the same node, for none can be reached again; and each node is a child of the root or a novel one.
    A node is not judged only if case 3 was found above it while it was in flight, among capacity - 1
    others at most.
    """
    player = Player(world, "rollout-iw", seed)
    player.decide(player.scattered(capacity))
    lookahead, unjudged = player.lookahead, player.unjudged()
    cases = Counter(player.log.cases())
    event(f"unjudged: {len(unjudged)}")
    atom_count = len(reachable_atoms(world))
    branching = max(len(successors) for successors in world.successors.values())
    assert lookahead.deepest == max(node.depth for node in walk(lookahead.root)) <= atom_count
    assert 1 + cases[Case.NOVEL] <= atom_count**2
    assert lookahead.node_count <= 1 + branching * (1 + cases[Case.NOVEL])
    assert lookahead.rollouts == sum(cases[case] for case in SOLVING_CASES) + len(unjudged)
    assert lookahead.rollouts <= lookahead.simulated <= atom_count**2 * branching
    assert len(unjudged) <= (capacity - 1) * cases[Case.NO_LONGER_NOVEL]


@in_flight
def test_the_random_worlds_have_nodes_that_are_never_judged(capacity: int) -> None:
    """Each of them is below a node that case 3 has solved, and has nothing below it."""
    found = 0
    for seed in range(300):
        player = Player(winding_world(Random(seed)), "rollout-iw", seed)
        player.decide(player.scattered(capacity))
        pruned = [node for node, case in player.log.arrivals if case is Case.NO_LONGER_NOVEL]
        below = {node for tip in pruned for node in walk(tip)} - set(pruned)
        for node in player.unjudged():
            assert node in below
            assert not node.children
            found += 1
    assert found >= 5


@in_flight
@planners
@settings(max_examples=300)
@given(world=worlds | winding_worlds, seed=seeds, root_in_table=st.booleans())
def test_width_1_goals_are_reached_at_their_optimal_depth(
    planner: str, capacity: int, world: World, seed: int, root_in_table: bool
) -> None:
    """Theorem 3. The first node to reach an atom as early as possible is novel whenever it is judged.

    IW(1) then expands it. Rollouts do so if case 3 does not prune it from above: see the test below.
    """
    player = Player(world, planner, seed, replace(PLAIN, root_in_table=root_in_table))
    player.decide(player.scattered(capacity))
    optimal = optimal_trajectories(world)
    usable = optimal if planner == "iw" else lasting_trajectories(world, optimal)
    reached = least_depths(player.lookahead.root, with_terminals=True)
    assert set(reached) <= set(optimal)
    for atom in optimal:
        depth = optimal_depth(optimal, atom)
        assert reached.get(atom, depth) >= depth
        if has_width_1(world, {**usable, atom: optimal[atom]}, atom):
            event(f"width 1 at depth {depth}")
            assert reached.get(atom) == depth


def test_case_3_can_make_a_rollout_miss_a_goal_of_width_1() -> None:
    """Also one after another: what Theorem 3 asks of every goal of width 1 would be too much.

    x is reached by way of b and B, which the shorter way to g then prunes, w untried. The other way to
    x, a and A, comes too late to be novel. Both are shortest ways to 3, so 4 has width 1.
    """
    table = {"s": ("p", "abc"), "a": ("1", "A"), "A": ("2", "x"), "b": ("h", "B"), "B": ("g", "x")}
    world = make_world({**table, "c": ("g", "c"), "x": ("3", "yw"), "y": ("z", "y"), "w": ("4", "w")})
    optimal = optimal_trajectories(world)
    assert has_width_1(world, optimal, "4")
    assert not has_width_1(world, {**lasting_trajectories(world, optimal), "4": optimal["4"]}, "4")
    for planner, capacity, can_miss in (("rollout-iw", 1, True), ("rollout-iw", 4, True), ("iw", 4, False)):
        missed = 0
        for seed in range(300):
            player = Player(world, planner, seed)
            assert player.decide(player.scattered(capacity)) is Ending.SOLVED
            missed += "4" not in least_depths(player.lookahead.root)
        assert (missed > 0) == can_miss


@in_flight
@all_planners
def test_the_deadline_leaves_a_consistent_tree(planner: str, capacity: int) -> None:
    """What is in flight then is given up, once, and nothing is awaited."""
    abandons = 0
    for seed in range(60):
        player = Player(winding_world(Random(seed)), planner, seed)
        dispatcher = player.scattered(capacity, mean_seconds=1.0)
        for ending in player.decisions(dispatcher, Budget(seconds=10.0)):
            check_tree(player)
            assert not dispatcher.under_way
            assert player.lookahead.simulated == player.meter.calls - len(dispatcher.abandoned)
            assert player.meter.seconds() <= 10.0 + 1e-9
            if dispatcher.abandoned:
                assert ending is Ending.SECONDS
                assert dispatcher.abandons == 1
                abandons += 1
            dispatcher.abandons = 0
            dispatcher.abandoned.clear()
    assert abandons >= 30


class Steady(Script):
    """A script of choices in which everything takes equally long."""

    def expovariate(self, lambd: float = 1.0) -> float:
        """Return 0.6 of the mean."""
        return 0.6 / lambd


def test_in_order_no_one_waits_beyond_the_deadline() -> None:
    """Two answers of 0.6 s each do not come in 1 s, though each of them would."""
    clock = Clock()
    scattered = Scattered(corridor(3), 2, Steady((2, 1)), clock, mean_seconds=1.0)
    dispatcher = InOrder(scattered, clock)
    dispatcher.send(1, Request(0, 1))
    dispatcher.send(2, Request(0, 0))
    started = clock()
    assert dispatcher.receive(max_seconds=1.0) is None
    assert clock() == pytest.approx(started + 1.0)


@in_flight
@planners
def test_what_came_early_before_a_deadline_is_no_answer_to_the_next_decision(
    planner: str, capacity: int
) -> None:
    """Though its ticket has the same number as one of the next decision."""
    abandons = 0
    for seed in range(60):
        player = Player(winding_world(Random(seed)), planner, seed)
        scattered = player.scattered(capacity, mean_seconds=1.0)
        for _ in player.decisions(InOrder(scattered, player.clock), Budget(seconds=10.0)):
            check_tree(player)
        abandons += scattered.abandons
    assert abandons >= 30


class Watched(Scattered):
    """Looks at the tree when a request is sent."""

    def __init__(self, player: Player, capacity: int, rng: Random) -> None:
        super().__init__(player.world, capacity, rng)
        self._lookahead = player.lookahead

    def send(self, ticket: int, request: Request) -> None:
        """Take a request that nobody else makes, from a node that is not solved, nor any above it."""
        root = self._lookahead.root
        path = [root]
        assert root.state is not None
        for action in request.state[len(root.state) :]:
            path.append(path[-1].children[action])
        assert not any(node.is_solved for node in path)
        assert request not in self.under_way.values()
        super().send(ticket, request)


@in_flight
@all_planners
@settings(max_examples=100)
@given(world=uniform_worlds | winding_worlds, seed=seeds, calls=st.integers(1, 60), search=searches)
def test_nothing_is_simulated_twice_at_once_nor_below_a_solved_node(
    planner: str, capacity: int, world: World, seed: int, calls: int, search: SearchSettings
) -> None:
    """And only once in a decision, or ever if nothing is dropped between decisions.

    Unless best branches are followed beyond their ends, or patience runs out, which drops the tree.
    """
    player = Player(world, planner, seed, replace(search, verifications=0, patience=0))
    dispatcher = Watched(player, capacity, Random(f"answers {seed}"))
    for _ in player.decisions(dispatcher, Budget(calls=calls)):
        assert len(set(dispatcher.sent)) == len(dispatcher.sent)
        if search.caching != "full":
            dispatcher.sent.clear()


def outcomes(player: Player, dispatcher: Dispatcher, calls: int) -> Hashable:
    """Return all that has come of three decisions."""
    return tuple(player.outcome() for _ in player.decisions(dispatcher, Budget(calls=calls)))


@in_flight
@planners
@pytest.mark.parametrize("search", [PLAIN, PRESETS["best"]], ids=["plain", "best"])
def test_in_order_the_tree_does_not_depend_on_who_is_faster(
    search: SearchSettings, planner: str, capacity: int
) -> None:
    """It does if transitions are taken as they come."""
    differing = 0
    for seed in range(40):
        in_order: set[Hashable] = set()
        as_they_come: set[Hashable] = set()
        for order in range(3):
            for found, is_in_order in ((in_order, True), (as_they_come, False)):
                player = Player(winding_world(Random(seed)), planner, seed, search)
                scattered = Scattered(player.world, capacity, Random(order))
                found.add(
                    outcomes(player, InOrder(scattered, player.clock) if is_in_order else scattered, calls=30)
                )
        assert len(in_order) == 1
        differing += len(as_they_come) > 1
    assert differing >= 20


@planners
@settings(max_examples=200)
@given(world=uniform_worlds | winding_worlds, seed=seeds, calls=st.integers(1, 60), search=searches)
def test_with_one_rollout_in_flight_the_search_is_the_sequential_one(
    planner: str, world: World, seed: int, calls: int, search: SearchSettings
) -> None:
    """The same tree, the same cases and the same draws, with any dispatcher and any caching."""
    players = [Player(world, planner, seed, search) for _ in range(3)]
    dispatchers: list[Dispatcher] = [
        InProcess(players[0].world, Clock()),
        players[1].scattered(1),
        InOrder(players[2].scattered(1), players[2].clock),
    ]
    pairs = zip(players, dispatchers, strict=True)
    assert len({outcomes(player, dispatcher, calls) for player, dispatcher in pairs}) == 1


@in_flight
@planners
@settings(max_examples=200)
@given(world=worlds | winding_worlds, seed=seeds, calls=st.integers(1, 40))
def test_calls_are_counted_when_they_are_sent_and_all_are_awaited(
    planner: str, capacity: int, world: World, seed: int, calls: int
) -> None:
    """Each is a node of the tree, and each node is judged unless case 3 was found above it meanwhile."""
    player = Player(world, planner, seed)
    dispatcher = player.scattered(capacity)
    ending = player.decide(dispatcher, Budget(calls=calls))
    assert player.meter.calls == len(dispatcher.sent) == player.lookahead.simulated <= calls
    assert ending is Ending.SOLVED or (ending is Ending.CALLS and player.meter.calls == calls)
    assert player.lookahead.root.is_solved == (ending is Ending.SOLVED)
    assert not player.unjudged() or player.lookahead.cases[Case.NO_LONGER_NOVEL]


@in_flight
@all_planners
@given(world=worlds | winding_worlds, seed=seeds, max_nodes=st.integers(1, 20))
def test_a_tree_never_has_too_many_nodes(
    planner: str, capacity: int, world: World, seed: int, max_nodes: int
) -> None:
    """Those in flight have their places."""
    player = Player(world, planner, seed, replace(PLAIN, max_nodes=max_nodes))
    ending = player.decide(player.scattered(capacity))
    nodes = len(list(walk(player.lookahead.root)))
    assert nodes == player.lookahead.node_count <= max_nodes
    assert ending is Ending.SOLVED or (ending is Ending.NODES and nodes == max_nodes)


def test_what_arrives_below_a_solved_node_counts_but_is_not_judged() -> None:
    """s a b is the long way to b, and s b the short one, by which case 3 solves the node of the long one.

    That happens while c is simulated from there.
    """
    world = make_world(
        {"s": ("p", "ab"), "a": ("x", "b"), "b": ("y", "cs"), "c": ("z", "s")}, rewards={("b", 0): 5.0}
    )
    log = Log()
    tables = NoveltyTables(AtomTable)
    choices = Script((0, 1, 0, 0, 1, 0, 0, 1, 0))
    lookahead = plant(world, rng=choices, tables=tables, observer=log.note)
    answers = Script((1, 3, 2, 5, 4))
    dispatcher = Scattered(world, 2, answers)
    ending = drive(rollout_iw(lookahead), lookahead, dispatcher, Meter(Budget(calls=5), Clock()))
    assert not choices.left
    assert not answers.left
    assert ending is Ending.CALLS
    # The fourth request was the first rollout's last one: it does not go on from c.
    assert dispatcher.sent == [("s", 0), ("s", 1), ("a", 0), ("b", 0), ("b", 1)]
    assert log.cases() == [
        *(Case.NOVEL, Case.NOVEL, Case.NOVEL, Case.NOT_NOVEL),
        *(Case.STILL_NOVEL, Case.NO_LONGER_NOVEL),
        Case.STILL_NOVEL,  # the short way, where the calls end
    ]
    late = node_at(lookahead, 0, 0, 0)
    assert node_at(lookahead, 0, 0).is_solved
    assert node_at(lookahead, 0).is_solved
    assert not late.is_solved
    assert not late.is_visited
    assert late not in [node for node, _ in log.arrivals]
    assert tables[0].compare({"z"}, 1_000) is Novelty.IMPROVES
    assert [node.value for node in (lookahead.root, node_at(lookahead, 0), late)] == [5.0, 5.0, 5.0]
    assert node_at(lookahead, 0).height == 3


def test_a_rollout_without_a_candidate_is_started_again() -> None:
    """It is not counted until it has one. In s there is one way to go, in a there are two."""
    world = make_world({"s": ("s", "a"), "a": ("a", "bc"), "b": ("b", "s"), "c": ("c", "s")})
    # The second rollout has none in s; later it goes through s and a. A third one has none in c.
    choices = Script((0, 0, 0, 1, 0, 0, 0, 1))
    lookahead = plant(world, rng=choices)
    answers = Script((1, 2, 3, 4, 5))
    dispatcher = Scattered(world, 2, answers)
    ending = drive(rollout_iw(lookahead), lookahead, dispatcher, Meter(Budget(calls=ENOUGH), Clock()))
    assert not choices.left
    assert not answers.left
    assert ending is Ending.SOLVED
    assert lookahead.root.is_solved
    assert lookahead.rollouts == 2
    assert dispatcher.sent == [("s", 0), ("a", 0), ("a", 1), ("b", 0), ("c", 0)]
    assert dispatcher.most_under_way == 2
    assert lookahead.cases[Case.STILL_NOVEL] == 3


@in_flight
@given(world=worlds | winding_worlds, seed=seeds, calls=st.integers(1, 60))
def test_in_order_iw_is_the_sequential_one(capacity: int, world: World, seed: int, calls: int) -> None:
    """From a fresh root nodes are queued in the order in which they are asked for, and by depth."""
    sequential, player = (Player(world, "iw", seed) for _ in range(2))
    budget = Budget(calls=calls)
    ending = sequential.decide(InProcess(sequential.world, Clock()), budget)
    assert player.decide(InOrder(player.scattered(capacity), player.clock), budget) is ending
    assert player.outcome() == sequential.outcome()


@in_flight
@all_planners
@given(
    world=uniform_worlds | winding_worlds, seed=seeds, calls=st.integers(3, 40), more_calls=st.integers(1, 40)
)
def test_dropped_states_are_simulated_again_once(
    planner: str, capacity: int, world: World, seed: int, calls: int, more_calls: int
) -> None:
    """By the first to pass them; the others do not pass before it has."""
    kept = Kept(world, "partial", planner, seed, calls)
    dropped = set(kept.paths) - {kept.played}
    dispatcher = Scattered(kept.world, capacity, Random(f"answers {seed}"))
    meter = Meter(Budget(calls=more_calls), Clock())
    drive(search_of(kept.lookahead, planner), kept.lookahead, dispatcher, meter)
    assert set(Counter(kept.world.calls).values()) <= {1}
    again = dropped & set(kept.world.calls)
    event(f"simulated again: {len(again) // 3 * 3}+")
    assert {path for path in dropped if kept.paths[path].state is not None} == again
    assert all(kept.paths[path].state == path for path in again)
    assert meter.calls == len(kept.world.calls) == len(again) + kept.lookahead.simulated
    if planner == "rollout-iw":
        arrived = {node for node, _ in kept.log.arrivals}
        assert {path for path in dropped if kept.paths[path] in arrived} == again
