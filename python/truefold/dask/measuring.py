"""The measures of a map whose rows are in dask arrays: those of one machine, row for row.

Neighborhoods of the data are measured in cells of the data, those of the map in cells of the map. A cell asks the chunks for the
rows beyond it that its own have as neighbors. Sums are made cell by cell and added in the order of the cells, so that no bit
depends on the workers.
"""
from __future__ import annotations

import operator
from typing import Any, Iterable

import dask
import numpy as np
from dask.delayed import Delayed

from .. import _native
from ..choosing import MEASURES, known_name
from ..errors import DataError, ParameterError
from ..run import RandomState, seed_of
from .cells import bring_back, fetch
from .chunks import Chunks, compute, compute_light
from .components import components
from .field import Field, look
from .fits import KINDS, OVERLAP, Fitted, Total, added, fitted, overlap_of, overlap_sum
from .lists import agreed, given_lists, located, look_at_lists, only_rows
from .neighbors import Neighborhoods
from .tasks import Key, Tasks

REVERSE = "reverse_"
#: The measures that are taken in neighborhoods of the data, and of the map.
FORWARD = ("r", "r_n", "r_pca", "r_c", "r_a")
BACKWARD = tuple(name for name in MEASURES if name.startswith(REVERSE))
KNOWN = (*FORWARD, *BACKWARD, OVERLAP)


class Measured:
    """The numbers that :func:`truefold.dask.measure` found; ``values.r_n`` and so on are the values.

    Attributes
    ----------
    values, lower_bounds, chance, chance_errors, skill : dict of float
        As those of :class:`truefold.Measurement`.
    n_points, n_neighbors, n_components_of_graph : int
        The number of rows and of neighbors of each, and the number of connected components.
    """

    def __init__(self, totals: dict[str, Total], shape: tuple[int, int, int]) -> None:
        self.values = {name: total.mean(0) for name, total in totals.items()}
        self.lower_bounds = {name: total.mean(1) for name, total in totals.items() if total.counts[1]}
        self.chance = {name: total.mean(2) for name, total in totals.items()}
        self.chance_errors = {
            name: float(np.sqrt(total.variance) / max(total.counts[2], 1))
            for name, total in totals.items()
            if total.variance > 0
        }
        self.skill = {name: skill for name in totals if (skill := self._skill(name)) is not None}
        self.n_points, self.n_neighbors, self.n_components_of_graph = shape

    def _best(self, name: str) -> float:
        return self.lower_bounds.get(name, 0.0 if MEASURES[name]["lower_is_better"] else 1.0)

    def _skill(self, name: str) -> float | None:
        """How far on the way from chance to the best; nothing where these are the same, up to rounding."""
        chance, best = self.chance[name], self._best(name)
        room = chance - best if MEASURES[name]["lower_is_better"] else best - chance
        return (chance - self.values[name]) / (chance - best) if room > 1e-12 * max(abs(best), abs(chance)) else None

    def __getattr__(self, name: str) -> float:
        try:
            return self.__dict__["values"][name]
        except KeyError:
            known = ", ".join(self.__dict__.get("values", ()))
            raise AttributeError(f"there is no measure '{name}' in this result; there are {known}") from None

    def times_best(self, name: str) -> float | None:
        """How many times the best possible value this is, where there is a bound above zero."""
        name = known_name(name)
        bound = self.lower_bounds.get(name, 0.0)
        return self.values[name] / bound if bound > 0 else None

    def __repr__(self) -> str:
        lines = [f"{'measure':<12} {'value':>10} {'best':>10} {'chance':>10} {'skill':>7}"]
        for name, value in self.values.items():
            numbers = [value, self._best(name), self.chance[name]]
            cells = " ".join(f"{_native.number(number):>10}" for number in numbers)
            skill = f"{self.skill[name]:.3f}" if name in self.skill else ""
            lines.append(f"{MEASURES[name]['symbol']:<12} {cells} {skill:>7}".rstrip())
        head = f"{self.n_points:,} points, {self.n_neighbors} neighbors each, connected components: {self.n_components_of_graph:,}"
        return "\n".join([head, "", *lines])


class Measurement:
    """What :func:`truefold.dask.measure` will find; nothing is computed before it is asked for.

    Attributes
    ----------
    per_point, per_point_bounds, per_point_chance : dict of dask array
        For each measure one number per row, chunked like X: its value, the least that any map could have, and what an unrelated
        map would have.
    components : dask array of int
        The connected component of each row.
    """

    def __init__(
        self, rows: dict[str, dict[str, Any]], components_of: Any, totals: Delayed, k: int, client: Any
    ) -> None:
        self.per_point = rows["per_point"]
        self.per_point_bounds = rows["per_point_bound"]
        self.per_point_chance = rows["per_point_chance"]
        self.components = components_of
        self._totals, self._k, self._client = totals, k, client

    def compute(self) -> Measured:
        """The means over all rows, the number of connected components, and what they would be by chance."""
        totals, last = compute([self._totals, self.components.max()], self._client)
        if any(name in FORWARD and total.counts[0] == 0 for name, total in totals.items()):
            raise DataError(
                "every neighborhood of X is a single place: all points coincide with their neighbors; "
                "remove duplicates, or choose a larger n_neighbors"
            )
        return Measured(totals, (len(self.components), self._k, int(last) + 1))

    def persist(self) -> Measurement:
        """The same with all numbers of rows computed and kept on the workers."""
        kinds = (self.per_point, self.per_point_bounds, self.per_point_chance)
        some = (*kinds, self.components, self._totals)
        *kept, components_of, totals = dask.persist(*some) if self._client is None else self._persisted(some)
        return Measurement(dict(zip(KINDS, kept)), components_of, totals, self._k, self._client)

    def _persisted(self, some: tuple[Any, ...]) -> list[Any]:
        """The same collections on the workers of the client that was given."""
        with self._client.as_current():
            return list(dask.persist(*some))

    def __repr__(self) -> str:
        return f"Measurement(n_points={len(self.components)}, k={self._k}, measures={list(self.per_point)}), not computed yet"


def measure(
    X: Any,
    Y: Any,
    n_neighbors: int = 12,
    *,
    measures: str | Iterable[str] | None = None,
    neighbors: Any = None,
    metric: str = "euclidean",
    center: bool = True,
    random_state: RandomState = None,
    client: Any = None,
) -> Measurement:
    """Tell how faithful the embedding Y of X is, and where it is not; see :func:`truefold.measure`.

    Parameters
    ----------
    X : dask array or frame of shape (n_points, n_features), or AnnData that holds one
        The data.
    Y : dask array or frame of shape (n_points, n_components)
        The embedding: row i of Y belongs to row i of X.
    n_neighbors, metric
        Which points are neighbors, as for :func:`truefold.dask.neighbors`.
    measures : a name or a list of names, optional
        What to measure; by default all Procrustes measures, both ways, and the overlap of neighbors.
    neighbors : Neighborhoods or dask array of shape (n_points, k), optional
        Neighborhoods that are known already: the same number of rows for each point, all with the point itself or all without.
    center : bool, default True
        Whether a neighborhood includes its own point.
    random_state : int, numpy generator or None
        The seed of what is drawn for chance; None is 0.
    client : distributed.Client, optional
        Who looks at the points and computes the means; by default the current client, or else the scheduler of this machine.

    Returns
    -------
    Measurement
        Computed when asked for: ``compute()`` gives the numbers, ``per_point`` dask arrays.

    Examples
    --------
    >>> import dask.array as da
    >>> import truefold.dask
    >>> X, Z = truefold.datasets.swiss_roll(1000)
    >>> result = truefold.dask.measure(da.from_array(X, chunks=(400, 3)), da.from_array(Z, chunks=(400, 2)))
    >>> print(result.compute())
    1,000 points, 12 neighbors each, connected components: 1
    <BLANKLINE>
    measure           value       best     chance   skill
    R                0.1410     0.1372      60.17   1.000
    R_N            0.002871   0.002799      1.344   1.000
    R_PCA          0.003813          0      60.21   1.000
    R_C            0.002835   0.002799     0.8771   1.000
    R_A            0.002813   0.002799     0.8333   1.000
    reverse R_N    0.002842   0.002772      1.343   1.000
    reverse R_C    0.002808   0.002772     0.8768   1.000
    reverse R_A    0.002785   0.002772     0.8333   1.000
    overlap          0.9988      1.000    0.01201   0.999
    >>> result.per_point["r_n"]
    dask.array<truefold-array, shape=(1000,), dtype=float64, chunksize=(400,), chunktype=numpy.ndarray>
    """
    names = _chosen(measures)
    x = Chunks(X, "X")
    y = x.beside(Y, "Y")
    if y.dim > x.dim:
        raise DataError(f"Y has {y.dim} columns and X {x.dim}; an embedding has at most as many dimensions as the data")
    given = () if neighbors is None else (x.beside(_lists_of(neighbors), "neighbors", rows=True),)
    both = any(name not in FORWARD for name in names)
    # The neighborhoods of a map are those of straight distances.
    trees = look(([x, y], [metric, "euclidean" if both else None]), client)
    forward = Field(trees[0], [x, y, *given], metric)
    k = forward.check(n_neighbors) if neighbors is None else _check_lists(forward, given[0], client)
    if k < 2 and not center:
        raise ParameterError(
            f"n_neighbors = {k} is less than 2: without its center, a neighborhood would be a single point; "
            "choose a larger n_neighbors, or include the centers"
        )
    seed = seed_of(random_state)
    sides = [_Side(forward, k, [name for name in names if name in FORWARD], bool(given))]
    if both:
        backward = Field(trees[1], [y, x], "euclidean")
        sides.append(_Side(backward, k, [name for name in names if name in BACKWARD], False))
    tasks = sides[0].field.tasks.joined([side.field.tasks for side in sides[1:]], "measure", k, names, center, seed)
    fits = [side.fits((center, seed), tasks) for side in sides]
    rows: dict[str, dict[str, Any]] = {kind: {} for kind in KINDS}
    sums = []
    for side, found in zip(sides, fits):
        if side.names:
            given_rows = [tasks("rows", Fitted.given, one, place=(side.title, at)) for at, one in enumerate(found)]
            tables = bring_back(given_rows, x, tasks.named(side.title), "rows-back")
            for place, name in enumerate(side.names):
                for column, kind in enumerate(KINDS):
                    rows[kind][name] = _column(x, tables, 3 * place + column, tasks.named(side.title))
            sums += [tasks("sums", Fitted.summed, one, place=(side.title, at)) for at, one in enumerate(found)]
    if OVERLAP in names:
        shares = _overlaps([side.lists_in_chunks(tasks) for side in sides], tasks)
        chance = k / (len(x) - 1)
        by_chance = [tasks("overlap-chance", np.full, length, chance, place=(at,)) for at, length in enumerate(x.lengths)]
        rows["per_point"][OVERLAP] = tasks.array(shares, x.lengths, None, np.float64)
        rows["per_point_chance"][OVERLAP] = tasks.array(by_chance, x.lengths, None, np.float64)
        sums += [tasks("sums", overlap_sum, one, chance, place=(OVERLAP, at)) for at, one in enumerate(shares)]
    rows = {kind: {name: found[name] for name in names if name in found} for kind, found in rows.items()}
    graph = components(sides[0].lists, sides[0].places, x, tasks.named("graph"))
    return Measurement(rows, graph, tasks.delayed(tasks("totals", added, sums, names)), k, client)


class _Side:
    """One direction: neighborhoods of the data, or of the map."""

    def __init__(self, field: Field, k: int, names: list[str], given: bool) -> None:
        self.field, self.names = field, names
        self.title = "forward" if field.chunks.name == "X" else "reverse"
        named = field.tasks.named("given") if given else None
        self.lists = (
            [named("lists", given_lists, cell, k, place=(at,)) for at, cell in enumerate(field.cells)]
            if named
            else field.lists(k, values=False)
        )
        self.places = located(self.lists, field.tasks.named("places", k, given))

    def fits(self, how: tuple[bool, int], tasks: Tasks) -> list[Key]:
        """What the measures say of the rows of each cell."""
        if not self.names:
            return []
        tasks, field = tasks.named(self.title), self.field
        wanted = [tasks("beyond-rows", operator.getitem, one, 0, place=(at,)) for at, one in enumerate(self.places)]
        tables = [list(blocks) for blocks in zip(field.chunks.blocks, field.more[0].blocks)]
        beyond = fetch(wanted, tables, field.chunks, tasks, "halo")
        names = [name.removeprefix(REVERSE) for name in self.names]
        asked = (names, self.names, self.title == "reverse", how)
        return [
            tasks("measure", fitted, field.cells[at], self.places[at], beyond[at], asked, place=(at,))
            for at in range(len(field.cells))
        ]

    def lists_in_chunks(self, tasks: Tasks) -> list[Key]:
        """The lists of all rows, chunk by chunk."""
        tasks = tasks.named(self.title)
        rows = [tasks("list-rows", only_rows, one, place=(at,)) for at, one in enumerate(self.lists)]
        return bring_back(rows, self.field.chunks, tasks, "lists-back")


def _column(chunks: Chunks, tables: list[Key], place: int, tasks: Tasks) -> Any:
    """One of the columns that each chunk has, as a dask array."""
    blocks = [tasks("column", operator.getitem, one, place, place=(place, at)) for at, one in enumerate(tables)]
    return tasks.array(blocks, chunks.lengths, None, np.float64)


def _overlaps(lists: list[list[Key]], tasks: Tasks) -> list[Key]:
    """The share of neighbors kept of each row, chunk by chunk."""
    return [tasks("overlap", overlap_of, *both, place=(at,)) for at, both in enumerate(zip(*lists))]


def _chosen(measures: str | Iterable[str] | None) -> list[str]:
    """The names of measures as the table spells them."""
    if measures is None:
        return list(KNOWN)
    asked = [measures] if isinstance(measures, str) else list(measures)
    if not asked:
        raise ParameterError("measures = [] leaves nothing to measure; name at least one measure, or leave it out")
    names = _native.measures_named(asked)
    for name in names:
        if name not in KNOWN:
            raise ParameterError(
                f"measures = {name!r} is not taken of dask arrays; choose from {', '.join(KNOWN)}, or call truefold.measure on a sample"
            )
    return names


def _lists_of(neighbors: Any) -> Any:
    """Lists that were given, as a dask array."""
    return neighbors.indices if isinstance(neighbors, Neighborhoods) else neighbors


def _check_lists(field: Field, lists: Chunks, client: Any) -> int:
    """The number of neighbors of each row in lists that were given; an error names the row that is wrong."""
    tasks = field.tasks.named("check")
    each = [
        tasks("look", look_at_lists, block, (at, int(first), len(field.chunks)), place=(at,))
        for at, (block, first) in enumerate(zip(lists.blocks, lists.offsets))
    ]
    widths = compute_light(tasks("look", agreed, each, place=("all",)), [(lists, each)], tasks, client)
    return int(widths)
