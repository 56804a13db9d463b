"""A spec: an experiment as a TOML file, checked whole before anything starts.

A spec has columns, as a table of the paper has: planners with their budgets. Every column plays every
game so many times; one such episode is fully determined by its settings. docs/experiments.md describes
the format.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

import msgspec

from pixelplan.errors import InputError, suggest
from pixelplan.features.feature_sets import find_feature_set
from pixelplan.planning.planners import find_planner
from pixelplan.planning.settings import PRESETS
from pixelplan.play.settings import EpisodeSettings
from pixelplan.reference.scores import HUMAN, paper_calls, paper_table2, reference_scores
from pixelplan.simulators.ale import AtariGame, rom_names
from pixelplan.simulators.games import DEVELOPMENT_GAMES, PAPER_GAMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

Table = dict[str, Any]
Place = Callable[[str], str]
"""Names the place of a key in a spec."""

PROTOCOLS: dict[str, Table] = {
    "paper2018": {"sticky": 0.0, "actions": "full", "frameskip": 15, "max_frames": 18_000, "noops": 29},
    "machado2018": {"sticky": 0.25, "actions": "full", "frameskip": 15, "max_frames": 18_000, "noops": 0},
}
"""Rules of play by name. The second is that of Machado et al. 2018, but for the frame skip, which is the
planner's: the played game repeats the last action at random, and needs no random start."""

GAME_LISTS: dict[str, Callable[[], Iterable[str]]] = {
    "paper": lambda: PAPER_GAMES,
    "human": lambda: reference_scores().columns[HUMAN],
    "development": lambda: DEVELOPMENT_GAMES,
}
"""The paper's 58 games, the 49 of them for which a human score is known, and those for trying things out."""

BUDGETS = ("seconds", "calls")
COLUMN_NAME = re.compile(r"[a-z0-9][a-z0-9_.-]*")
_OWN_KEYS = {"game": "games", "seed": "runs or seeds"}
"""Settings that a spec does not give, and the keys that determine them."""
_DEFAULTS = {field.name: field.default for field in fields(EpisodeSettings) if field.name not in _OWN_KEYS}
_SETTINGS = tuple(_DEFAULTS)


@dataclass(frozen=True, kw_only=True)
class Episode:
    """One episode of an experiment."""

    column: str
    game: str
    run: int
    """From 1."""
    settings: EpisodeSettings

    @property
    def name(self) -> str:
        """Path of its run folder within those of the experiment."""
        return f"{self.column}/{self.game}-{self.run}"


@dataclass(frozen=True, kw_only=True)
class Column:
    """A planner and its budget, as they stand at the head of a table's column."""

    name: str
    label: str
    paper: str | None = None
    """The column of the paper's Table 2 that it reproduces."""
    formerly: str | None = None
    """Its name in older ledgers and folders."""


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """Episodes to be played, in this order."""

    title: str
    columns: tuple[Column, ...]
    episodes: tuple[Episode, ...]

    def names_now(self) -> dict[str, str]:
        """Return the present name of each former name of a column."""
        return {column.formerly: column.name for column in self.columns if column.formerly is not None}

    def renamed(self, names: Mapping[str, str]) -> Experiment:
        """Return it with other names for some columns."""
        return replace(
            self,
            columns=tuple(replace(one, name=names.get(one.name, one.name)) for one in self.columns),
            episodes=tuple(replace(one, column=names.get(one.column, one.column)) for one in self.episodes),
        )

    def part(self, names: Iterable[str]) -> Experiment:
        """Return its part of some columns, in the order in which they are named; all if none is."""
        columns = {column.name: column for column in self.columns}
        for name in (wanted := dict.fromkeys(names) or columns):
            _check_known(name, columns, "column")
        return replace(
            self,
            columns=tuple(columns[name] for name in wanted),
            episodes=tuple(episode for episode in self.episodes if episode.column in wanted),
        )


class _Head(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The part of a spec above its columns, which applies to all of them."""

    title: str
    columns: dict[str, Any]
    protocol: str = "paper2018"
    games: str | list[str] = "paper"
    runs: int | None = None
    seeds: list[int] | None = None
    settings: Table = {}


class _ColumnHead(msgspec.Struct, frozen=True, kw_only=True):
    """The keys of a column besides the settings of its episodes."""

    preset: str = "ras"
    label: str | None = None
    paper: str | None = None
    formerly: str | None = None
    games: str | list[str] | None = None
    runs: int | None = None


_COLUMN_KEYS = _ColumnHead.__struct_fields__


def read_spec(path: Path) -> Experiment:
    """Read a spec; InputError names a fault and its place."""
    try:
        content = tomllib.loads(path.read_text())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: {error}") from None
    return make_experiment(content, f"{path}: ")


def import_code(experiment: Experiment, where: str = "") -> None:
    """Import the planners and features that columns name; InputError names the first that fails.

    It is for a spec that the user asks to be played. To read one, which a file may name, imports nothing.
    """
    settings = {episode.column: episode.settings for episode in experiment.episodes}
    for column, its_settings in settings.items():
        for key, find in (("features", find_feature_set), ("planner", find_planner)):
            try:
                find(getattr(its_settings, key))
            except InputError as error:
                raise InputError(f"{where}columns.{column}.{key}: {error}") from None


def make_experiment(content: Table, where: str = "") -> Experiment:
    """Check a spec and spell out its episodes: first run 1 of every game and column, then run 2, ..."""
    _check_keys(content, _Head.__struct_fields__, where)
    head = _convert(content, _Head, lambda key: f"{where}{key}")
    _check_known(head.protocol, PROTOCOLS, "protocol", f"{where}protocol: ")
    _check_keys(head.settings, _SETTINGS, f"{where}settings: ")
    if not head.columns:
        raise InputError(f"{where}columns: there is none")
    playable: dict[str, str] = {}
    columns, episodes = [], []
    for name, table in head.columns.items():
        column, its_episodes = _read_column(name, table, head, where, playable)
        columns.append(column)
        episodes.extend(its_episodes)
    _check_former_names(columns, where)
    episodes.sort(key=lambda episode: episode.run)
    return Experiment(title=head.title, columns=tuple(columns), episodes=tuple(episodes))


def _check_former_names(columns: list[Column], where: str) -> None:
    taken = {column.name for column in columns}
    for column in columns:
        if column.formerly is not None:
            here = f"{where}columns.{column.name}.formerly"
            check_column_name(column.formerly, here)
            if column.formerly in taken:
                raise InputError(f"{here}: {column.formerly} is another column's name")
            taken.add(column.formerly)


def check_column_name(name: str, where: str) -> None:
    """Refuse a name that could be more than the name of a folder."""
    if not COLUMN_NAME.fullmatch(name):
        raise InputError(f"{where}: a column's name has small letters, digits and . - _ only")


def _read_column(
    name: str,
    table: object,
    head: _Head,
    where: str,
    playable: dict[str, str],
) -> tuple[Column, list[Episode]]:
    here = f"{where}columns.{name}"
    check_column_name(name, here)
    if not isinstance(table, dict):
        raise InputError(f"{here}: expected a table")
    _check_keys(table, (*_COLUMN_KEYS, *_SETTINGS), f"{here}: ")

    def place(key: str) -> str:
        is_shared = key not in table and (key in head.settings or key in _Head.__struct_fields__)
        return f"{where}{'settings.' * (key in head.settings)}{key}" if is_shared else f"{here}.{key}"

    own = _convert({key: value for key, value in table.items() if key in _COLUMN_KEYS}, _ColumnHead, place)
    _check_known(own.preset, PRESETS, "preset", f"{place('preset')}: ")
    if own.paper is not None:
        known = paper_table2().columns
        _check_known(own.paper, known, "column of the paper's Table 2", f"{place('paper')}: ")
    games = _find_games(head.games if own.games is None else own.games, place("games"), playable)
    runs = head.runs if own.runs is None else own.runs
    seeds = _find_seeds(runs, head.seeds, place("runs"))
    settings = vars(PRESETS[own.preset]) | PROTOCOLS[head.protocol] | head.settings
    settings |= {key: value for key, value in table.items() if key in _SETTINGS}
    if not any(budget in settings for budget in BUDGETS) and not settings.get("realtime"):
        raise InputError(f"{here}: no budget: give seconds or calls")
    episodes = [
        Episode(
            column=name,
            game=game,
            run=run,
            settings=_make_settings(settings, game, seed, place),
        )
        for run, seed in enumerate(seeds, start=1)
        for game in games
    ]
    column = Column(name=name, label=own.label or name, paper=own.paper, formerly=own.formerly)
    return column, episodes


def _find_seeds(runs: int | None, seeds: list[int] | None, where: str) -> list[int]:
    """Return the seed of each run: 0, 1, 2, ... unless the spec lists them."""
    if runs is None:
        runs = len(seeds) if seeds else 1
    if runs < 1:
        raise InputError(f"{where}: must be at least 1, not {runs}")
    if seeds is None:
        return list(range(runs))
    if min(seeds) < 0:
        raise InputError(f"{where}: seeds must be 0 or more, not {min(seeds)}")
    if runs > len(seeds):
        raise InputError(f"{where}: {runs} runs need {runs} seeds, there are {len(seeds)}")
    return seeds[:runs]


def _make_settings(table: Table, game: str, seed: int, place: Place) -> EpisodeSettings:
    values = table | {"game": game, "seed": seed}
    for budget in BUDGETS:
        if budget in values:
            values[budget] = _budget_of(game, values[budget], place(budget))
    settings: EpisodeSettings = _convert(values, EpisodeSettings, place)
    return settings


def _budget_of(game: str, budget: Any, where: str) -> Any:  # noqa: ANN401
    """Return the budget of one game, if games have budgets of their own, or those of a published column."""
    if isinstance(budget, str) and where.endswith("calls"):
        published = paper_calls().columns
        _check_known(budget, published, "column of published calls", f"{where}: ")
        budget = {name: int(calls) for name, calls in published[budget].items()}
    if not isinstance(budget, dict):
        return budget
    for name in budget:
        _check_known(name, rom_names(), "game", f"{where}: ")
    if game not in budget:
        raise InputError(f"{where}: nothing is said for {game}")
    return budget[game]


def _find_games(wanted: str | list[str], where: str, playable: dict[str, str]) -> list[str]:
    """Return the ROMs of a list of games, each once; `playable` remembers games that were found."""
    if isinstance(wanted, str):
        _check_known(wanted, GAME_LISTS, "list of games", f"{where}: ")
        wanted = list(GAME_LISTS[wanted]())
    for game in wanted:
        if game not in playable:
            try:
                # It takes time to load a game, and these are known to be playable.
                playable[game] = game if game in PAPER_GAMES else AtariGame(game).name
            except InputError as error:
                raise InputError(f"{where}: {error}") from None
    games = [playable[game] for game in wanted]
    twice = sorted({game for game in games if games.count(game) > 1})
    if twice or not games:
        raise InputError(f"{where}: {f'{twice[0]} is there twice' if twice else 'there is none'}")
    return games


def _convert(content: Table, kind: Any, place: Place) -> Any:  # noqa: ANN401
    try:
        return msgspec.convert(content, kind)
    except msgspec.ValidationError as error:
        what, _, key = str(error).replace("`", "").replace(" | null", "").partition(" - at $.")
        if what.startswith("Invalid enum value"):
            what = f"choose from {', '.join(get_args(get_type_hints(kind)[key]))}"
        if what.startswith("Object missing required field"):
            what, key = "there is none", what.split()[-1]
        # A complaint of the settings themselves names the one that it is about.
        key = key or next(word for word in re.findall(r"\w+", what) if word in _SETTINGS)
        raise InputError(f"{place(key)}: {what[0].lower()}{what[1:]}") from None


def _check_keys(table: Table, known: Iterable[str], where: str) -> None:
    for key in table:
        if key in _OWN_KEYS:
            raise InputError(f"{where}unknown key {key!r}: give {_OWN_KEYS[key]}")
        _check_known(key, known, "key", where)


def _check_known(name: str, known: Iterable[str], what: str, where: str = "") -> None:
    names = list(known)
    if name not in names:
        raise InputError(f"{where}unknown {what} {name!r}: {suggest(name, names)}")
