"""The columns of an experiment with their played episodes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean
from typing import TYPE_CHECKING, Any

import msgspec

from pixelplan.experiments.ledger import shorten
from pixelplan.experiments.spec import PROTOCOLS
from pixelplan.simulators.games import PAPER_GAMES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pixelplan.experiments.folder import Results
    from pixelplan.experiments.ledger import Row

Settings = dict[str, Any]

_LABELS = {"jamesbond": "james bond", "montezuma_revenge": "montezuma's revenge"}
"""Games whose name in the paper is not their ROM's name with spaces."""
_OWN_SETTINGS = ("game", "seed")
_BUDGETS = ("seconds", "calls")
_RULES = (*PROTOCOLS["paper2018"], "decisions")
"""Settings whose defaults are the paper's rules of play."""
RAM = "iw1_ram"
"""The paper's column with another frame skip: its scores are those of an earlier paper."""


@dataclass(frozen=True, kw_only=True)
class PlayedColumn:
    """A column of ours: its planned and its played episodes."""

    name: str
    label: str
    paper: str | None
    """The column of the paper's Table 2 that it reproduces."""
    planned: Mapping[str, int]
    """Game -> number of runs."""
    rows: tuple[Row, ...]
    """Finished episodes, by game and run."""
    settings: str
    """Settings that its episodes share and that differ from the defaults."""
    family: frozenset[str]
    """Equal for columns that differ only in their budget."""
    other_rules: str
    """Rules of play that are not the paper's: then scores cannot be compared with its own."""

    @cached_property
    def scores(self) -> dict[str, list[float]]:
        """Game -> the scores of its runs."""
        scores: dict[str, list[float]] = {}
        for row in self.rows:
            scores.setdefault(row.game, []).append(float(row.score))
        return scores

    @cached_property
    def means(self) -> dict[str, float]:
        """Game -> the mean score."""
        return {game: fmean(runs) for game, runs in self.scores.items()}

    @cached_property
    def short_of_runs(self) -> dict[str, int]:
        """Game -> the number of its runs, if that is fewer than planned."""
        return {game: len(runs) for game, runs in self.scores.items() if len(runs) < self.planned[game]}

    @property
    def episodes_planned(self) -> int:
        """Number of episodes that were to be played."""
        return sum(self.planned.values())


def gather_columns(results: Results) -> tuple[PlayedColumn, ...]:
    """Sort an experiment's episodes into its columns."""
    names = [column.name for column in results.experiment.columns]
    planned: dict[str, Counter[str]] = {name: Counter() for name in names}
    settings: dict[str, list[Settings]] = {name: [] for name in names}
    for episode in results.experiment.episodes:
        planned[episode.column][episode.game] += 1
        settings[episode.column].append(msgspec.json.decode(shorten(episode.settings)))
    played: dict[str, list[Row]] = {name: [] for name in names}
    for row in results.rows:
        played[row.column].append(row)
    return tuple(
        PlayedColumn(
            name=column.name,
            label=" ".join(column.label.split()) or column.name,
            paper=column.paper,
            planned=planned[column.name],
            rows=tuple(sorted(played[column.name], key=lambda row: (row.game, row.run))),
            settings=_common_settings(settings[column.name]),
            family=frozenset(map(_without_budget, settings[column.name])),
            other_rules=_other_rules(settings[column.name], column.paper),
        )
        for column in results.experiment.columns
    )


def game_label(rom: str) -> str:
    """Return a game's name as the paper writes it."""
    return _LABELS.get(rom, rom.replace("_", " "))


def in_paper_order(games: set[str]) -> list[str]:
    """Sort games as the paper's tables do, and games that it does not have behind them."""
    return [game for game in PAPER_GAMES if game in games] + sorted(games - set(PAPER_GAMES))


def _without_budget(values: Settings) -> str:
    kept = {name: value for name, value in values.items() if name not in (*_OWN_SETTINGS, *_BUDGETS)}
    return msgspec.json.encode(kept, order="sorted").decode()


def _common_settings(several: list[Settings]) -> str:
    """List the settings that all episodes of a column share, in words that fit into a table."""
    names = dict.fromkeys(name for values in several for name in values if name not in _OWN_SETTINGS)
    return ", ".join(f"{name} {_say({str(values.get(name)) for values in several})}" for name in names)


def _other_rules(several: list[Settings], paper: str | None) -> str:
    rules = [name for name in _RULES if name != "frameskip" or paper != RAM]
    return _common_settings([{name: values[name] for name in rules if name in values} for values in several])


def _say(values: set[str]) -> str:
    return values.pop() if len(values) == 1 else "by game"
