"""Plants lookaheads in small worlds and runs searches in them, with calls as time."""

from collections.abc import Hashable
from dataclasses import replace
from functools import partial
from random import Random
from typing import TYPE_CHECKING, TypeVar

from hypothesis import assume

from pixelplan.planning.best import planner_of
from pixelplan.planning.best.assurance import ENDLESS
from pixelplan.planning.budget import Budget, Ending, Meter
from pixelplan.planning.case import Case
from pixelplan.planning.driver import drive
from pixelplan.planning.lookahead import Lookahead, Observer, Search
from pixelplan.planning.node import Node, walk
from pixelplan.planning.novelty import NoveltyTables
from pixelplan.planning.paper_settings import Caching
from pixelplan.planning.rollout_iw import rollout
from pixelplan.planning.settings import SearchSettings
from pixelplan.planning.simulator import Action, Arrival, Request, Simulator
from worlds import Clock, UnfoldedWorld, World

if TYPE_CHECKING:
    from _typeshed import SupportsLenAndGetItem

T = TypeVar("T")

ENOUGH = 10_000
"""More calls than any search of these small worlds needs."""

WIDTH_PLANNERS = ("iw", "rollout-iw")
"""The searches of the paper, which prune what is not novel."""

PLAIN = SearchSettings(risk_averse=False, subscoring=False, nothing_found="random", no_effect_repeats=0)
"""The algorithm of the paper's Figure 1 and nothing else."""


class Script(Random):
    """A generator that makes the choices it was told, and fails if one is not there to be made."""

    def __init__(self, choices: tuple[Action, ...]) -> None:
        super().__init__(0)
        self.left = list(choices)

    def choice(self, seq: "SupportsLenAndGetItem[T]") -> T:
        """Return the next choice of the script, out of those that are possible."""
        wanted = self.left.pop(0)
        possible = [seq[index] for index in range(len(seq))]
        assert wanted in possible, f"{wanted} is not among {possible}"
        return possible[possible.index(wanted)]


class Log:
    """Notes each arrival at a node: where, and which case."""

    def __init__(self) -> None:
        self.arrivals: list[tuple[Node, Case]] = []

    def note(self, parent: Node, node: Node, case: Case) -> None:
        """Note an arrival, which must be at a child of the parent."""
        assert parent.children[node.action] is node
        self.arrivals.append((node, case))

    def cases(self) -> list[Case]:
        """Return the cases in order."""
        return [case for _, case in self.arrivals]


class Kept:
    """A decision in a random world, and the subtree that it leaves to the next one."""

    def __init__(self, world: World, caching: Caching, planner: str, seed: int, calls: int) -> None:
        self.world = UnfoldedWorld(world)
        self.log = Log()
        self.planner = planner
        settings = replace(PLAIN, caching=caching, no_effect_repeats=1)
        self.lookahead = plant(self.world, settings, rng=Random(seed), observer=self.log.note)
        run(search_of(self.lookahead, planner), self.lookahead, self.world, calls)
        alive = [action for action, child in self.lookahead.root.children.items() if not child.is_terminal]
        assume(alive)
        action = max(alive, key=lambda action: self.lookahead.root.children[action].height)
        self.played = (action,)
        assert self.lookahead.advance(action)
        # Where the nodes are, which do not say so any more when their states have been dropped.
        self.paths = {node.state: node for node in walk(self.lookahead.root)}
        self.features = {path: node.features for path, node in self.paths.items()}
        self.log.arrivals.clear()
        self.world.calls.clear()
        begin(self.lookahead)

    def search(self, calls: int) -> None:
        """Look ahead in the kept tree."""
        run(search_of(self.lookahead, self.planner), self.lookahead, self.world, calls)


def plant(
    world: Simulator,
    settings: SearchSettings = PLAIN,
    *,
    rng: Random | None = None,
    tables: NoveltyTables | None = None,
    observer: Observer | None = None,
) -> Lookahead:
    """Begin a decision in the root of a world."""
    lookahead = Lookahead(
        world,
        settings,
        planner_of(settings).valuation(settings, world),
        tables or NoveltyTables(partial(world.novelty_table, settings.width)),
        rng or Random(0),
        observer,
    )
    begin(lookahead)
    return lookahead


def begin(lookahead: Lookahead) -> None:
    """Begin a decision as searches by depth do."""
    lookahead.start()
    lookahead.enter_root()


def search_of(lookahead: Lookahead, planner: str | None = None) -> Search:
    """Begin the search that the lookahead's settings ask for, or another planner's with the same settings."""
    settings = lookahead.settings
    assert isinstance(settings, SearchSettings)
    # All settings are checked anew, which takes longer than many a search.
    if planner not in (None, settings.planner):
        settings = replace(settings, planner=planner)
    return planner_of(settings).search(lookahead)


def is_twin(node: Node) -> bool:
    """Say whether a node equals an earlier sibling."""
    return node.end is Case.TWIN


def assured(node: Node) -> float:
    """Return for how many actions nothing is lost for sure; endless where the search does not ask."""
    length: float = ENDLESS if node.extra is None else node.extra.assured
    return length


def run(search: Search, lookahead: Lookahead, world: Simulator, calls: int = ENOUGH) -> Ending:
    """Run a search to its end, or for a number of calls."""
    clock = Clock()
    return drive(search, lookahead, world.dispatcher(clock), Meter(Budget(calls=calls), clock))


def roll(lookahead: Lookahead, world: Simulator, *choices: Action) -> None:
    """Run one rollout that makes these choices, all of them."""
    lookahead.rng = script = Script(choices)
    assert run(iter([rollout(lookahead)]), lookahead, world) is Ending.SOLVED
    assert not script.left


def node_at(lookahead: Lookahead, *actions: Action) -> Node:
    """Return the node that some actions lead to from the root."""
    node = lookahead.root
    for action in actions:
        node = node.children[action]
    return node


def least_depths(root: Node, *, with_terminals: bool = False) -> dict[Hashable, int]:
    """Return the least depth of each atom in a tree.

    Without terminal nodes, which are not entered in novelty tables, these are the paper's d[f]: a
    node that was not entered has no atom of which there is not one at least as high in the tree.
    """
    depths: dict[Hashable, int] = {}
    for node in walk(root):
        if with_terminals or not node.is_terminal:
            depths.update({atom: min(node.depth, depths.get(atom, node.depth)) for atom in node.features})
    return depths


class Scattered:
    """A dispatcher that answers in any order, and late: each answer takes its time."""

    replaced_workers = 0
    simulator_seconds = 0.0

    def __init__(
        self,
        world: Simulator,
        capacity: int,
        rng: Random,
        clock: Clock | None = None,
        mean_seconds: float = 0.0,
    ) -> None:
        self.capacity = capacity
        self.sent: list[Request] = []
        self.abandoned: list[Request] = []
        self.abandons = 0
        self.most_under_way = 0
        self.under_way: dict[int, Request] = {}
        self._world = world
        self._rng = rng
        self._clock = clock or Clock()
        self._mean_seconds = mean_seconds

    def send(self, ticket: int, request: Request) -> None:
        """Take a request."""
        assert ticket not in self.under_way
        self.sent.append(request)
        self.under_way[ticket] = request
        self.most_under_way = max(self.most_under_way, len(self.under_way))
        assert self.most_under_way <= self.capacity

    def receive(self, max_seconds: float) -> Arrival | None:
        """Answer any of the requests, unless that takes too long."""
        seconds = self._mean_seconds * self._rng.expovariate(1.0)
        self._clock.advance(min(seconds, max_seconds))
        if seconds > max_seconds:
            return None
        ticket = self._rng.choice(list(self.under_way))
        return Arrival(ticket, self._world.transition(*self.under_way.pop(ticket)))

    def abandon(self) -> None:
        """Forget the requests, but not that there were some."""
        self.abandons += 1
        self.abandoned += self.under_way.values()
        self.under_way.clear()
