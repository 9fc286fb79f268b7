"""The methods of truefold as estimators of dask arrays.

A sample that one worker can fit, spread as the rows are, is embedded as on one machine. The other rows are placed in its map cell by
cell. Where the method lowers a Procrustes measure at its end, cells then improve their own rows in rounds, with the rows around
held: the sample's map has the large scales, the rounds give the small ones.
"""
from __future__ import annotations

import inspect
import operator
import os
from pathlib import Path
from typing import Any, ClassVar

import dask.array as da
import numpy as np

from .. import estimators as on_one_machine
from .. import saved
from ..base import NotFittedError, Parameters
from ..embedder import Embedder as LocalEmbedder
from ..errors import DataError, FitWarning, ParameterError
from ..inputs import PRECOMPUTED
from ..model import FACTS
from ..run import dimensions, seed_of, whole
from ..suggestion import is_auto
from ..warn import tell
from .cells import bring_back
from .chunks import Chunks, check_columns, compute, names_of
from .field import Field, current_client, look
from .fitting import Fitted, Told, estimator_of, fit_sample, place_cell, placed_rows, told_of
from .rounds import Rounds
from .sampling import sampled, size_of
from .tasks import Tasks

#: Parameters that estimators here have not: threads are those of the workers, and progress is dask's.
LOCAL = ("n_jobs", "progress")
#: Neighbors that a sample must allow for where their number is left to the data.
ASSUMED = 12


class Placement:
    """Where new rows were put, and how far to trust each place, as dask arrays; see :class:`truefold.Placement`.

    Attributes
    ----------
    embedding : dask array of shape (n_points, n_components)
        The places.
    confidence, distance, off_tangent, disagreement, misfit, support : dask array of shape (n_points,)
        As those of :class:`truefold.Placement`.
    """

    embedding: Any
    confidence: Any
    distance: Any
    off_tangent: Any
    disagreement: Any
    misfit: Any
    support: Any

    def __init__(self, arrays: dict[str, Any]) -> None:
        vars(self).update(arrays)

    def __repr__(self) -> str:
        rows, columns = self.embedding.shape
        return f"Placement(n_points={rows}, n_components={columns}, chunks={self.embedding.numblocks[0]})"


class Embedder(Parameters):
    """What the estimators of dask arrays share; each takes the parameters of the one of the same name in truefold.

    Parameters
    ----------
    sample_size : int or "auto", default "auto"
        The number of rows that one worker fits, about: at least one of each cell. "auto" takes as many as a third of the memory of
        the smallest worker holds, a million at most, so that the map depends on the cluster; give a number for the same map
        everywhere. All rows are fitted where they are no more: then the map is that of one machine.
    max_rounds : int, default 8
        The most rounds in which cells improve their rows, for methods that refine; 0 leaves the rows where they were placed.
    client : distributed.Client, optional
        Who computes; by default the current client, or else the scheduler of this machine.

    Attributes
    ----------
    embedding_ : dask array of shape (n_samples, n_components)
        The map, chunked like X; its rows stay with the workers.
    sample_ : array of int
        The rows that were fitted, in order.
    fit_info_ : dict
        What happened in the fit of the sample, as that of the estimator in truefold has it; and ``rounds``: the measure of all
        rows after each, its lower bound, and why they ended, where there were any.
    n_samples_fit_, n_features_in_ : int
        The shape of X.
    client_ : distributed.Client or None
        The client that was used.
    """

    _local: ClassVar[type[LocalEmbedder]]
    sample_size: Any
    max_rounds: int
    client: Any
    embedding_: Any
    sample_: np.ndarray
    fit_info_: dict[str, Any]
    n_samples_fit_: int
    n_features_in_: int
    client_: Any
    _model: Any
    _names: list[str] | None

    def fit(self, X: Any, y: Any = None) -> Any:
        """Embed the rows of X.

        Parameters
        ----------
        X : dask array or frame of shape (n_samples, n_features), or AnnData that holds one
            The points. The fit reads them several times; ``X.persist()`` keeps them on the workers.
        y : None
            Not used; pipelines pass it.

        Returns
        -------
        self : the fitted estimator
        """
        client = self.client or current_client()
        asked, most = self._asked(), whole("max_rounds", self.max_rounds)
        if most < 0:
            raise ParameterError(f"max_rounds = {most} is not at least 0; choose 0 for none")
        chunks = Chunks(X, "X")
        field = Field.of(chunks, asked.metric, client)
        k = getattr(asked, "n_neighbors", None)
        known = ASSUMED if is_auto(k) else None if k is None else field.check(k)
        size = size_of(self.sample_size, (len(chunks), chunks.dim, known), client)
        tasks = field.tasks.named(type(asked).__name__, asked.get_params(), size)
        share = size / len(chunks)
        pieces = [tasks("sample", sampled, cell, share, asked.metric, place=(at,)) for at, cell in enumerate(field.cells)]
        [model] = tasks.kept([tasks("fit", fit_sample, pieces, asked)], client)
        rounds = None
        if size < len(chunks) and most > 0 and getattr(asked, "refine", "none") != "none":
            # Neighbors are found while the sample is fitted, where their number is known.
            rounds = Rounds(field, client)
            if known is not None and not is_auto(k):
                rounds.prepare(known)
        tasks = Tasks([model], "told")
        told: Told = compute([tasks.delayed(tasks("told", told_of, model.key))], client)[0]
        tasks = field.tasks.joined([tasks], "place")
        placed = [tasks("place", place_cell, cell, model.key, place=(at,)) for at, cell in enumerate(field.cells)]
        kept = tasks.kept(placed, client)
        info = told.info
        if rounds is not None and told.target is not None and told.k is not None:
            rounds.prepare(told.k)
            kept = rounds.run(kept, told.target, most)
            info = {**info, "rounds": rounds.told}
        rounds, tasks = None, Tasks(kept, "map")
        tables = bring_back([one.key for one in kept], chunks, tasks)
        blocks = tasks.kept([tasks("map", operator.getitem, one, 0, place=(at,)) for at, one in enumerate(tables)], client)
        # Stored only now, so that a fit that fails changes nothing.
        self.embedding_ = Tasks(blocks, "map").array([one.key for one in blocks], chunks.lengths, told.dim, np.float64)
        self.sample_, self.fit_info_, self._names = told.rows, info, names_of(X)
        self.n_samples_fit_, self.n_features_in_, self.client_, self._model = len(chunks), chunks.dim, client, model
        tell(info["warnings"], FitWarning)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Embed the rows of X and return the map, a dask array chunked like X."""
        return self.fit(X, y).embedding_

    def transform(self, X: Any) -> Any:
        """Place new rows in the map of the sample, chunk by chunk, when they are asked for.

        Parameters
        ----------
        X : dask array or frame of shape (n_new, n_features)
            The new rows, with the columns of the fit. They are looked at once now.

        Returns
        -------
        embedding : dask array of shape (n_new, n_components)
            Chunked like X.
        """
        return self.place(X).embedding

    def place(self, X: Any) -> Placement:
        """Place new rows as :meth:`transform` does, and tell how far to trust each.

        Parameters
        ----------
        X
            As for :meth:`transform`.

        Returns
        -------
        Placement
        """
        self._check_fitted()
        chunks = Chunks(X, "X")
        check_columns(chunks, self.n_features_in_)
        names = names_of(X)
        if None not in (names, self._names) and names != self._names:
            raise DataError(
                f"the columns of X are {', '.join(names or [])}, but those of the fit were {', '.join(self._names or [])}; "
                "give these, in their order"
            )
        look(([chunks], [getattr(self, "metric", "euclidean")]), self.client_)
        tasks = Tasks([chunks.array, self._model], "place")
        each = [tasks("place", placed_rows, block, self._model.key, place=(at,)) for at, block in enumerate(chunks.blocks)]

        def column(part: int, width: int | None) -> Any:
            blocks = [tasks("part", operator.getitem, one, part, place=(part, at)) for at, one in enumerate(each)]
            return tasks.array(blocks, chunks.lengths, width, np.float64)

        arrays = {name: column(at + 1, None) for at, name in enumerate(FACTS)}
        return Placement({"embedding": column(0, int(self.embedding_.shape[1])), **arrays})

    def to_local(self) -> LocalEmbedder:
        """The estimator of the sample in this process, fitted: it places new points, and can be saved."""
        self._check_fitted()
        tasks = Tasks([self._model], "local")
        return compute([tasks.delayed(tasks("model", estimator_of, self._model.key))], self.client_)[0]

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the fitted map of the sample as a model of the tool, which :func:`truefold.dask.load` reads."""
        return self.to_local().save(path)

    def _asked(self) -> LocalEmbedder:
        """The estimator that fits the sample; wrong parameters are told before anything runs."""
        names = inspect.signature(self._local.__init__).parameters
        made = self._local(**{name: getattr(self, name) for name in names if hasattr(self, name)})
        # A generator gives its number here, and not to each worker that fits again.
        made.random_state = seed_of(made.random_state)
        method = made._ready()
        if not is_auto(made.n_components):
            method.check(dimensions(made.n_components))
        if made.metric == PRECOMPUTED:
            raise ParameterError("metric = 'precomputed' needs a table of distances, and dask arrays hold points; choose another metric")
        if getattr(made, "components", None) == "largest":
            raise ParameterError(
                "components = 'largest' would leave rows out, and a map of a dask array has a row for each; choose side-by-side or error"
            )
        return made

    def _check_fitted(self) -> None:
        if not hasattr(self, "_model"):
            raise NotFittedError(f"This {type(self).__name__} is not fitted yet; call fit first")


def load(path: str | os.PathLike[str], client: Any = None) -> Embedder:
    """Read a fitted map, which places the rows of dask arrays; each worker gets it once.

    Parameters
    ----------
    path : str or path
        A file that ``save`` of an estimator here or in truefold, or ``truefold embed --save-model`` wrote.
    client : distributed.Client, optional
        Who computes; by default the current client, or else the scheduler of this machine.

    Returns
    -------
    Embedder
        An estimator of the method that made the map; ``embedding_`` is that of the rows in the file.

    Examples
    --------
    >>> import os, tempfile
    >>> import dask.array as da
    >>> import truefold.dask
    >>> X, _ = truefold.datasets.swiss_roll(500)
    >>> path = truefold.ProcrustesAlignment().fit(X[:400]).save(os.path.join(tempfile.mkdtemp(), "roll.truefold"))
    >>> fitted = truefold.dask.load(path)
    >>> fitted.transform(da.from_array(X, chunks=(200, 3)))
    dask.array<truefold-array, shape=(500, 2), dtype=float64, chunksize=(200, 2), chunktype=numpy.ndarray>
    """
    known = saved.load(path)
    kind = METHODS.get(type(known).__name__)
    if kind is None:
        raise DataError(f"{os.fspath(path)} holds a map that another program made; place rows with truefold.load(path).transform")
    made = kind(**{name: value for name, value in known.get_params().items() if name not in LOCAL}, client=client)
    made.client_ = client or current_client()
    rows = np.arange(len(known.embedding_))
    tasks = Tasks([], "load", os.fspath(path), os.stat(path).st_mtime_ns)
    [made._model] = tasks.kept([tasks("model", Fitted, tasks.known("file", known), rows)], made.client_)
    made.embedding_ = da.from_array(known.embedding_, chunks=(-1, -1))
    made.sample_, made.fit_info_ = rows, known.fit_info_
    made.n_samples_fit_, made.n_features_in_ = len(rows), known.n_features_in_
    names = getattr(known, "feature_names_in_", None)
    made._names = None if names is None else [str(name) for name in names]
    return made


def _of_dask_arrays(kind: type[LocalEmbedder]) -> type[Embedder]:
    """The estimator of dask arrays for a method: its parameters, and those of :class:`Embedder`."""
    own = inspect.signature(kind.__init__)
    more = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
        for name, default in (("sample_size", "auto"), ("max_rounds", 8), ("client", None))
    ]
    parameters = [one for name, one in own.parameters.items() if name not in LOCAL]
    signature = own.replace(parameters=[*parameters, *more])

    def __init__(self: Embedder, *args: Any, **kwargs: Any) -> None:
        try:
            bound = signature.bind(self, *args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{kind.__name__}: {error}") from None
        bound.apply_defaults()
        vars(self).update((name, value) for name, value in bound.arguments.items() if name != "self")

    vars(__init__)["__signature__"] = signature
    title = (inspect.getdoc(kind) or "").split("\n\n")[0]
    about = f"{title}\n\nFor dask arrays: takes the parameters of :class:`truefold.{kind.__name__}`, and those of :class:`truefold.dask.Embedder`."
    return type(kind.__name__, (Embedder,), {"_local": kind, "__init__": __init__, "__doc__": about, "__module__": __name__})


#: The estimators by the names of their classes.
METHODS: dict[str, type[Embedder]] = {
    name: _of_dask_arrays(getattr(on_one_machine, name)) for name in on_one_machine.__all__
}
globals().update(METHODS)
__all__ = ["Embedder", "Placement", "load", *METHODS]
