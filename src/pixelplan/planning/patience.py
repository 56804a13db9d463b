"""When to take a risk: where nothing has happened for long, perhaps only a lost life helps.

Whoever is averse to risk stands for ever on a ledge from which all ways down are a fall, although lives
are left, and the game goes on from elsewhere when one is lost.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pixelplan.planning.settings import SearchSettings


class Patience:
    """Counts the decisions since something has happened, and says by which settings to look ahead."""

    def __init__(self, settings: SearchSettings) -> None:
        self.is_bold = False
        """Whether the decision is one that takes the risk."""
        self._settings = settings
        self._bold = replace(settings, death_penalty=0.0, lost_life_ends=False)
        self._uneventful = 0
        self._lives = 0

    def next_settings(self, lives: int) -> SearchSettings:
        """Return the settings of the next decision, with so many lives left. The last one is not risked."""
        if lives < self._lives:
            self.restore()
        self._lives = lives
        has_run_out = 0 < self._settings.patience <= self._uneventful
        self.is_bold = has_run_out and lives > 1 and self._settings.risk_averse
        self._uneventful += 1
        return self._bold if self.is_bold else self._settings

    def restore(self) -> None:
        """Be patient again: there was a reward, or a life was lost."""
        self._uneventful = 0
