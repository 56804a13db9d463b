from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import pytest

from pixelplan.features._kernel import NoveltyTable
from pixelplan.features.b_prost import decode_atoms
from pixelplan.features.feature_sets import FEATURE_SETS
from pixelplan.features.screens import ScreenFeatures, ScreenTable
from pixelplan.planning.case import BRANCH_ENDS, Case
from pixelplan.planning.settings import PRESETS
from pixelplan.play.episode import EpisodeResult, PlayedEpisode, make_simulator, play_episode
from pixelplan.play.settings import EpisodeSettings
from pixelplan.play.trace import VisitLog
from pixelplan.viewer.scene import Lookback, RootView
from pixelplan.viewer.tree import ShownTree

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    import numpy.typing as npt

    from pixelplan.planning.lookahead import Lookahead
    from pixelplan.planning.node import Node
    from pixelplan.planning.novelty import Novelty
    from pixelplan.simulators.ale import AtariGame
    from pixelplan.simulators.atari import AtariSimulator

Atoms = list[list[list[int]]]


class ExplainingTable(ScreenTable):
    """Lists the atoms that would improve, whenever it judges."""

    def __init__(self, log: list[npt.NDArray[np.uint32]], in_space: bool, width: int) -> None:
        super().__init__(partial(NoveltyTable, in_space=in_space), width)
        self._log = log

    def compare(self, features: ScreenFeatures, depth: int) -> Novelty:
        self._log.append(self.explain(features, depth))
        return super().compare(features, depth)

    def update(self, features: ScreenFeatures, depth: int) -> Novelty:
        self._log.append(self.explain(features, depth))
        return super().update(features, depth)


class Explanations(VisitLog):
    """What was novel in each node at its first judgement, by decision."""

    def __init__(self) -> None:
        super().__init__()
        self.log: list[npt.NDArray[np.uint32]] = []
        self.by_decision: list[dict[int, npt.NDArray[np.uint32]]] = []

    def start(self, lookahead: Lookahead) -> None:
        super().start(lookahead)
        self.by_decision.append({})
        self.log.clear()

    def note(self, parent: Node, node: Node, case: Case) -> None:
        super().note(parent, node, case)
        if case not in (Case.UNTESTED, Case.FOLLOWED, *BRANCH_ENDS):
            self.by_decision[-1].setdefault(node.number, self.log[-1])


def roots(result: EpisodeResult) -> list[RootView]:
    """The game before each decision, played again."""
    episode = PlayedEpisode(result.settings)
    views: list[RootView] = []
    for played in result.played:
        previous = views[-1].screen if views else None
        views.append(
            RootView(state=episode.game.clone(), screen=episode.game.screen().copy(), previous=previous)
        )
        episode.play(played.action)
    return views


def trees(result: EpisodeResult) -> list[ShownTree]:
    """The tree of each decision."""
    shown = []
    for decision in range(len(result.played)):
        tree = ShownTree()
        for number, played in enumerate(result.played[: decision + 1]):
            trace = played.decision.trace
            assert trace.visits is not None
            tree.begin(number, trace.visits[:1], is_bold=trace.risks_life)
            tree.add(trace.visits[1:])
        shown.append(tree)
    return shown


def as_lists(atoms: tuple[npt.NDArray[np.int64], ...]) -> Atoms:
    return [family.tolist() for family in atoms]


BREAKOUT = EpisodeSettings(game="breakout", calls=30, decisions=6, seed=2)


@pytest.mark.parametrize(
    "settings",
    [
        BREAKOUT,
        replace(BREAKOUT, **vars(PRESETS["rollout"])),
        replace(BREAKOUT, **vars(PRESETS["iw"])),
        replace(BREAKOUT, **vars(PRESETS["best"]), calls=60),
        replace(BREAKOUT, **vars(replace(PRESETS["best"], patience=3)), game="seaquest", decisions=10),
        replace(BREAKOUT, cached_nodes="test"),
        replace(BREAKOUT, cached_nodes="test", root_in_table=False, no_effect_repeats=2),
        replace(BREAKOUT, caching="none"),
        replace(BREAKOUT, planner="2bfs", features="b-prot"),
        replace(BREAKOUT, planner="prioritized-iw", features="basic", game="seaquest"),
        replace(BREAKOUT, game="seaquest", seed=4),
        replace(BREAKOUT, game="seaquest", cached_nodes="test", features="b-pros", seed=4),
    ],
    ids=lambda settings: f"{settings.game} {settings.planner} {settings.features}",
)
def test_what_was_novel_is_what_the_search_found(
    settings: EpisodeSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Explanations()
    monkeypatch.setattr("pixelplan.play.agent.VisitLog", lambda: found)
    in_space = settings.features in ("b-prost", "b-pros")

    def make(settings: EpisodeSettings, game: AtariGame) -> AtariSimulator:
        make_table = partial(ExplainingTable, found.log, in_space)
        return make_simulator(settings, game, replace(FEATURE_SETS[settings.features], make_table=make_table))

    result = play_episode(settings, traces_nodes=True, make_simulator=make)
    lookback = Lookback(settings)
    assert sum(map(len, found.by_decision)) > 50
    for root, tree, explained in zip(roots(result), trees(result), found.by_decision, strict=True):
        for node in tree.rows()["id"].tolist():
            novel = lookback.novelty(root, tree, node, result.backgrounds)
            assert novel.is_judged == (node in explained)
            if novel.is_judged:
                assert as_lists(novel.atoms) == as_lists(decode_atoms(explained[node]))


def played(settings: EpisodeSettings) -> tuple[RootView, ShownTree, EpisodeResult]:
    """The last decision of an episode."""
    result = play_episode(settings, traces_nodes=True)
    return roots(result)[-1], trees(result)[-1], result


def test_other_features_are_not_told() -> None:
    for settings in (
        replace(BREAKOUT, features="ram-bytes", decisions=2),
        replace(BREAKOUT, planner="uct", decisions=2),
    ):
        root, tree, result = played(settings)
        lookback = Lookback(settings)
        assert lookback.has_tiles == (settings.features == "b-prost")
        for node in tree.rows()["id"].tolist():
            assert not lookback.novelty(root, tree, node, result.backgrounds).is_judged


def test_the_screen_of_a_node_is_the_one_that_is_played() -> None:
    root, tree, result = played(replace(BREAKOUT, decisions=3))
    lookback = Lookback(result.settings)
    node = int(tree.rows()["id"][-1])
    actions = tree.path(node)
    episode = PlayedEpisode(result.settings)
    for step in result.played[:-1]:
        episode.play(step.action)
    screens = []
    for action in actions:
        for _ in range(result.settings.frameskip):
            episode.game.act(action)
            screens.append(episode.game.screen().tolist())
    assert len(actions) > 1
    assert lookback.screen(root, actions).tolist() == screens[-1]
    assert [screen.tolist() for screen in lookback.clip(root, actions)] == screens
    assert lookback.screen(root, ()) is root.screen
    assert lookback.clip(root, ()) == []


def test_a_clip_ends_with_the_game() -> None:
    settings = EpisodeSettings(game="breakout", calls=5, decisions=1)
    lookback = Lookback(settings)
    root, *_ = played(settings)
    # The ball is served and missed, five times.
    clip = lookback.clip(root, (1, 0) * 100)
    assert 15 < len(clip) < 200 * 15


def test_code_that_a_run_folder_names_is_not_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "stranger.py").write_text("raise SystemExit('imported')\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    settings = EpisodeSettings(
        game="breakout", calls=5, features="atoms:stranger:atoms", planner="stranger:NAME"
    )
    assert not Lookback(settings).has_tiles
