"""What users give, as chunks of rows; what cannot be used is told by chunk and row before anything heavy runs."""
from __future__ import annotations

from typing import Any, NamedTuple

import dask
import dask.array as da
import numpy as np
from ..errors import DataError
from ..inputs import KEPT, is_cells
from .tasks import Key, Tasks

#: The largest number whose squares can be summed over any number of points.
LARGEST = 1e140
#: The type of row numbers.
WHOLE = np.dtype(np.int64)
#: Rows that are sampled from all chunks together, about.
SAMPLE = 1 << 16


class Chunks:
    """Rows of numbers in chunks, all columns together.

    Attributes
    ----------
    blocks : list of keys
        The chunks, in order.
    offsets : array of int
        The first row of each chunk, and the number of all rows.
    dim : int
        The number of columns.
    name : str
        What messages call it.

    Examples
    --------
    >>> import dask.array as da
    >>> chunks = Chunks(da.zeros((10, 3), chunks=(4, 2)), "X")
    >>> len(chunks.blocks), chunks.offsets, chunks.dim
    (3, array([ 0,  4,  8, 10]), 3)
    """

    def __init__(self, values: Any, name: str, rows: bool = False) -> None:
        # Row numbers stay whole numbers.
        array = _array_of(values, name)
        if not rows and array.dtype.kind in "iub" and array.dtype != np.uint8 or rows and array.dtype.kind in "iu":
            array = array.astype(WHOLE if rows else np.float64)
        if array.ndim != 2:
            raise DataError(
                f"{name} has {array.ndim} dimension{'' if array.ndim == 1 else 's'}, but a table has 2: one row per point, "
                f"one column per coordinate; reshape {name}"
            )
        if np.isnan(array.shape).any():
            raise DataError(
                f"the chunks of {name} have unknown lengths; call {name}.compute_chunk_sizes() first"
            )
        if array.dtype.kind not in "fiub":
            raise DataError(f"{name} holds {array.dtype}, not numbers; turn it into numbers")
        if 0 in array.shape:
            raise DataError(f"{name} is empty: it has {array.shape[0]} rows and {array.shape[1]} columns; give some points")
        # Chunks without rows tell nothing.
        lengths = tuple(length for length in array.chunks[0] if length)
        self.array = array.rechunk((lengths, -1))
        self.name = name
        self.blocks: list[Key] = [key for line in self.array.__dask_keys__() for key in line]
        self.offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        self.dim = int(array.shape[1])

    @property
    def lengths(self) -> tuple[int, ...]:
        """The number of rows of each chunk."""
        return tuple(int(length) for length in np.diff(self.offsets))

    def __len__(self) -> int:
        return int(self.offsets[-1])

    def beside(self, values: Any, name: str, rows: bool = False) -> Chunks:
        """Other columns of the same rows, chunked like these."""
        array = _array_of(values, name)
        other = Chunks(array, name, rows)
        if len(other) != len(self):
            raise DataError(
                f"{name} has {len(other):,} rows and {self.name} {len(self):,}; "
                f"give one row of {name} for each row of {self.name}"
            )
        return other if other.lengths == self.lengths else Chunks(array.rechunk((self.lengths, -1)), name, rows)


class Look(NamedTuple):
    """What a look at a chunk told: what is wrong with it, if anything is, and some of its rows."""

    problem: str | None
    sample: np.ndarray


def looks(chunks: Chunks, tasks: Tasks) -> list[Key]:
    """A look at each chunk."""
    share = SAMPLE / len(chunks)
    return [
        tasks(
            "look", look_at, block, (place, int(first), length), (chunks.dim, chunks.name), share, place=(chunks.name, place)
        )
        for place, (block, first, length) in enumerate(zip(chunks.blocks, chunks.offsets, chunks.lengths))
    ]


def look_at(block: Any, where: tuple[int, int, int], what: tuple[int, str], share: float) -> Look:
    """Look at one chunk: its number, first row and length; the columns it should have and its name.

    Examples
    --------
    >>> look_at(np.array([[0.0, np.nan]]), (17, 100, 1), (2, "X"), 1.0).problem
    'row 100 of X (chunk 17, row 0) holds nan in column 1; fill it or leave the row out: every cell must be a finite number'
    """
    (place, first, length), (dim, name) = where, what
    nothing = np.empty((0, dim))
    shape = np.shape(block)
    if shape != (length, dim):
        told = f"{shape[0]} rows and {shape[1]} columns" if len(shape) == 2 else f"the shape {shape}"
        return Look(f"chunk {place} of {name} has {told}, but {length} rows and {dim} columns were announced; mend it", nothing)
    points = table(block)
    wrong = ~np.isfinite(points).all(axis=1)
    too_large = False
    if not wrong.any() and points.dtype == np.float64:
        wrong = (np.abs(points) > LARGEST).any(axis=1)
        too_large = True
    if wrong.any():
        row = int(np.argmax(wrong))
        cells = np.abs(points[row]) > LARGEST if too_large else ~np.isfinite(points[row])
        column = int(np.argmax(cells))
        advice = (
            f"rescale the data: squares of numbers beyond {LARGEST:g} cannot be summed"
            if too_large
            else "fill it or leave the row out: every cell must be a finite number"
        )
        where_told = f"row {first + row} of {name} (chunk {place}, row {row})"
        return Look(f"{where_told} holds {points[row, column]:g} in column {column}; {advice}", nothing)
    count = min(length, int(np.ceil(length * share)))
    rows = np.sort(np.random.default_rng(first).choice(length, count, replace=False))
    return Look(None, np.asarray(points[rows], dtype=np.float64))


def compute_light(task: Key, seen: list[tuple[Chunks, list[Key]]], tasks: Tasks, client: Any) -> Any:
    """Compute a task that looks at all chunks; where one cannot be read, an error names it."""
    try:
        return compute([tasks.delayed(task)], client)[0]
    except DataError:
        raise
    except Exception:
        for chunks, each in seen:
            for place, one in enumerate(each):
                try:
                    compute([tasks.delayed(one)], client)
                except Exception as error:
                    rows = f"rows {chunks.offsets[place]:,} to {chunks.offsets[place + 1] - 1:,}"
                    raise DataError(
                        f"chunk {place} of {chunks.name} ({rows}) cannot be read: {type(error).__name__}: {error}"
                    ) from error
        raise


def compute(some: list[Any], client: Any) -> Any:
    """The results of collections, by the client that was given or else by the current scheduler."""
    return dask.compute(*some) if client is None else client.gather(client.compute(some))


def table(block: Any) -> np.ndarray:
    """A chunk as the compiled part reads it."""
    array = np.asarray(block)
    own = array.dtype if array.dtype.isnative else array.dtype.newbyteorder("=")
    return np.ascontiguousarray(array, dtype=own if own in (*KEPT, WHOLE) else np.float64)


def _array_of(values: Any, name: str) -> Any:
    """A dask array of what was given."""
    if is_cells(values):
        # The rule of truefold.scanpy: the principal components where there are some.
        values = values.obsm["X_pca"] if "X_pca" in values.obsm else values.X
    if hasattr(values, "to_dask_array"):
        return values.to_dask_array(lengths=True)
    if isinstance(values, da.Array):
        return values
    kind = f"{type(values).__module__}.{type(values).__qualname__}"
    raise TypeError(
        f"{name} is a {kind}, not a dask array or frame; give dask.array.from_array({name}, chunks=...), or call the function "
        "of the same name in truefold itself"
    )
