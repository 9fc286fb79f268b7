"""Numbers, counts and tables as people read them."""
from __future__ import annotations

import html
from typing import Iterable, Sequence

import numpy as np


def shown(value: float) -> str:
    """Four significant digits, in scientific form where the plain one would hide them.

    Examples
    --------
    >>> shown(0.0123456), shown(1e-9), shown(0.0)
    ('0.01235', '1.000e-09', '0')
    """
    size = abs(value)
    if value == 0:
        return "0"
    if 1e-3 <= size < 1e6:
        return f"{value:.{max(0, 3 - int(np.floor(np.log10(size))))}f}"
    return f"{value:.3e}"


def counted(count: int, noun: str) -> str:
    """The count and the noun, in the plural unless there is one.

    Examples
    --------
    >>> counted(1, "point"), counted(12345, "point")
    ('1 point', '12,345 points')
    """
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def aligned(rows: Sequence[Sequence[str]], right: Iterable[int]) -> list[str]:
    """The rows as lines whose cells stand below each other, those of the columns ``right`` to the right."""
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    to_the_right = set(right)

    def line(row: Sequence[str]) -> str:
        cells = (
            cell.rjust(width) if place in to_the_right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths))
        )
        return "  ".join(cells).rstrip()

    return [line(row) for row in rows]


def html_table(rows: Sequence[Sequence[str]], left: Iterable[int] = ()) -> str:
    """The rows as a table of HTML, the first of them its head, the columns ``left`` to the left."""
    to_the_left = set(left)

    def line(row: Sequence[str], tag: str) -> str:
        cells = (
            f'<{tag} style="text-align: {"left" if place in to_the_left else "right"}">{html.escape(cell)}</{tag}>'
            for place, cell in enumerate(row)
        )
        return f"<tr>{''.join(cells)}</tr>"

    head, *body = rows
    return f"<table>{line(head, 'th')}{''.join(line(row, 'td') for row in body)}</table>"


def html_lines(lines: Iterable[str]) -> str:
    """The lines as a paragraph of HTML."""
    return f"<p>{'<br>'.join(map(html.escape, lines))}</p>"
