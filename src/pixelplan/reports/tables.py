"""The paper's Tables 1 and 2, with our columns beside theirs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pixelplan.reference.scores import paper_table1, paper_table2
from pixelplan.reports.columns import in_paper_order
from pixelplan.reports.statistics import count_best, count_reaching

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pixelplan.reference.scores import ScoreTable
    from pixelplan.reports.columns import PlayedColumn
    from pixelplan.reports.statistics import GameScores

HUMAN = "human"
RAM = "iw1_ram"
RAS_HALF_SECOND = "ras_rollout_iw1_0.5s"
THREE_QUARTERS = 0.75

PAPER_HEADS: dict[str, tuple[str, str]] = {
    "human": ("", "Human"),
    "dqn": ("", "DQN"),
    "rl_blob_prost": ("", "RL Blob-PROST"),
    "iw1_ram": ("", "IW(1) RAM"),
    "iw1_0.5s": ("IW(1)", "0.5 s"),
    "iw1_32s": ("IW(1)", "32 s"),
    "rollout_iw1_0.5s": ("Rollout IW(1)", "0.5 s"),
    "rollout_iw1_32s": ("Rollout IW(1)", "32 s"),
    "ra_rollout_iw1_0.5s": ("RA Rollout IW(1)", "0.5 s"),
    "ra_rollout_iw1_32s": ("RA Rollout IW(1)", "32 s"),
    "ras_rollout_iw1_0.5s": ("RAS Rollout IW(1)", "0.5 s"),
    "ras_rollout_iw1_32s": ("RAS Rollout IW(1)", "32 s"),
}
"""The paper's columns: the planner above several columns, and the column's own head."""


@dataclass(frozen=True, kw_only=True)
class TableColumn:
    """A column of scores, the paper's or ours."""

    key: str
    group: str
    label: str
    scores: GameScores
    is_ours: bool = False
    short_of_runs: Mapping[str, int] = field(default_factory=dict)
    """Game -> the number of its runs, if that is fewer than planned."""

    @property
    def is_compared_with_human(self) -> bool:
        """Paper: neither the human nor the planner that reads the memory is compared with the human."""
        return self.key not in (HUMAN, RAM) or self.is_ours


@dataclass(frozen=True, kw_only=True)
class TableCell:
    """The score of a column in a game."""

    value: float | None
    is_best: bool = False
    is_human_level: bool = False
    runs: int | None = None
    """Number of runs, if that is fewer than planned."""


@dataclass(frozen=True, kw_only=True)
class TableRow:
    """The scores of all columns in a game."""

    game: str
    cells: tuple[TableCell, ...]


@dataclass(frozen=True, kw_only=True)
class Count:
    """A number of games, of those for which a column has a score."""

    number: int
    of: int


@dataclass(frozen=True, kw_only=True)
class CountRow:
    """A count for every column; None where the paper does not count."""

    key: str
    label: str
    counts: tuple[Count | None, ...]


@dataclass(frozen=True, kw_only=True)
class ComparisonTable:
    """A table of the paper with our columns in it."""

    name: str
    columns: tuple[TableColumn, ...]
    rows: tuple[TableRow, ...]
    counts: tuple[CountRow, ...]


def make_table1(ours: Sequence[PlayedColumn]) -> ComparisonTable:
    """Return Table 1, with our columns that reproduce its planner."""
    matching = [column for column in ours if column.paper == RAS_HALF_SECOND]
    return _make_table("table1", paper_table1(), matching, paper_table1().games)


def make_table2(ours: Sequence[PlayedColumn]) -> ComparisonTable:
    """Return Table 2, with all our columns, and games that only they have at its end."""
    games = set(paper_table2().games).union(*(column.planned for column in ours))
    return _make_table("table2", paper_table2(), ours, in_paper_order(games))


def _make_table(
    name: str, paper: ScoreTable, ours: Sequence[PlayedColumn], games: Sequence[str]
) -> ComparisonTable:
    columns = _arrange(paper, ours, games)
    human = paper.columns[HUMAN]
    return ComparisonTable(
        name=name,
        columns=tuple(columns),
        rows=tuple(TableRow(game=game, cells=_make_cells(game, columns, human)) for game in games),
        counts=tuple(_count(columns, human)),
    )


def _arrange(paper: ScoreTable, ours: Sequence[PlayedColumn], games: Sequence[str]) -> list[TableColumn]:
    """Put each column of ours right after the one that it reproduces, and the others at the end."""
    columns = []
    for key, scores in paper.columns.items():
        group, label = PAPER_HEADS[key]
        columns.append(TableColumn(key=key, group=group, label=label, scores=scores))
        columns += [_make_column(column, group, games) for column in ours if column.paper == key]
    others = [column for column in ours if column.paper not in paper.columns]
    return columns + [_make_column(column, "Ours", games) for column in others]


def _make_column(column: PlayedColumn, group: str, games: Sequence[str]) -> TableColumn:
    return TableColumn(
        key=column.name,
        group=group,
        # What the head of the group says already is not said again.
        label=column.label.removeprefix(f"{group}, "),
        scores={game: column.means[game] for game in games if game in column.means},
        is_ours=True,
        short_of_runs=column.short_of_runs,
    )


def _make_cells(game: str, columns: list[TableColumn], human: GameScores) -> tuple[TableCell, ...]:
    scores = [column.scores[game] for column in columns if game in column.scores]
    return tuple(
        TableCell(
            value=(value := column.scores.get(game)),
            is_best=value is not None and value == max(scores),
            is_human_level=(
                value is not None and column.is_compared_with_human and game in human and value >= human[game]
            ),
            runs=column.short_of_runs.get(game),
        )
        for column in columns
    )


def _count(columns: list[TableColumn], human: GameScores) -> list[CountRow]:
    return [
        _count_reaching("at_least_human", "# ≥ human", columns, human, 1.0),
        _count_reaching("at_least_75_percent_human", "# ≥ 75 % human", columns, human, THREE_QUARTERS),
        _count_best("best", "# best in game", columns, with_ours=True),
        _count_best("best_of_paper", "# best in game, paper's columns alone", columns, with_ours=False),
    ]


def _count_reaching(
    key: str, label: str, columns: list[TableColumn], human: GameScores, share: float
) -> CountRow:
    counts = tuple(
        Count(number=count_reaching(column.scores, human, share), of=len(column.scores.keys() & human.keys()))
        if column.is_compared_with_human
        else None
        for column in columns
    )
    return CountRow(key=key, label=label, counts=counts)


def _count_best(key: str, label: str, columns: list[TableColumn], *, with_ours: bool) -> CountRow:
    # A column of ours may have the name of one of the paper's: places tell them apart.
    best = count_best(
        {str(place): column.scores for place, column in enumerate(columns) if with_ours or not column.is_ours}
    )
    counts = tuple(
        Count(number=best[str(place)], of=len(column.scores)) if str(place) in best else None
        for place, column in enumerate(columns)
    )
    return CountRow(key=key, label=label, counts=counts)
