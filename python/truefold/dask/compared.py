"""What a comparison of maps of dask arrays found: a table of numbers of all rows, and the maps."""
from __future__ import annotations

import html
import json
from typing import Any, Mapping, NamedTuple

from .. import _native
from ..choosing import MEASURES
from ..errors import DataError, ParameterError
from ..page import Report
from .measured import Measured, Measurement
from .page import Drawing, Shown

#: Every method by name: whether it is compared where none is named, whether it keeps the scale of the data, and so on.
METHOD_FACTS: dict[str, dict[str, Any]] = {row["name"]: row for row in json.loads(_native.tables())["methods"]}
#: Values within this of the best count as best, relative to it; scores as near as this are ranked by R_N.
TIE = 1e-3


class Row(NamedTuple):
    """A map at a number of neighbors: what was measured of it, or why there is none."""

    method: str
    k: int
    own_scale: bool
    map: Any
    measurement: Measurement | None
    measured: Measured | None
    seconds: float | None
    warnings: list[str]
    error: str | None

    def facts(self) -> dict[str, Any]:
        """The row for programs."""
        found: dict[str, Any] = {"method": self.method, "k": self.k}
        if self.measured is None:
            return {**found, "error": self.error}
        measured = self.measured
        found |= {"points": measured.n_points, "score": measured.score, "measures": measured.values}
        found |= {"lower_bounds": measured.lower_bounds, "chance": measured.chance, "skill": measured.skill}
        found |= {"standard_errors": measured.standard_errors, "seconds": self.seconds, "warnings": self.warnings}
        return found

    @property
    def is_ranked(self) -> bool:
        """Whether there is a score or an R_N that says something."""
        return self.measured is not None and min(self.order[1:3]) < float("inf")

    @property
    def order(self) -> tuple[Any, ...]:
        """What ranks it: the score, then R_N, where it says something."""
        if self.measured is None:
            return (1,)
        score = self.measured.score
        r_n = float("inf") if self.own_scale else self.measured.values.get("r_n", float("inf"))
        return (0, float("inf") if score is None else -round(score / TIE), r_n, 0.0 if score is None else -score)


class Comparison:
    """What :func:`truefold.dask.compare` found: numbers of all rows, and maps that stay with the workers.

    Attributes
    ----------
    rows : list of dict
        One for each map and number of neighbors, as those of :class:`truefold.Comparison`: ``method``, ``k``, ``measures``,
        ``lower_bounds``, ``standard_errors``, ``score``, ``rank`` (by the score, or by ``r_n`` where there is none),
        ``seconds``, ``best`` (``"score"`` and the measures in which it is best for its k), or ``error`` where the method could
        not do it.
    """

    def __init__(self, made: list[Row], names: list[str], drawing: Drawing) -> None:
        self._made, self._names, self._drawing = made, names, drawing
        self._scored = any(row.measured is not None and row.measured.score is not None for row in made)
        self._timed = any(row.seconds is not None for row in made)
        self.rows: list[dict[str, Any]] = [
            {**row.facts(), "best": self._best_of(row), "rank": self._rank_of(row)} if row.measured else row.facts()
            for row in made
        ]

    def _ranked(self, k: int) -> list[Row]:
        """The rows of a number of neighbors, the best first."""
        return sorted((row for row in self._made if row.k == k), key=lambda row: row.order)

    def _rank_of(self, row: Row) -> int | None:
        """The place among those of its number of neighbors, from 1 on, where there is something to rank it by."""
        return self._ranked(row.k).index(row) + 1 if row.is_ranked else None

    def _best_of(self, row: Row) -> list[str]:
        """In what a map is the best of those of its number of neighbors."""
        others = [one.measured for one in self._made if one.k == row.k and one.measured is not None]
        measured, found = row.measured, []
        scores = [one.score for one in others if one.score is not None]
        if measured.score is not None and measured.score >= max(scores) - TIE * abs(max(scores)):
            found.append("score")
        for name, value in measured.values.items():
            values = [one.values[name] for one in others]
            lower = MEASURES[name]["lower_is_better"]
            best = min(values) if lower else max(values)
            if (value - best if lower else best - value) <= TIE * abs(best):
                found.append(name)
        return found

    @property
    def best(self) -> str | None:
        """The method or map with the best score, of all numbers of neighbors, by ``r_n`` where there is no score; None where neither
        was measured, or all failed."""
        ranked = sorted((row for row in self._made if row.is_ranked), key=lambda row: row.order)
        return ranked[0].method if ranked else None

    def embedding(self, method: str, k: int | None = None) -> Any:
        """The map by this method, for this number of neighbors where there are several, as a dask array."""
        return self._row(method, k).map

    def measurement(self, method: str, k: int | None = None) -> Measurement:
        """What was measured of this map: ``per_point`` has the values of each row, computed when asked for."""
        found = self._row(method, k).measurement
        assert found is not None
        return found

    def _row(self, method: str, k: int | None) -> Row:
        rows = [row for row in self._made if row.method == method and k in (None, row.k)]
        if len(rows) != 1:
            known = ", ".join(f"{row.method} at k = {row.k}" for row in self._made)
            raise ParameterError(f"method = {method!r}, k = {k} names {len(rows)} rows; name one of {known}")
        if rows[0].measured is None:
            raise DataError(f"{method} gave no embedding: {rows[0].error}")
        return rows[0]

    def to_frame(self) -> Any:
        """All rows with all digits, as a frame of pandas: a measure and its bound beside each other."""
        import pandas

        rows = []
        for row in self.rows:
            cells = {name: row.get(name) for name in ("method", "k", "points", "score")}
            for name in self._names:
                cells[name] = row.get("measures", {}).get(name)
                for kind, ending in (("lower_bounds", "bound"), ("standard_errors", "error")):
                    if any(name in other.get(kind, {}) for other in self.rows):
                        cells[f"{name}_{ending}"] = row.get(kind, {}).get(name)
            cells |= {"seconds": row.get("seconds"), "best": " ".join(row.get("best", [])), "error": row.get("error")}
            rows.append(cells)
        return pandas.DataFrame(rows)

    def to_dict(self) -> dict[str, Any]:
        """The result for programs, without the maps."""
        measured = next((row.measured for row in self._made if row.measured is not None), None)
        facts = {"points": measured.n_points, "sample": measured.n_sampled} if measured else {}
        return json.loads(json.dumps({**facts, "rows": self.rows}))

    def _tables(self) -> list[dict[str, Any]]:
        """A table for each number of neighbors: cells with whether they are the best."""
        tables = []
        for k in dict.fromkeys(row.k for row in self._made):
            ranked = self._ranked(k)
            symbols = [MEASURES[name]["symbol"] for name in self._names]
            some = next((row.measured for row in ranked if row.measured is not None), None)
            pieces = f"; connected components: {some.n_components_of_graph:,}" if some else ""
            tables.append({
                "title": f"k = {k}{pieces}", "header": ["method", *(["score"] * self._scored), "times best", *symbols, *(["s"] * self._timed)],
                "rows": [self._cells(row) for row in ranked], "note": "",
            })
        tables[-1]["note"] = " ".join(self._notes())
        return tables

    def _cells(self, row: Row) -> list[list[Any]]:
        measured, name = row.measured, row.method + ("*" if row.own_scale else "")
        if measured is None:
            return [[name, False], ["failed", False], *[["", False]] * (len(self._names) + self._scored + self._timed)]
        best = self._best_of(row)
        score = "" if measured.score is None else f"{measured.score:.3f}"
        telling = "r_c" if row.own_scale else "r_n"
        times = measured.times_best(telling) if telling in measured.values else None
        cells = [[name, False], *([[score, "score" in best]] * self._scored), ["" if times is None else f"{times:.2f}", False]]
        for measure in self._names:
            error = measured.standard_errors.get(measure)
            text = _native.number(measured.values[measure]) + ("" if error is None else f" +- {_native.number(error)}")
            cells.append([text, measure in best and not (measure == "r_n" and row.own_scale)])
        return [*cells, *([["" if row.seconds is None else f"{row.seconds:.1f}", False]] * self._timed)]

    def _notes(self) -> list[str]:
        """What a reader should know: which is the best, what failed, warnings."""
        notes = []
        if self._scored:
            notes.append(f"Best by the score (1 the best possible, 0 chance, both ways): {self.best}.")
        if any(row.own_scale and row.measured for row in self._made):
            notes.append("* has a scale of its own: read R_C; times best is that of R_C.")
        sampled = next((row.measured.n_sampled for row in self._made if row.measured is not None), None)
        if sampled is not None and any(row.measured and row.measured.standard_errors for row in self._made):
            notes.append(f"Numbers with an error compare {sampled:,} sampled rows with all others.")
        for row in self._made:
            if row.error is not None:
                notes.append(f"{row.method}, k = {row.k} failed: {row.error}.")
            notes += [f"{row.method}, k = {row.k}: {text}." for text in row.warnings]
        return notes

    def to_markdown(self) -> str:
        """The tables in Markdown."""
        parts = []
        for table in self._tables():
            rows = [[f"**{_escaped(text)}**" if best and text else _escaped(text) for text, best in row] for row in table["rows"]]
            lines = [table["header"], ["---"] * len(table["header"]), *rows]
            parts.append(f"{table['title']}\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n")
        return "\n".join([*parts, *(f"- {_escaped(note)}" for note in self._notes())])

    def __repr__(self) -> str:
        parts = []
        for table in self._tables():
            rows = [table["header"], *([text for text, _ in row] for row in table["rows"])]
            widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
            lines = ["  ".join([row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))]).rstrip() for row in rows]
            parts.append("\n".join([table["title"], *lines]))
        return "\n\n".join([*parts, "\n".join(self._notes())]).rstrip()

    def _repr_html_(self) -> str:
        style = "font-family: monospace; white-space: pre; overflow-x: auto"
        return f'<pre style="{style}">{html.escape(repr(self))}</pre>'

    def report(
        self,
        *,
        title: str = "truefold",
        labels: Any = None,
        colors: Mapping[str, Any] | None = None,
        images: str | tuple[int, int] | None = None,
        drawn: int = 20_000,
    ) -> Report:
        """The interactive page of it: the tables of all rows, and pictures of some that are spread evenly.

        Parameters
        ----------
        title, labels, colors, images, drawn
            As for :func:`truefold.dask.report`.

        Returns
        -------
        Report
        """
        several = len({row.k for row in self._made}) > 1
        maps = [
            Shown(f"{row.method}, k = {row.k}" if several else row.method, row.map, row.measurement, row.measured, row.own_scale)
            for k in dict.fromkeys(row.k for row in self._made) for row in self._ranked(k) if row.measured is not None
        ]
        return self._drawing.page(maps, self._tables(), (title, labels, colors, images), drawn)


def _escaped(text: str) -> str:
    """Text as Markdown shows it in a table or a list.

    Examples
    --------
    >>> print(_escaped("a|b*"))
    a\\|b\\*
    """
    return text.replace("|", "\\|").replace("*", "\\*")
