"""The one error that is the user's: the command line shows its message, not a traceback."""

from __future__ import annotations

import difflib
from numbers import Real
from types import FunctionType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class InputError(ValueError):
    """Wrong input. The message is one line that names the fault."""


def describe(value: object) -> str:
    """Name a value in a message: as it is written if it is a word or a number, else by what it is."""
    if value is None or isinstance(value, str | bool):
        return repr(value)
    if isinstance(value, Real):
        return str(value)
    if isinstance(value, type):
        return f"the class {value.__name__}"
    if isinstance(value, FunctionType):
        return f"the function {value.__name__}"
    kind = type(value).__name__
    return f"{'an' if kind[0] in 'AEIOUaeiou' else 'a'} {kind}"


def suggest(name: str, known: Iterable[str]) -> str:
    """Suggest a known name for one that is not known."""
    names = list(known)
    nearest = difflib.get_close_matches(name, names, n=1)
    return f"did you mean {nearest[0]}?" if nearest else f"choose from {', '.join(names)}"
