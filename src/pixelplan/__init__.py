"""Width-based planning from pixels: Rollout IW(1) plays Atari in real time, without training."""

from __future__ import annotations

import importlib
import importlib.metadata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pixelplan.errors import InputError
    from pixelplan.features.atoms import atom_set
    from pixelplan.features.feature_set import FeatureSet
    from pixelplan.planning.budget import Budget, Ending
    from pixelplan.planning.case import Case
    from pixelplan.planning.lookahead import Lookahead, simulate
    from pixelplan.planning.node import Node
    from pixelplan.planning.novelty import AtomTable, Novelty, NoveltyTable
    from pixelplan.planning.planner import Planner
    from pixelplan.planning.rollout_iw import rollout_iw
    from pixelplan.planning.settings import PRESETS, SearchSettings
    from pixelplan.planning.simulator import Simulator, Transition
    from pixelplan.play.agent import Agent, Decision
    from pixelplan.play.episode import EpisodeResult, play_episode
    from pixelplan.play.realtime import play_in_real_time
    from pixelplan.play.settings import EpisodeSettings
    from pixelplan.play.solve import SIW, Plan, solve
    from pixelplan.play.trace import Trace
    from pixelplan.simulators.ale import AtariGame
    from pixelplan.simulators.atari import AtariSimulator
    from pixelplan.simulators.blocksworld import Blocksworld
    from pixelplan.simulators.corridor import Corridor
    from pixelplan.simulators.grid import Grid
    from pixelplan.simulators.gymnasium import GymnasiumSimulator
    from pixelplan.simulators.pddl import PddlSimulator
    from pixelplan.simulators.pool import AtariPool

_MODULES = {
    "errors": ("InputError",),
    "features.atoms": ("atom_set",),
    "features.feature_set": ("FeatureSet",),
    "planning.budget": ("Budget", "Ending"),
    "planning.case": ("Case",),
    "planning.lookahead": ("Lookahead", "simulate"),
    "planning.node": ("Node",),
    "planning.novelty": ("AtomTable", "Novelty", "NoveltyTable"),
    "planning.planner": ("Planner",),
    "planning.rollout_iw": ("rollout_iw",),
    "planning.settings": ("PRESETS", "SearchSettings"),
    "planning.simulator": ("Simulator", "Transition"),
    "play.agent": ("Agent", "Decision"),
    "play.episode": ("EpisodeResult", "play_episode"),
    "play.realtime": ("play_in_real_time",),
    "play.settings": ("EpisodeSettings",),
    "play.solve": ("SIW", "Plan", "solve"),
    "play.trace": ("Trace",),
    "simulators.ale": ("AtariGame",),
    "simulators.atari": ("AtariSimulator",),
    "simulators.blocksworld": ("Blocksworld",),
    "simulators.corridor": ("Corridor",),
    "simulators.grid": ("Grid",),
    "simulators.gymnasium": ("GymnasiumSimulator",),
    "simulators.pddl": ("PddlSimulator",),
    "simulators.pool": ("AtariPool",),
}
_HOME = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "PRESETS",
    "SIW",
    "Agent",
    "AtariGame",
    "AtariPool",
    "AtariSimulator",
    "AtomTable",
    "Blocksworld",
    "Budget",
    "Case",
    "Corridor",
    "Decision",
    "Ending",
    "EpisodeResult",
    "EpisodeSettings",
    "FeatureSet",
    "Grid",
    "GymnasiumSimulator",
    "InputError",
    "Lookahead",
    "Node",
    "Novelty",
    "NoveltyTable",
    "PddlSimulator",
    "Plan",
    "Planner",
    "SearchSettings",
    "Simulator",
    "Trace",
    "Transition",
    "atom_set",
    "play_episode",
    "play_in_real_time",
    "rollout_iw",
    "simulate",
    "solve",
]


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that nothing heavy is imported before."""
    if name == "__version__":
        return importlib.metadata.version(__name__)
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return __all__
