"""Arrays, frames and scipy matrices of the user as the tables that the compiled part takes.

X in C order is used without a copy if it holds floats of 64, 32 or 16 bits or bytes, memory-mapped files of NumPy among
them; results are those of the same numbers as 64-bit floats. Anything else is copied once. Of an array that lies on a graphics
processor the copy serves the processor, and searches on that device read the array itself. An array must not be changed
while a call uses it.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from . import _native
from .errors import DataError, ParameterError
from .host import on_host
from .resident import resident

PRECOMPUTED = "precomputed"

KEPT = tuple(np.dtype(kind) for kind in (np.float64, np.float32, np.float16, np.uint8))
"""The types of numbers that are read as they are."""


def table(values: Any, name: str, kept: bool = False) -> tuple[np.ndarray, np.ndarray | None]:
    """``values`` as a table in C order, and the names of its columns where all are strings.

    It holds 64-bit floats; where the numbers may be ``kept`` as they are, any type that the compiled part reads.
    """
    if is_cells(values):
        raise TypeError(
            f"{name} is an AnnData object; call truefold.scanpy.verdict, measure, embed, refine, compare or report with it, "
            "or give an array of it, such as adata.obsm['X_pca']"
        )
    values = on_host(values, name)
    if is_sparse(values):
        raise TypeError(
            f"{name} is a sparse matrix, but coordinates are needed; give {name}.toarray(), or a sparse matrix of "
            "distances with metric='precomputed'"
        )
    names = _column_names(values)
    if is_frame(values):
        values = _frame_values(values, name)
    elif isinstance(values, np.ma.MaskedArray):
        values = values.astype(np.float64).filled(np.nan)
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise DataError(f"{name} is no table: its rows differ in length; give each as many coordinates") from error
    if np.iscomplexobj(array):
        raise DataError(f"Complex data not supported: {name} holds complex numbers; give real ones")
    if array.ndim != 2:
        raise DataError(
            f"{name} has {_shape(array)}, but a table has 2: one row per point, one column per coordinate; "
            f"Reshape your data: give {name}.reshape({'len(' + name + '), -1' if array.ndim > 2 else '-1, 1'})"
        )
    if array.shape[1] == 0 and array.shape[0] > 0:
        raise DataError(
            f"{name}: the table is empty: 0 feature(s) (shape={array.shape}) while a minimum of 1 is required."
        )
    own = array.dtype if array.dtype.isnative else array.dtype.newbyteorder("=")
    return np.ascontiguousarray(array, dtype=own if kept and own in KEPT else np.float64), names


def source(values: Any, metric: str, name: str = "X") -> tuple[_native.Source, int, np.ndarray | None]:
    """Coordinates, or distances where the metric says so; the number of columns, and their names."""
    if metric != PRECOMPUTED:
        array, names = table(values, name, kept=True)
        return _native.Source.points(array, name, resident(values, array)), array.shape[1], names
    values = on_host(values, name)
    if is_sparse(values):
        _check_square(values.shape, name)
        rows = values.tocsr()
        made = _native.Source.sparse_distances(
            np.ascontiguousarray(rows.indptr, dtype=np.int64),
            np.ascontiguousarray(rows.indices, dtype=np.int64),
            np.ascontiguousarray(rows.data, dtype=np.float64),
            name,
        )
        return made, values.shape[1], None
    array, names = table(values, name)
    _check_square(array.shape, name)
    return _native.Source.distances(array, name), array.shape[1], names


def is_sparse(values: Any) -> bool:
    """Whether this is a sparse matrix or array of scipy."""
    return hasattr(values, "tocsr") and hasattr(values, "nnz")


def is_cells(values: Any) -> bool:
    """Whether this is an AnnData object, or something similar."""
    return all(hasattr(values, name) for name in ("obs", "obsm", "uns"))


def is_frame(values: Any) -> bool:
    """Whether this is a frame of pandas or polars, or something similar."""
    return hasattr(values, "columns") and hasattr(values, "to_numpy")


def _shape(array: np.ndarray) -> str:
    """The dimensions of an array, and its shape where that says more."""
    several = f" ({' x '.join(map(str, array.shape))})" if array.ndim > 1 else ""
    return f"{array.ndim} dimension{'' if array.ndim == 1 else 's'}{several}"


def _check_square(shape: tuple[int, ...], name: str) -> None:
    if shape[0] != shape[1]:
        raise ParameterError(
            f"a table of distances must be square, but {name} has {shape[0]} rows and {shape[1]} columns; "
            "give one row and one column per point, or another metric"
        )


def _column_names(values: Any) -> np.ndarray | None:
    if not is_frame(values):
        return None
    names = list(values.columns)
    strings = [isinstance(name, str) for name in names]
    if any(strings) and not all(strings):
        raise TypeError(
            "Feature names are only supported if all input features have string names, but your input has names of "
            f"several kinds: {sorted({type(name).__name__ for name in names})}; name all columns by strings"
        )
    return np.asarray(names, dtype=object) if names and all(strings) else None


def _frame_values(frame: Any, name: str) -> np.ndarray:
    """The numbers of a frame; a column of anything else is named."""
    whole = frame.to_numpy()
    if whole.dtype.kind in "fiubc":
        return whole
    is_pandas = hasattr(frame, "iloc")
    columns = [frame.iloc[:, place] for place in range(frame.shape[1])] if is_pandas else list(frame)
    numbers = []
    for label, column in zip(frame.columns, columns):
        try:
            numbers.append(_column_values(column))
        except (TypeError, ValueError):
            raise DataError(
                f"{name}: column {label!r} holds {column.dtype}, not numbers; drop it or turn it into numbers"
            ) from None
    return np.column_stack(numbers) if numbers else np.empty((len(frame), 0))


def _column_values(column: Any) -> np.ndarray:
    try:
        # pandas' own missing values become NaN, which the check that follows names by place.
        return np.asarray(column.to_numpy(dtype=np.float64, na_value=np.nan))
    except TypeError:
        return np.asarray(column.to_numpy(), dtype=np.float64)
