"""Progress of a sweep on a terminal: a bar, the time left, and the scores by game."""

from __future__ import annotations

import contextlib
import sys
import time
from collections import defaultdict
from statistics import mean
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from pixelplan.experiments.playing import estimate_work

if TYPE_CHECKING:
    from types import TracebackType

    from rich.console import RenderableType

    from pixelplan.experiments.ledger import Row
    from pixelplan.experiments.spec import Episode, Experiment

GAMES_SHOWN = 12


class SweepProgress:
    """Tells of a sweep on standard error: live on a terminal, a line for each episode elsewhere."""

    def __init__(self, experiment: Experiment) -> None:
        self._experiment = experiment
        self._work = {episode.name: estimate_work(episode.settings) for episode in experiment.episodes}
        self._scores: dict[tuple[str, str], list[int]] = defaultdict(list)
        self._recent_games: dict[str, None] = {}
        self._finished = 0
        self._started = time.monotonic()
        self._work_done = self._work_left = 0.0
        console = Console(stderr=True, highlight=False)
        # Without a thread of its own, which would take time from the planners.
        can_move = console.is_terminal and not console.is_dumb_terminal
        self._live = Live(console=console, auto_refresh=False) if can_move else None

    def __enter__(self) -> SweepProgress:
        """Begin to show."""
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Leave the last display on the terminal."""
        if self._live is not None:
            self._live.stop()

    def say(self, line: str) -> None:
        """Tell of something unusual."""
        if self._live is not None:
            self._live.console.print(line, markup=False)
        else:
            # Nobody may be listening any more; the sweep goes on.
            with contextlib.suppress(BrokenPipeError):
                sys.stderr.write(f"{line}\n")

    def begin(self, missing: list[Episode], finished: list[Row]) -> None:
        """Take in the episodes to be played, and those played before."""
        self._started = time.monotonic()
        self._work_left = sum(self._work[episode.name] for episode in missing)
        for row in finished:
            self._take_in(row)
        if self._live is None:
            self.say(f"{self._experiment.title}: {len(missing)} of {len(self._work)} episodes to play")
        self.look()

    def finished(self, row: Row) -> None:
        """Show a finished episode."""
        self._work_left -= self._work[row.name]
        self._work_done += self._work[row.name]
        self._take_in(row)
        if self._live is None:
            left = self._time_left()
            self.say(
                f"{self._finished}/{len(self._work)}  {row.name}  score {row.score}  "
                f"{row.wall_seconds:.0f} s{f'  {left} left' if left else ''}"
            )
        for flag in row.flags():
            self.say(f"{row.name}: {flag}")
        self.look()

    def failed(self, episode: Episode, error: str, *, is_last: bool) -> None:
        """Tell of a failure."""
        if is_last:
            self._work_left -= self._work[episode.name]
        self.say(f"{episode.name} failed{' for good' if is_last else ''}: {error}")

    def look(self) -> None:
        """Show how things stand."""
        if self._live is not None:
            self._live.update(self._render(), refresh=True)

    def summary(self) -> str:
        """Return the number of finished episodes, in words."""
        return f"{self._finished} of {len(self._work)} episodes are there"

    def _take_in(self, row: Row) -> None:
        self._finished += 1
        self._scores[row.column, row.game].append(row.score)
        self._recent_games.pop(row.game, None)
        self._recent_games[row.game] = None

    def _time_left(self) -> str:
        if not self._work_done or self._finished == len(self._work):
            return ""
        elapsed = time.monotonic() - self._started
        return _duration(self._work_left * elapsed / self._work_done)

    def _render(self) -> RenderableType:
        grid = Table.grid(padding=(0, 2))
        elapsed = _duration(time.monotonic() - self._started)
        left = self._time_left()
        grid.add_row(
            ProgressBar(total=len(self._work), completed=self._finished, width=30),
            f"{self._finished}/{len(self._work)} episodes",
            f"{elapsed} passed" + (f", about {left} left" if left else ""),
        )
        scores = Table(box=None, padding=(0, 2, 0, 0))
        scores.add_column("mean score", style="dim")
        for column in self._experiment.columns:
            scores.add_column(column.name, justify="right", overflow="fold")
        for game in list(self._recent_games)[-GAMES_SHOWN:]:
            means = (self._scores.get((column.name, game)) for column in self._experiment.columns)
            scores.add_row(game, *(f"{mean(values):,.0f}" if values else "" for values in means))
        return Group(Text(self._experiment.title, style="bold"), grid, scores)


def _duration(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {seconds:02} s" if minutes else f"{seconds} s"
