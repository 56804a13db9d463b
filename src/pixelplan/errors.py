"""The one error that is the user's: the command line shows its message, not a traceback."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class InputError(ValueError):
    """Wrong input. The message is one line that says what is wrong."""


def suggest(name: str, known: Iterable[str]) -> str:
    """Say what may have been meant by a name that is not known."""
    names = list(known)
    nearest = difflib.get_close_matches(name, names, n=1)
    return f"did you mean {nearest[0]}?" if nearest else f"choose from {', '.join(names)}"
