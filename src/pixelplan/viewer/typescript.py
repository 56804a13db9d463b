"""Writes web/src/generated.ts: what the page shares with the server, in TypeScript.

`make web` runs it; `make check` compares.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

import msgspec

from pixelplan.planning.case import Case
from pixelplan.play.decision_record import CASE_FIELDS
from pixelplan.viewer.encoding import NO_PARENT_ROW, NOT_VISITED_ROW, ROW, Flag, Kind
from pixelplan.viewer.messages import SAID, Wish

if TYPE_CHECKING:
    from collections.abc import Iterable

HEAD = "/** Written by src/pixelplan/viewer/typescript.py: `make web` writes it anew. */"

WORDS = {
    msgspec.inspect.IntType: "number",
    msgspec.inspect.FloatType: "number",
    msgspec.inspect.StrType: "string",
    msgspec.inspect.BoolType: "boolean",
    msgspec.inspect.NoneType: "null",
}


def write_types() -> str:
    """Return the text of the file."""
    constants = {"NO_PARENT": NO_PARENT_ROW, "NOT_VISITED": NOT_VISITED_ROW, "ROW_BYTES": ROW.itemsize}
    offsets = {name: place[1] for name, place in (ROW.fields or {}).items()}
    names = ", ".join(f'"{CASE_FIELDS[case]}"' for case in Case)
    parts = [
        HEAD,
        "\n".join(f"export const {name} = {value};" for name, value in constants.items()),
        *(_constants(kind.__name__, dict(kind.__members__)) for kind in (Case, Flag, Kind)),
        _constants("Offset", offsets),
        f"/** They count the cases of a decision. */\nexport const CASE_FIELDS = [{names}] as const;",
        *_interfaces(SAID, is_sent=True),
        _union("ServerMessage", (kind.__name__ for kind in SAID.values())),
        *_interfaces({kind.__name__.lower(): kind for kind in get_args(Wish)}, is_sent=False),
        _union("PageMessage", (f"{kind.__name__}Wish" for kind in get_args(Wish))),
    ]
    return "\n\n".join(parts) + "\n"


def _constants(name: str, values: dict[str, Any]) -> str:
    lines = (f"  {key}: {int(value)}," for key, value in values.items())
    return "\n".join([f"export const {name} = {{", *lines, "} as const;"])


def _union(name: str, kinds: Iterable[str]) -> str:
    return f"export type {name} =\n  | " + "\n  | ".join(kinds) + ";"


def _interfaces(kinds: dict[str, Any], *, is_sent: bool) -> list[str]:
    """Write an interface for each type of message, and for what is part of one."""
    written: dict[str, str] = {}
    for tag, kind in kinds.items():
        _write(kind.__name__ + ("" if is_sent else "Wish"), kind, written, tag=tag, is_sent=is_sent)
    return list(written.values())


def _write(name: str, kind: Any, written: dict[str, str], *, tag: str | None, is_sent: bool) -> None:  # noqa: ANN401
    info = msgspec.inspect.type_info(kind)
    assert isinstance(info, msgspec.inspect.StructType | msgspec.inspect.DataclassType)
    lines = [] if tag is None else [f'  type: "{tag}";']
    omits = getattr(getattr(kind, "__struct_config__", None), "omit_defaults", False)
    for field in info.fields:
        may_be_absent = not field.required and (omits or not is_sent)
        word = _word(field.type, written)
        lines.append(f"  {field.encode_name}{'?' if may_be_absent else ''}: {word};")
    written[name] = "\n".join([f"export interface {name} {{", *lines, "}"])


def _word(info: msgspec.inspect.Type, written: dict[str, str]) -> str:
    """Return a type in TypeScript."""
    match info:
        case msgspec.inspect.Metadata(type=inner):
            return _word(inner, written)
        case msgspec.inspect.UnionType(types=types):
            return " | ".join(_word(kind, written) for kind in types)
        case msgspec.inspect.LiteralType(values=values):
            return " | ".join(f'"{value}"' for value in values)
        case msgspec.inspect.ListType(item_type=item) | msgspec.inspect.VarTupleType(item_type=item):
            word = _word(item, written)
            return f"({word})[]" if " | " in word else f"{word}[]"
        case msgspec.inspect.TupleType(item_types=items):
            return f"[{', '.join(_word(item, written) for item in items)}]"
        case msgspec.inspect.StructType(cls=kind):
            _write(kind.__name__, kind, written, tag=None, is_sent=True)
            return str(kind.__name__)
    return WORDS[type(info)]


if __name__ == "__main__":
    print(write_types(), end="")
