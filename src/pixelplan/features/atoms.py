"""Atoms that a function of the user's says are true in a state.

The function is handed a view of the game and returns atoms, any hashable things. Where there is
nothing but a name, as on the command line, `atoms:MODULE:FUNCTION` stands for it.
"""

from __future__ import annotations

import importlib
import pickle
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pixelplan.errors import InputError
from pixelplan.features.feature_set import FeatureSet
from pixelplan.planning.novelty import atom_table

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from pixelplan.features.background import Background
    from pixelplan.features.observation import View

    AtomFunction = Callable[[View], Iterable[Hashable]]

PREFIX = "atoms:"
FORM = f"{PREFIX}MODULE:FUNCTION"
ABOUT = "what a function of your own returns, given a view of the game: any hashable atoms"
MAX_ATOMS = 1_000
"""How many atoms a function is thought to return at most, if it is not said."""


def atom_set(function: AtomFunction, *, max_atoms: int = MAX_ATOMS) -> FeatureSet:
    """Make a feature set of a function. The greatest width depends on how many atoms it returns at most."""
    return FeatureSet(
        about=ABOUT,
        observe=partial(observe_atoms, function),
        describe=load_atoms,
        make_table=atom_table,
        needs_background=False,
        max_atoms=max_atoms,
    )


def observe_atoms(function: AtomFunction, background: Background, view: View) -> bytes:  # noqa: ARG001
    """Return the atoms of a state, pickled."""
    try:
        return pickle.dumps(frozenset(function(view)))
    except Exception as error:
        # Whatever goes wrong there is the user's.
        raise InputError(f"atoms by {_name(function)}: {type(error).__name__}: {error}") from error


def load_atoms(observation: bytes, previous: bytes) -> frozenset[Hashable]:  # noqa: ARG001
    """Return the atoms of an observation. Equal sets may be pickled in another order."""
    atoms: frozenset[Hashable] = pickle.loads(observation)
    return atoms


def is_atom_name(name: str) -> bool:
    """Say whether a name has the form of a function's."""
    parts = name.removeprefix(PREFIX).split(":")
    return name.startswith(PREFIX) and len(parts) == 2 and all(parts)


def import_atom_set(name: str) -> FeatureSet:
    """Return the set of a function's name. Modules of the current folder are found too."""
    module, _, function = name.removeprefix(PREFIX).partition(":")
    folder = str(Path.cwd())
    if folder not in sys.path:
        # At the end: it hides nothing that is installed. Worker processes have the same path.
        sys.path.append(folder)
    try:
        found = getattr(importlib.import_module(module), function)
    except Exception as error:
        # The module is the user's, and may raise anything.
        raise InputError(f"{name}: {type(error).__name__}: {error}") from error
    if not callable(found):
        raise InputError(f"{name}: {function} is no function")
    return atom_set(found)


def _name(function: AtomFunction) -> str:
    return getattr(function, "__qualname__", repr(function))
