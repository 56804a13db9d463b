"""Plays in small worlds with any search, and checks the trees that it leaves."""

from collections.abc import Hashable, Iterator
from dataclasses import replace
from functools import partial
from random import Random

from hypothesis import strategies as st
from searching import ENOUGH, PLAIN, WIDTH_PLANNERS, Log, Scattered, assured, is_twin, search_of

from pixelplan.planning.best import is_verified, planner_of
from pixelplan.planning.best.assurance import ENDLESS
from pixelplan.planning.budget import Budget, Ending, Meter
from pixelplan.planning.case import BRANCH_ENDS
from pixelplan.planning.driver import drive
from pixelplan.planning.lookahead import Lookahead
from pixelplan.planning.node import NO_ACTION, Node, walk
from pixelplan.planning.novelty import NoveltyTables
from pixelplan.planning.planners import find_planner
from pixelplan.planning.rollout_iw import SOLVING_CASES
from pixelplan.planning.settings import SearchSettings
from pixelplan.planning.simulator import Dispatcher
from worlds import Clock, UnfoldedWorld, World

searches = st.builds(
    SearchSettings,
    width=st.sampled_from([1, 1, 2]),
    discount=st.sampled_from([1.0, 0.9]),
    caching=st.sampled_from(["none", "partial", "full"]),
    risk_averse=st.booleans(),
    subscoring=st.booleans(),
    subgoaling=st.booleans(),
    root_in_table=st.booleans(),
    cached_nodes=st.sampled_from(["pass", "test"]),
    no_effect_repeats=st.integers(0, 2),
    lost_life_ends=st.booleans(),
    cautious=st.booleans(),
    persistence=st.sampled_from([0.0, 0.5]),
    foresight=st.booleans(),
    curiosity=st.sampled_from([0.0, 0.125]),
    verifications=st.sampled_from([0, 2]),
    patience=st.sampled_from([0, 1, 2]),
    max_depth=st.sampled_from([4, 1_500]),
    uct_horizon=st.sampled_from([3, 20]),
)


PRUNING_PLANNERS = (*WIDTH_PLANNERS, "prioritized-iw")
"""Of the others each node has to be followed to its end."""


class Player:
    """Decides and plays in a world where each node has a state of its own."""

    def __init__(self, world: World, planner: str, seed: int, search: SearchSettings = PLAIN) -> None:
        search = replace(search, planner=planner)
        self.world = UnfoldedWorld(world)
        self.log = Log()
        self.tables = NoveltyTables(partial(self.world.novelty_table, search.width))
        valuation = planner_of(search).valuation(search, self.world)
        self.lookahead = Lookahead(self.world, search, valuation, self.tables, Random(seed), self.log.note)
        self.lookahead.start()
        self.clock = Clock()
        self.meter = Meter(Budget(calls=ENOUGH), self.clock)
        self.planner = planner
        self._seed = seed

    def scattered(self, capacity: int, mean_seconds: float = 0.0) -> Scattered:
        """Return a dispatcher to go with this player."""
        return Scattered(self.world, capacity, Random(f"answers {self._seed}"), self.clock, mean_seconds)

    def decide(self, dispatcher: Dispatcher, budget: Budget | None = None) -> Ending:
        """Look ahead."""
        self.meter = Meter(budget or Budget(calls=ENOUGH), self.clock)
        return drive(search_of(self.lookahead, self.planner), self.lookahead, dispatcher, self.meter)

    def decisions(self, dispatcher: Dispatcher, budget: Budget) -> Iterator[Ending]:
        """Look ahead and go down into the highest subtree, up to three times."""
        for _ in range(3):
            yield self.decide(dispatcher, budget)
            children = self.lookahead.root.children.values()
            alive = [child for child in children if child.state is not None and not child.is_terminal]
            if not alive:
                break
            child = max(alive, key=lambda child: child.height)
            assert child.state is not None
            if not self.lookahead.advance(child.action):
                self.lookahead.plant(self.world.look(child.state))
            self.lookahead.start()
            self.log.arrivals.clear()

    def unjudged(self) -> list[Node]:
        """Return the simulated nodes at which nobody has arrived."""
        arrived = {self.lookahead.root, *(node for node, _ in self.log.arrivals)}
        return [node for node in walk(self.lookahead.root) if node not in arrived]

    def outcome(self) -> Hashable:
        """Return the tree, all arrivals in order, and the random state."""
        arrivals = [(node.number, case) for node, case in self.log.arrivals]
        return shape(self.lookahead.root), tuple(arrivals), self.lookahead.rng.getstate()


def shape(node: Node) -> Hashable:
    """Return what is to be the same in the same tree."""
    children = tuple(shape(child) for child in node.children.values())
    return node.number, node.action, node.state, node.value, assured(node), node.is_solved, children


def check_tree(player: Player) -> None:
    """Compute anew, from nothing but the tree and the arrivals, what the search has kept up to date."""
    lookahead = player.lookahead
    root = lookahead.root
    # The value of a root that was moved is never used.
    for node in (root,) if root.action == NO_ACTION else root.children.values():
        if not find_planner(player.planner).has_mean_values:
            check_values(node, lookahead)
    solving_cases = SOLVING_CASES if player.planner in PRUNING_PLANNERS else BRANCH_ENDS
    tips = {node for node, case in player.log.arrivals if case in solving_cases}
    for node in walk(root):
        assert not node.in_flight
        solved = [action for action, child in node.children.items() if child.is_solved]
        assert node.unsolved == [action for action in node.actions if action not in solved]
        assert node.is_solved or (node not in tips and node.unsolved)
        # Searches with a queue solve the ends of a kept tree's branches before it begins.
        is_kept_end = node.is_known and node.end is not None
        assert not node.is_solved or node in tips or not node.unsolved or is_kept_end
        for action, child in node.children.items():
            assert node.state is None or child.state in (None, (*node.state, action))
    assert lookahead.node_count == len(list(walk(root)))


def check_values(node: Node, lookahead: Lookahead) -> None:
    """Compute the values and heights of a subtree anew."""
    settings = lookahead.settings
    assert isinstance(settings, SearchSettings)
    best, height = 0.0, 1
    verifies = is_verified(settings, find_planner(settings.planner))
    is_loss = verifies and (node.reward < 0 or (node.is_terminal and node.reward == 0))
    is_seen_whole = not verifies or node.end is not None
    length = ENDLESS if is_seen_whole else 0.0
    if node.children:
        for child in node.children.values():
            check_values(child, lookahead)
        best = max(child.value for child in node.children.values() if not is_twin(child))
        length = max(assured(child) for child in node.children.values() if not is_twin(child))
        if node.has_untried_action() and not settings.cautious:
            best = max(best, 0.0)
        height += max(child.height for child in node.children.values())
    bonus = 0.0 if node.extra is None else node.extra.bonus
    value = node.reward + bonus + settings.discount * best
    length = 0.0 if is_loss else 1.0 + length
    assert (node.value, assured(node), node.height) == (value, length, height)
    assert (bonus > 0) <= (settings.curiosity > 0)
