"""Dataclasses whose values are given by name, and that say how to write a call that does otherwise."""

from __future__ import annotations

from dataclasses import MISSING, Field
from typing import Any, ClassVar, Self

from pixelplan.errors import InputError, describe, suggest


class Keywords:
    """A dataclass whose values are given by name."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def __new__(cls, *words: object, **values: object) -> Self:
        """Refuse values without names, unknown names and missing values, and tell what to write."""
        known = cls.__dataclass_fields__
        if words:
            advice = cls.example(words[0])
            raise InputError(f"{cls.__name__} takes values by name, not {describe(words[0])}: write {advice}")
        for name in values:
            if name not in known:
                raise InputError(cls.advice_on(name, values[name]))
        # A copy is made without values at first.
        for name in known if values else ():
            if name not in values and known[name].default is known[name].default_factory is MISSING:
                raise InputError(f"{name} is missing: write {cls.example()}")
        return super().__new__(cls)

    @classmethod
    def advice_on(cls, name: str, value: object) -> str:  # noqa: ARG003
        """Say what to write instead of an unknown name with a value."""
        return f"unknown setting {name!r}: {suggest(name, cls.__dataclass_fields__)}"

    @classmethod
    def example(cls, word: object = None) -> str:
        """Return a call that is right, with the value that was given without a name if that is possible."""
        raise NotImplementedError
