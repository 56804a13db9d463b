"""What the page shows against what the planner has: in every planner and preset, live and recorded.

Costs 0.1 to 0.3 s a case: a few decisions of 25 calls in Breakout, where little is learnt for the background.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING

import pytest

from pixelplan.planning.budget import Budget
from pixelplan.planning.choice import follow
from pixelplan.planning.node import walk
from pixelplan.planning.planners import PLANNERS
from pixelplan.planning.settings import PRESETS, SearchSettings
from pixelplan.play.agent import Agent, Decision
from pixelplan.simulators.ale import AtariGame
from pixelplan.simulators.atari import AtariSimulator
from pixelplan.viewer.encoding import Flag
from pixelplan.viewer.thinker import FLUSH_SECONDS, Began, Event, Grew, ToldVisits
from pixelplan.viewer.tree import Row, ShownTree
from pixelplan.viewer.values import value_tree

if TYPE_CHECKING:
    from pixelplan.planning.lookahead import Lookahead

DECISIONS = 4
GAME = "breakout"

SEARCHES = (
    PRESETS
    | {f"best by {name}": replace(PRESETS["best"], planner=name) for name in PLANNERS}
    | {name: replace(PRESETS["ras"], planner=name) for name in PLANNERS}
    | {
        "beyond lost lives": replace(PRESETS["best"], lost_life_ends=False),
        "impatient": replace(PRESETS["best"], patience=2),
        "states dropped": replace(PRESETS["ras"], caching="partial"),
        "nothing kept": replace(PRESETS["best"], caching="none"),
    }
)


@dataclass
class Watched:
    """An agent, and the trees that were told of its lookaheads."""

    agent: Agent
    live: ShownTree
    recorded: ShownTree

    @property
    def lookahead(self) -> Lookahead:
        return self.agent._lookahead


def watch(settings: SearchSettings, ticks_a_flush: int) -> Iterator[tuple[Watched, Decision]]:
    """Decide and play, and tell of it to two trees."""
    live, recorded = ShownTree(), ShownTree()
    ticks = count()

    def tell(event: Event) -> None:
        if isinstance(event, Began):
            live.begin(live.decision + 1, event.root, is_bold=event.is_bold)
        elif isinstance(event, Grew):
            live.add(event.visits)
            live.branch = event.branch

    told = ToldVisits(tell, lambda: None, lambda: next(ticks) * FLUSH_SECONDS / ticks_a_flush)
    watched = Watched(Agent(AtariSimulator(GAME, seed=5), settings, seed=5, visits=told), live, recorded)
    traced = Agent(AtariSimulator(GAME, seed=5), settings, seed=5, traces_nodes=True)
    for number in range(DECISIONS):
        decision = watched.agent.decide(Budget(calls=25))
        trace = traced.decide(Budget(calls=25)).trace
        assert trace.visits is not None
        recorded.begin(number, trace.visits[:1], is_bold=trace.risks_life)
        recorded.add(trace.visits[1:])
        yield watched, decision
        watched.agent.observe(decision.action)
        traced.observe(decision.action)


def facts(row: Row) -> tuple[int, float, float, bool, bool]:
    return (
        row.id,
        row.value,
        row.assured,
        bool(row.flags & Flag.SOLVED),
        bool(row.flags & Flag.REPEAT),
    )


@pytest.mark.parametrize("search", SEARCHES)
def test_the_page_shows_what_the_planner_has(search: str) -> None:
    ticks_a_flush = 1 if search in PRESETS else 7
    for watched, decision in watch(SEARCHES[search], ticks_a_flush):
        lookahead = watched.lookahead
        expected = {}
        for node in walk(lookahead.root):
            assured, value = lookahead.valuation.worth(node)
            expected[node.number] = (node.number, value, assured, node.is_solved, node.repeats > 0)
        for tree in (watched.live, watched.recorded):
            assert {row.id: facts(row) for row, _ in tree.nodes()} == expected
        first = lookahead.valuation.best_child(lookahead.root)
        best = () if first is None else follow(lookahead.root, first.action, lookahead.valuation.best_child)
        assert watched.live.branch in ((), best)
        shown = {row.id: row for row, _ in watched.recorded.nodes()}
        child = lookahead.root.children.get(decision.action)
        assert decision.value == (0.0 if child is None else shown[child.number].value)
        assert len(shown) == decision.trace.nodes
        is_new = [row for row in shown.values() if not row.flags & Flag.KEPT]
        assert len(is_new) == decision.trace.new_nodes + (
            watched.live.decision == 0 or len(is_new) == len(shown)
        )


VALUED_AGAIN = [name for name in SEARCHES if "uct" not in name]
"""UCT's mean values are not known."""


@pytest.mark.parametrize("search", VALUED_AGAIN)
def test_trees_recorded_without_values_are_valued_again(search: str) -> None:
    """As the planner did, but for curiosity, which decides between equals; UCT's means are not known."""
    settings = replace(SEARCHES[search], curiosity=0.0)
    actions = AtariGame(GAME).action_set("full")
    for watched, _ in watch(settings, 1_000):
        tree = watched.recorded
        expected = {row.id: (row.value, row.assured) for row, _ in tree.nodes()}
        tree.value(dict.fromkeys(expected, (math.nan, math.nan)))
        value_tree(tree, settings, actions, is_bold=watched.lookahead.valuation.risks_life)
        root = watched.lookahead.root.number
        found = {row.id: (row.value, row.assured) for row, _ in tree.nodes()}
        del found[root], expected[root]
        assert found == expected
