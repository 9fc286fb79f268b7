"""The measures of a map whose rows are in dask arrays: those of one machine, row for row.

Neighborhoods of the data are measured in cells of the data, those of the map in cells of the map. A cell asks the chunks for the
rows beyond it that its own have as neighbors. Sums are made cell by cell and added in the order of the cells, so that no bit
depends on the workers.
"""
from __future__ import annotations

import operator
from typing import Any, Iterable

import numpy as np

from .. import _native
from ..choosing import MEASURES, check_options, rows_looked_at
from ..errors import DataError, ParameterError
from ..run import RandomState, seed_of
from .cells import bring_back, fetch
from .chunks import Chunks, compute_light
from .components import components
from .field import Field, look
from .fits import KINDS, OVERLAP, Fitted, added, fitted, overlap_of, overlap_sum
from .lists import agreed, given_lists, located, look_at_lists, only_rows
from .measured import FORWARD, Facts, Measurement
from .neighbors import Neighborhoods
from .queries import Queries
from .sampled import GLOBAL, OF_LISTS, sampled_scores, spread_score, without_rows
from .tasks import Key, Tasks

REVERSE = "reverse_"
#: The measures that are taken in neighborhoods of the map; those that are taken where none is named; and all.
BACKWARD = tuple(name for name in MEASURES if name.startswith(REVERSE))
USUAL = (*FORWARD, *BACKWARD, OVERLAP)
KNOWN = (*USUAL, *GLOBAL)


def measure(
    X: Any,
    Y: Any,
    n_neighbors: int = 12,
    *,
    measures: str | Iterable[str] | None = None,
    neighbors: Any = None,
    metric: str = "euclidean",
    center: bool = True,
    sample: int | None = None,
    exact: bool = False,
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
    measures : "all", a name or a list of names, optional
        What to measure; by default all Procrustes measures, both ways, and the overlap of neighbors. ``r_nx``, ``trustworthiness``,
        ``continuity`` and ``stress`` compare sampled rows with all others, and have a standard error. "all" are those that can be
        taken chunk by chunk: ``residual_variance``, ``distortion`` and ``collapse`` walk through the whole graph of neighbors, and
        cannot.
    neighbors : Neighborhoods or dask array of shape (n_points, k), optional
        Neighborhoods that are known already: the same number of rows for each point, all with the point itself or all without.
    center : bool, default True
        Whether a neighborhood includes its own point.
    sample : int, optional
        The number of random rows that are compared with all others, those of :func:`truefold.measure` for the same seed; by default
        all of up to 20,000, and 1,000 of more.
    exact : bool, default False
        Whether all rows are compared with all others, however many.
    random_state : int, numpy generator or None
        The seed of the sample, and of what is drawn for chance; None is 0.
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
    R                0.1410     0.1372      60.25   1.000
    R_N            0.002871   0.002799      1.348   1.000
    R_PCA          0.003813          0      60.29   1.000
    R_C            0.002835   0.002799     0.8777   1.000
    R_A            0.002813   0.002799     0.8333   1.000
    reverse R_N    0.002842   0.002772      1.347   1.000
    reverse R_C    0.002808   0.002772     0.8777   1.000
    reverse R_A    0.002785   0.002772     0.8333   1.000
    overlap          0.9988      1.000    0.01201   0.999
    >>> result.per_point["r_n"]
    dask.array<truefold-array, shape=(1000,), dtype=float64, chunksize=(400,), chunktype=numpy.ndarray>
    """
    names = chosen(measures)
    wanted = checked_sample(names, sample, exact)
    x = Chunks(X, "X")
    y = x.beside(Y, "Y")
    if y.dim > x.dim:
        raise DataError(f"Y has {y.dim} columns and X {x.dim}; an embedding has at most as many dimensions as the data")
    given = () if neighbors is None else (lists_beside(x, neighbors),)
    both = any(name not in (*FORWARD, *GLOBAL) or name in OF_LISTS for name in names)
    # The neighborhoods of a map are those of straight distances.
    trees = look(([x, y], [metric, "euclidean" if both else None]), client)
    forward = Field(trees[0], [x, y, *given], metric)
    if isinstance(neighbors, Neighborhoods):
        forward = neighbors.cells(forward)
    k = forward.check(n_neighbors) if neighbors is None else width_of(given[0], client)
    check_center(k, center)
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
    scores, looked_at, of_sample = {}, None, tasks.named("sampled", wanted)
    if some := [name for name in names if name in GLOBAL]:
        seeded = _native.sampled_rows(len(x), wanted, seed)
        looked_at = len(x) if seeded is None else len(seeded)
        queries = Queries(x, y, seeded, of_sample)
        scores = sampled_scores(queries, some, metric, k, [side.lists for side in sides])
        for name, score in scores.items():
            rows["per_point"][name] = _spread(x, score, False, queries.tasks.named(name))
            if name != "stress":
                rows["per_point_chance"][name] = _spread(x, score, True, queries.tasks.named(name, "chance"))
    rows = {kind: {name: found[name] for name in names if name in found} for kind, found in rows.items()}
    graph = components(sides[0].lists, sides[0].places, x, tasks.named("graph"))
    totals = tasks("totals", added, sums, [name for name in names if name not in GLOBAL])
    whole = of_sample("sampled", without_rows, [[name, score] for name, score in scores.items()])
    return Measurement(rows, (graph, tasks.delayed(totals), tasks.delayed(whole)), Facts(names, k, looked_at), client)


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


def _spread(chunks: Chunks, score: Key, by_chance: bool, tasks: Tasks) -> Any:
    """The values of sampled rows among all, as a dask array."""
    blocks = [
        tasks("spread", spread_score, score, (int(first), length), by_chance, place=(at,))
        for at, (first, length) in enumerate(zip(chunks.offsets, chunks.lengths))
    ]
    return tasks.array(blocks, chunks.lengths, None, np.float64)


def _overlaps(lists: list[list[Key]], tasks: Tasks) -> list[Key]:
    """The share of neighbors kept of each row, chunk by chunk."""
    return [tasks("overlap", overlap_of, *both, place=(at,)) for at, both in enumerate(zip(*lists))]


def chosen(measures: str | Iterable[str] | None, usual: tuple[str, ...] = USUAL) -> list[str]:
    """The names of measures as the table spells them; the usual ones where none is named.

    Examples
    --------
    >>> chosen(["R-C", "default"], ("r_c", "overlap"))
    ['r_c', 'overlap']
    """
    if measures is None:
        return list(usual)
    asked = [measures] if isinstance(measures, str) else list(measures)
    if not asked:
        raise ParameterError("measures = [] leaves nothing to measure; name at least one measure, or leave it out")
    if asked == ["all"]:
        return list(KNOWN)
    names = _native.measures_named([name for given in asked for name in (usual if given == "default" else [given])])
    for name in names:
        if name not in KNOWN:
            raise ParameterError(
                f"measures = {name!r} is not taken of dask arrays, as it walks through the graph of all rows; choose from "
                f"{', '.join(KNOWN)}, or call truefold.measure on a sample"
            )
    return names


def checked_sample(names: list[str], sample: int | None, exact: bool) -> int | None:
    """The number of rows that global measures look at, where it is not left to them; an error where they cannot.

    Examples
    --------
    >>> checked_sample(["stress"], 50, False), checked_sample(["r_n"], None, False)
    (50, None)
    """
    check_options(names, sample, exact, None)
    wanted = rows_looked_at(sample, exact)
    if wanted is not None and wanted < 2:
        raise ParameterError(f"sample = {wanted} is less than 2: a standard error needs two points; choose a larger sample, or leave it out")
    return wanted


def check_center(k: int, center: bool) -> None:
    """An error where neighborhoods of so many neighbors would be single points."""
    if k < 2 and not center:
        raise ParameterError(
            f"n_neighbors = {k} is less than 2: without its center, a neighborhood would be a single point; "
            "choose a larger n_neighbors, or include the centers"
        )


def lists_beside(x: Chunks, neighbors: Any) -> Chunks:
    """Lists that were given, chunked like the rows."""
    return x.beside(neighbors.indices if isinstance(neighbors, Neighborhoods) else neighbors, "neighbors", rows=True)


def width_of(lists: Chunks, client: Any) -> int:
    """The number of neighbors of each row in lists that were given; an error names the row that is wrong."""
    tasks = Tasks([lists.array], "check")
    each = [
        tasks("look", look_at_lists, block, (at, int(first), len(lists)), place=(at,))
        for at, (block, first) in enumerate(zip(lists.blocks, lists.offsets))
    ]
    widths = compute_light(tasks("look", agreed, each, place=("all",)), [(lists, each)], tasks, client)
    return int(widths)
