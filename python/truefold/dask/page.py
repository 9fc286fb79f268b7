"""The interactive page of maps of dask arrays: numbers of all rows, and pictures of some that are spread evenly."""
from __future__ import annotations

import json
from typing import Any, Mapping, NamedTuple

import dask.array as da
import numpy as np

from .. import _native
from ..choosing import MEASURES, texts_of
from ..errors import DataError, ParameterError
from ..page import Report, words
from ..run import positive
from .cells import Cell, gathered
from .chunks import Chunks, compute
from .field import Field
from .measured import Measured, Measurement
from .queries import aligned
from .sampling import sampled

#: The most rows that a page draws.
MOST = 200_000


class Shown(NamedTuple):
    """A map on a page, what was measured of it, and whether it has a scale of its own."""

    name: str
    map: Any
    measurement: Measurement
    measured: Measured
    own_scale: bool


class Drawing:
    """The data of a page, of which some rows are drawn."""

    def __init__(self, X: Any, metric: str, seed: int, client: Any) -> None:
        self.X, self.metric, self.seed, self.client = X, metric, seed, client

    def page(self, maps: list[Shown], tables: list[dict[str, Any]], said: tuple[Any, ...], drawn: int) -> Report:
        """The page of some maps; ``said`` are title, labels, colors and the shape of pictures."""
        title, labels, colors, images = said
        wanted = check_drawn(drawn)
        if not maps:
            raise DataError("there is no map to be shown; the table says why each failed")
        chunks = Chunks(self.X, "X")
        columns = columns_of(labels, colors, len(chunks))
        rows, points = self._drawn_rows(chunks, wanted)
        known = [[name for name in one.measured.values if name in one.measurement.per_point] for one in maps]
        wide = [[chunks.beside(one.map, one.name).array, *(one.measurement.per_point[name] for name in names)] for one, names in zip(maps, known)]
        found = compute([one[rows] for some in wide for one in some] + [values[rows] for values in columns.values()], self.client)
        first = "r_c" if any(one.own_scale for one in maps) else "r_n"
        panels, at = [], 0
        for one, names in zip(maps, known):
            panels.append(_panel(one, found[at], dict(zip(names, found[at + 1 :])), first))
            at += 1 + len(names)
        marks = dict(zip(columns, found[at:]))
        texts = texts_of(None, marks.pop("labels")) if labels is not None else None
        numbers = [(str(name), _numbers(str(name), values)) for name, values in zip(colors or {}, marks.values())]
        told = {"paragraphs": self._paragraphs(chunks, maps, len(rows)), "tables": tables}
        told["curves"] = {one.name: one.measured.over_scale for one in maps if one.measured.over_scale is not None}
        facts = {"seed": self.seed, "drawn": len(rows), "rows": len(chunks), "tables": tables}
        said = (words(title, images, **facts), texts, numbers)
        shown = (_native.Source.points(points, "X"), rows.tolist(), len(chunks))
        text = _native.report_drawn(shown, panels, json.dumps(told), said, (self.seed, None, None))
        return Report(text, {one.name: one.measured for one in maps})

    def _drawn_rows(self, chunks: Chunks, wanted: int) -> tuple[np.ndarray, np.ndarray]:
        """Rows that are spread as all are, in order, and their numbers."""
        field = Field.of(chunks, self.metric, self.client)
        tasks = field.tasks.named("drawn", wanted)
        pieces = [tasks("draw", sampled, cell, min(1.0, wanted / len(chunks)), self.metric, place=(at,)) for at, cell in enumerate(field.cells)]
        [cell] = compute([tasks.delayed(tasks("drawn", drawn_of, pieces, wanted, self.metric))], self.client)
        order = np.argsort(cell.rows)
        return cell.rows[order], np.ascontiguousarray(cell.tables[0][order])

    def _paragraphs(self, chunks: Chunks, maps: list[Shown], drawn: int) -> list[str]:
        """What a reader should know before the numbers."""
        one = maps[0].measured
        several = len({shown.measured.n_neighbors for shown in maps}) > 1
        near = "" if several else f", {one.n_neighbors} neighbors each ({self.metric})"
        whole = f"{_native.points_in_words(len(chunks))} in {_native.dimensions_in_words(chunks.dim)}{near}."
        all_rows = "all rows" if drawn == len(chunks) else f"{drawn:,} of {len(chunks):,} rows, spread evenly,"
        how = f"The numbers in the tables and below the pictures are of all rows; {all_rows} are drawn."
        if one.n_sampled is not None and one.n_sampled < len(chunks):
            how += f" Numbers with an error compare {one.n_sampled:,} sampled rows with all others."
        return [whole, how]


def _panel(one: Shown, points: np.ndarray, values: dict[str, np.ndarray], first: str) -> tuple[Any, ...]:
    """A map of the rows that are drawn, with what is known of each, the telling measure first."""
    measured, channels = one.measured, []
    for name in sorted(values, key=lambda name: name != first):
        known = aligned(values[name])
        if np.isfinite(known).any():
            channels.append((MEASURES[name]["symbol"], known, measured._best(name), measured.chance.get(name)))
    parts = [] if measured.score is None else [f"score {measured.score:.3f}"]
    parts += [f"{MEASURES[name]['symbol']} {_native.number(measured.values[name])}" for name in ("r_n", "r_c") if name in measured.values]
    caption = f"Of all rows: {', '.join(parts)}." if parts else ""
    return one.name, caption, _native.Source.points(aligned(np.asarray(points, dtype=np.float64)), one.name), channels


def drawn_of(pieces: list[Cell], wanted: int, metric: str) -> Cell:
    """The rows of all cells that are drawn, no more than wanted: many cells with a row each may have more."""
    cell = gathered(pieces)
    return sampled(cell, min(1.0, wanted / cell.size), metric)


def check_drawn(drawn: Any) -> int:
    """A number of rows that a page can draw."""
    count = positive("drawn", drawn, "choose at least 1")
    if not 1 <= count <= MOST:
        raise ParameterError(
            f"drawn = {count} is not from 1 to {MOST:,}, which a page can draw; choose a {'larger' if count < 1 else 'smaller'} number"
        )
    return count


def columns_of(labels: Any, colors: Mapping[str, Any] | None, count: int) -> dict[str, Any]:
    """The labels and the colors of all rows as dask arrays; an error where there is not one value for each row."""
    if not isinstance(colors, (Mapping, type(None))):
        raise TypeError(f"colors has the type {type(colors).__name__}, which is no mapping; give the values of each row by a name")
    columns = {"labels": labels} if labels is not None else {}
    columns |= {f"colors {name!r}": values for name, values in (colors or {}).items()}
    return {name: _column(values, name, count) for name, values in columns.items()}


def _column(values: Any, name: str, count: int) -> Any:
    """One value for each row, as a dask array."""
    array = values.to_dask_array(lengths=True) if hasattr(values, "to_dask_array") else values
    array = array if isinstance(array, da.Array) else da.from_array(np.asarray(array))
    if np.isnan(array.shape).any():
        raise DataError(f"the chunks of the {name} have unknown lengths; call compute_chunk_sizes() of them first")
    if array.ndim != 1 or array.shape[0] != count:
        raise DataError(f"the {name} have the shape {array.shape}, but there are {count:,} rows; give one value for each row")
    return array


def _numbers(name: str, values: Any) -> np.ndarray:
    try:
        numbers = aligned(np.asarray(values, dtype=np.float64))
    except (TypeError, ValueError) as error:
        raise DataError(f"the colors {name!r} hold {np.asarray(values).dtype}, not numbers; give text as labels") from error
    if not np.isfinite(numbers).all():
        raise DataError(f"the colors {name!r} hold a number that is not finite; fill it, or leave the coloring out")
    return numbers


def measure_table(measured: Measured) -> dict[str, Any]:
    """The measures of one map as a table of a page."""
    rows = []
    for (symbol, value, best, chance, skill), name in zip(measured._lines(), measured.values):
        times = measured.times_best(name)
        cells = [symbol, value, best, "" if times is None else f"{times:.2f}", chance, skill]
        rows.append([[text, False] for text in cells])
    header = ["measure", "value", "best possible", "times best", "chance", "skill"]
    return {"title": "", "header": header, "rows": rows, "note": ""}


def named_maps(embeddings: Any) -> dict[str, Any]:
    """The maps by name; an error where there is none."""
    named = dict(embeddings) if isinstance(embeddings, Mapping) else {"Y": embeddings}
    if not named:
        raise DataError("there are no embeddings; give at least one")
    return {str(name): one for name, one in named.items()}
