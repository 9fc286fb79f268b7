"""Trustworthiness and continuity of sampled rows: the ranks of their neighbors among all rows, counted chunk by chunk."""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .. import _native
from .chunks import table
from .queries import Block, Queries, aligned, side_of, summed, value_of
from .tasks import Key, settings
from .tree import prepared


class Targets(NamedTuple):
    """For each query the rows whose ranks are counted, nearest first, and the values by which they are ordered."""

    values: np.ndarray
    rows: np.ndarray


class Order(NamedTuple):
    """Whether the map is looked at, or the data, and the metric there."""

    in_map: bool
    metric: str

    def of(self, block: Block) -> np.ndarray:
        """The numbers of the queries on this side."""
        return block.y if self.in_map else block.x


def orders(queries: Queries, lists: list[Key], how: Order, k: int) -> list[Key]:
    """For each block of queries the share of order that each keeps: the rows of ``lists`` have these ranks among all rows."""
    tasks = queries.tasks.named("map" if how.in_map else "data")
    kept = queries.named(tasks)
    pairs = kept.compared("pairs", pair_values, lists, more=(how,))
    targets = [tasks("targets", targets_of, some, one, place=(at,)) for at, (some, one) in enumerate(zip(lists, pairs))]
    counts = kept.compared("ranks", counted, targets, more=(how,))
    totals = [summed(some, "ranks", (at,), tasks) for at, some in enumerate(counts)]
    return [
        tasks("order", order_kept, block, some, one, (len(queries.x), k), place=(at,))
        for at, (block, some, one) in enumerate(zip(queries.blocks, targets, totals))
    ]


def pair_values(block: Block, known: list[Any], where: tuple[int, int], blocks: list[Any], how: Order) -> tuple[np.ndarray, ...]:
    """The places of those targets that lie in a chunk, and their values."""
    [lists], (_, first), points = known, where, table(blocks[how.in_map])
    places = np.flatnonzero((lists >= first) & (lists < first + len(points)))
    others = points[lists.ravel()[places] - first]
    own = how.of(block)[places // lists.shape[1]]
    return places, value_of(prepared(own, how.metric), prepared(others, how.metric), how.metric)


def targets_of(lists: np.ndarray, pairs: list[tuple[np.ndarray, ...]]) -> Targets:
    """The targets of each query with their values, in order, ties by row."""
    values = np.empty(lists.size)
    for places, found in pairs:
        values[places] = found
    values = values.reshape(lists.shape)
    order = np.lexsort((lists, values), axis=1)
    return Targets(np.take_along_axis(values, order, axis=1), np.take_along_axis(lists, order, axis=1).astype(np.int64))


def counted(block: Block, known: list[Targets], where: tuple[int, int], blocks: list[Any], how: Order) -> np.ndarray:
    """How many rows of a chunk come before each target."""
    [targets], (_, first) = known, where
    side = side_of(block.rows, how.of(block), blocks[how.in_map], first, how.metric)
    local = np.clip(targets.rows - first, 0, len(blocks[how.in_map]))
    return _native.rows_before(side, aligned(targets.values), local, settings())


def order_kept(block: Block, targets: Targets, before: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """The share of order that each query keeps."""
    # A query was counted where its own value, zero, comes first.
    own = (targets.values > 0) | (targets.rows > block.rows[:, None])
    excess = np.maximum(1 + before - own - shape[1], 0).sum(axis=1)
    return _native.order_kept(excess.astype(np.float64), *shape)[0]
