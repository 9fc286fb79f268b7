"""Which rows belong together: by their names where both sides are of pandas and have names, otherwise by position."""
from __future__ import annotations

from typing import Any

import numpy as np

from .errors import DataError


def row_index(values: Any) -> Any:
    """The index of a frame or series of pandas, or an index itself; nothing for anything else."""
    if hasattr(values, "get_indexer"):
        return values
    return getattr(values, "index", None) if hasattr(values, "iloc") and hasattr(values, "to_numpy") else None


def row_names(*tables: Any) -> Any:
    """The first index that names rows; nothing where rows only have positions."""
    for values in tables:
        index = row_index(values)
        if index is not None and not _counts(index):
            return index
    return None


def matched(X: Any, values: Any, name: str, own_name: str = "X") -> Any:
    """``values`` with its rows in the order of X, where both have an index that names them.

    An index that only counts, 0, 1, 2 and so on, names nothing, so rows are then taken as they stand. Where X counts and
    the index of ``values`` holds the same numbers in another order, it is refused: rows of X were probably meant.

    Examples
    --------
    >>> import pandas
    >>> X = pandas.DataFrame({"x": [1.0, 2.0]}, index=["a", "b"])
    >>> matched(X, pandas.DataFrame({"y": [4.0, 3.0]}, index=["b", "a"]), "Y")["y"].tolist()
    [3.0, 4.0]
    """
    own, other = row_index(X), row_index(values)
    if own is None or other is None or len(own) != len(other) or own.equals(other):
        return values
    if _counts(other):
        return values
    places = other.get_indexer(own) if own.is_unique and other.is_unique else None
    same = places is not None and bool(np.all(places >= 0))
    if _counts(own) and same:
        raise DataError(
            f"the index of {name} holds the row numbers of {own_name} in another order; give {name}.loc[{own_name}.index] if "
            f"these are meant, {name}.to_numpy() if rows belong together as they stand"
        )
    if _counts(own):
        return values
    if same:
        return values.iloc[places]
    told = _difference(own, other, places, (own_name, name))
    raise DataError(f"{told}; give {name}.to_numpy() if rows belong together as they stand")


def _counts(index: Any) -> bool:
    """Whether this is the index that pandas makes up: 0, 1, 2 and so on."""
    return type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1


def _difference(own: Any, other: Any, places: Any, names: tuple[str, str]) -> str:
    """In what two indexes differ."""
    own_name, name = names
    if places is not None:
        missing = own[int(np.flatnonzero(places < 0)[0])]
        return (
            f"the rows of {own_name} and {name} have different names: {missing!r} is in the index of {own_name} and not in that "
            f"of {name}"
        )
    side, index = (own_name, own) if not own.is_unique else (name, other)
    twice = index[index.duplicated()][0]
    return (
        f"the indexes of {own_name} and {name} differ, and rows cannot be matched by name: {twice!r} occurs more than once in the "
        f"index of {side}"
    )
