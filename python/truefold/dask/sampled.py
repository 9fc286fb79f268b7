"""The global measures: sampled rows beside all others, with the standard errors that result."""
from __future__ import annotations

import json
from typing import Any, NamedTuple

import numpy as np

from .. import _native
from .orders import Order, orders
from .queries import Queries, spread
from .scales import scales
from .stresses import stresses
from .tasks import Key

#: The measures that compare sampled rows with all others, and those of them that need the neighbors of rows.
GLOBAL = ("r_nx", "trustworthiness", "continuity", "stress")
OF_LISTS = ("trustworthiness", "continuity")


class Sampled(NamedTuple):
    """A measure of sampled rows: its value, its standard error where not all rows were taken, what chance gives, the rows, the value
    of each, and the curve over sizes where there is one."""

    value: float
    error: float | None
    chance: float | None
    rows: np.ndarray
    values: np.ndarray
    curve: dict[str, Any] | None = None


def sampled_scores(queries: Queries, names: list[str], metric: str, k: int, lists: list[list[Key]]) -> dict[str, Key]:
    """For each of the names its :class:`Sampled`; ``lists`` are those of the cells of the data and of the map, where they are needed."""
    tasks, count = queries.tasks, len(queries.x)
    made: dict[str, Key] = {}
    for name in names:
        if name == "r_nx":
            each, finish, how = scales(queries, (metric, "euclidean")), of_sizes, (count,)
        elif name == "stress":
            each, finish, how = stresses(queries, metric), of_stress, (count,)
        else:
            # Neighbors that the map shows have ranks in the data, and the other way round.
            in_map = name == "continuity"
            order = Order(in_map, "euclidean" if in_map else metric)
            near = queries.lists(lists[not in_map], f"lists-{name}")
            each, finish, how = orders(queries, near, order, k), of_orders, (count, k)
        made[name] = tasks("score", finish, queries.blocks, each, how, place=(name,))
    return made


def _rows(blocks: list[Any]) -> np.ndarray:
    return np.concatenate([block.rows for block in blocks])


def of_orders(blocks: list[Any], each: list[np.ndarray], shape: tuple[int, int]) -> Sampled:
    """Trustworthiness or continuity, from what each query keeps."""
    values = np.concatenate(each)
    mean, error = _native.sampled_mean(values, shape[0])
    return Sampled(mean, error, _native.order_kept(np.zeros(0), *shape)[1], _rows(blocks), values)


def of_sizes(blocks: list[Any], each: list[np.ndarray], shape: tuple[int]) -> Sampled:
    """The area under R_NX, from the neighbors of each size that each query keeps."""
    text, areas = _native.curve_of_kept(np.concatenate(each), *shape)
    curve = json.loads(text)
    return Sampled(curve["area"], curve["area_error"], 0.0 if curve["k"] else None, _rows(blocks), areas, curve)


def of_stress(blocks: list[Any], each: list[np.ndarray], shape: tuple[int]) -> Sampled:
    """The stress, from two sums of each query."""
    value, error, values = _native.stress_of_sums(np.concatenate(each), *shape)
    return Sampled(value, error, None, _rows(blocks), values)


def spread_score(score: Sampled, where: tuple[int, int], by_chance: bool) -> np.ndarray:
    """The values of the rows of a chunk, or those of chance; rows that were not sampled have none."""
    values = np.full(len(score.rows), score.chance) if by_chance else score.values
    return spread(score.rows, values, where)


def without_rows(scores: list[list[Any]]) -> dict[str, Sampled]:
    """What the client learns: nothing of single rows."""
    nothing = np.empty(0)
    return {name: score._replace(rows=nothing, values=nothing) for name, score in scores}
