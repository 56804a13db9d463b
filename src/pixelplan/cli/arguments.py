"""Reading arguments with tyro, with complaints of one line."""

from __future__ import annotations

import contextlib
import io
import re
from typing import Annotated, Any, TypeVar

import tyro

from pixelplan.errors import InputError

Settings = TypeVar("Settings")


def _number(word: str, kind: type) -> Any:  # noqa: ANN401
    try:
        return None if word == "none" else kind(word)
    except ValueError:
        raise ValueError(f"{word!r} is not {'a whole number' if kind is int else 'a number'}") from None


def _optional(kind: type, metavar: str) -> Any:  # noqa: ANN401
    """Make the argument type of an optional number, whose complaints name the number alone."""
    return tyro.constructors.PrimitiveConstructorSpec(
        nargs=1,
        metavar=metavar,
        instance_from_str=lambda words: _number(words[0], kind),
        is_instance=lambda value: value is None or isinstance(value, kind),
        str_from_instance=lambda value: ["none" if value is None else str(value)],
    )


OptionalFloat = Annotated[float | None, _optional(float, "FLOAT")]
OptionalInt = Annotated[int | None, _optional(int, "INT")]


def read_arguments(command: str, default: Settings, arguments: list[str]) -> Settings:
    """Read a command's arguments over its defaults; InputError says in a line what is wrong."""
    complaint = io.StringIO()
    try:
        with contextlib.redirect_stderr(complaint):
            return tyro.cli(type(default), prog=f"pixelplan {command}", default=default, args=arguments)
    except SystemExit as leaving:
        if leaving.code == 0:
            raise
        raise InputError(_first_section(complaint.getvalue())) from None


def _first_section(box: str) -> str:
    """Return the words of tyro's message box, up to its first rule."""
    words: list[str] = []
    for line in re.sub(r"\x1b\[[0-9;]*m", "", box).splitlines():
        text = line.strip("│ ").strip()
        if text.startswith("╭"):
            continue
        if text.startswith(("─", "╰")) or (not text and words):
            break
        words.append(text)
    return " ".join(words)
