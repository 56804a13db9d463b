"""The parts of a document, before it becomes Markdown or HTML. All texts are plain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pixelplan.reports.typography import MISSING

if TYPE_CHECKING:
    from collections.abc import Collection


@dataclass(frozen=True, kw_only=True)
class Cell:
    """A cell of a table's body."""

    text: str
    mark: str = ""
    """Raised, behind the text."""
    is_best: bool = False
    is_human_level: bool = False
    is_missing: bool = False


MISSING_CELL = Cell(text=MISSING, is_missing=True)


@dataclass(frozen=True, kw_only=True)
class Head:
    """The head of a table's column."""

    text: str
    group: str = ""
    """Common head above several columns."""
    is_ours: bool = False
    is_text: bool = False
    """Whether the column holds words, not numbers."""


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table; its first column names the rows."""

    heads: tuple[Head, ...]
    rows: tuple[tuple[Cell, ...], ...]
    foot: tuple[tuple[Cell, ...], ...] = ()
    """Rows that sum up the others."""
    notes: tuple[str, ...] = ()
    has_marks: bool = False
    """Whether to explain the marks of the best cells, of human level and of our columns."""


@dataclass(frozen=True, kw_only=True)
class Paragraph:
    """A few sentences."""

    text: str


@dataclass(frozen=True, kw_only=True)
class Items:
    """A list."""

    items: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Picture:
    """A figure, by name."""

    name: str
    caption: str


@dataclass(frozen=True, kw_only=True)
class Heading:
    """A title within a section."""

    text: str


Block = Table | Paragraph | Items | Picture | Heading


@dataclass(frozen=True, kw_only=True)
class Section:
    """A part of the document."""

    key: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, kw_only=True)
class Document:
    """A document."""

    title: str
    sections: tuple[Section, ...]


def show_picture(figures: Collection[str], name: str, caption: str) -> Block:
    """Show one of the figures, if it could be drawn."""
    if name not in figures:
        return Paragraph(text="There is nothing to draw yet.")
    return Picture(name=name, caption=caption)
