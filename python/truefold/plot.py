"""Pictures by matplotlib, where it is installed: an embedding, where it is wrong, several beside each other."""
from __future__ import annotations

from typing import Any, Mapping, Sequence

import numpy as np

from .choosing import MEASURES, known_name
from .errors import DataError
from .inputs import table
from .measures import Measurement, measure as measure_embedding
from .rows import matched
from .stretching import Ellipses, ellipses as found_ellipses
from .verdicts import CLASSES

#: Dark is faithful, bright is not.
COLORS = "viridis"
#: The labels below each other in a legend.
LEGEND_ROWS = 16


def scatter(
    Y: Any,
    color: Any = None,
    *,
    ax: Any = None,
    size: float | None = None,
    title: str | None = None,
    ellipses: Ellipses | None = None,
) -> Any:
    """Draw an embedding.

    Parameters
    ----------
    Y : array or frame of shape (n_points, 1), (n_points, 2) or more
        The embedding; of more than two coordinates the first two are drawn.
    color : array of shape (n_points,), optional
        Numbers, or labels, of which each gets a color of its own.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.
    size : float, optional
        The size of a dot; by default smaller for more points.
    title : str, optional
        The title.
    ellipses : Ellipses, optional
        What :func:`truefold.ellipses` found: what balls of one size in the data become, drawn over the points.

    Returns
    -------
    ax : matplotlib Axes

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(300)
    >>> truefold.plot.scatter(Z, Z[:, 0], title="true coordinates").get_title()
    'true coordinates'
    """
    places, ax = _places(Y), _axes(ax)
    if color is None:
        _dots(ax, places, size, color="0.3")
    else:
        color = np.asarray(matched(Y, color, "color", "Y"))
        if color.dtype.kind in "fiub":
            dots = _dots(ax, places, size, c=color, cmap=COLORS)
            ax.figure.colorbar(dots, ax=ax, shrink=0.8)
        else:
            for label in dict.fromkeys(color.tolist()):
                _dots(ax, places[color == label], _size(len(places), size), label=str(label))
            _legend(ax)
    return _finished(ax, title, Y, ellipses)


def distortion(
    Y: Any,
    result: Measurement,
    *,
    measure: str | None = None,
    ax: Any = None,
    size: float | None = None,
    limit: float | None = None,
    title: str | None = None,
    ellipses: Ellipses | None = None,
) -> Any:
    """Draw an embedding with every point colored by how badly its own neighborhood is distorted.

    Parameters
    ----------
    Y : array or frame of shape (n_points, n_components)
        The embedding.
    result : Measurement
        What :func:`truefold.measure` found about it.
    measure : str, optional
        The measure that is shown; by default R_C for a map that has a scale of its own, otherwise R_N.
    ax, size, title, ellipses
        As for :func:`scatter`; the title tells the value by default.
    limit : float, optional
        The value that gets the brightest color; by default that of chance, so that colors run from the best possible to
        chance, and where chance is not known the one up to which 98 % of the points lie.

    Returns
    -------
    ax : matplotlib Axes

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(1000)
    >>> truefold.plot.distortion(Z, truefold.measure(X, Z)).get_title()
    'R_N 0.0029'
    """
    name = result._shown(measure)
    best, worst = _ends([result], name)
    if limit is not None:
        worst = limit
    ax = _distorted(_places(matched(result.index, Y, "Y")), result, name, (best, worst), (_axes(ax), size))
    title = title if title is not None else f"{MEASURES[name]['symbol']} {result.values[name]:.2g}"
    return _finished(ax, title, Y, ellipses)


def verdict(
    Y: Any, result: Measurement, *, ax: Any = None, size: float | None = None, title: str | None = None
) -> Any:
    """Draw an embedding with every point colored by what is said of it.

    Parameters
    ----------
    Y : array or frame of shape (n_points, n_components)
        The embedding.
    result : Measurement
        What :func:`truefold.measure` found about it.
    ax, size, title
        As for :func:`scatter`; the title tells the score by default.

    Returns
    -------
    ax : matplotlib Axes

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(1000)
    >>> truefold.plot.verdict(X[:, :2], truefold.measure(X, X[:, :2])).get_legend().get_texts()[-1].get_text()
    'neighbors missing (19)'
    """
    found = result.verdict
    if found is None:
        raise DataError("there is no verdict in this result; measure without naming measures")
    places, ax = _places(matched(result.index, Y, "Y")), _axes(ax)
    # The most frequent first, so that the others are seen.
    for name, count in sorted(found.counts.items(), key=lambda one: -one[1]):
        if count:
            own = found.per_point["code"] == found.names.index(name)
            label = f"{CLASSES[name]['title']} ({count:,})"
            _dots(ax, places[own], _size(len(places), size), color=CLASSES[name]["color"], label=label)
    _legend(ax)
    return _finished(ax, title if title is not None else f"score {found.score:.2f}")


def grid(
    X: Any,
    embeddings: Mapping[str, Any],
    *,
    measure: str | None = None,
    columns: int = 3,
    size: float | None = None,
    ellipses: bool = False,
    **options: Any,
) -> Any:
    """Draw several embeddings of X beside each other, all on one scale of color.

    Parameters
    ----------
    X : array or frame of shape (n_points, n_features)
        The data.
    embeddings : mapping of str to array
        The embeddings by name.
    measure : str, optional
        The measure that is shown; by default R_C where one of the maps has a scale of its own, otherwise R_N.
    columns : int, default 3
        The number of pictures in a row.
    size : float, optional
        The size of a dot.
    ellipses : bool, default False
        Whether to draw what balls of one size in the data become in each map of two dimensions.
    **options
        Passed on to :func:`truefold.measure`.

    Returns
    -------
    figure : matplotlib Figure

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(1000)
    >>> figure = truefold.plot.grid(X, {"true": Z, "projection": X[:, :2]})
    >>> [ax.get_title() for ax in figure.axes[:2]]
    ['true: R_N 0.0029', 'projection: R_N 0.12']
    """
    pyplot, taken = _pyplot(), ["r_n", "r_c"] if measure is None else [known_name(measure)]
    results = {name: measure_embedding(X, Y, measures=taken, **options) for name, Y in embeddings.items()}
    shown = taken[0] if all(result.telling == taken[0] for result in results.values()) else taken[-1]
    ends = _ends(list(results.values()), shown)
    columns = max(1, min(columns, len(results)))
    rows = -(-len(results) // columns)
    figure, axes = pyplot.subplots(
        rows, columns, figsize=(4.4 * columns, 3.8 * rows), squeeze=False, layout="constrained"
    )
    for ax, (name, result) in zip(axes.flat, results.items()):
        title = f"{name}: {MEASURES[shown]['symbol']} {result.values[shown]:.2g}"
        Y = embeddings[name]
        metric = options.get("metric", "euclidean")
        found = found_ellipses(X, Y, neighbors=result.neighborhoods, metric=metric) if ellipses else None
        _distorted(_places(matched(result.index, Y, "Y")), result, shown, ends, (ax, size))
        _finished(ax, title, Y, found)
    for ax in axes.flat[len(results) :]:
        ax.set_visible(False)
    return figure


def _pyplot() -> Any:
    try:
        from matplotlib import pyplot
    except ImportError:
        raise ImportError("pictures need matplotlib; install it by `pip install matplotlib`") from None
    return pyplot


def _axes(ax: Any) -> Any:
    return _pyplot().subplots(layout="constrained")[1] if ax is None else ax


def _places(Y: Any) -> np.ndarray:
    places = table(Y, "Y")[0][:, :2]
    return places if places.shape[1] == 2 else np.column_stack([places[:, 0], np.zeros(len(places))])


def _size(count: int, size: float | None) -> float:
    return size if size is not None else float(np.clip(8000.0 / max(count, 1), 0.5, 20.0))


def _dots(ax: Any, places: np.ndarray, size: float | None, **how: Any) -> Any:
    return ax.scatter(places[:, 0], places[:, 1], s=_size(len(places), size), linewidths=0, rasterized=True, **how)


def _legend(ax: Any) -> None:
    """The labels beside the points, in as many columns as the height needs."""
    columns = -(-len(ax.get_legend_handles_labels()[1]) // LEGEND_ROWS)
    ax.legend(markerscale=2, frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5), ncols=columns)


def _finished(ax: Any, title: str | None, Y: Any = None, ellipses: Ellipses | None = None) -> Any:
    if ellipses is not None:
        ellipses.draw(ax, Y)
    ax.set_aspect("equal", adjustable="datalim")
    ax.set_xticks([])
    ax.set_yticks([])
    if title is not None:
        ax.set_title(title)
    return ax


def _ends(results: Sequence[Measurement], name: str) -> tuple[float, float]:
    """The values of the darkest and of the brightest color: the best possible and chance, where chance is known."""
    lower = MEASURES[name]["lower_is_better"]
    best = (min if lower else max)(result._best[name] for result in results)
    if all(name in result.chance for result in results):
        return best, (max if lower else min)(result.chance[name] for result in results)
    # Far values alone would leave all others dark.
    values = np.concatenate([result.per_point[name] for result in results])
    known = values[np.isfinite(values)]
    return best, float(np.quantile(known, 0.98 if lower else 0.02)) if known.size else best


def _distorted(
    places: np.ndarray, result: Measurement, name: str, ends: tuple[float, float], how: tuple[Any, float | None]
) -> Any:
    """Draw every point in the color of its own value; the worst last, so that they are seen."""
    (best, worst), (ax, size) = ends, how
    values, lower = result.per_point[name], MEASURES[name]["lower_is_better"]
    known = np.isfinite(values)
    order = np.flatnonzero(known)[np.argsort(values[known] if lower else -values[known], kind="stable")]
    size = _size(len(places), size)
    _dots(ax, places[~known], size, color="0.8")
    # A scale needs two ends.
    worst = worst if (worst > best if lower else worst < best) else best + (1.0 if lower else -1.0)
    colors = COLORS if lower else f"{COLORS}_r"
    ends = {"vmin": min(best, worst), "vmax": max(best, worst)}
    dots = _dots(ax, places[order], size, c=values[order], cmap=colors, **ends)
    ax.figure.colorbar(dots, ax=ax, shrink=0.8, extend="both", label=f"{MEASURES[name]['symbol']} of each point")
    return ax
