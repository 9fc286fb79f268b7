"""Methods and maps of dask arrays beside each other, each measured on all rows, and their page."""
from __future__ import annotations

import reprlib
import time
import warnings
from typing import Any, Iterable, Mapping, NamedTuple, Sequence

import dask.array as da

from .. import _native
from ..embedder import Embedder as LocalEmbedder
from ..errors import DataError, FitWarning, ParameterError
from ..page import Report
from ..run import RandomState, dimensions, positive, seed_of
from .chunks import Chunks
from .compared import METHOD_FACTS, Comparison, Row
from .estimators import METHODS, Embedder
from .field import current_client, look
from .measuring import check_center, checked_sample, chosen, lists_beside, measure, width_of
from .neighbors import neighbors as found_neighbors
from .page import Drawing, Shown, check_drawn, columns_of, measure_table, named_maps
from .tasks import persisted

#: What is measured where nothing is named.
USUAL = ("r_n", "r_c", "reverse_r_c", "overlap")
#: The estimators by the names of their methods.
BY_METHOD = {kind._local._method: kind for kind in METHODS.values()}


class Contender(NamedTuple):
    """What is compared: a method that is fitted for each number of neighbors, another estimator, or a map that is there already."""

    label: str
    what: Any
    #: The name of the method of truefold, if it is one.
    method: str | None = None


def compare(
    X: Any,
    methods: Any = None,
    n_neighbors: int | Sequence[int] = 12,
    *,
    n_components: int | None = None,
    measures: str | Iterable[str] | None = None,
    neighbors: Any = None,
    metric: str = "euclidean",
    center: bool = True,
    sample: int | None = None,
    exact: bool = False,
    sample_size: Any = "auto",
    max_rounds: int = 8,
    random_state: RandomState = None,
    client: Any = None,
) -> Comparison:
    """Compare methods and maps of a dask array, each for each number of neighbors; see :func:`truefold.compare`.

    Parameters
    ----------
    X : dask array or frame of shape (n_points, n_features), or AnnData that holds one
        The data. They are read many times; ``X.persist()`` keeps them on the workers.
    methods : sequence of names, estimators or dask arrays, or mapping of labels to them, optional
        What to compare; by default the same methods as in :func:`truefold.compare`. An estimator of truefold.dask stands for its method
        with the same parameters. Any other object with ``fit_transform`` is fitted once to X, and a dask array or frame is a map that
        is there already; both are the same for every number of neighbors.
    n_neighbors : int or sequence of int, default 12
        The numbers of neighbors, for which maps are made and in which they are measured.
    n_components : int, optional
        The dimension of the maps: that of given ones, otherwise 2.
    measures : "all", a name or a list of names, optional
        What to measure, as for :func:`truefold.dask.measure`; by default ``r_n``, ``r_c``, ``reverse_r_c`` and ``overlap``. The score
        that ranks maps needs ``r_c`` and ``reverse_r_c``.
    neighbors : Neighborhoods or dask array of shape (n_points, k), optional
        Neighborhoods in which all maps are measured, in place of those of ``n_neighbors``; methods that look at neighbors take as many.
    sample_size, max_rounds
        As for :class:`truefold.dask.Embedder`, for methods that are named.
    metric, center, sample, exact, random_state, client
        As for :func:`truefold.dask.measure`.

    Returns
    -------
    Comparison
        All is computed. A method that fails has a row that says why.

    Examples
    --------
    >>> import dask.array as da
    >>> import truefold.dask
    >>> X, Z = (da.from_array(values, chunks=(250, -1)) for values in truefold.datasets.swiss_roll(500))
    >>> found = truefold.dask.compare(X, {"pca": "pca", "true": Z})
    >>> found.best
    'true'
    >>> found.embedding("pca")
    dask.array<truefold-array, shape=(500, 2), dtype=float64, chunksize=(250, 2), chunktype=numpy.ndarray>
    """
    names = chosen(measures, USUAL)
    checked_sample(names, sample, exact)
    client, seed = client or current_client(), seed_of(random_state)
    contenders = _contenders(methods)
    given = _given(X, {one.label: one.what for one in contenders if _is_map(one.what)}, client)
    dim = _dimension(Chunks(X, "X").dim, given, n_components)
    how = {"measures": names, "metric": metric, "center": center, "sample": sample, "exact": exact, "random_state": seed, "client": client}
    own = {"n_components": dim, "sample_size": sample_size, "max_rounds": max_rounds}
    return _compared(X, (contenders, given), _places(X, (n_neighbors, neighbors), how), how, own)


def _given(X: Any, maps: dict[str, Any], client: Any) -> dict[str, Any]:
    """The maps that are there already; what is wrong with one is told before anything is fitted."""
    chunks = Chunks(X, "X")
    given = {name: chunks.beside(one, name) for name, one in maps.items()}
    for name, one in given.items():
        if one.dim > chunks.dim:
            raise DataError(f"{name} has {one.dim} columns and X {chunks.dim}; an embedding has at most as many dimensions as the data")
    if given:
        look((list(given.values()), [None] * len(given)), client)
    return {name: one.array for name, one in given.items()}


def _compared(
    X: Any, asked: tuple[list[Contender], dict[str, Any]], places: list[tuple[int, Any]], how: dict[str, Any], own: dict[str, Any]
) -> Comparison:
    """Every contender at every number of neighbors; the maps that are there already come beside them."""
    contenders, given = asked
    shared = {name: how[name] for name in ("metric", "random_state", "client")}
    once: dict[str, _Made] = {}
    rows = []
    for k, lists in places:
        for one in contenders:
            if one.label in given:
                made = _Made(given[one.label])
            elif one.method is None:
                made = once[one.label] = once.get(one.label) or _tried(lambda one=one: one.what.fit_transform(X))
            else:
                made = _tried(lambda one=one, k=k: _estimator(one, k, {**shared, **own}).fit(X))
            rows.append(_measured(one, k, made, X, {**how, "neighbors": lists}))
    return Comparison(rows, how["measures"], Drawing(X, how["metric"], how["random_state"], how["client"]))


def report(
    X: Any,
    embeddings: Any,
    n_neighbors: int = 12,
    *,
    title: str = "truefold",
    labels: Any = None,
    colors: Mapping[str, Any] | None = None,
    images: str | tuple[int, int] | None = None,
    measures: str | Iterable[str] | None = None,
    neighbors: Any = None,
    metric: str = "euclidean",
    center: bool = True,
    sample: int | None = None,
    exact: bool = False,
    drawn: int = 20_000,
    random_state: RandomState = None,
    client: Any = None,
) -> Report:
    """Make an interactive page that judges one or several maps of a dask array; see :func:`truefold.report`.

    The numbers are those of all rows, as :func:`truefold.dask.measure` gives them. The pictures show some rows, spread as all are, and
    the page says how many.

    Parameters
    ----------
    X : dask array or frame of shape (n_points, n_features), or AnnData that holds one
        The data.
    embeddings : mapping of str to dask array, or one dask array
        The maps by name.
    title : str
        The title of the page.
    labels, colors : dask array or series of shape (n_points,), mapping of str to such, optional
        A class or other text for each row, and further numbers to color by.
    images : str or (height, width), optional
        The shape of the pictures, where each row of X is one: ``"28x20"``.
    measures : "all", a name or a list of names, optional
        What to measure: by default as for :func:`truefold.dask.measure`, of several maps as for :func:`truefold.dask.compare`.
    drawn : int, default 20000
        The number of rows that are drawn, at the most; no page draws more than 200,000.
    n_neighbors, neighbors, metric, center, sample, exact, random_state, client
        As for :func:`truefold.dask.measure`.

    Returns
    -------
    Report
        Shows itself in a notebook; ``save(path)`` writes it. ``results`` has what was measured of each map.

    Examples
    --------
    >>> import dask.array as da
    >>> import truefold.dask
    >>> X, Z = (da.from_array(values, chunks=(250, -1)) for values in truefold.datasets.swiss_roll(500))
    >>> page = truefold.dask.report(X, Z, drawn=100, colors={"along": Z[:, 0]})
    >>> "100 of 500 rows, spread evenly, are drawn; the numbers in the tables are of all rows." in page.html
    True
    """
    named = named_maps(embeddings)
    check_drawn(drawn)
    columns_of(labels, colors, len(Chunks(X, "X")))
    client, seed = client or current_client(), seed_of(random_state)
    said = {"title": title, "labels": labels, "colors": colors, "images": images}
    names = chosen(measures, USUAL) if len(named) > 1 else chosen(measures)
    how = {"measures": names, "metric": metric, "center": center, "sample": sample, "exact": exact, "random_state": seed, "client": client}
    if len(named) > 1:
        checked_sample(names, sample, exact)
        asked = [Contender(name, one) for name, one in named.items()], _given(X, named, client)
        found = _compared(X, asked, _places(X, (n_neighbors, neighbors), how), {**how, "keep": True}, {})
        for row in found.rows:
            if "error" in row:
                raise DataError(row["error"])
        return found.report(**said, drawn=drawn)
    [(name, one)] = named.items()
    measurement = measure(X, one, n_neighbors, neighbors=neighbors, **how).persist()
    measured = measurement.compute()
    shown = Shown(name, one, measurement, measured, measured.telling == "r_c")
    return Drawing(X, metric, seed, client).page([shown], [measure_table(measured)], tuple(said.values()), drawn)


class _Made(NamedTuple):
    """A map, the seconds that it took, warnings, and why there is none where it failed."""

    map: Any = None
    seconds: float | None = None
    warnings: Sequence[str] = ()
    error: str | None = None


def _tried(fit: Any) -> _Made:
    """What a fit gives; a failure is told and ends nothing."""
    start = time.perf_counter()
    try:
        with warnings.catch_warnings():
            # They are told with the row.
            warnings.simplefilter("ignore", FitWarning)
            made = fit()
    except Exception as error:  # noqa: BLE001
        return _Made(error=str(error) or type(error).__name__)
    seconds = time.perf_counter() - start
    return _Made(made.embedding_, seconds, made.fit_info_["warnings"]) if isinstance(made, Embedder) else _Made(made, seconds)


def _measured(one: Contender, k: int, made: _Made, X: Any, how: dict[str, Any]) -> Row:
    """The row of a contender."""
    own_scale = one.method is not None and not METHOD_FACTS[one.method]["metric_scale"]
    row = Row(one.label, k, own_scale, made.map, None, None, made.seconds, list(made.warnings), made.error)
    if made.error is not None:
        return row
    try:
        measurement = measure(X, made.map, **{name: value for name, value in how.items() if name != "keep"})
        if how.get("keep"):
            measurement = measurement.persist()
        measured = measurement.compute()
    except Exception as error:  # noqa: BLE001
        return row._replace(map=None, error=str(error) or type(error).__name__)
    own_scale = measured.telling == "r_c" if one.method is None else own_scale
    return row._replace(measurement=measurement, measured=measured, own_scale=own_scale)


def _estimator(one: Contender, k: int, own: dict[str, Any]) -> Embedder:
    """The estimator of a method for a number of neighbors; one that was given keeps its own parameters."""
    if isinstance(one.what, Embedder):
        made = type(one.what)(**one.what.get_params())
        changed = {name: own[name] for name in ("n_components", "metric")} | {"client": made.client or own["client"]}
    else:
        made, changed = BY_METHOD[str(one.what)](), own
    for name, value in {**changed, "n_neighbors": k}.items():
        if hasattr(made, name):
            setattr(made, name, value)
    return made


def _places(X: Any, near: tuple[Any, Any], how: dict[str, Any]) -> list[tuple[int, Any]]:
    """The numbers of neighbors, each with the lists in which maps are measured, which stay with the workers."""
    (n_neighbors, neighbors), client = near, how["client"]
    if neighbors is not None:
        lists = lists_beside(Chunks(X, "X"), neighbors)
        k = width_of(lists, client)
        check_center(k, how["center"])
        return [(k, lists.array)]
    several = n_neighbors if isinstance(n_neighbors, Iterable) else [n_neighbors]
    numbers = [positive("n_neighbors", k, "choose at least 1") for k in several]
    if not numbers:
        raise ParameterError("n_neighbors = [] leaves nothing to compare; give at least one number")
    for place, k in enumerate(numbers):
        if k in numbers[:place]:
            raise ParameterError(f"n_neighbors = {k} is given twice; give every number once")
        if k < 1:
            raise ParameterError(f"n_neighbors = {k} is less than 1: every point needs a neighbor; choose a larger n_neighbors")
        check_center(k, how["center"])
    widest = found_neighbors(X, max(numbers), metric=how["metric"], client=client).indices
    [lists] = persisted([widest], client)
    return [(k, lists[:, : k + 1]) for k in numbers]


def _contenders(methods: Any) -> list[Contender]:
    """Everything to compare, checked."""
    if methods is None:
        methods = [name for name, facts in METHOD_FACTS.items() if facts["default"]]
    if isinstance(methods, (str, Embedder)) or hasattr(methods, "fit_transform") or _is_map(methods):
        methods = [methods]
    pairs = methods.items() if isinstance(methods, Mapping) else ((None, one) for one in methods)
    made = [_contender(None if label is None else str(label), one, place + 1) for place, (label, one) in enumerate(pairs)]
    if not made:
        raise ParameterError("methods = [] leaves nothing to compare; name at least one method")
    for place, one in enumerate(made):
        if one.label in (other.label for other in made[:place]):
            raise ParameterError(f"methods = '{one.label}' is given twice; give a mapping with a name for each")
    return made


def _contender(label: str | None, one: Any, place: int) -> Contender:
    if isinstance(one, str):
        # An error where there is no such method.
        _native.Method(one, one, [])
        name = one.lower().replace("_", "-")
        return Contender(label or name, name, name)
    if isinstance(one, Embedder):
        return Contender(label or one._local._method, one, one._local._method)
    if isinstance(one, LocalEmbedder):
        name = type(one).__name__
        raise TypeError(f"truefold.{name} fits all rows in this process, and those of a dask array stay with the workers; give truefold.dask.{name}")
    if _is_map(one):
        return Contender(label or f"map {place}", one)
    if hasattr(one, "fit_transform"):
        return Contender(label or type(one).__name__, one)
    if hasattr(one, "__array__"):
        # An error that tells how to make a dask array of it.
        Chunks(one, label or f"map {place}")
    raise TypeError(f"{reprlib.repr(one)} is no method; give the name of one, an estimator with fit_transform, or a map as a dask array")


def _is_map(one: Any) -> bool:
    """Whether this is a map that is there already."""
    return isinstance(one, da.Array) or hasattr(one, "to_dask_array")


def _dimension(most: int, given: dict[str, Any], asked: int | None) -> int:
    """The dimension of maps that are made: that of the given ones, where it is not asked for; 2 where there is none."""
    dims = [int(one.shape[1]) for one in given.values()]
    if asked is None:
        return dims[0] if dims else 2
    dim = dimensions(asked)
    if not 1 <= dim <= most:
        raise ParameterError(f"n_components = {dim} is not from 1 to {most}: the data have no more dimensions; choose a n_components in that range")
    for other in dims:
        if other != dim:
            raise ParameterError(f"n_components = {dim} but the embeddings have {other} columns; give the n_components of the embeddings")
    return dim
