"""Snapshots of Python objects: the contents of their attributes, as bytes.

The bytes are a pickle. Unlike a deep copy they cannot be changed by accident, are compared with ``==``, and
are made faster. They are small: a tree of 50,000 states must fit into memory. Objects that no action can
change, or that have no state of their own, are not in them. They are referred to by a number.
"""

from __future__ import annotations

import io
import pickle
from functools import cache
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

KEPT_PACKAGES = ("ale_py", "pygame")
"""Packages whose objects are not saved: an emulator, saved by other means, and pictures and windows."""


class Snapshots:
    """Saves the attributes of some objects, and puts them back."""

    def __init__(
        self, objects: Sequence[object], *, keeps: Iterable[object], kept_types: tuple[type, ...]
    ) -> None:
        self._objects = objects
        self._kept = list(keeps)
        self._numbers = {id(thing): number for number, thing in enumerate(self._kept)}
        # Classes and functions have no state; without this, those made inside functions could not be saved.
        types = (*kept_types, FunctionType, ModuleType, type)

        @cache
        def is_kept(kind: type) -> bool:
            return issubclass(kind, types) or kind.__module__.partition(".")[0] in KEPT_PACKAGES

        self._is_kept = is_kept

    def save(self) -> bytes:
        """Return the attributes of all objects."""
        file = io.BytesIO()
        _Pickler(file, self).dump([vars(thing) for thing in self._objects])
        return file.getvalue()

    def restore(self, snapshot: bytes) -> None:
        """Give all objects the attributes that they had."""
        saved: list[dict[str, Any]] = _Unpickler(io.BytesIO(snapshot), self._kept).load()
        for thing, attributes in zip(self._objects, saved, strict=True):
            vars(thing).clear()
            vars(thing).update(attributes)

    def number(self, thing: object) -> int | None:
        """Return the number by which a thing is referred to; None if it is saved."""
        number = self._numbers.get(id(thing))
        if number is None and self._is_kept(type(thing)):  # type: ignore[arg-type]
            number = self._numbers[id(thing)] = len(self._kept)
            self._kept.append(thing)
        return number


class _Pickler(pickle.Pickler):
    def __init__(self, file: io.BytesIO, snapshots: Snapshots) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._number = snapshots.number

    def persistent_id(self, thing: object) -> int | None:
        """Return the number of an object that is kept."""
        return self._number(thing)


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, kept: list[object]) -> None:
        super().__init__(file)
        self._kept = kept

    def persistent_load(self, number: int) -> object:
        """Return the thing with a number."""
        return self._kept[number]
