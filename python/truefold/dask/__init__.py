"""Neighbors, measures, maps, comparisons and pages of dask arrays: on a cluster, with the results of one machine.

Every function takes dask arrays (or frames, or AnnData objects that hold such arrays) and gives dask arrays that are chunked
alike and computed when they are asked for; a fit and a comparison are computed at once, and maps stay with the workers. Before that
the rows are looked at once, chunk by chunk: what cannot be used is told by chunk and row. Needs ``pip install truefold[dask]``.

Rows are sorted into cells of space, one for each chunk. A cell searches itself, and sends on only those rows whose neighbors may
lie in another cell. Lists and distances are those of :func:`truefold.neighbors`, bit for bit, whatever the chunks and the
workers are.

Examples
--------
>>> import dask.array as da
>>> import truefold.dask
>>> X, Z = truefold.datasets.swiss_roll(2000)
>>> X, Z = da.from_array(X, chunks=(500, 3)), da.from_array(Z, chunks=(500, 2))
>>> result = truefold.dask.measure(X, Z, n_neighbors=12)
>>> values = result.compute()
>>> round(values.r_n, 6), round(values.lower_bounds["r_n"], 6)
(0.001375, 0.001359)
"""
from __future__ import annotations

try:
    import dask.array as _array  # noqa: F401
except ImportError as error:
    raise ImportError("truefold.dask needs dask; install truefold[dask]") from error

from . import estimators as _estimators
from .compared import Comparison
from .comparing import compare, report
from .estimators import *  # noqa: F403
from .measured import Measured, Measurement
from .measuring import measure
from .nearest import NearestNeighbors
from .neighbors import Neighborhoods, neighbors

__all__ = [
    *_estimators.__all__, "Comparison", "Measured", "Measurement", "NearestNeighbors", "Neighborhoods", "compare", "measure", "neighbors",
    "report",
]
