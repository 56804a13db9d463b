"""A document as one HTML page that needs nothing else: style and figures are in it."""

from __future__ import annotations

import base64
import html
from importlib.resources import files
from itertools import groupby
from typing import TYPE_CHECKING

from pixelplan.reports.document import Heading, Items, Paragraph, Picture, Table
from pixelplan.reports.typography import bind_units

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pixelplan.reports.document import Block, Cell, Document, Head, Section

# A policy that forbids every request makes "needs nothing else" a fact.
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>
{style}</style>
</head>
<body>
<header>
<h1>{title}</h1>
<nav aria-label="Sections">
{links}
</nav>
</header>
<main>
{sections}
</main>
</body>
</html>
"""

LEGEND = (
    "<b>Bold</b>: best in the row. "
    '<span class="human">Red</span>: at least as good as the human. '
    '<span class="ours sample">Shaded</span>: our columns.'
)


def render_html(document: Document, figures: Mapping[str, bytes]) -> str:
    """Return the page; figures are SVG, by name."""
    links = "\n".join(f'<a href="#{one.key}">{_escape(one.title)}</a>' for one in document.sections)
    return PAGE.format(
        title=_escape(document.title),
        style=files(__package__).joinpath("style.css").read_text(encoding="utf-8"),
        links=links,
        sections="\n".join(_render_section(section, figures) for section in document.sections),
    )


def _render_section(section: Section, figures: Mapping[str, bytes]) -> str:
    blocks = "\n".join(_render(block, figures) for block in section.blocks)
    return f'<section id="{section.key}">\n<h2>{_escape(section.title)}</h2>\n{blocks}\n</section>'


def _render(block: Block, figures: Mapping[str, bytes]) -> str:
    match block:
        case Heading(text=text):
            return f"<h3>{_escape(text)}</h3>"
        case Paragraph(text=text):
            return f"<p>{_escape(text)}</p>"
        case Items(items=items):
            lines = "\n".join(f"<li>{_escape(item)}</li>" for item in items)
            return f"<ul>\n{lines}\n</ul>"
        case Picture(name=name, caption=caption):
            return _render_picture(name, caption, figures[name])
        case Table():
            return _render_table(block)


def _render_picture(name: str, caption: str, svg: bytes) -> str:
    # As an image of its own: several drawings inside one page would share their identifiers.
    data = base64.b64encode(svg).decode()
    image = f'<img src="data:image/svg+xml;base64,{data}" alt="{_escape(caption)}">'
    return (
        f'<figure id="figure-{_escape(name)}">\n<div class="card">{image}</div>\n'
        f"<figcaption>{_escape(caption)}</figcaption>\n</figure>"
    )


def _render_table(table: Table) -> str:
    heads = "\n".join(_render_heads(table.heads))
    parts = [f"<thead>\n{heads}\n</thead>"]
    for tag, rows in (("tbody", table.rows), ("tfoot", table.foot)):
        if rows:
            lines = "\n".join(_render_row(row, table.heads) for row in rows)
            parts.append(f"<{tag}>\n{lines}\n</{tag}>")
    notes = [LEGEND] if table.has_marks else []
    notes += [_escape(note) for note in table.notes]
    below = f'\n<p class="notes">{"<br>".join(notes)}</p>' if notes else ""
    kind = "scores" if table.has_marks else "plain"
    body = "\n".join(parts)
    # A box that scrolls must be reachable by keyboard.
    box = '<div class="box" tabindex="0" role="region" aria-label="Table">'
    return f'{box}\n<table class="{kind}">\n{body}\n</table>\n</div>{below}'


def _render_heads(heads: tuple[Head, ...]) -> Iterator[str]:
    if any(head.group for head in heads):
        groups = [(group, len(list(members))) for group, members in groupby(heads, lambda head: head.group)]
        cells = "".join(
            f'<th colspan="{span}" scope="colgroup" class="group"><span>{_escape(group)}</span></th>'
            if group
            else "<td></td>" * span
            for group, span in groups
        )
        yield f"<tr>{cells}</tr>"
    cells = "".join(f'<th scope="col"{_classes(head)}>{_escape(head.text)}</th>' for head in heads)
    yield f"<tr>{cells}</tr>"


def _render_row(row: tuple[Cell, ...], heads: tuple[Head, ...]) -> str:
    first, *others = row
    cells = [f'<th scope="row">{_text(first)}</th>']
    cells += [
        f"<td{_classes(head, cell)}>{_text(cell)}</td>" for cell, head in zip(others, heads[1:], strict=True)
    ]
    return f"<tr>{''.join(cells)}</tr>"


def _escape(text: str) -> str:
    return html.escape(bind_units(text))


def _text(cell: Cell) -> str:
    text = _escape(cell.text)
    if cell.is_best:
        text = f"<b>{text}</b>"
    return f"{text}<sup>{_escape(cell.mark)}</sup>" if cell.mark else text


def _classes(head: Head, cell: Cell | None = None) -> str:
    marks = {
        "words": head.is_text,
        "ours": head.is_ours,
        "human": cell is not None and cell.is_human_level,
        "missing": cell is not None and cell.is_missing,
    }
    names = " ".join(name for name, holds in marks.items() if holds)
    return f' class="{names}"' if names else ""
