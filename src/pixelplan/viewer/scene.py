"""What a lookahead saw, seen again on demand: screens, branches, and what was novel in a node.

Nothing of it is recorded. The actions that lead to a node are simulated once more. The visits of a
decision are entered in novelty tables, in the order of the search. A node's features never change once
it was simulated. So each node is seen by the background of the decision in which it was simulated.
With `caching` partial, the search may have seen the screen before a node by a later background.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pixelplan.features.b_prost import Decoded, decode_atoms
from pixelplan.features.background import Background
from pixelplan.features.feature_sets import FEATURE_SETS
from pixelplan.features.observation import NO_OBSERVATION
from pixelplan.features.screens import ScreenTable
from pixelplan.planning.case import Case
from pixelplan.planning.partition import logscore
from pixelplan.planning.planners import PLANNERS, find_planner
from pixelplan.play.trace import NO_PARENT
from pixelplan.simulators.emulators import make_emulator

if TYPE_CHECKING:
    import numpy.typing as npt

    from pixelplan.features.observation import View
    from pixelplan.planning.novelty import Features
    from pixelplan.planning.simulator import Action
    from pixelplan.play.backgrounds import Backgrounds
    from pixelplan.play.settings import EpisodeSettings
    from pixelplan.play.trace import Visit
    from pixelplan.viewer.tree import ShownTree

    Screen = npt.NDArray[np.uint8]

UNTOLD = FEATURE_SETS["pixels"]
"""Stands for features that are code: these are not told in words either."""
ENTERED = (Case.NOVEL, Case.NOT_NOVEL)
"""Judged for the first time."""
JUDGED = (*ENTERED, Case.NO_LONGER_NOVEL, Case.STILL_NOVEL)


@dataclass(frozen=True, kw_only=True)
class RootView:
    """The game at the moment of a decision."""

    state: bytes
    """The emulator's."""
    screen: Screen
    previous: Screen | None
    """The screen at the decision before; None at the first."""


@dataclass(frozen=True, kw_only=True)
class Found:
    """The features that were novel in a node when it was first judged in its decision."""

    is_judged: bool
    """Whether it was, and by features that can be told in words."""
    atoms: Decoded = field(default_factory=lambda: decode_atoms(np.empty(0, np.uint32)))


class Seen(NamedTuple):
    """A node, seen again."""

    state: bytes
    observation: bytes


class Lookback:
    """Looks again at what the lookaheads of an episode have looked at."""

    def __init__(self, settings: EpisodeSettings, *, may_import: bool = False) -> None:
        """Look at an episode. The code that its settings name is imported only if the user has named it."""
        self._settings = settings
        self._features = FEATURE_SETS.get(settings.features, UNTOLD)
        self.has_tiles = self._features.kind == "tiles"
        """Whether the features are those of tiles, which can be told in words."""
        planner = find_planner(settings.planner) if may_import else PLANNERS.get(settings.planner)
        self._cost = None if planner is None else planner.cost
        make = partial(make_emulator, settings.game, seed=settings.seed)
        self._by_action = make(frameskip=settings.frameskip)
        self._by_frame = make(frameskip=1)
        self._seen: dict[int, Seen] = {}
        self._seen_of: tuple[int, bytes] | None = None

    def screen(self, root: RootView, actions: tuple[Action, ...]) -> Screen:
        """Return the screen to which some actions lead."""
        if not actions:
            return root.screen
        self._by_action.restore(root.state)
        for action in actions:
            self._by_action.act(action, observe_nothing)
        return self._by_action.screen().copy()

    def clip(self, root: RootView, actions: tuple[Action, ...]) -> list[Screen]:
        """Return all frames from the root on, `frameskip` for each action, until the game is over."""
        self._by_frame.restore(root.state)
        screens = []
        for action in np.repeat(actions, self._settings.frameskip).tolist():
            outcome = self._by_frame.act(action, observe_nothing)
            screens.append(self._by_frame.screen().copy())
            if outcome.is_terminal:
                break
        return screens

    def novelty(self, root: RootView, tree: ShownTree, node: int, backgrounds: Backgrounds) -> Found:
        """Return what was novel in a node when it was first judged in this decision."""
        visits = tree.visits_until(node)
        cost = self._cost
        is_told = self.has_tiles and backgrounds.at(0) is not None
        if cost is None or not is_told or not visits or visits[-1].case not in JUDGED:
            return Found(is_judged=False)
        judged = visits[-1]
        path_rewards = sum_rewards(visits)
        parts = {node: self._part(path_reward) for node, path_reward in path_rewards.items()}
        # Nodes of other parts are entered in other tables.
        entered = [
            visit for visit in visits[:-1] if parts[visit.node] == parts[node] and self._is_entered(visit)
        ]
        self._see_again(root, tree, visits, [*entered, judged], backgrounds)
        table = self._features.make_table(1)
        assert isinstance(table, ScreenTable)
        for visit in entered:
            table.update(self._describe(visit), cost(visit.depth, path_rewards[visit.node]))
        numbers = table.explain(self._describe(judged), cost(judged.depth, path_rewards[node]))
        return Found(is_judged=True, atoms=decode_atoms(numbers))

    def _is_entered(self, visit: Visit) -> bool:
        """Say whether a visited node is entered in its table."""
        is_root = visit.parent == NO_PARENT
        return self._settings.root_in_table if is_root else visit.case in ENTERED

    def _part(self, path_reward: float) -> int:
        return logscore(path_reward) if self._settings.subscoring else 0

    def _describe(self, visit: Visit) -> Features:
        return self._features.describe(
            self._seen[visit.node].observation, self._seen[visit.parent].observation
        )

    def _see_again(
        self,
        root: RootView,
        tree: ShownTree,
        visits: list[Visit],
        wanted: list[Visit],
        backgrounds: Backgrounds,
    ) -> None:
        """See nodes again, and those on the way to them, unless they were seen again before."""

        @cache
        def background(decision: int) -> Background:
            return Background.fixed(backgrounds.at(decision))

        if self._seen_of != (tree.decision, root.state):
            self._seen_of = (tree.decision, root.state)
            previous = NO_OBSERVATION
            if root.previous is not None:
                previous = background(tree.born_before).extract_tiles(root.previous)
            observation = background(tree.born(visits[0].node)).extract_tiles(root.screen)
            self._seen = {NO_PARENT: Seen(b"", previous), visits[0].node: Seen(root.state, observation)}
        needed = {visit.node for visit in wanted}
        for visit in reversed(visits):
            if visit.node in needed:
                needed.add(visit.parent)
        for visit in visits:
            if visit.node in needed and visit.node not in self._seen:
                self._by_action.restore(self._seen[visit.parent].state)
                outcome = self._by_action.act(
                    visit.action, partial(self._features.observe, background(tree.born(visit.node)))
                )
                self._seen[visit.node] = Seen(outcome.emulator, outcome.observation)


def sum_rewards(visits: list[Visit]) -> dict[int, float]:
    """Return the path reward of each visited node."""
    path_rewards: dict[int, float] = {}
    for visit in visits:
        above = path_rewards.get(visit.parent)
        path_rewards[visit.node] = 0.0 if above is None else above + visit.reward
    return path_rewards


def observe_nothing(view: View) -> bytes:  # noqa: ARG001
    """Observe nothing."""
    return NO_OBSERVATION
