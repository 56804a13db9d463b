"""Atoms of a state from a function of the user's.

The function is handed a view of the game and returns atoms, any hashable things. Where there is
nothing but a name, as on the command line, `atoms:MODULE:FUNCTION` stands for it.
"""

from __future__ import annotations

import pickle
from functools import partial
from typing import TYPE_CHECKING

from pixelplan.errors import InputError, describe
from pixelplan.features.feature_set import FeatureSet
from pixelplan.planning.novelty import atom_table
from pixelplan.system.importing import import_named, is_code_name

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from pixelplan.features.background import Background
    from pixelplan.features.observation import View

    AtomFunction = Callable[[View], Iterable[Hashable]]

PREFIX = "atoms:"
FORM = f"{PREFIX}MODULE:FUNCTION"
ABOUT = "what a function of your own returns, given a view of the game: any hashable atoms"
MAX_ATOMS = 1_000
"""Assumed maximum of atoms that a function returns, unless it is given."""


def atom_set(function: AtomFunction, *, max_atoms: int = MAX_ATOMS) -> FeatureSet:
    """Make a feature set of a function. The greatest width depends on its maximum of atoms."""
    if not callable(function):
        raise InputError(
            f"atoms are made by a function, not by {describe(function)}: write features={FORM!r}"
        )
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
    """Say whether a name has the form `atoms:MODULE:FUNCTION`."""
    return name.startswith(PREFIX) and is_code_name(name.removeprefix(PREFIX))


def import_atom_set(name: str) -> FeatureSet:
    """Return the feature set of a function, by its name."""
    function = import_named(name.removeprefix(PREFIX))
    if not callable(function):
        raise InputError(f"{name}: {name.split(':')[-1]} is no function")
    return atom_set(function)


def _name(function: AtomFunction) -> str:
    return getattr(function, "__qualname__", repr(function))
