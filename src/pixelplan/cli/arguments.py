"""Reading arguments with tyro, with complaints of one line."""

from __future__ import annotations

import contextlib
import io
import re
from functools import partial
from typing import Any, TypeVar

import tyro

from pixelplan.errors import InputError

Settings = TypeVar("Settings")


REGISTRY = tyro.constructors.ConstructorRegistry()


@REGISTRY.primitive_rule
def number(info: tyro.constructors.PrimitiveTypeInfo) -> Any:  # noqa: ANN401
    """Read numbers, which may be `none` where they need not be given, with complaints in words."""
    for kind, metavar in ((int, "INT"), (float, "FLOAT")):
        if info.type in (kind, kind | None):
            is_optional = info.type != kind
            return tyro.constructors.PrimitiveConstructorSpec[Any](
                nargs=1,
                metavar=metavar,
                instance_from_str=partial(_read_number, kind, is_optional),
                is_instance=partial(_is_number, kind),
                str_from_instance=lambda value: ["none" if value is None else str(value)],
            )
    return None


def _is_number(kind: type, value: object) -> bool:
    return value is None or isinstance(value, kind)


def _read_number(kind: type, is_optional: bool, words: list[str]) -> Any:  # noqa: ANN401
    if is_optional and words[0] == "none":
        return None
    try:
        return kind(words[0])
    except ValueError:
        raise ValueError(f"{words[0]!r} is not {'a whole number' if kind is int else 'a number'}") from None


def read_arguments(command: str, default: Settings, arguments: list[str]) -> Settings:
    """Read a command's arguments over its defaults; InputError names a fault in one line."""
    complaint = io.StringIO()
    try:
        with contextlib.redirect_stderr(complaint):
            return tyro.cli(
                type(default),
                prog=f"pixelplan {command}",
                default=default,
                args=arguments,
                registry=REGISTRY,
            )
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
