"""Neighborhoods kept at every size, of sampled rows among all, chunk by chunk.

The last of the K nearest rows of a query is found for every K at once: values are counted by their leading bits, those bits in which
a K lies by the bits that follow, and the few values that are left are listed. Then every chunk counts what is inside of both.
"""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .. import _native
from .queries import Block, Queries, aligned, boxes, side_of, summed
from .tasks import Key, settings

#: Pieces of the range of all values, 32 for each factor of 2, and the bits of a number that do not tell them; pieces of each of these.
PIECES, SHIFT, INNER = 4096, 47, 64
#: Of more rows than these, too many values would be left in such a piece: it is cut once more.
MANY = 1 << 20
#: All rows of a value.
ALL = np.iinfo(np.uint32).max


class Ranges(NamedTuple):
    """For each query ranges of bits, each before its second number, and how many rows lie below each; bits below ``least`` count as that."""

    bits: np.ndarray
    below: np.ndarray
    least: int


class Limits(NamedTuple):
    """For each query and size the bits of the last value inside, the chunk of the last row, and how many rows with this value it has inside."""

    bits: np.ndarray
    chunks: np.ndarray
    ties: np.ndarray

    def at(self, chunk: int) -> tuple[np.ndarray, np.ndarray]:
        """The same as a chunk sees it: how many of its rows with the last value are inside."""
        ties = np.where(chunk < self.chunks, ALL, np.where(chunk > self.chunks, 0, self.ties))
        return aligned(self.bits), ties.astype(np.uint32)


def scales(queries: Queries, metrics: tuple[str, str]) -> list[Key]:
    """For each block of queries how many neighbors of each size each keeps."""
    tasks, sizes = queries.tasks, _native.scale_sizes(len(queries.x))
    if len(sizes) == 0:
        return [tasks("sizes", none_kept, block, place=(at,)) for at, block in enumerate(queries.blocks)]
    limits = [_limits(queries, sizes, bool(side), metric) for side, metric in enumerate(metrics)]
    kept = queries.compared("sizes", kept_in, *limits, more=(metrics,))
    return [summed(some, "sizes", (at,), tasks) for at, some in enumerate(kept)]


def _limits(queries: Queries, sizes: np.ndarray, in_map: bool, metric: str) -> list[Key]:
    """The limits of each block in the data or in the map."""
    tasks = queries.tasks.named("map" if in_map else "data", "sizes")
    here, how = queries.named(tasks), (in_map, metric)
    box = boxes(queries.y if in_map else queries.x, metric, tasks)
    ranges = [tasks("ranges", first_ranges, block, box, metric, place=(at,)) for at, block in enumerate(queries.blocks)]
    stages = [("coarse", PIECES), ("fine", INNER), ("finer", INNER)]
    for stage, pieces in stages if len(queries.x) > MANY else stages[:2]:
        counts = here.compared(stage, counts_in, ranges, more=(how, pieces))
        totals = [summed(some, stage, (at,), tasks) for at, some in enumerate(counts)]
        ranges = [tasks(f"{stage}-ranges", narrowed, *both, sizes, place=(at,)) for at, both in enumerate(zip(ranges, totals))]
    listed = here.compared("listed", listed_in, ranges, more=(how,))
    return [tasks("limits", limits_of, *both, sizes, place=(at,)) for at, both in enumerate(zip(ranges, listed))]


def none_kept(block: Block) -> np.ndarray:
    """What queries keep of neighborhoods of no size: two points have none that could differ."""
    return np.empty((len(block.rows), 0), dtype=np.uint32)


def first_ranges(block: Block, box: np.ndarray, metric: str) -> Ranges:
    """One range for all values: by the box around all rows none is larger than its end."""
    gaps = (box[1] - box[0]) * (1 + 1e-9)
    largest = gaps.sum() if metric == "manhattan" else (gaps * gaps).sum()
    end = (int(np.float64(largest).view(np.uint64)) >> SHIFT) + 1
    least = max(end - PIECES, 0) << SHIFT
    count = len(block.rows)
    bits = np.tile(np.array([least, least + (PIECES << SHIFT)], dtype=np.uint64), (count, 1, 1))
    return Ranges(bits, np.zeros((count, 1), dtype=np.int64), least)


def counts_in(block: Block, known: list[Ranges], where: tuple[int, int], blocks: list[Any], how: tuple[bool, str], pieces: int) -> np.ndarray:
    """How many rows of a chunk have a value in each piece of each range."""
    [ranges] = known
    side = _side(block, where, blocks, how)
    return _native.counts_within(side, aligned(ranges.bits), pieces, ranges.least, settings())


def narrowed(ranges: Ranges, counts: np.ndarray, sizes: np.ndarray) -> Ranges:
    """The pieces in which a size lies, as ranges.

    Examples
    --------
    >>> ranges = Ranges(np.array([[[0, 8]]], dtype=np.uint64), np.array([[0]]), 0)
    >>> narrowed(ranges, np.array([[[3, 0, 4, 1]]]), np.array([1, 5])).bits.tolist()
    [[[0, 2], [4, 6]]]
    """
    pieces, counts = counts.shape[2], counts.astype(np.int64)
    ends = ranges.below[:, :, None] + counts.cumsum(axis=2)
    bits = _pieces(ranges, pieces)
    made = []
    for row in range(len(counts)):
        flat = ends[row].ravel()
        places = np.unique(np.searchsorted(flat, sizes))
        made.append((bits[row].reshape(-1, 2)[places], flat[places] - counts[row].ravel()[places]))
    width = max((len(each) for each, _ in made), default=0)
    bits = np.full((len(made), width, 2), np.iinfo(np.uint64).max, dtype=np.uint64)
    # No size lies beyond all rows.
    below = np.full((len(made), width), np.iinfo(np.int64).max)
    for row, (each, lower) in enumerate(made):
        bits[row, : len(each)], below[row, : len(each)] = each, lower
    return Ranges(bits, below, 0)


def _pieces(ranges: Ranges, pieces: int) -> np.ndarray:
    """The pieces of each range, as the compiled part cuts them: where each begins and ends."""
    start, end = ranges.bits[:, :, 0, None], ranges.bits[:, :, 1, None]
    last = np.maximum(end - start, 1) - np.uint64(1)
    shift = np.zeros_like(last)
    while (wide := (last >> shift) >= pieces).any():
        shift += wide
    places = np.arange(pieces + 1, dtype=np.uint64)
    # Those that do not fit hold nothing.
    borders = start + np.minimum(places << shift, end - start)
    found = np.stack([borders[:, :, :-1], borders[:, :, 1:]], axis=3)
    # What lies below the first range counts to it.
    found[:, 0, 0, 0] = np.where(start[:, 0, 0] == ranges.least, 0, found[:, 0, 0, 0])
    return found


def listed_in(block: Block, known: list[Ranges], where: tuple[int, int], blocks: list[Any], how: tuple[bool, str]) -> tuple[np.ndarray, ...]:
    """The values of a chunk in the ranges of each query, and how often each is there."""
    return _native.listed_within(_side(block, where, blocks, how), aligned(known[0].bits), settings())


def limits_of(ranges: Ranges, listed: list[tuple[np.ndarray, ...]], sizes: np.ndarray) -> Limits:
    """The last row inside for each query and size, from the values that all chunks list."""
    queries, bits, counts = (np.concatenate(some) for some in zip(*listed))
    chunks = np.repeat(np.arange(len(listed)), [len(some[0]) for some in listed])
    order = np.lexsort((chunks, bits, queries))
    queries, bits, counts, chunks = (some[order] for some in (queries, bits, counts, chunks))
    shape = (len(ranges.bits), len(sizes))
    found = Limits(np.empty(shape, dtype=np.uint64), np.empty(shape, dtype=np.int64), np.empty(shape, dtype=np.int64))
    borders = np.searchsorted(queries, np.arange(shape[0] + 1))
    for row in range(shape[0]):
        own = slice(borders[row], borders[row + 1])
        upto = counts[own].cumsum()
        at = np.searchsorted(ranges.below[row], sizes) - 1
        before = np.searchsorted(bits[own], ranges.bits[row, at, 0])
        wanted = np.concatenate([[0], upto])[before] + sizes - ranges.below[row, at]
        places = np.searchsorted(upto, wanted)
        found.bits[row], found.chunks[row] = bits[own][places], chunks[own][places]
        found.ties[row] = wanted - (upto - counts[own])[places]
    return found


def kept_in(block: Block, known: list[Limits], where: tuple[int, int], blocks: list[Any], metrics: tuple[str, str]) -> np.ndarray:
    """How many rows of a chunk are among the neighbors of each size in the data and in the map."""
    sides = tuple(_side(block, where, blocks, (bool(side), metric)) for side, metric in enumerate(metrics))
    limits = tuple(one.at(where[0]) for one in known)
    return _native.kept_within(sides, limits, settings())


def _side(block: Block, where: tuple[int, int], blocks: list[Any], how: tuple[bool, str]) -> tuple[Any, ...]:
    """A chunk behind the queries, in the data or in the map."""
    in_map, metric = how
    return side_of(block.rows, block.y if in_map else block.x, blocks[in_map], where[1], metric)
