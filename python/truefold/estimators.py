"""The methods as estimators, one class each.

Written by ``generate.py`` from the tables of the library.
"""
from __future__ import annotations

from typing import Any

from .embedder import Embedder
from .suggestion import Count

__all__ = [
    "ClassicalMDS",
    "ConformalEigenmaps",
    "ConformalIsomap",
    "DiffusionMaps",
    "GreedyProcrustes",
    "HessianEigenmaps",
    "Isomap",
    "LLE",
    "LTSA",
    "LandmarkIsomap",
    "LaplacianEigenmaps",
    "LocallyLinearCoordination",
    "ModifiedLLE",
    "PCA",
    "ProcrustesAlignment",
    "SemidefiniteEmbedding",
]


class GreedyProcrustes(Embedder):
    """Greedy Procrustes: embeds one neighborhood at a time onto those before it, then refines the whole.

    Lengths in the embedding are meant to equal those along the data: judge it by R_N.
    Cost: time and memory n k.

    Parameters
    ----------
    n_components : int or "auto", default 2
        The number of dimensions of the embedding; "auto" is what the data call for, see truefold.suggest.
    n_neighbors : int or "auto", default 12
        The number of neighbors of each point; "auto" is what the data call for, see truefold.suggest.
    start : str, default 'center'
        The first neighborhood: center of the graph, or random by the seed.
    choice : str, default 'robust'
        Which neighborhood is next: robust, or the paper's literal rule: paper.
    refine : str, default 'r-n'
        The measure that refinement lowers: r-n, r, r-c, r-pca, or none.
    solver : str, default 'auto'
        How refinement factors the Laplacian: auto, cholesky (exact; much memory) or iterative.
    iterations : int, default 200
        The most steps of refinement.
    tolerance : float, default 1e-05
        Refinement ends when two steps in a row lower its measure by less than this share.
    metric : str, default 'euclidean'
        The distance by which neighbors are found: euclidean, manhattan, cosine, correlation; or precomputed: X is
        a table of distances.
    components : str, default 'side-by-side'
        What to do with several connected components: side-by-side, largest or error.
    random_state : Any, default None
        The seed, or a numpy generator that gives one; None is 0, so that fits repeat.
    n_jobs : int | None, default None
        The number of threads; None is all cores; the result does not depend on it.
    progress : bool | None, default None
        Whether to show a bar; None shows one only where somebody watches.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
        The embedding, centered.
    fit_info_ : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.
    suggestion_ : Suggestion
        What the data call for, where a number was left to them.
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : array of str
        Their names, where X is a frame whose columns have strings for names.
    neighborhoods_ : Neighborhoods
        The neighborhoods, for ``truefold.measure(X, Y, neighbors=...)``.
    rows_ : array of int
        The rows of X that were embedded, where ``components`` is largest and left some out.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(300)
    >>> estimator = truefold.GreedyProcrustes().fit(X[:290])
    >>> estimator.embedding_.shape, estimator.transform(X[290:]).shape
    ((290, 2), (10, 2))
    """

    _method = "gp"
    _own = ("start", "choice", "refine", "solver", "iterations", "tolerance")

    def __init__(
        self,
        n_components: Count = 2,
        n_neighbors: Count = 12,
        *,
        start: str = "center",
        choice: str = "robust",
        refine: str = "r-n",
        solver: str = "auto",
        iterations: int = 200,
        tolerance: float = 1e-05,
        metric: str = "euclidean",
        components: str = "side-by-side",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.start = start
        self.choice = choice
        self.refine = refine
        self.solver = solver
        self.iterations = iterations
        self.tolerance = tolerance
        self.metric = metric
        self.components = components
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress


class ProcrustesAlignment(Embedder):
    """Procrustes subspaces alignment: aligns the local PCA frames of all neighborhoods, then solves for all positions
    at once.

    Lengths in the embedding are meant to equal those along the data: judge it by R_N.
    Cost: time and memory in proportion to n k q d; annealing takes far longer.

    Parameters
    ----------
    n_components : int or "auto", default 2
        The number of dimensions of the embedding; "auto" is what the data call for, see truefold.suggest.
    n_neighbors : int or "auto", default 12
        The number of neighbors of each point; "auto" is what the data call for, see truefold.suggest.
    alignment : str, default 'synchronize'
        How frames are aligned: synchronize, tree, landmarks, or the paper's annealing.
    tangent_k : int | str | None, default 'auto'
        Neighbors from which a frame is estimated: auto (more where the data are noisy), a number, or None for
        those of the graph.
    denoise : int | str, default 'auto'
        Rounds that take noise off frames and links: auto (4 where the data are noisy), or a number, 0 for none.
    tear : bool | str, default 'auto'
        Whether a closed surface is torn so that the rest lies flat: auto (where that is worth it), True, False.
    solver : str, default 'auto'
        How the Laplacian is factored: auto, cholesky (exact; much memory) or iterative.
    refine : int | float | str | None, default None
        The measure that refinement lowers: r-n, r, r-c, r-pca, or none; None = r-n, or none with a tangent_k or
        noise.
    iterations : int, default 200
        The most steps of refinement.
    tolerance : float, default 1e-05
        Refinement ends when two steps in a row lower its measure by less than this share.
    landmarks : int | float | str | None, default None
        Number of landmarks, 1 to n, for alignment = landmarks; None = the square root of n.
    start : str, default 'tree'
        Where annealing starts: tree, identity (frames as local PCA gives them) or random.
    sweeps : int, default 2000
        Sweeps of one annealing run, each as many moves as there are frames; 1 or more.
    cooling : float, default 0.997
        Factor on the temperature after each annealing sweep, between 0 and 1; nearer 1 is slower and better.
    heat : int | float | str | None, default None
        Share of uphill moves that annealing accepts at first, between 0 and 1; None = 0.02 from the tree, else
        0.5.
    outer : int, default 10
        Most annealing runs, 1 or more; one leaves the largest aligned cluster alone as long as that helps.
    time_limit : int | float | str | None, default None
        Most seconds that annealing may take, after which the best so far counts; None = no limit.
    metric : str, default 'euclidean'
        The distance by which neighbors are found: euclidean, manhattan, cosine, correlation; or precomputed: X is
        a table of distances.
    components : str, default 'side-by-side'
        What to do with several connected components: side-by-side, largest or error.
    random_state : Any, default None
        The seed, or a numpy generator that gives one; None is 0, so that fits repeat.
    n_jobs : int | None, default None
        The number of threads; None is all cores; the result does not depend on it.
    progress : bool | None, default None
        Whether to show a bar; None shows one only where somebody watches.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
        The embedding, centered.
    fit_info_ : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.
    suggestion_ : Suggestion
        What the data call for, where a number was left to them.
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : array of str
        Their names, where X is a frame whose columns have strings for names.
    neighborhoods_ : Neighborhoods
        The neighborhoods, for ``truefold.measure(X, Y, neighbors=...)``.
    rows_ : array of int
        The rows of X that were embedded, where ``components`` is largest and left some out.
    torn_ : array of shape (n_pairs, 2)
        The pairs of rows of X that a closed surface was torn along, or that are shortcuts, where there are any;
        ``fit_info_['tear']`` has their share.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(300)
    >>> estimator = truefold.ProcrustesAlignment().fit(X[:290])
    >>> estimator.embedding_.shape, estimator.transform(X[290:]).shape
    ((290, 2), (10, 2))
    """

    _method = "psa"
    _own = ("alignment", "tangent_k", "denoise", "tear", "solver", "refine", "iterations", "tolerance", "landmarks", "start", "sweeps", "cooling", "heat", "outer", "time_limit")

    def __init__(
        self,
        n_components: Count = 2,
        n_neighbors: Count = 12,
        *,
        alignment: str = "synchronize",
        tangent_k: int | str | None = "auto",
        denoise: int | str = "auto",
        tear: bool | str = "auto",
        solver: str = "auto",
        refine: int | float | str | None = None,
        iterations: int = 200,
        tolerance: float = 1e-05,
        landmarks: int | float | str | None = None,
        start: str = "tree",
        sweeps: int = 2000,
        cooling: float = 0.997,
        heat: int | float | str | None = None,
        outer: int = 10,
        time_limit: int | float | str | None = None,
        metric: str = "euclidean",
        components: str = "side-by-side",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.alignment = alignment
        self.tangent_k = tangent_k
        self.denoise = denoise
        self.tear = tear
        self.solver = solver
        self.refine = refine
        self.iterations = iterations
        self.tolerance = tolerance
        self.landmarks = landmarks
        self.start = start
        self.sweeps = sweeps
        self.cooling = cooling
        self.heat = heat
        self.outer = outer
        self.time_limit = time_limit
        self.metric = metric
        self.components = components
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress


class PCA(Embedder):
    """Principal component analysis: projects the points onto the directions of largest variance.

    Lengths in the embedding are meant to equal those along the data: judge it by R_N.
    Cost: time n q^2, or n q a step beyond 128 dimensions; memory n q.

    Parameters
    ----------
    n_components : int or "auto", default 2
        The number of dimensions of the embedding; "auto" is what the data call for, see truefold.suggest.
    metric : str, default 'euclidean'
        Euclidean: X holds points; or precomputed: X is a table of distances.
    random_state : Any, default None
        The seed, or a numpy generator that gives one; None is 0, so that fits repeat.
    n_jobs : int | None, default None
        The number of threads; None is all cores; the result does not depend on it.
    progress : bool | None, default None
        Whether to show a bar; None shows one only where somebody watches.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
        The embedding, centered.
    fit_info_ : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.
    suggestion_ : Suggestion
        What the data call for, where a number was left to them.
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : array of str
        Their names, where X is a frame whose columns have strings for names.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(300)
    >>> estimator = truefold.PCA().fit(X[:290])
    >>> estimator.embedding_.shape, estimator.transform(X[290:]).shape
    ((290, 2), (10, 2))
    """

    _method = "pca"

    def __init__(
        self,
        n_components: Count = 2,
        *,
        metric: str = "euclidean",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | None = None,
    ) -> None:
        self.n_components = n_components
        self.metric = metric
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress


class ClassicalMDS(Embedder):
    """Classical multidimensional scaling: coordinates whose distances are those of all pairs, as nearly as the
    dimensions allow.

    Lengths in the embedding are meant to equal those along the data: judge it by R_N.
    Cost: for distances n^2 a step; for points that of pca.

    Parameters
    ----------
    n_components : int or "auto", default 2
        The number of dimensions of the embedding; "auto" is what the data call for, see truefold.suggest.
    metric : str, default 'euclidean'
        Euclidean: X holds points; or precomputed: X is a table of distances.
    random_state : Any, default None
        The seed, or a numpy generator that gives one; None is 0, so that fits repeat.
    n_jobs : int | None, default None
        The number of threads; None is all cores; the result does not depend on it.
    progress : bool | None, default None
        Whether to show a bar; None shows one only where somebody watches.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
        The embedding, centered.
    fit_info_ : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.
    suggestion_ : Suggestion
        What the data call for, where a number was left to them.
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : array of str
        Their names, where X is a frame whose columns have strings for names.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(300)
    >>> estimator = truefold.ClassicalMDS().fit(X[:290])
    >>> estimator.embedding_.shape, estimator.transform(X[290:]).shape
    ((290, 2), (10, 2))
    """

    _method = "mds"

    def __init__(
        self,
        n_components: Count = 2,
        *,
        metric: str = "euclidean",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | None = None,
    ) -> None:
        self.n_components = n_components
        self.metric = metric
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress


class Isomap(Embedder):
    """Isomap: classical scaling of the distances along the neighborhood graph.

    Lengths in the embedding are meant to equal those along the data: judge it by R_N.
    Cost: time n^2 k log n; memory 4 n^2 bytes, refused beyond a limit.

    Parameters
    ----------
    n_components : int or "auto", default 2
        The number of dimensions of the embedding; "auto" is what the data call for, see truefold.suggest.
    n_neighbors : int or "auto", default 12
        The number of neighbors of each point; "auto" is what the data call for, see truefold.suggest.
    memory : float, default 4.0
        The most gigabytes for the distances: 4 allow 32,767 points; landmark-isomap needs none of it.
    metric : str, default 'euclidean'
        The distance by which neighbors are found: euclidean, manhattan, cosine, correlation; or precomputed: X is
        a table of distances.
    components : str, default 'side-by-side'
        What to do with several connected components: side-by-side, largest or error.
    random_state : Any, default None
        The seed, or a numpy generator that gives one; None is 0, so that fits repeat.
    n_jobs : int | None, default None
        The number of threads; None is all cores; the result does not depend on it.
    progress : bool | None, default None
        Whether to show a bar; None shows one only where somebody watches.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
        The embedding, centered.
    fit_info_ : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.
    suggestion_ : Suggestion
        What the data call for, where a number was left to them.
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : array of str
        Their names, where X is a frame whose columns have strings for names.
    neighborhoods_ : Neighborhoods
        The neighborhoods, for ``truefold.measure(X, Y, neighbors=...)``.
    rows_ : array of int
        The rows of X that were embedded, where ``components`` is largest and left some out.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(300)
    >>> estimator = truefold.Isomap().fit(X[:290])
    >>> estimator.embedding_.shape, estimator.transform(X[290:]).shape
    ((290, 2), (10, 2))
    """

    _method = "isomap"
    _own = ("memory",)

    def __init__(
        self,
        n_components: Count = 2,
        n_neighbors: Count = 12,
        *,
        memory: float = 4.0,
        metric: str = "euclidean",
        components: str = "side-by-side",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.memory = memory
        self.metric = metric
        self.components = components
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress


class LandmarkIsomap(Embedder):
    """Landmark Isomap: Isomap of a few landmarks; every other point from its distances along the graph to them.

    Lengths in the embedding are meant to equal those along the data: judge it by R_N.
    Cost: time l n k log n and memory 4 l n bytes for l landmarks.

    Parameters
    ----------
    n_components : int or "auto", default 2
        The number of dimensions of the embedding; "auto" is what the data call for, see truefold.suggest.
    n_neighbors : int or "auto", default 12
        The number of neighbors of each point; "auto" is what the data call for, see truefold.suggest.
    landmarks : int, default 500
        The number of landmarks, more than dim; all points are landmarks where there are fewer.
    metric : str, default 'euclidean'
        The distance by which neighbors are found: euclidean, manhattan, cosine, correlation; or precomputed: X is
        a table of distances.
    components : str, default 'side-by-side'
        What to do with several connected components: side-by-side, largest or error.
    random_state : Any, default None
        The seed, or a numpy generator that gives one; None is 0, so that fits repeat.
    n_jobs : int | None, default None
        The number of threads; None is all cores; the result does not depend on it.
    progress : bool | None, default None
        Whether to show a bar; None shows one only where somebody watches.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
        The embedding, centered.
    fit_info_ : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.
    suggestion_ : Suggestion
        What the data call for, where a number was left to them.
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : array of str
        Their names, where X is a frame whose columns have strings for names.
    neighborhoods_ : Neighborhoods
        The neighborhoods, for ``truefold.measure(X, Y, neighbors=...)``.
    rows_ : array of int
        The rows of X that were embedded, where ``components`` is largest and left some out.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(300)
    >>> estimator = truefold.LandmarkIsomap().fit(X[:290])
    >>> estimator.embedding_.shape, estimator.transform(X[290:]).shape
    ((290, 2), (10, 2))
    """

    _method = "landmark-isomap"
    _own = ("landmarks",)

    def __init__(
        self,
        n_components: Count = 2,
        n_neighbors: Count = 12,
        *,
        landmarks: int = 500,
        metric: str = "euclidean",
        components: str = "side-by-side",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.landmarks = landmarks
        self.metric = metric
        self.components = components
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress


class ConformalIsomap(Embedder):
    """Conformal Isomap: Isomap with edges in units of the local spacing, for conformal images of evenly drawn points.

    Lengths in the embedding mean nothing by themselves: judge it by R_C.
    Cost: time n^2 k log n; memory 4 n^2 bytes, refused beyond a limit.

    Parameters
    ----------
    n_components : int or "auto", default 2
        The number of dimensions of the embedding; "auto" is what the data call for, see truefold.suggest.
    n_neighbors : int or "auto", default 12
        The number of neighbors of each point; "auto" is what the data call for, see truefold.suggest.
    memory : float, default 4.0
        The most gigabytes for the distances: 4 allow 32,767 points.
    metric : str, default 'euclidean'
        The distance by which neighbors are found: euclidean, manhattan, cosine, correlation; or precomputed: X is
        a table of distances.
    components : str, default 'side-by-side'
        What to do with several connected components: side-by-side, largest or error.
    random_state : Any, default None
        The seed, or a numpy generator that gives one; None is 0, so that fits repeat.
    n_jobs : int | None, default None
        The number of threads; None is all cores; the result does not depend on it.
    progress : bool | None, default None
        Whether to show a bar; None shows one only where somebody watches.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
        The embedding, centered.
    fit_info_ : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.
    suggestion_ : Suggestion
        What the data call for, where a number was left to them.
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : array of str
        Their names, where X is a frame whose columns have strings for names.
    neighborhoods_ : Neighborhoods
        The neighborhoods, for ``truefold.measure(X, Y, neighbors=...)``.
    rows_ : array of int
        The rows of X that were embedded, where ``components`` is largest and left some out.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(300)
    >>> estimator = truefold.ConformalIsomap().fit(X[:290])
    >>> estimator.embedding_.shape, estimator.transform(X[290:]).shape
    ((290, 2), (10, 2))
    """

    _method = "c-isomap"
    _own = ("memory",)

    def __init__(
        self,
        n_components: Count = 2,
        n_neighbors: Count = 12,
        *,
        memory: float = 4.0,
        metric: str = "euclidean",
        components: str = "side-by-side",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.memory = memory
        self.metric = metric
        self.components = components
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress


class LLE(Embedder):
    """Locally linear embedding: every point keeps the weights by which its neighbors make it; scaled to variance one.

    Lengths in the embedding mean nothing by themselves: judge it by R_C.
    Cost: time n k^3 and a sparse factor of n points; memory n k and the factor.

    Parameters
    ----------
    n_components : int or "auto", default 2
        The number of dimensions of the embedding; "auto" is what the data call for, see truefold.suggest.
    n_neighbors : int or "auto", default 12
        The number of neighbors of each point; "auto" is what the data call for, see truefold.suggest.
    reg : float, default 0.001
        Regularization of the weights, times the trace of each local Gram matrix; above 0.
    metric : str, default 'euclidean'
        The distance by which neighbors are found: euclidean, manhattan, cosine, correlation; or precomputed: X is
        a table of distances.
    components : str, default 'side-by-side'
        What to do with several connected components: side-by-side, largest or error.
    random_state : Any, default None
        The seed, or a numpy generator that gives one; None is 0, so that fits repeat.
    n_jobs : int | None, default None
        The number of threads; None is all cores; the result does not depend on it.
    progress : bool | None, default None
        Whether to show a bar; None shows one only where somebody watches.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
        The embedding, centered.
    fit_info_ : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.
    suggestion_ : Suggestion
        What the data call for, where a number was left to them.
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : array of str
        Their names, where X is a frame whose columns have strings for names.
    neighborhoods_ : Neighborhoods
        The neighborhoods, for ``truefold.measure(X, Y, neighbors=...)``.
    rows_ : array of int
        The rows of X that were embedded, where ``components`` is largest and left some out.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(300)
    >>> estimator = truefold.LLE().fit(X[:290])
    >>> estimator.embedding_.shape, estimator.transform(X[290:]).shape
    ((290, 2), (10, 2))
    """

    _method = "lle"
    _own = ("reg",)

    def __init__(
        self,
        n_components: Count = 2,
        n_neighbors: Count = 12,
        *,
        reg: float = 0.001,
        metric: str = "euclidean",
        components: str = "side-by-side",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.reg = reg
        self.metric = metric
        self.components = components
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress


class ModifiedLLE(Embedder):
    """Modified locally linear embedding: LLE with several weight vectors per point, so that none is arbitrary; scaled
    to variance one.

    Lengths in the embedding mean nothing by themselves: judge it by R_C.
    Cost: time n k^3 and a sparse factor of n points; memory n k^2 and the factor.

    Parameters
    ----------
    n_components : int or "auto", default 2
        The number of dimensions of the embedding; "auto" is what the data call for, see truefold.suggest.
    n_neighbors : int or "auto", default 12
        The number of neighbors of each point; "auto" is what the data call for, see truefold.suggest.
    metric : str, default 'euclidean'
        The distance by which neighbors are found: euclidean, manhattan, cosine, correlation; or precomputed: X is
        a table of distances.
    components : str, default 'side-by-side'
        What to do with several connected components: side-by-side, largest or error.
    random_state : Any, default None
        The seed, or a numpy generator that gives one; None is 0, so that fits repeat.
    n_jobs : int | None, default None
        The number of threads; None is all cores; the result does not depend on it.
    progress : bool | None, default None
        Whether to show a bar; None shows one only where somebody watches.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
        The embedding, centered.
    fit_info_ : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.
    suggestion_ : Suggestion
        What the data call for, where a number was left to them.
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : array of str
        Their names, where X is a frame whose columns have strings for names.
    neighborhoods_ : Neighborhoods
        The neighborhoods, for ``truefold.measure(X, Y, neighbors=...)``.
    rows_ : array of int
        The rows of X that were embedded, where ``components`` is largest and left some out.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(300)
    >>> estimator = truefold.ModifiedLLE().fit(X[:290])
    >>> estimator.embedding_.shape, estimator.transform(X[290:]).shape
    ((290, 2), (10, 2))
    """

    _method = "modified-lle"

    def __init__(
        self,
        n_components: Count = 2,
        n_neighbors: Count = 12,
        *,
        metric: str = "euclidean",
        components: str = "side-by-side",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.components = components
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress


class LTSA(Embedder):
    """Local tangent space alignment: coordinates that are as nearly affine in every tangent space as possible, scaled
    to variance one.

    Lengths in the embedding mean nothing by themselves: judge it by R_C.
    Cost: time n k^2 and a sparse factor of n points; memory n k and the factor.

    Parameters
    ----------
    n_components : int or "auto", default 2
        The number of dimensions of the embedding; "auto" is what the data call for, see truefold.suggest.
    n_neighbors : int or "auto", default 12
        The number of neighbors of each point; "auto" is what the data call for, see truefold.suggest.
    center : bool, default False
        Whether a neighborhood holds its own center: True as in the paper, False as in scikit-learn.
    metric : str, default 'euclidean'
        The distance by which neighbors are found: euclidean, manhattan, cosine, correlation; or precomputed: X is
        a table of distances.
    components : str, default 'side-by-side'
        What to do with several connected components: side-by-side, largest or error.
    random_state : Any, default None
        The seed, or a numpy generator that gives one; None is 0, so that fits repeat.
    n_jobs : int | None, default None
        The number of threads; None is all cores; the result does not depend on it.
    progress : bool | None, default None
        Whether to show a bar; None shows one only where somebody watches.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
        The embedding, centered.
    fit_info_ : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.
    suggestion_ : Suggestion
        What the data call for, where a number was left to them.
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : array of str
        Their names, where X is a frame whose columns have strings for names.
    neighborhoods_ : Neighborhoods
        The neighborhoods, for ``truefold.measure(X, Y, neighbors=...)``.
    rows_ : array of int
        The rows of X that were embedded, where ``components`` is largest and left some out.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(300)
    >>> estimator = truefold.LTSA().fit(X[:290])
    >>> estimator.embedding_.shape, estimator.transform(X[290:]).shape
    ((290, 2), (10, 2))
    """

    _method = "ltsa"
    _own = ("center",)

    def __init__(
        self,
        n_components: Count = 2,
        n_neighbors: Count = 12,
        *,
        center: bool = False,
        metric: str = "euclidean",
        components: str = "side-by-side",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.center = center
        self.metric = metric
        self.components = components
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress


class HessianEigenmaps(Embedder):
    """Hessian eigenmaps: coordinates whose second derivatives along the surface are least, scaled to variance one.

    Lengths in the embedding mean nothing by themselves: judge it by R_C.
    Cost: time n k d^4 and a sparse factor of n points; memory n k d^2 and the factor.

    Parameters
    ----------
    n_components : int or "auto", default 2
        The number of dimensions of the embedding; "auto" is what the data call for, see truefold.suggest.
    n_neighbors : int or "auto", default 12
        The number of neighbors of each point; "auto" is what the data call for, see truefold.suggest.
    estimator : str, default 'complement'
        What is made small: hessian, the second derivatives as in the paper, or complement, all that is not
        affine, as in scikit-learn.
    metric : str, default 'euclidean'
        The distance by which neighbors are found: euclidean, manhattan, cosine, correlation; or precomputed: X is
        a table of distances.
    components : str, default 'side-by-side'
        What to do with several connected components: side-by-side, largest or error.
    random_state : Any, default None
        The seed, or a numpy generator that gives one; None is 0, so that fits repeat.
    n_jobs : int | None, default None
        The number of threads; None is all cores; the result does not depend on it.
    progress : bool | None, default None
        Whether to show a bar; None shows one only where somebody watches.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
        The embedding, centered.
    fit_info_ : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.
    suggestion_ : Suggestion
        What the data call for, where a number was left to them.
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : array of str
        Their names, where X is a frame whose columns have strings for names.
    neighborhoods_ : Neighborhoods
        The neighborhoods, for ``truefold.measure(X, Y, neighbors=...)``.
    rows_ : array of int
        The rows of X that were embedded, where ``components`` is largest and left some out.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(300)
    >>> estimator = truefold.HessianEigenmaps().fit(X[:290])
    >>> estimator.embedding_.shape, estimator.transform(X[290:]).shape
    ((290, 2), (10, 2))
    """

    _method = "hessian-eigenmaps"
    _own = ("estimator",)

    def __init__(
        self,
        n_components: Count = 2,
        n_neighbors: Count = 12,
        *,
        estimator: str = "complement",
        metric: str = "euclidean",
        components: str = "side-by-side",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.estimator = estimator
        self.metric = metric
        self.components = components
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress


class LaplacianEigenmaps(Embedder):
    """Laplacian eigenmaps: the smoothest functions on the neighborhood graph, scaled to variance one.

    Lengths in the embedding mean nothing by themselves: judge it by R_C.
    Cost: time n k and a sparse factor of n points; memory n k and the factor.

    Parameters
    ----------
    n_components : int or "auto", default 2
        The number of dimensions of the embedding; "auto" is what the data call for, see truefold.suggest.
    n_neighbors : int or "auto", default 12
        The number of neighbors of each point; "auto" is what the data call for, see truefold.suggest.
    weights : str, default 'connectivity'
        Connectivity: 1 between mutual neighbors, 1/2 where one names the other; heat: exp(-distance^2 / width).
    width : int | float | str | None, default None
        Of heat, in squared units of the data; None takes the mean squared distance of neighbors.
    metric : str, default 'euclidean'
        The distance by which neighbors are found: euclidean, manhattan, cosine, correlation; or precomputed: X is
        a table of distances.
    components : str, default 'side-by-side'
        What to do with several connected components: side-by-side, largest or error.
    random_state : Any, default None
        The seed, or a numpy generator that gives one; None is 0, so that fits repeat.
    n_jobs : int | None, default None
        The number of threads; None is all cores; the result does not depend on it.
    progress : bool | None, default None
        Whether to show a bar; None shows one only where somebody watches.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
        The embedding, centered.
    fit_info_ : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.
    suggestion_ : Suggestion
        What the data call for, where a number was left to them.
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : array of str
        Their names, where X is a frame whose columns have strings for names.
    neighborhoods_ : Neighborhoods
        The neighborhoods, for ``truefold.measure(X, Y, neighbors=...)``.
    rows_ : array of int
        The rows of X that were embedded, where ``components`` is largest and left some out.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(300)
    >>> estimator = truefold.LaplacianEigenmaps().fit(X[:290])
    >>> estimator.embedding_.shape, estimator.transform(X[290:]).shape
    ((290, 2), (10, 2))
    """

    _method = "laplacian-eigenmaps"
    _own = ("weights", "width")

    def __init__(
        self,
        n_components: Count = 2,
        n_neighbors: Count = 12,
        *,
        weights: str = "connectivity",
        width: int | float | str | None = None,
        metric: str = "euclidean",
        components: str = "side-by-side",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.width = width
        self.metric = metric
        self.components = components
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress


class DiffusionMaps(Embedder):
    """Diffusion maps: coordinates whose distances are those of random walks on the neighborhood graph.

    Lengths in the embedding mean nothing by themselves: judge it by R_C.
    Cost: time n k and a sparse factor of n points; memory n k and the factor.

    Parameters
    ----------
    n_components : int or "auto", default 2
        The number of dimensions of the embedding; "auto" is what the data call for, see truefold.suggest.
    n_neighbors : int or "auto", default 12
        The number of neighbors of each point; "auto" is what the data call for, see truefold.suggest.
    alpha : float, default 1.0
        How far the density of the points is taken out: 0 not at all, 1 wholly.
    steps : float, default 1.0
        The steps of the walk, at least 0.
    width : int | float | str | None, default None
        Of the kernel, in squared units of the data; None takes the mean squared distance of neighbors.
    metric : str, default 'euclidean'
        The distance by which neighbors are found: euclidean, manhattan, cosine, correlation; or precomputed: X is
        a table of distances.
    components : str, default 'side-by-side'
        What to do with several connected components: side-by-side, largest or error.
    random_state : Any, default None
        The seed, or a numpy generator that gives one; None is 0, so that fits repeat.
    n_jobs : int | None, default None
        The number of threads; None is all cores; the result does not depend on it.
    progress : bool | None, default None
        Whether to show a bar; None shows one only where somebody watches.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
        The embedding, centered.
    fit_info_ : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.
    suggestion_ : Suggestion
        What the data call for, where a number was left to them.
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : array of str
        Their names, where X is a frame whose columns have strings for names.
    neighborhoods_ : Neighborhoods
        The neighborhoods, for ``truefold.measure(X, Y, neighbors=...)``.
    rows_ : array of int
        The rows of X that were embedded, where ``components`` is largest and left some out.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(300)
    >>> estimator = truefold.DiffusionMaps().fit(X[:290])
    >>> estimator.embedding_.shape, estimator.transform(X[290:]).shape
    ((290, 2), (10, 2))
    """

    _method = "diffusion-maps"
    _own = ("alpha", "steps", "width")

    def __init__(
        self,
        n_components: Count = 2,
        n_neighbors: Count = 12,
        *,
        alpha: float = 1.0,
        steps: float = 1.0,
        width: int | float | str | None = None,
        metric: str = "euclidean",
        components: str = "side-by-side",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.alpha = alpha
        self.steps = steps
        self.width = width
        self.metric = metric
        self.components = components
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress


class SemidefiniteEmbedding(Embedder):
    """Semidefinite embedding (maximum variance unfolding): pulls all points apart as far as the distances between
    neighbors allow.

    Lengths in the embedding are meant to equal those along the data: judge it by R_N.
    Cost: thousands of passes over the pairs, memory n (rank + k).

    Parameters
    ----------
    n_components : int or "auto", default 2
        The number of dimensions of the embedding; "auto" is what the data call for, see truefold.suggest.
    n_neighbors : int or "auto", default 12
        The number of neighbors of each point; "auto" is what the data call for, see truefold.suggest.
    pairs : str, default 'neighbors'
        Whose distances are kept: neighbors, or common-neighbors (also between the neighbors of a point).
    distances : str, default 'equal'
        What is asked of them: equal, or at-most (they may shrink).
    rank : int | float | str | None, default None
        The columns that the solution may have; None is dim + 3.
    tolerance : float, default 0.001
        The largest violation of a squared distance, relative to it, at which it ends.
    rounds : int, default 60
        The most updates of the multipliers.
    metric : str, default 'euclidean'
        The distance by which neighbors are found: euclidean, manhattan, cosine, correlation; or precomputed: X is
        a table of distances.
    components : str, default 'side-by-side'
        What to do with several connected components: side-by-side, largest or error.
    random_state : Any, default None
        The seed, or a numpy generator that gives one; None is 0, so that fits repeat.
    n_jobs : int | None, default None
        The number of threads; None is all cores; the result does not depend on it.
    progress : bool | None, default None
        Whether to show a bar; None shows one only where somebody watches.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
        The embedding, centered.
    fit_info_ : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.
    suggestion_ : Suggestion
        What the data call for, where a number was left to them.
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : array of str
        Their names, where X is a frame whose columns have strings for names.
    neighborhoods_ : Neighborhoods
        The neighborhoods, for ``truefold.measure(X, Y, neighbors=...)``.
    rows_ : array of int
        The rows of X that were embedded, where ``components`` is largest and left some out.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(300)
    >>> estimator = truefold.SemidefiniteEmbedding().fit(X[:290])
    >>> estimator.embedding_.shape, estimator.transform(X[290:]).shape
    ((290, 2), (10, 2))
    """

    _method = "sde"
    _own = ("pairs", "distances", "rank", "tolerance", "rounds")

    def __init__(
        self,
        n_components: Count = 2,
        n_neighbors: Count = 12,
        *,
        pairs: str = "neighbors",
        distances: str = "equal",
        rank: int | float | str | None = None,
        tolerance: float = 0.001,
        rounds: int = 60,
        metric: str = "euclidean",
        components: str = "side-by-side",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.pairs = pairs
        self.distances = distances
        self.rank = rank
        self.tolerance = tolerance
        self.rounds = rounds
        self.metric = metric
        self.components = components
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress


class ConformalEigenmaps(Embedder):
    """Conformal eigenmaps: mixes bottom eigenvectors so that neighborhoods keep their angles; sizes may change from
    place to place.

    Lengths in the embedding mean nothing by themselves: judge it by R_C.
    Cost: that of lle, n k^2 m^4 for m eigenvectors, and a program of m x m matrices.

    Parameters
    ----------
    n_components : int or "auto", default 2
        The number of dimensions of the embedding; "auto" is what the data call for, see truefold.suggest.
    n_neighbors : int or "auto", default 12
        The number of neighbors of each point; "auto" is what the data call for, see truefold.suggest.
    eigenvectors : int, default 10
        How many bottom eigenvectors are mixed, from dim to 30.
    base : str, default 'lle'
        Whose eigenvectors: lle as in the paper, or ltsa.
    reg : float, default 0.001
        Regularization of LLE's weights, times the trace of each local Gram matrix; above 0.
    metric : str, default 'euclidean'
        The distance by which neighbors are found: euclidean, manhattan, cosine, correlation; or precomputed: X is
        a table of distances.
    components : str, default 'side-by-side'
        What to do with several connected components: side-by-side, largest or error.
    random_state : Any, default None
        The seed, or a numpy generator that gives one; None is 0, so that fits repeat.
    n_jobs : int | None, default None
        The number of threads; None is all cores; the result does not depend on it.
    progress : bool | None, default None
        Whether to show a bar; None shows one only where somebody watches.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
        The embedding, centered.
    fit_info_ : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.
    suggestion_ : Suggestion
        What the data call for, where a number was left to them.
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : array of str
        Their names, where X is a frame whose columns have strings for names.
    neighborhoods_ : Neighborhoods
        The neighborhoods, for ``truefold.measure(X, Y, neighbors=...)``.
    rows_ : array of int
        The rows of X that were embedded, where ``components`` is largest and left some out.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(300)
    >>> estimator = truefold.ConformalEigenmaps().fit(X[:290])
    >>> estimator.embedding_.shape, estimator.transform(X[290:]).shape
    ((290, 2), (10, 2))
    """

    _method = "conformal-eigenmaps"
    _own = ("eigenvectors", "base", "reg")

    def __init__(
        self,
        n_components: Count = 2,
        n_neighbors: Count = 12,
        *,
        eigenvectors: int = 10,
        base: str = "lle",
        reg: float = 0.001,
        metric: str = "euclidean",
        components: str = "side-by-side",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.eigenvectors = eigenvectors
        self.base = base
        self.reg = reg
        self.metric = metric
        self.components = components
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress


class LocallyLinearCoordination(Embedder):
    """Locally linear coordination: local linear models about landmarks, laid together by LLE's weights; scaled to
    variance one.

    Lengths in the embedding mean nothing by themselves: judge it by R_C.
    Cost: a shortest-path search per model, time n k^3, and a dense problem of models (dim + 1) unknowns.

    Parameters
    ----------
    n_components : int or "auto", default 2
        The number of dimensions of the embedding; "auto" is what the data call for, see truefold.suggest.
    n_neighbors : int or "auto", default 12
        The number of neighbors of each point; "auto" is what the data call for, see truefold.suggest.
    models : int | float | str | None, default None
        The number of local models; None is one for 16 points, at most 200.
    reg : float, default 0.001
        Regularization of LLE's weights, times the trace of each local Gram matrix; above 0.
    metric : str, default 'euclidean'
        The distance by which neighbors are found: euclidean, manhattan, cosine, correlation; or precomputed: X is
        a table of distances.
    components : str, default 'side-by-side'
        What to do with several connected components: side-by-side, largest or error.
    random_state : Any, default None
        The seed, or a numpy generator that gives one; None is 0, so that fits repeat.
    n_jobs : int | None, default None
        The number of threads; None is all cores; the result does not depend on it.
    progress : bool | None, default None
        Whether to show a bar; None shows one only where somebody watches.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
        The embedding, centered.
    fit_info_ : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.
    suggestion_ : Suggestion
        What the data call for, where a number was left to them.
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : array of str
        Their names, where X is a frame whose columns have strings for names.
    neighborhoods_ : Neighborhoods
        The neighborhoods, for ``truefold.measure(X, Y, neighbors=...)``.
    rows_ : array of int
        The rows of X that were embedded, where ``components`` is largest and left some out.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(300)
    >>> estimator = truefold.LocallyLinearCoordination().fit(X[:290])
    >>> estimator.embedding_.shape, estimator.transform(X[290:]).shape
    ((290, 2), (10, 2))
    """

    _method = "llc"
    _own = ("models", "reg")

    def __init__(
        self,
        n_components: Count = 2,
        n_neighbors: Count = 12,
        *,
        models: int | float | str | None = None,
        reg: float = 0.001,
        metric: str = "euclidean",
        components: str = "side-by-side",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.models = models
        self.reg = reg
        self.metric = metric
        self.components = components
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress


#: The classes by the names that the tool gives them.
METHODS: dict[str, type[Embedder]] = {
    "gp": GreedyProcrustes,
    "psa": ProcrustesAlignment,
    "pca": PCA,
    "mds": ClassicalMDS,
    "isomap": Isomap,
    "landmark-isomap": LandmarkIsomap,
    "c-isomap": ConformalIsomap,
    "lle": LLE,
    "modified-lle": ModifiedLLE,
    "ltsa": LTSA,
    "hessian-eigenmaps": HessianEigenmaps,
    "laplacian-eigenmaps": LaplacianEigenmaps,
    "diffusion-maps": DiffusionMaps,
    "sde": SemidefiniteEmbedding,
    "conformal-eigenmaps": ConformalEigenmaps,
    "llc": LocallyLinearCoordination,
}
