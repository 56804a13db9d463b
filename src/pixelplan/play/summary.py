"""An episode in one JSON object."""

from __future__ import annotations

import platform
from dataclasses import asdict
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pixelplan.play.episode import EpisodeResult

OVERRUN_SECONDS = 0.005
"""A decision this much later than its budget is an overrun."""


def versions() -> dict[str, str]:
    """Return the versions of the programs on which an episode depends."""
    packages = {name: version(name) for name in ("pixelplan", "ale-py", "numpy")}
    return {"python": platform.python_version(), **packages}


def summarise(result: EpisodeResult) -> dict[str, Any]:
    """Return everything there is to say about an episode, but for its single decisions."""
    return {
        "game": result.settings.game,
        "settings": asdict(result.settings),
        "versions": versions(),
        **outcome(result),
        **timing(result),
    }


def outcome(result: EpisodeResult) -> dict[str, Any]:
    """Return the results that are the same for equal settings, if the budget is one of calls."""
    traces = [played.decision.trace for played in result.played]
    return {
        "score": result.score,
        "frames": result.frames,
        "decisions": len(traces),
        "simulator_calls": sum(trace.simulator_calls for trace in traces),
        "nodes": sum(trace.new_nodes for trace in traces),
        "rollouts": sum(trace.rollouts for trace in traces),
        "dropped_trees": sum(trace.has_dropped_tree for trace in traces),
        "interrupted": result.is_interrupted,
    }


def timing(result: EpisodeResult) -> dict[str, Any]:
    """Return the results that depend on the machine."""
    traces = [played.decision.trace for played in result.played]
    seconds = [trace.seconds for trace in traces]
    budget_seconds = result.settings.budget().seconds
    latest = np.inf if budget_seconds is None else budget_seconds + OVERRUN_SECONDS
    processes = max(result.settings.workers, 1)
    return {
        "per_decision": {
            "seconds": spread(seconds),
            "simulator_calls": spread([trace.simulator_calls for trace in traces]),
            "depth": spread([trace.depth for trace in traces]),
        },
        "simulator_share": sum(trace.simulator_seconds for trace in traces)
        / max(processes * sum(seconds), 1e-9),
        "overruns": sum(value > latest for value in seconds),
        "late": sum(played.is_late for played in result.played),
        "mispredicted": sum(played.is_mispredicted for played in result.played),
        "replaced_workers": sum(trace.replaced_workers for trace in traces),
        "wall_seconds": result.wall_seconds,
        "cpu_seconds": result.cpu_seconds,
        "cpu_share": result.cpu_seconds / max(processes * result.wall_seconds, 1e-9),
    }


def spread(values: Sequence[float]) -> dict[str, float]:
    """Return mean, median, 99th percentile and maximum."""
    if not values:
        return dict.fromkeys(("mean", "p50", "p99", "max"), 0.0)
    return {
        "mean": float(np.mean(values)),
        "p50": float(np.percentile(values, 50)),
        "p99": float(np.percentile(values, 99)),
        "max": float(np.max(values)),
    }
