"""Limits of settings: stated beside each setting, and checked for all in one way."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from functools import cache
from numbers import Integral, Real
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from pixelplan.errors import InputError, describe


@dataclass(frozen=True)
class Limits:
    """The least and the greatest value of a number, or a value that it stays below."""

    least: float
    most: float = math.inf
    below: float = math.inf

    def __str__(self) -> str:
        """Say which values are allowed."""
        if self.below < math.inf:
            return f"{self.least:g} or more, and below {self.below:g}"
        if self.most < math.inf:
            return f"between {self.least:g} and {self.most:.5g}"
        return f"at least {self.least:g}" if self.least > 0 else f"{self.least:g} or more"


@dataclass(frozen=True)
class Form:
    """The form of a name that stands for code of the user's."""

    form: str


Amount = Annotated[float, Limits(0)]
Count = Annotated[int, Limits(0)]
Positive = Annotated[int, Limits(1)]
Share = Annotated[float, Limits(0, 1)]

_KINDS = {
    bool: (bool, "True or False"),
    int: (Integral, "a whole number"),
    float: (Real, "a number"),
    str: (str, "a word"),
}


def check_limits(settings: Any) -> None:  # noqa: ANN401
    """Refuse values of a dataclass that are not of their types, or not within their limits."""
    kind: Any = type(settings)
    for name, hint in _hints(kind).items():
        check(name, getattr(settings, name), hint)


def check(name: str, value: object, hint: Any) -> None:  # noqa: ANN401
    """Refuse a value that is not of a type, or not within its limits."""
    if problem := find_problem(value, hint):
        forms = [extra.form for extra in get_args(hint)[1:] if isinstance(extra, Form)]
        advice = f": write {name}={forms[0]!r}" if forms else ""
        raise InputError(f"{name} must be {problem}, not {describe(value)}{advice}")


@cache
def _hints(kind: Any) -> dict[str, Any]:  # noqa: ANN401
    hints = get_type_hints(kind, include_extras=True)
    return {field.name: hints[field.name] for field in fields(kind)}


def find_problem(value: object, hint: Any) -> str:  # noqa: ANN401
    """Name the type of a setting to which a value does not belong; nothing if it does."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        kind, *extras = arguments
        return find_problem(value, kind) or _exceeded(value, extras)
    if origin is Literal:
        return "" if value in arguments else f"one of {', '.join(map(str, arguments))}"
    if origin in (Union, UnionType):
        if value is None:
            return ""
        (kind,) = (argument for argument in arguments if argument is not type(None))
        return find_problem(value, kind)
    wanted, what = _KINDS[hint]
    is_right = isinstance(value, wanted) and (hint is bool or not isinstance(value, bool))
    return "" if is_right else what


def _exceeded(value: Any, extras: list[Any]) -> str:  # noqa: ANN401
    for limits in extras:
        is_number = isinstance(limits, Limits) and value is not None
        if is_number and not (limits.least <= value <= limits.most and value < limits.below):
            return str(limits)
    return ""
