"""The one error that is the user's: the command line shows its message, not a traceback."""

from __future__ import annotations


class InputError(ValueError):
    """Wrong input. The message is one line that says what is wrong."""
