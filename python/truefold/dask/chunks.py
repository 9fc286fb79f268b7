"""What users give, as chunks of rows; what cannot be used is told by chunk and row before anything heavy runs."""
from __future__ import annotations

from typing import Any, NamedTuple

import dask
import dask.array as da
import numpy as np

from ..errors import DataError
from ..inputs import KEPT, is_cells, is_sparse
from .tasks import Key, Tasks

#: The largest number of all must be between these: squares of others vanish, or cannot be summed.
SMALLEST, LARGEST = 1e-100, 1e140
#: Rows that are sampled from all chunks together, about, and numbers.
SAMPLED_ROWS, SAMPLED_NUMBERS = 1 << 16, 1 << 23


class Chunks:
    """Rows of numbers in chunks, all columns together.

    Parameters
    ----------
    values : dask array or frame
        What the user gave.
    name : str
        What messages call it.
    rows : bool
        Whether they are row numbers, which stay whole numbers.

    Attributes
    ----------
    blocks : list of keys
        The chunks, in order.
    offsets : array of int
        The first row of each chunk, and the number of all rows.
    dim : int
        The number of columns.

    Examples
    --------
    >>> import dask.array as da
    >>> chunks = Chunks(da.zeros((10, 3), chunks=(4, 2)), "X")
    >>> len(chunks.blocks), chunks.offsets, chunks.dim
    (3, array([ 0,  4,  8, 10]), 3)
    """

    def __init__(self, values: Any, name: str, rows: bool = False) -> None:
        array = _array_of(values, name)
        if array.ndim != 2:
            raise DataError(
                f"{name} has {array.ndim} dimension{'' if array.ndim == 1 else 's'}, but a table has 2: one row per point, "
                f"one column per coordinate; reshape {name}"
            )
        if np.isnan(array.shape).any():
            raise DataError(f"the chunks of {name} have unknown lengths; call {name}.compute_chunk_sizes() first")
        if array.dtype.kind not in ("iu" if rows else "fiub"):
            what = "whole numbers" if rows else "numbers"
            raise DataError(f"{name} holds {array.dtype}, not {what}; turn it into {what}")
        if 0 in array.shape:
            raise DataError(f"{name} is empty: it has {array.shape[0]} rows and {array.shape[1]} columns; give some points")
        # Chunks without rows tell nothing.
        lengths = tuple(length for length in array.chunks[0] if length)
        self.array = array.rechunk((lengths, -1))
        self.name, self.rows = name, rows
        self.blocks: list[Key] = [key for line in self.array.__dask_keys__() for key in line]
        self.offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        self.dim = int(array.shape[1])

    @property
    def lengths(self) -> tuple[int, ...]:
        """The number of rows of each chunk."""
        return tuple(int(length) for length in np.diff(self.offsets))

    def __len__(self) -> int:
        return int(self.offsets[-1])

    def chunk_of(self, row: int) -> int:
        """The chunk in which a row lies."""
        return int(np.searchsorted(self.offsets, row, "right")) - 1

    def beside(self, values: Any, name: str, rows: bool = False) -> Chunks:
        """Other columns of the same rows, chunked like these."""
        if is_cells(values):
            raise TypeError(f"{name} is an AnnData object; give an array of it, such as adata.obsm['X_umap']")
        other = Chunks(values, name, rows)
        if len(other) != len(self):
            raise DataError(
                f"{name} has {len(other):,} rows and {self.name} {len(self):,}; "
                f"give one row of {name} for each row of {self.name}"
            )
        return other if other.lengths == self.lengths else Chunks(other.array.rechunk((self.lengths, -1)), name, rows)


def check_columns(chunks: Chunks, dim: int) -> None:
    """An error where rows have other columns than those that were fitted."""
    if chunks.dim != dim:
        raise DataError(f"{chunks.name} has {chunks.dim} columns, but the fitted points have {dim}; give the columns of the fit")


def names_of(values: Any) -> list[str] | None:
    """The names of the columns of a frame, where all are strings."""
    names = list(getattr(values, "columns", []))
    return names if names and all(isinstance(name, str) for name in names) else None


class Look(NamedTuple):
    """What a look at a chunk told: what is wrong with it, if anything is, its largest number, and some of its rows."""

    problem: str | None
    largest: float
    sample: np.ndarray


def looks(chunks: Chunks, metric: str | None, tasks: Tasks, least: int = 0) -> list[Key]:
    """A look at each chunk; with a metric also a sample of its rows, each of which must have what the metric compares, of at least so
    many rows of all."""
    rows = max(min(SAMPLED_ROWS, SAMPLED_NUMBERS // chunks.dim + 1), least) if metric else 0
    what = (chunks.dim, chunks.name, metric)
    return [
        tasks("look", look_at, block, (place, int(first), length), what, rows / len(chunks), place=(chunks.name, place))
        for place, (block, first, length) in enumerate(zip(chunks.blocks, chunks.offsets, chunks.lengths))
    ]


def look_at(block: Any, where: tuple[int, int, int], what: tuple[int, str, str | None], share: float) -> Look:
    """Look at one chunk: its number, first row and length; the columns it should have, its name, and the metric.

    Examples
    --------
    >>> look_at(np.array([[0.0, np.nan]]), (17, 100, 1), (2, "X", None), 1.0).problem
    'row 100 of X (chunk 17, row 0) holds nan in column 1; fill it or leave the row out: every cell must be a finite number'
    """
    (place, first, length), (dim, name, metric) = where, what
    nothing = np.empty((0, dim))

    def wrong(text: str) -> Look:
        return Look(text, 0.0, nothing)

    if is_sparse(block):
        return wrong(f"chunk {place} of {name} is sparse; give {name}.map_blocks(lambda chunk: chunk.toarray())")
    shape = np.shape(block)
    if shape != (length, dim):
        told = f"{shape[0]} rows and {shape[1]} columns" if len(shape) == 2 else f"the shape {shape}"
        return wrong(f"chunk {place} of {name} has {told}, but {length} rows and {dim} columns were announced; mend it")
    points = table(block)
    # What is not finite shows in the extremes.
    largest = max(abs(float(points.min())), abs(float(points.max())))
    if not largest < LARGEST:
        bad = ~np.isfinite(points)
        advice = "fill it or leave the row out: every cell must be a finite number"
        if not bad.any():
            bad = np.abs(points) >= LARGEST
            advice = f"rescale the data: squares of numbers from {LARGEST:g} on cannot be summed"
        row, column = (int(at) for at in np.unravel_index(np.argmax(bad), bad.shape))
        told = f"row {first + row} of {name} (chunk {place}, row {row})"
        return wrong(f"{told} holds {points[row, column]:g} in column {column}; {advice}")
    still = None
    if metric == "cosine":
        still, why = ~points.any(axis=1), "is all zeros"
    elif metric == "correlation":
        still, why = (points == points[:, :1]).all(axis=1), "has all coordinates equal"
    if still is not None and still.any():
        row = int(np.argmax(still))
        told = f"row {first + row} of {name} (chunk {place}, row {row}) {why}"
        return wrong(f"{told}, so that its {metric} distance to others is not defined; drop the row or set metric to euclidean")
    count = min(length, int(np.ceil(length * share)))
    rows = np.sort(np.random.default_rng(first).choice(length, count, replace=False))
    return Look(None, largest, points[rows])


def compute_light(task: Key, seen: list[tuple[Chunks, list[Key]]], tasks: Tasks, client: Any) -> Any:
    """Compute a task that looks at all chunks; where one cannot be read, an error names it."""
    try:
        return compute([tasks.delayed(task)], client)[0]
    except DataError:
        raise
    except Exception as failure:
        if type(failure).__name__ == "KilledWorker":
            # A worker that has too little memory says nothing about a chunk.
            raise
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
    """A chunk as the compiled part reads it; hidden numbers are missing."""
    if isinstance(block, np.ma.MaskedArray):
        block = block.astype(np.float64).filled(np.nan)
    array = np.asarray(block)
    own = array.dtype if array.dtype.isnative else array.dtype.newbyteorder("=")
    return np.ascontiguousarray(array, dtype=own if own in KEPT else np.float64)


def _array_of(values: Any, name: str) -> Any:
    """A dask array of what was given."""
    if is_cells(values):
        # The rule of truefold.scanpy: the principal components where there are some.
        known = "X_pca" in values.obsm
        return _array_of(values.obsm["X_pca"] if known else values.X, f"{name}.obsm['X_pca']" if known else f"{name}.X")
    if hasattr(values, "to_dask_array"):
        return values.to_dask_array(lengths=True)
    if isinstance(values, da.Array):
        return values
    kind = f"{type(values).__module__}.{type(values).__qualname__}"
    raise TypeError(
        f"{name} is a {kind}, not a dask array or frame; give dask.array.from_array({name}, chunks=...), or call the function "
        "of the same name in truefold itself"
    )
