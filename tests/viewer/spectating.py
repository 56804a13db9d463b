"""What a page makes of the messages that it gets."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from pixelplan.viewer.encoding import ROW, Kind, Rows

if TYPE_CHECKING:
    from pixelplan.viewer.stage import Message

HEAD = struct.Struct("<B3xI")


def kind_of(message: Message) -> str:
    """Return a message's type, or the name of its kind in small letters."""
    if isinstance(message, str):
        return str(json.loads(message)["type"])
    return Kind(message[0]).name.lower()


@dataclass
class Page:
    """A page: what it was told last of each kind, and the tree as it knows it."""

    kinds: list[str] = field(default_factory=list)
    """Of all messages, in order."""
    told: dict[str, Any] = field(default_factory=dict)
    """The last message of each kind; of binary ones, the number and the content."""
    decision: int = -1
    rows: dict[int, Any] = field(default_factory=dict)
    branch: tuple[int, ...] = ()

    def take(self, message: Message) -> str:
        """Take a message in; return its kind."""
        kind = kind_of(message)
        self.kinds.append(kind)
        if isinstance(message, str):
            self.told[kind] = json.loads(message)
            return kind
        _, number = HEAD.unpack_from(message)
        content = message[HEAD.size :]
        self.told[kind] = number, content
        if kind == "tree":
            self.decision, self.rows = number, {}
        if kind in ("tree", "growth") and number == self.decision:
            (count,) = struct.unpack_from("<I", content)
            end = 4 + count * ROW.itemsize
            self._add(np.frombuffer(content[4:end], ROW))
            self.branch = tuple(content[end:])
        return kind

    def _add(self, rows: Rows) -> None:
        self.rows |= {int(row["id"]): row.copy() for row in rows}

    def tree(self) -> list[Any]:
        """Return the tree's rows in order of their ids."""
        return [self.rows[node].item() for node in sorted(self.rows)]


def sorted_rows(rows: Rows) -> list[Any]:
    """Return rows in order of their ids."""
    return sorted(rows.tolist())
