"""What a cell needs to improve its part of a map: its rows, those around them, and who is whose neighbor.

Around a cell lie the rows beyond it that its own have as neighbors, the *rim*, and the neighbors of these that are neither, which
are *held*: they stay where they are while a cell improves its own rows and those of the rim. Of the rim only the places of the
cell's own rows are kept, so that two cells that touch do not work against each other (restricted additive Schwarz; Cai and
Sarkis 1999).
"""
from __future__ import annotations

import json
import operator
from typing import Any, NamedTuple

import numpy as np

from .. import _native
from .cells import Cell, bring_back, fetch
from .chunks import Chunks
from .fits import Fitted, fitted
from .lists import local_lists, native_lists, only_rows, places_of
from .tasks import Key, Tasks, settings


class Ground(NamedTuple):
    """A cell with what lies around it; places count its own rows first, then the rim, then the rows that are held."""

    rows: np.ndarray
    #: The rows around it, in order, and the place of each among them after its own rows.
    around: np.ndarray
    order: np.ndarray
    points: np.ndarray
    #: The neighbors of the own rows and of the rim, as places.
    lists: np.ndarray

    @property
    def own(self) -> int:
        """How many rows are its own."""
        return len(self.rows)


def grounds(field: Any, k: int, tasks: Tasks) -> list[Key]:
    """For each cell of a field its ground."""
    chunks: Chunks = field.chunks
    found = [tasks("list-rows", only_rows, one, place=(at,)) for at, one in enumerate(field.lists(k, values=False))]
    in_chunks = bring_back(found, chunks, tasks, "lists-back")
    lists = [tasks("list-table", operator.getitem, one, 0, place=(at,)) for at, one in enumerate(in_chunks)]
    tables = [list(both) for both in zip(chunks.blocks, lists)]
    rims = [tasks("rim", rim_of, one, place=(at,)) for at, one in enumerate(found)]
    of_rims = fetch(rims, tables, chunks, tasks, "rim", [False, True])
    beyond = [
        tasks("held", held_of, one, rim, known, place=(at,)) for at, (one, rim, known) in enumerate(zip(found, rims, of_rims))
    ]
    of_held = fetch(beyond, [[block] for block in chunks.blocks], chunks, tasks, "held")
    return [
        tasks("ground", ground_of, field.cells[at], found[at], [rims[at], of_rims[at]], [beyond[at], of_held[at]], place=(at,))
        for at in range(len(found))
    ]


def rim_of(found: Cell) -> np.ndarray:
    """The rows beyond a cell that its own have as neighbors, in order."""
    return local_lists(found.rows, found.tables[0])[0]


def held_of(found: Cell, rim: np.ndarray, known: tuple[np.ndarray, ...]) -> np.ndarray:
    """The neighbors of the rim that are neither own rows nor of the rim, in order."""
    named = np.unique(known[1])
    return np.setdiff1d(np.setdiff1d(named, found.rows, assume_unique=True), rim, assume_unique=True)


def ground_of(cell: Cell, found: Cell, rim: list[Any], held: list[Any]) -> Ground:
    """A cell, its rim, and what is held around both.

    Examples
    --------
    >>> cell = Cell(np.array([4, 6]), (np.array([[0.4], [0.6]]),))
    >>> found = Cell(np.array([4, 6]), (np.array([[5], [4]]),))
    >>> rim = [np.array([5]), (np.array([[0.5]]), np.array([[7]]))]
    >>> ground = ground_of(cell, found, rim, [np.array([7]), (np.array([[0.7]]),)])
    >>> ground.points.ravel(), ground.lists.ravel(), ground.around
    (array([0.4, 0.6, 0.5, 0.7]), array([2, 0, 3], dtype=int32), array([5, 7]))
    """
    (rim_rows, (rim_points, rim_lists)), (held_rows, (held_points,)) = rim, held
    all_rows = np.concatenate([cell.rows, rim_rows, held_rows])
    by_row = np.argsort(all_rows)
    lists = np.concatenate([found.tables[0], rim_lists])
    places = by_row[places_of(all_rows[by_row], lists)].astype(np.int32)
    around = np.concatenate([rim_rows, held_rows])
    order = np.argsort(around)
    points = np.concatenate([cell.tables[0], rim_points, held_points])
    return Ground(cell.rows, around[order], order, points, places)


def around_of(ground: Ground) -> np.ndarray:
    """The rows around a cell, in order."""
    return ground.around


def map_of(ground: Ground, own: Cell, known: tuple[np.ndarray, ...]) -> np.ndarray:
    """The places in the map of own rows and of those around."""
    around = np.empty((len(ground.around), own.tables[0].shape[1]))
    around[ground.order] = known[0]
    return np.concatenate([own.tables[0], around])


def judged(ground: Ground, own: Cell, known: tuple[np.ndarray, ...], measure: str) -> Any:
    """What a measure says of the own rows of a cell: sums of values and bounds."""
    count = ground.own
    rows = np.concatenate([ground.rows, np.empty(len(ground.around), dtype=np.int64)])
    rows[count + ground.order] = ground.around
    mapped = map_of(ground, own, known)
    # Own rows name rows of the rim only, which come before those that are held.
    end = max(count, int(ground.lists[:count].max(initial=-1)) + 1)
    cell = Cell(ground.rows, (ground.points[:count], mapped[:count]))
    beyond = (ground.points[count:end], mapped[count:end])
    lists = (rows[count:end], ground.lists[:count])
    found: Fitted = fitted(cell, lists, beyond, ([measure], [measure], False, (True, None)))
    return found.summed()


def improved(ground: Ground, own: Cell, known: tuple[np.ndarray, ...], parameters: dict[str, Any]) -> Cell:
    """The own rows of a cell, moved to where a measure of their neighborhoods is lower."""
    free = len(ground.lists)
    if free == 0:
        return own
    sources = (_native.Source.points(ground.points, "X"), _native.Source.points(map_of(ground, own, known), "Y"))
    lists = native_lists(ground.lists, len(ground.points))
    places, _ = _native.refine_first(free, sources, lists, json.dumps(parameters), settings())
    return Cell(own.rows, (places[: ground.own],))
