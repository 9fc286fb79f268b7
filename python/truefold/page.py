"""The interactive page: embeddings beside each other, linked, colored by where they are wrong."""
from __future__ import annotations

import html
import json
import os
import platform
import tempfile
from pathlib import Path
from typing import Any, Iterable, Mapping

import numpy as np

from . import _native
from .errors import DataError, FileError
from .inputs import source, table
from .measures import MEASURES, Measurement, measure, texts_of
from .neighborhoods import given_or_found
from .progress import reporting
from .rows import matched
from .run import RandomState, seed_of, threads_of
from .suggestion import Count


class Report:
    """A page that stands alone; in a notebook it shows itself.

    Attributes
    ----------
    html : str
        The page.
    results : dict of Measurement
        What was measured, by the name of the embedding; empty for pages of comparisons and sweeps.
    height : int
        The height in a notebook, in pixels: 1200, which shows the first plots whole. The page scrolls in it, and its
        lower edge can be dragged.
    """

    def __init__(self, text: str, results: dict[str, Measurement] | None = None) -> None:
        self.html = text
        self.height = 1200
        self.results = results or {}

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the page; it appears whole or not at all.

        Parameters
        ----------
        path : str or path
            The file, ``report.html`` for example.

        Returns
        -------
        path : Path
        """
        target = Path(path)
        try:
            with tempfile.NamedTemporaryFile(
                "w", encoding="utf-8", dir=target.parent, prefix=f".{target.name}.", delete=False
            ) as file:
                file.write(self.html)
            # As if it had been opened by name: temporary files are for their owner alone.
            umask = os.umask(0)
            os.umask(umask)
            os.chmod(file.name, 0o666 & ~umask)
            os.replace(file.name, target)
        except OSError as error:
            raise FileError(f"{target}: cannot be written ({error.strerror}); choose another place") from error
        return target

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{html.escape(self.html)}" width="100%" height="{int(self.height)}" '
            'style="border: 0; resize: vertical" sandbox="allow-scripts allow-downloads"></iframe>'
        )

    def __repr__(self) -> str:
        return f"Report({len(self.html):,} characters; save(path) writes it)"


def report(
    X: Any,
    embeddings: Any,
    n_neighbors: Count = 12,
    *,
    title: str = "truefold",
    labels: Iterable[Any] | None = None,
    colors: Mapping[str, Any] | None = None,
    images: str | tuple[int, int] | None = None,
    measures: str | Iterable[str] | None = None,
    neighbors: Any = None,
    radius: float | None = None,
    metric: str = "euclidean",
    algorithm: str = "auto",
    center: bool = True,
    random_state: RandomState = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> Report:
    """Make an interactive page that judges one or several embeddings of X.

    Parameters
    ----------
    embeddings : mapping of str to array, or one array
        The embeddings by name.
    title : str
        The title of the page.
    labels, colors : sequence of shape (n_points,), mapping of str to such sequences, optional
        A class or other text for each point, and further numbers to color by.
    images : str or (height, width), optional
        The shape of the pictures, where each row of X is one: ``"28x20"``.
    X, n_neighbors, measures, neighbors, radius, metric, algorithm, center, random_state, n_jobs, progress
        As for :func:`truefold.measure`.

    Returns
    -------
    Report
        Shows itself in a notebook; ``save(path)`` writes it.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(300)
    >>> page = truefold.report(X, {"true": Z, "flat": X[:, :2]}, colors={"along": Z[:, 0]})
    >>> page.html.startswith("<!doctype html>"), sorted(page.results)
    (True, ['flat', 'true'])
    """
    tables = _tables(X, embeddings)
    seed = seed_of(random_state)
    made, _, _ = source(X, metric)
    marks = marks_of(X, labels, colors)
    found = given_or_found(neighbors, made, (n_neighbors, radius, metric, algorithm), (seed, n_jobs, progress))
    options = {"metric": metric, "center": center, "random_state": seed, "n_jobs": n_jobs, "progress": progress}
    results = {
        name: measure(X, Y, neighbors=found, measures=measures, **options) for name, Y in tables.items()
    }
    said = _content(title, images, results, seed)
    with reporting(progress) as heard:
        text = _native.report(made, (said, *marks), _panels(results, tables), (seed, threads_of(n_jobs), heard))
    return Report(text, results)


def _tables(X: Any, embeddings: Any) -> dict[str, np.ndarray]:
    """The embeddings by name; an error where there is none."""
    named = dict(embeddings) if isinstance(embeddings, Mapping) else {"Y": embeddings}
    if not named:
        raise DataError("there are no embeddings; give at least one")
    return {str(name): table(matched(X, Y, str(name)), str(name))[0] for name, Y in named.items()}


def _panels(results: dict[str, Measurement], tables: dict[str, np.ndarray]) -> list[tuple[Any, ...]]:
    """The embeddings of the page, colored by R_N."""
    return [
        (name, _caption(result), _native.Source.points(tables[name], name), result.per_point.get("r_n"))
        for name, result in results.items()
    ]


def _content(
    title: str, images: str | tuple[int, int] | None, results: dict[str, Measurement], seed: int
) -> str:
    """What the page says about the embeddings."""
    first = next(iter(results.values()))
    warnings = {name: result.warnings for name, result in results.items() if result.warnings}
    facts = {"seed": seed, "neighborhoods": first.to_dict()["neighborhoods"], "warnings": warnings}
    return words(title, images, paragraphs=first._told["setting"], tables=[_table(results)], **facts)


def words(
    title: str,
    images: str | tuple[int, int] | None,
    *,
    paragraphs: Iterable[str] = (),
    tables: Iterable[dict[str, Any]] = (),
    **facts: Any,
) -> str:
    """What a page says, as JSON."""
    versions = {"truefold": _native.VERSION, "python": platform.python_version(), "numpy": np.__version__}
    return json.dumps({
        "title": title,
        "paragraphs": list(paragraphs),
        "tables": list(tables),
        "facts": {**versions, **facts},
        "images": images if images is None or isinstance(images, str) else f"{images[0]}x{images[1]}",
    })


def marks_of(
    X: Any, labels: Iterable[Any] | None, colors: Mapping[str, Any] | None
) -> tuple[list[str] | None, list[tuple[str, np.ndarray]]]:
    """The labels as text, and the colors as numbers, in the order of the rows of X."""
    return texts_of(X, labels), [
        (str(name), _numbers(str(name), matched(X, color, str(name)))) for name, color in (colors or {}).items()
    ]


def _numbers(name: str, color: Any) -> np.ndarray:
    array = np.ascontiguousarray(color, dtype=np.float64)
    if array.ndim != 1:
        raise DataError(f"the colors {name!r} have {array.ndim} dimensions; give one number per point")
    return array


def _caption(result: Measurement) -> str:
    if "r_n" not in result.values:
        return ""
    return f"R_N {_native.number(result.r_n)}, at best {_native.number(result.lower_bounds['r_n'])}"


def _table(results: dict[str, Measurement]) -> dict[str, Any]:
    """Values and bounds, the best of each measure marked."""
    names = list(next(iter(results.values())).values)
    best = {}
    for name in names:
        pick = min if MEASURES[name]["lower_is_better"] else max
        best[name] = pick(result.values[name] for result in results.values())
    rows = [
        [[title, False], *([_native.number(result.values[name]), result.values[name] == best[name]] for name in names)]
        for title, result in results.items()
    ]
    bounds = next(iter(results.values())).lower_bounds
    # The best possible depends on the dimension.
    if bounds and len({result.output_dim for result in results.values()}) == 1:
        least = [_native.number(bounds[name]) if name in bounds else "" for name in names]
        rows.append([["best possible", False], *([cell, False] for cell in least)])
    header = ["embedding", *(MEASURES[name]["symbol"] for name in names)]
    return {"title": "How faithful they are", "note": "", "header": header, "rows": rows}
