"""Stress of sampled rows: the best monotone function of all their distances, from bins that the chunks fill."""
from __future__ import annotations

from typing import Any

import numpy as np

from .. import _native
from .chunks import table
from .field import distances_of
from .queries import Block, Queries, aligned, boxes, side_of, summed, value_of
from .tasks import Key, settings
from .tree import blocks_of, prepared


def stresses(queries: Queries, metric: str) -> list[Key]:
    """For each block of queries two sums of each: of the squares of what is left, and of all distances in the map."""
    tasks, x = queries.tasks, queries.x
    box = boxes(x, metric, tasks)
    far = [tasks("far", farthest, block, box, metric, place=(at,)) for at, block in enumerate(x.blocks)]
    reach = tasks("reach", reach_of, far, metric)
    filled = []
    for chunk, (first, *blocks) in enumerate(zip(x.offsets, x.blocks, queries.y.blocks)):
        bins: Key | None = None
        # One block after the other: a chunk has one set of bins.
        for at, block in enumerate(queries.blocks):
            bins = tasks("bins", bins_of, block, blocks, int(first), reach, metric, bins, place=(at, chunk))
        filled.append(bins)
    fitted = tasks("fit", fitted_bins, summed(filled, "bins", (), tasks))
    each = queries.compared("residuals", residuals_of, more=(reach, metric, fitted))
    return [summed(some, "residuals", (at,), tasks) for at, some in enumerate(each)]


def farthest(block: Any, box: np.ndarray, metric: str) -> float:
    """The value of the row of a chunk that is farthest from the middle of all."""
    middle = (box[0] + (box[1] - box[0]) / 2)[None]
    points = table(block)
    return max(float(value_of(middle, prepared(points[some], metric), metric).max()) for some in blocks_of(points))


def reach_of(far: list[float], metric: str) -> float:
    """A distance that no pair of rows exceeds, as one machine finds it."""
    # Twice as far by the triangle inequality; squares grow by four. A little more for rounding.
    factor = 2.0 if metric == "manhattan" else 4.0
    return float(distances_of(np.array([factor * max(far) * (1.0 + 1e-12)]), metric)[0])


def bins_of(block: Block, blocks: list[Any], first: int, reach: float, metric: str, before: np.ndarray | None) -> np.ndarray:
    """The number of pairs and the sum of distances in the map in each bin of distances in the data, with those before."""
    found = _native.stress_bins(_sides(block, blocks, first, metric), reach, settings())
    return found if before is None else before + found


def fitted_bins(bins: np.ndarray) -> np.ndarray:
    """The best monotone function of distances in the data."""
    return _native.stress_fit(aligned(bins))


def residuals_of(
    block: Block, known: list[Any], where: tuple[int, int], blocks: list[Any], reach: float, metric: str, fitted: np.ndarray
) -> np.ndarray:
    """The sums of each query over the rows of a chunk."""
    return _native.stress_residuals(_sides(block, blocks, where[1], metric), reach, aligned(fitted), settings())


def _sides(block: Block, blocks: list[Any], first: int, metric: str) -> tuple[Any, ...]:
    x, y = blocks
    return side_of(block.rows, block.x, x, first, metric), side_of(block.rows, block.y, y, first, "euclidean")
