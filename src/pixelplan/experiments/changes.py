"""Changes of a spec since its experiment was begun."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Set

    from pixelplan.experiments.spec import Episode, Experiment
    from pixelplan.play.settings import EpisodeSettings


@dataclass(frozen=True, kw_only=True)
class Changes:
    """Differences between an experiment and the one that was begun."""

    lines: tuple[str, ...]
    lost: Mapping[str, str]
    """Played episodes that do not count any more, and why."""

    def __str__(self) -> str:
        """Return all in one line."""
        return "; ".join(self.lines)


def compare(
    old: Experiment | None, new: Experiment, played: Mapping[str, EpisodeSettings], folders: Set[str]
) -> Changes:
    """Say, column by column, what would change.

    `played` has the settings with which episodes of the new experiment were played; `folders` are the
    names of all episodes that have a run folder.
    """
    before = {episode.name: episode for episode in old.episodes} if old is not None else {}
    after = {episode.name: episode for episode in new.episodes}
    kinds: dict[str, list[str]] = {}
    lost: dict[str, str] = {}
    for name, episode in after.items():
        settings = played.get(name) or (before[name].settings if name in before else None)
        if settings is None and old is not None:
            kinds.setdefault(f"{episode.column}: new", []).append(name)
        elif settings is not None and (difference := _difference(settings, episode)):
            kinds.setdefault(f"{episode.column}: {difference}", []).append(name)
            if name in played:
                lost[name] = difference
    for name, episode in before.items():
        if name not in after:
            kinds.setdefault(f"{episode.column}: left out", []).append(name)
            if name in folders:
                lost[name] = "left out"
    return Changes(lines=tuple(_describe(kind, names, lost) for kind, names in kinds.items()), lost=lost)


def _difference(settings: EpisodeSettings, episode: Episode) -> str:
    wanted = vars(episode.settings)
    changed = [name for name, value in vars(settings).items() if wanted[name] != value]
    return f"other {', '.join(changed)}" if changed else ""


def _describe(kind: str, names: list[str], lost: Mapping[str, str]) -> str:
    played = sum(name in lost for name in names)
    loss = f", {played} played already" if played else ""
    return f"{kind} ({len(names)} episode{'s' * (len(names) != 1)}{loss})"
