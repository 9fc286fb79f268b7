"""Tables and lines as HTML, for notebooks; the words come from the compiled part."""
from __future__ import annotations

import html
from typing import Any, Iterable, Sequence


def html_table(table: dict[str, Any]) -> str:
    """A table of HTML; columns of text start at the left.

    Examples
    --------
    >>> html_table({"header": ["a"], "rows": [["1 < 2"]], "text_columns": []})
    '<table><tr><th style="text-align: right">a</th></tr><tr><td style="text-align: right">1 &lt; 2</td></tr></table>'
    """
    text_columns = set(table["text_columns"])

    def line(row: Sequence[str], tag: str) -> str:
        cells = (
            f'<{tag} style="text-align: {"left" if place in text_columns else "right"}">{html.escape(cell)}</{tag}>'
            for place, cell in enumerate(row)
        )
        return f"<tr>{''.join(cells)}</tr>"

    return f"<table>{line(table['header'], 'th')}{''.join(line(row, 'td') for row in table['rows'])}</table>"


def html_lines(lines: Iterable[str]) -> str:
    """The lines as a paragraph of HTML."""
    return f"<p>{'<br>'.join(map(html.escape, lines))}</p>"
