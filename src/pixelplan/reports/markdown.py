"""A document as Markdown, in GitHub's dialect."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pixelplan.reports.document import Heading, Items, Paragraph, Picture, Table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pixelplan.reports.document import Block, Cell, Document, Head

HUMAN_LEVEL = "◆"
LEGEND = f"**Bold**: best in the row. {HUMAN_LEVEL}: at least as good as the human."


def render_markdown(document: Document, figures: str) -> str:
    """Return the text; figures are linked to in the folder of that name."""
    blocks = [f"# {_escape(document.title)}"]
    for section in document.sections:
        blocks.append(f"## {_escape(section.title)}")
        for block in section.blocks:
            blocks += _render(block, figures)
    return "\n\n".join(blocks) + "\n"


def _render(block: Block, figures: str) -> Iterator[str]:
    match block:
        case Heading(text=text):
            yield f"### {_escape(text)}"
        case Paragraph(text=text):
            yield _escape(text)
        case Items(items=items):
            yield "\n".join(f"- {_escape(item)}" for item in items)
        case Picture(name=name, caption=caption):
            yield f"![{_escape(caption)}]({figures}/{name}.png)"
            yield f"*{_escape(caption)}* ([SVG]({figures}/{name}.svg))"
        case Table():
            yield render_table(block)
            if block.has_marks:
                yield LEGEND
            if block.notes:
                yield "  \n".join(_escape(note) for note in block.notes)


def render_table(table: Table) -> str:
    """Return the lines of a table, without its notes."""
    lines = [_line(_head(head) for head in table.heads)]
    lines.append(_line(":--" if head.is_text else "--:" for head in table.heads))
    lines += [_line(_cell(cell) for cell in row) for row in (*table.rows, *table.foot)]
    return "\n".join(lines)


def _line(cells: Iterator[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _head(head: Head) -> str:
    # One line of heads is all there is: ours say so, and leave the planner to their own label.
    return _escape(f"{head.text} (ours)" if head.is_ours else f"{head.group} {head.text}".strip())


def _cell(cell: Cell) -> str:
    text = _escape(cell.text)
    if cell.is_best:
        text = f"**{text}**"
    mark = f"<sup>{_escape(cell.mark)}</sup>" if cell.mark else ""
    return f"{text}{mark}{f' {HUMAN_LEVEL}' if cell.is_human_level else ''}"


def _escape(text: str) -> str:
    escaped = re.sub(r"([\\`*_\[\]<>|~$])", r"\\\1", " ".join(text.split())).replace("&", "&amp;")
    return re.sub(r"^([-+#]|\d+[.)])(?=\s)", r"\\\1", escaped)
