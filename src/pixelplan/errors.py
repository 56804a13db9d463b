"""The one error that is the user's: the command line shows its message, not a traceback."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class InputError(ValueError):
    """Wrong input. The message is one line that names the fault."""


def suggest(name: str, known: Iterable[str]) -> str:
    """Suggest a known name for one that is not known."""
    names = list(known)
    nearest = difflib.get_close_matches(name, names, n=1)
    return f"did you mean {nearest[0]}?" if nearest else f"choose from {', '.join(names)}"
