"""What suits the data: a method, the number of dimensions, of neighbors, and what the surface is like."""
from __future__ import annotations

import json
from typing import Any, Literal, Union

import numpy as np

from . import _native
from .inputs import source
from .progress import reporting
from .run import RandomState, dimensions, positive, seed_of, threads_of
from .wording import html_lines, html_table

#: A number, or the one that suits the data.
Count = Union[int, Literal["auto"]]


class Suggestion:
    """What :func:`truefold.suggest` found.

    Attributes
    ----------
    n_components, n_neighbors, tangent_k : int
        The suggested number of dimensions, of neighbors, and of neighbors from which tangents are estimated.
    picture, coordinates : dict
        The method for a picture, of two dimensions, and for as many coordinates as are suggested: ``method``, ``dim`` and
        ``reason``.
    asked : dict or None
        The same for ``n_components`` dimensions, where these were asked for.
    reasons : dict of str
        Why these numbers, by the names of the three.
    estimates : dict of (value, low, high)
        The number of dimensions by each estimator (``maximum-likelihood``, ``two-nearest``, ``charts``), with the ends
        of its 95 % interval. Where charts cannot tell, value and high are None: there are at least ``low``.
    spectrum : array
        The mean share of each of the first axes of a chart, longest first.
    components : int
        The connected components of the neighborhood graph with ``n_neighbors``.
    connected_from : int or None
        The least number of neighbors with which the graph is connected, where one of those tried is enough.
    noise, relative_noise : float or None
        The standard deviation of noise off the surface in each coordinate, and its share of ``neighborhood_radius``;
        None where no surface is seen, as the points fill all columns or have more dimensions than charts can tell.
    curvature_radius : float or None
        The radius of a circle as bent as the surface; None where it is flat or there is none.
    neighborhood_radius : float
        The radius of a neighborhood of ``n_neighbors``.
    closed : bool or None
        Whether no edge was found: a flat map of a closed surface must tear it. None where the dimension cannot be told.
    edge_share : float or None
        The share of points that have all their neighbors on one side.
    n_points, copies, sample, input_dim : int
        The number of points, how many are copies of others and were left out, how many were looked at closely, and the
        number of columns.
    per_point : dict of array
        With ``per_point=True`` for each point its own ``dimension``, the ``radius`` of its neighborhood, the share of
        its chart ``off_tangent``, and its ``sidedness``, beyond 1 at an edge; NaN for copies of other points.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(1000)
    >>> found = truefold.suggest(X)
    >>> found.n_components, found.n_neighbors, found.closed, found.picture["method"]
    (2, 12, False, 'psa')
    """

    def __init__(
        self, found: dict[str, Any], told: dict[str, Any], local: dict[str, np.ndarray] | None = None
    ) -> None:
        self._found, self._told = found, told
        self.n_components: int = found["dim"]
        self.n_neighbors: int = found["k"]
        self.tangent_k: int = found["tangent_k"]
        self.picture: dict[str, Any] = found["picture"]
        self.coordinates: dict[str, Any] = found["coordinates"]
        self.asked: dict[str, Any] | None = found["asked"]
        self.reasons: dict[str, str] = {
            "n_components": found["dim_reason"],
            "n_neighbors": found["k_reason"],
            "tangent_k": found["tangent_k_reason"],
        }
        self.estimates: dict[str, tuple[float | None, float, float | None]] = {
            one["name"]: (one["value"], one["low"], one["high"]) for one in found["estimates"]
        }
        self.spectrum = np.asarray(found["spectrum"])
        self.components: int = found["graph"]["components"]
        self.connected_from: int | None = found["graph"]["connected_from"]
        surface, edge = found["surface"] or {}, found["edge"] or {}
        self.noise: float | None = surface.get("noise")
        self.relative_noise: float | None = surface.get("relative_noise")
        self.curvature_radius: float | None = surface.get("curvature_radius")
        self.neighborhood_radius: float = found["neighborhood_radius"]
        self.closed: bool | None = edge.get("closed")
        self.edge_share: float | None = edge.get("share")
        self.n_points: int = found["points"]
        self.copies: int = found["copies"]
        self.sample: int = found["sample"]
        self.input_dim: int = found["input_dim"]
        self.per_point: dict[str, np.ndarray] = {} if local is None else self._spread(local)

    def _spread(self, local: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Values of some rows as values of all."""
        rows = local["rows"]
        if len(rows) == self.n_points:
            return {name: values for name, values in local.items() if name != "rows"}
        spread = {name: np.full(self.n_points, np.nan) for name in local if name != "rows"}
        for name, values in spread.items():
            values[rows] = local[name]
        return spread

    def to_dict(self) -> dict[str, Any]:
        """The suggestion as in the tool's JSON."""
        return json.loads(json.dumps(self._found))

    def to_frame(self) -> Any:
        """One row per estimator of the number of dimensions, as a frame of pandas: value, low, high.

        Examples
        --------
        >>> import truefold
        >>> X, Z = truefold.datasets.swiss_roll(1000)
        >>> truefold.suggest(X).to_frame()["value"].round().tolist()
        [2.0, 2.0, 2.0]
        """
        import pandas

        names = pandas.Index(list(self.estimates), name="estimator")
        return pandas.DataFrame(list(self.estimates.values()), index=names, columns=["value", "low", "high"])

    def per_point_frame(self) -> Any:
        """One row per point, as a frame of pandas; without columns unless ``per_point=True`` was asked for."""
        import pandas

        return pandas.DataFrame(self.per_point, index=pandas.RangeIndex(self.n_points))

    def __repr__(self) -> str:
        return self._told["text"]

    def _repr_html_(self) -> str:
        told = self._told
        tables = "".join(html_table(told[name]) for name in ("methods", "choices", "estimates"))
        return html_lines([told["setting"]]) + tables + html_lines(told["surface"])


def suggest(
    X: Any,
    *,
    n_components: int | None = None,
    metric: str = "euclidean",
    sample: int | None = None,
    per_point: bool = False,
    device: str = "auto",
    random_state: RandomState = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> Suggestion:
    """Suggest a method, a number of dimensions and of neighbors, and describe the surface: noise, curvature, components, edge.

    :func:`truefold.embed` uses the method; estimators take ``n_components="auto"`` and ``n_neighbors="auto"`` to use the
    numbers.

    Parameters
    ----------
    X : array or frame of shape (n_points, n_features)
        The points, at least 20 different ones.
    n_components : int, optional
        Name a method for a map of this many dimensions too.
    metric : {"euclidean", "manhattan", "cosine", "correlation"}
        The distance by which neighbors are found.
    sample : int, optional
        The most points that are looked at closely, 2000; whether the graph is connected is always decided by all points.
    per_point : bool, default False
        Whether to look at every single point too.
    device : {"auto", "cpu", "gpu"}
        Where neighbors are searched, as for :func:`truefold.neighbors`.
    random_state : int, numpy generator or None
        The seed of an approximate search, which large data of many dimensions need; None is 0.
    n_jobs, progress
        As for :func:`truefold.measure`.

    Returns
    -------
    Suggestion

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(1000, noise=0.3)
    >>> found = truefold.suggest(X, per_point=True)
    >>> found.n_components, bool(found.noise > 0.1), found.per_point["dimension"].shape
    (2, True, (1000,))
    """
    made, _, _ = source(X, "euclidean")
    count = None if sample is None else positive("sample", sample, "choose 1 or more")
    dim = None if n_components is None else dimensions(n_components)
    return look_at(made, metric, (random_state, n_jobs, progress), (count, dim), per_point, device)


def look_at(
    made: _native.Source,
    metric: str,
    run: tuple[RandomState, int | None, bool | None],
    wanted: tuple[int | None, int | None] = (None, None),
    per_point: bool = False,
    device: str = "auto",
) -> Suggestion:
    """The suggestion for data that were read already; ``wanted`` are the sampled points and the dimensions of a map."""
    random_state, n_jobs, progress = run
    with reporting(progress) as report:
        settings = (seed_of(random_state), threads_of(n_jobs), report, device)
        found, told, local = _native.suggest(made, metric, wanted, bool(per_point), settings)
    return Suggestion(json.loads(found), json.loads(told), local)


def is_auto(value: Any) -> bool:
    """Whether a number is to be chosen from the data."""
    return isinstance(value, str) and value == "auto"
