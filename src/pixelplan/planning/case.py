"""The cases that a search tells apart on arriving at a node."""

from __future__ import annotations

import enum


class Case(enum.IntEnum):
    """A finding. Paper: 1 to 4 are the four cases of Figure 1."""

    UNTESTED = 0
    """Cached, or reached by an action without effect: passed."""
    NOVEL = 1
    NOT_NOVEL = 2
    NO_LONGER_NOVEL = 3
    STILL_NOVEL = 4
    DEAD_END = 5
    """Game over, no action, or a lost life where that ends a branch."""
    TOO_DEEP = 6
    """As deep as the search looks."""
    TWIN = 7
    """Equal to an earlier sibling, where the search looks at such nodes once (best/caution.py)."""
    FOLLOWED = 8
    """Simulated to verify the best branch, or to look for a way out (best/verification.py)."""


BRANCH_ENDS = (Case.DEAD_END, Case.TOO_DEEP, Case.TWIN)
"""Where nothing follows, whatever the features are."""
LASTING_ENDS = (Case.TWIN,)
"""Ends that hold below any root. Depth depends on the root, and a lost life is none once it is the root's."""
