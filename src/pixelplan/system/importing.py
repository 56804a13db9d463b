"""Code by name: `MODULE:NAME`, imported because the user names it."""

from __future__ import annotations

import importlib
import re
import sys
from importlib.machinery import PathFinder
from pathlib import Path

from pixelplan.errors import InputError

_CODE_NAME = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*")


def is_code_name(name: str) -> bool:
    """Say whether a name has the form MODULE:NAME."""
    return _CODE_NAME.fullmatch(name) is not None


def origin_of(name: str) -> str:
    """Say where code would be imported from, without importing anything."""
    package = name.partition(":")[0].partition(".")[0]
    spec = PathFinder.find_spec(package, [*sys.path, str(Path.cwd())])
    return "nowhere" if spec is None else spec.origin or package


def import_named(name: str) -> object:
    """Import code by its name. The current folder is searched last; InputError names the fault."""
    module, _, attribute = name.partition(":")
    folder = str(Path.cwd())
    if folder not in sys.path:
        # At the end: it hides nothing that is installed. Worker processes have the same path.
        sys.path.append(folder)
    try:
        found: object = getattr(importlib.import_module(module), attribute)
    except Exception as error:
        # The module is the user's, and may raise anything.
        raise InputError(f"{name}: {type(error).__name__}: {error}") from error
    return found
