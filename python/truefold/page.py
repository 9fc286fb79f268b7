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
from .choosing import check_labels, groups_of, measuring, texts_of
from .errors import DataError, FileError
from .host import on_host
from .inputs import source, table
from .measures import Measurement, measurement, row_texts
from .neighborhoods import Neighborhoods, given_or_found
from .progress import reporting
from .rows import matched, row_names
from .run import RandomState, seed_of, threads_of
from .suggestion import Count


class Report:
    """A page that stands alone; in a notebook it shows itself.

    Attributes
    ----------
    html : str
        The page.
    results : dict of Measurement
        What was measured, by the name of the embedding; empty for pages of comparisons and sweeps. Of several embeddings
        the values per point are those that the page shows.
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
        A class or other text for each point, and further numbers to color by. Labels that some points share make groups,
        and the page tells what the embeddings do to them.
    images : str or (height, width), optional
        The shape of the pictures, where each row of X is one: ``"28x20"``.
    measures : "all", a name, or a list of names, optional
        What to measure: by default as for :func:`truefold.measure`, of several embeddings as for
        :func:`truefold.compare`.
    X, n_neighbors, neighbors, radius, metric, algorithm, center, random_state, n_jobs, progress
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
    marks = marks_of(X, labels, colors)
    several = len(tables) > 1
    wanted = measuring(measures, metric, compared=several, center=center, labels=groups_of(marks[0]))
    seed = seed_of(random_state)
    made, _, _ = source(X, metric)
    check_labels(marks[0], len(made))
    found = given_or_found(neighbors, made, (n_neighbors, radius, metric, algorithm), (seed, n_jobs, progress))
    said = (words(title, images, seed=seed), *marks)
    index = row_names(X, *(embeddings.values() if isinstance(embeddings, Mapping) else [embeddings]))
    with reporting(progress) as heard:
        make = _of_several if several else _of_one
        return make((made, found, index), tables, wanted, said, (seed, threads_of(n_jobs), heard))


#: The data ready for the compiled part, their neighborhoods, and the names of their rows.
_Data = tuple[_native.Source, Neighborhoods, Any]


def _of_one(data: _Data, tables: dict[str, np.ndarray], wanted: dict[str, Any], said: Any, settings: Any) -> Report:
    """The page of one embedding."""
    made, found, index = data
    ((name, values),) = tables.items()
    y = _native.Source.points(values, name)
    judged = _native.measure(made, y, found._native, wanted, settings)
    text = _native.report(made, (name, y, found._native, judged, row_texts(index)), said, settings)
    return Report(text, {name: measurement(judged, found, index)})


def _of_several(data: _Data, tables: dict[str, np.ndarray], wanted: dict[str, Any], said: Any, settings: Any) -> Report:
    """The page of embeddings beside each other, the best score first."""
    made, found, index = data
    maps = [(name, _native.Source.points(values, name), None) for name, values in tables.items()]
    dim = next(iter(tables.values())).shape[1]
    compared = _native.compare(made, found._native, ([], maps, None, dim, wanted), settings)
    results = {name: measurement(compared.judged(row), found, index) for row, name in enumerate(tables)}
    return Report(compared.page(said, settings), results)


def _tables(X: Any, embeddings: Any) -> dict[str, np.ndarray]:
    """The embeddings by name; an error where there is none."""
    named = dict(embeddings) if isinstance(embeddings, Mapping) else {"Y": embeddings}
    if not named:
        raise DataError("there are no embeddings; give at least one")
    return {str(name): table(matched(X, Y, str(name)), str(name))[0] for name, Y in named.items()}


def words(title: str, images: str | tuple[int, int] | None, **facts: Any) -> str:
    """What a page says, as JSON."""
    versions = {"truefold": _native.VERSION, "python": platform.python_version(), "numpy": np.__version__}
    return json.dumps({
        "title": title,
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
    array = np.ascontiguousarray(on_host(color, name), dtype=np.float64)
    if array.ndim != 1:
        raise DataError(f"the colors {name!r} have {array.ndim} dimensions; give one number per point")
    return array
