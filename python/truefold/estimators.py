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
    "CoordinatedPCA",
    "DiffusionMaps",
    "FactorAnalysis",
    "FaithfulMap",
    "GlobalCoordination",
    "GreedyProcrustes",
    "HessianEigenmaps",
    "Isomap",
    "LLE",
    "LSML",
    "LTSA",
    "LandmarkIsomap",
    "LaplacianEigenmaps",
    "LocallyLinearCoordination",
    "ModifiedLLE",
    "PCA",
    "ParallelTransportUnfolding",
    "ProcrustesAlignment",
    "SemidefiniteEmbedding",
    "TSNE",
    "UMAP",
]


class GreedyProcrustes(Embedder):
    """Greedy Procrustes: embeds one neighborhood at a time onto those before it, then refines the whole.

    Lengths in the embedding are meant to equal those along the data: judge it by R_N.
    Cost: time and memory n k.

    Parameters
    ----------
    n_components : int or "auto", default 2
        The number of dimensions of the embedding; "auto" chooses it from the data, see truefold.suggest.
    n_neighbors : int or "auto", default 12
        The number of neighbors of each point; "auto" chooses it from the data, see truefold.suggest.
    start : str, default 'center'
        The first neighborhood: at the center of the graph, or random by the seed. Values: "center" or "random".
    choice : str, default 'robust'
        How the next neighborhood is chosen: robust, or paper for the paper's own rule. Values: "robust" or
        "paper".
    refine : str, default 'r-n'
        The measure that refinement lowers. Values: "none", "r", "r-n", "r-c" or "r-pca".
    solver : str, default 'auto'
        How refinement factors the Laplacian: cholesky is exact and needs much memory. Values: "auto", "cholesky"
        or "iterative".
    iterations : int, default 200
        The largest number of refinement steps. Values: a whole number.
    tolerance : float, default 1e-05
        Refinement ends when two steps in a row lower its measure by less than this share. Values: a number from 0
        to below 1.
    metric : str, default 'euclidean'
        The distance by which neighbors are found: euclidean, manhattan, cosine, correlation; or precomputed: X is
        a table of distances.
    components : str, default 'side-by-side'
        What to do with several connected components: side-by-side, largest or error.
    device : str, default 'auto'
        Where neighbors are searched: auto, cpu, or gpu for a graphics processor; the result is the same.
    random_state : Any, default None
        The seed, or a numpy generator that gives one; None is 0, so that fits repeat.
    n_jobs : int | None, default None
        The number of threads; None is all cores; the result does not depend on it.
    progress : bool | None, default None
        Whether to show a bar; None shows one only in a terminal or notebook.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
        The embedding, centered.
    fit_info_ : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.
    suggestion_ : Suggestion
        What was chosen from the data, where a number was "auto".
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
        device: str = "auto",
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
        self.device = device
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
        The number of dimensions of the embedding; "auto" chooses it from the data, see truefold.suggest.
    n_neighbors : int or "auto", default 12
        The number of neighbors of each point; "auto" chooses it from the data, see truefold.suggest.
    alignment : str, default 'synchronize'
        How frames are aligned; annealing is the paper's algorithm, and slow. Values: "synchronize", "tree",
        "landmarks" or "annealing".
    tangent_k : int | str | None, default 'auto'
        The number of neighbors from which a frame is estimated; auto takes more where the data are noisy, None
        takes the neighbors of the graph. Values: "auto", a whole number of at least 1 or None.
    denoise : int | str, default 'auto'
        The number of rounds that remove noise from frames and links; auto is 4 where the data are noisy, else 0.
        Values: "auto" or a whole number.
    tear : bool | str, default 'auto'
        Whether a closed surface is torn so that the rest lies flat; auto tears where that is worth it. Values:
        "auto", True or False.
    tear_goal : float, default 2.0
        R_N on what is left of a torn surface, in multiples of its bound: a smaller one tears more. Values: a
        number above 1.
    solver : str, default 'auto'
        How the Laplacian is factored: cholesky is exact and needs much memory. Values: "auto", "cholesky" or
        "iterative".
    refine : str | None, default None
        The measure that refinement lowers; None is r-n, or none where tangent_k is a number or noise was removed.
        Values: "none", "r", "r-n", "r-c", "r-pca" or None.
    iterations : int, default 200
        The largest number of refinement steps. Values: a whole number.
    tolerance : float, default 1e-05
        Refinement ends when two steps in a row lower its measure by less than this share. Values: a number from 0
        to below 1.
    landmarks : int | None, default None
        The number of landmarks for alignment = landmarks; None is the square root of n. Values: a whole number of
        at least 1 or None.
    start : str, default 'tree'
        Where annealing starts; identity is the frames as local PCA gives them. Values: "tree", "identity" or
        "random".
    sweeps : int, default 2000
        The number of sweeps of one annealing run, each with as many moves as there are frames. Values: a whole
        number of at least 1.
    cooling : float, default 0.997
        The factor on the temperature after each annealing sweep; nearer to 1 is slower and better. Values: a
        number between 0 and 1.
    heat : float | None, default None
        The share of uphill moves that annealing accepts at first; None is 0.02 from the tree, else 0.5. Values: a
        number between 0 and 1 or None.
    outer : int, default 10
        The largest number of annealing runs; a run leaves out the largest aligned cluster as long as that helps.
        Values: a whole number of at least 1.
    time_limit : float | None, default None
        The largest number of seconds for annealing, after which the best result so far is used; None is no limit.
        Values: a number above 0 or None.
    metric : str, default 'euclidean'
        The distance by which neighbors are found: euclidean, manhattan, cosine, correlation; or precomputed: X is
        a table of distances.
    components : str, default 'side-by-side'
        What to do with several connected components: side-by-side, largest or error.
    device : str, default 'auto'
        Where neighbors are searched: auto, cpu, or gpu for a graphics processor; the result is the same.
    random_state : Any, default None
        The seed, or a numpy generator that gives one; None is 0, so that fits repeat.
    n_jobs : int | None, default None
        The number of threads; None is all cores; the result does not depend on it.
    progress : bool | None, default None
        Whether to show a bar; None shows one only in a terminal or notebook.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
        The embedding, centered.
    fit_info_ : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.
    suggestion_ : Suggestion
        What was chosen from the data, where a number was "auto".
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : array of str
        Their names, where X is a frame whose columns have strings for names.
    neighborhoods_ : Neighborhoods
        The neighborhoods, for ``truefold.measure(X, Y, neighbors=...)``.
    rows_ : array of int
        The rows of X that were embedded, where ``components`` is largest and left some out.
    torn_ : array of shape (n_pairs, 2)
        The pairs of rows of X along which a closed surface was torn, or that are shortcuts, if there are any;
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
    _own = ("alignment", "tangent_k", "denoise", "tear", "tear_goal", "solver", "refine", "iterations", "tolerance", "landmarks", "start", "sweeps", "cooling", "heat", "outer", "time_limit")

    def __init__(
        self,
        n_components: Count = 2,
        n_neighbors: Count = 12,
        *,
        alignment: str = "synchronize",
        tangent_k: int | str | None = "auto",
        denoise: int | str = "auto",
        tear: bool | str = "auto",
        tear_goal: float = 2.0,
        solver: str = "auto",
        refine: str | None = None,
        iterations: int = 200,
        tolerance: float = 1e-05,
        landmarks: int | None = None,
        start: str = "tree",
        sweeps: int = 2000,
        cooling: float = 0.997,
        heat: float | None = None,
        outer: int = 10,
        time_limit: float | None = None,
        metric: str = "euclidean",
        components: str = "side-by-side",
        device: str = "auto",
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
        self.tear_goal = tear_goal
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
        self.device = device
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress


class PCA(Embedder):
    """Principal component analysis: projects the points onto the directions of largest variance.

    Lengths in the embedding are meant to equal those along the data: judge it by R_N.
    Cost: time n q^2, or n q a step beyond 512 dimensions; memory n q.

    Parameters
    ----------
    n_components : int or "auto", default 2
        The number of dimensions of the embedding; "auto" chooses it from the data, see truefold.suggest.
    metric : str, default 'euclidean'
        Euclidean: X holds points; or precomputed: X is a table of distances.
    random_state : Any, default None
        The seed, or a numpy generator that gives one; None is 0, so that fits repeat.
    n_jobs : int | None, default None
        The number of threads; None is all cores; the result does not depend on it.
    progress : bool | None, default None
        Whether to show a bar; None shows one only in a terminal or notebook.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
        The embedding, centered.
    fit_info_ : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.
    suggestion_ : Suggestion
        What was chosen from the data, where a number was "auto".
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


class FactorAnalysis(Embedder):
    """Factor analysis: the hidden factors that make variables vary together, beside noise of each; scaled to variance
    one.

    The embedding has no scale of its own: judge it by R_C.
    Cost: time n q^2 and q^3 a step, or n q d a step beyond 512 variables; memory n d and q^2, or n q.

    Parameters
    ----------
    n_components : int or "auto", default 2
        The number of dimensions of the embedding; "auto" chooses it from the data, see truefold.suggest.
    tolerance : float, default 1e-06
        Ends where no slope of the likelihood in the logarithm of a variable's noise is larger. Values: a number
        between 0 and 1.
    iterations : int, default 1000
        The most steps. Values: a whole number of at least 1.
    metric : str, default 'euclidean'
        Euclidean: X holds points; or precomputed: X is a table of distances.
    random_state : Any, default None
        The seed, or a numpy generator that gives one; None is 0, so that fits repeat.
    n_jobs : int | None, default None
        The number of threads; None is all cores; the result does not depend on it.
    progress : bool | None, default None
        Whether to show a bar; None shows one only in a terminal or notebook.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
        The embedding, centered.
    fit_info_ : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.
    suggestion_ : Suggestion
        What was chosen from the data, where a number was "auto".
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : array of str
        Their names, where X is a frame whose columns have strings for names.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(300)
    >>> estimator = truefold.FactorAnalysis().fit(X[:290])
    >>> estimator.embedding_.shape, estimator.transform(X[290:]).shape
    ((290, 2), (10, 2))
    """

    _method = "factor-analysis"
    _own = ("tolerance", "iterations")

    def __init__(
        self,
        n_components: Count = 2,
        *,
        tolerance: float = 1e-06,
        iterations: int = 1000,
        metric: str = "euclidean",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | None = None,
    ) -> None:
        self.n_components = n_components
        self.tolerance = tolerance
        self.iterations = iterations
        self.metric = metric
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress


class ClassicalMDS(Embedder):
    """Classical multidimensional scaling: coordinates whose distances are as near to those of all pairs as the
    dimensions allow.

    Lengths in the embedding are meant to equal those along the data: judge it by R_N.
    Cost: for distances n^2 a step; for points that of pca.

    Parameters
    ----------
    n_components : int or "auto", default 2
        The number of dimensions of the embedding; "auto" chooses it from the data, see truefold.suggest.
    metric : str, default 'euclidean'
        Euclidean: X holds points; or precomputed: X is a table of distances.
    random_state : Any, default None
        The seed, or a numpy generator that gives one; None is 0, so that fits repeat.
    n_jobs : int | None, default None
        The number of threads; None is all cores; the result does not depend on it.
    progress : bool | None, default None
        Whether to show a bar; None shows one only in a terminal or notebook.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
        The embedding, centered.
    fit_info_ : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.
    suggestion_ : Suggestion
        What was chosen from the data, where a number was "auto".
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
    Cost: time n^2 k log n; memory 4 n^2 bytes, an error beyond a limit.

    Parameters
    ----------
    n_components : int or "auto", default 2
        The number of dimensions of the embedding; "auto" chooses it from the data, see truefold.suggest.
    n_neighbors : int or "auto", default 12
        The number of neighbors of each point; "auto" chooses it from the data, see truefold.suggest.
    memory : float, default 4.0
        The most gigabytes for the distances; 4 are enough for 32,767 points; landmark-isomap needs far less.
        Values: a number above 0.
    metric : str, default 'euclidean'
        The distance by which neighbors are found: euclidean, manhattan, cosine, correlation; or precomputed: X is
        a table of distances.
    components : str, default 'side-by-side'
        What to do with several connected components: side-by-side, largest or error.
    device : str, default 'auto'
        Where neighbors are searched: auto, cpu, or gpu for a graphics processor; the result is the same.
    random_state : Any, default None
        The seed, or a numpy generator that gives one; None is 0, so that fits repeat.
    n_jobs : int | None, default None
        The number of threads; None is all cores; the result does not depend on it.
    progress : bool | None, default None
        Whether to show a bar; None shows one only in a terminal or notebook.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
        The embedding, centered.
    fit_info_ : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.
    suggestion_ : Suggestion
        What was chosen from the data, where a number was "auto".
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
        device: str = "auto",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.memory = memory
        self.metric = metric
        self.components = components
        self.device = device
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress


class LandmarkIsomap(Embedder):
    """Landmark Isomap: Isomap of a few landmarks; every other point is placed by its distances along the graph to
    them.

    Lengths in the embedding are meant to equal those along the data: judge it by R_N.
    Cost: time l n k log n and memory 4 l n bytes for l landmarks.

    Parameters
    ----------
    n_components : int or "auto", default 2
        The number of dimensions of the embedding; "auto" chooses it from the data, see truefold.suggest.
    n_neighbors : int or "auto", default 12
        The number of neighbors of each point; "auto" chooses it from the data, see truefold.suggest.
    landmarks : int, default 500
        The number of landmarks, more than the dimensions; where there are fewer points, all are landmarks.
        Values: a whole number of at least 2.
    metric : str, default 'euclidean'
        The distance by which neighbors are found: euclidean, manhattan, cosine, correlation; or precomputed: X is
        a table of distances.
    components : str, default 'side-by-side'
        What to do with several connected components: side-by-side, largest or error.
    device : str, default 'auto'
        Where neighbors are searched: auto, cpu, or gpu for a graphics processor; the result is the same.
    random_state : Any, default None
        The seed, or a numpy generator that gives one; None is 0, so that fits repeat.
    n_jobs : int | None, default None
        The number of threads; None is all cores; the result does not depend on it.
    progress : bool | None, default None
        Whether to show a bar; None shows one only in a terminal or notebook.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
        The embedding, centered.
    fit_info_ : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.
    suggestion_ : Suggestion
        What was chosen from the data, where a number was "auto".
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
        device: str = "auto",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.landmarks = landmarks
        self.metric = metric
        self.components = components
        self.device = device
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress


class ConformalIsomap(Embedder):
    """Conformal Isomap: Isomap with edges in units of the local spacing, for conformal images of evenly drawn points.

    The embedding has no scale of its own: judge it by R_C.
    Cost: time n^2 k log n; memory 4 n^2 bytes, an error beyond a limit.

    Parameters
    ----------
    n_components : int or "auto", default 2
        The number of dimensions of the embedding; "auto" chooses it from the data, see truefold.suggest.
    n_neighbors : int or "auto", default 12
        The number of neighbors of each point; "auto" chooses it from the data, see truefold.suggest.
    memory : float, default 4.0
        The most gigabytes for the distances; 4 are enough for 32,767 points. Values: a number above 0.
    metric : str, default 'euclidean'
        The distance by which neighbors are found: euclidean, manhattan, cosine, correlation; or precomputed: X is
        a table of distances.
    components : str, default 'side-by-side'
        What to do with several connected components: side-by-side, largest or error.
    device : str, default 'auto'
        Where neighbors are searched: auto, cpu, or gpu for a graphics processor; the result is the same.
    random_state : Any, default None
        The seed, or a numpy generator that gives one; None is 0, so that fits repeat.
    n_jobs : int | None, default None
        The number of threads; None is all cores; the result does not depend on it.
    progress : bool | None, default None
        Whether to show a bar; None shows one only in a terminal or notebook.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
        The embedding, centered.
    fit_info_ : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.
    suggestion_ : Suggestion
        What was chosen from the data, where a number was "auto".
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
        device: str = "auto",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.memory = memory
        self.metric = metric
        self.components = components
        self.device = device
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress


class ParallelTransportUnfolding(Embedder):
    """Parallel transport unfolding: Isomap with every path unrolled into the tangent where it begins, so that holes do
    not matter.

    Lengths in the embedding are meant to equal those along the data: judge it by R_N.
    Cost: time l n (k log n + d^2) and memory 4 l n bytes for l landmarks; 8 n^2 bytes where all points are.

    Parameters
    ----------
    n_components : int or "auto", default 2
        The number of dimensions of the embedding; "auto" chooses it from the data, see truefold.suggest.
    n_neighbors : int or "auto", default 12
        The number of neighbors of each point; "auto" chooses it from the data, see truefold.suggest.
    landmarks : int | None, default None
        The number of landmarks, more than the dimensions; None: all points up to 4,000, 500 beyond. Values: a
        whole number of at least 2 or None.
    metric : str, default 'euclidean'
        The distance by which neighbors are found: euclidean, manhattan, cosine, correlation; or precomputed: X is
        a table of distances.
    components : str, default 'side-by-side'
        What to do with several connected components: side-by-side, largest or error.
    device : str, default 'auto'
        Where neighbors are searched: auto, cpu, or gpu for a graphics processor; the result is the same.
    random_state : Any, default None
        The seed, or a numpy generator that gives one; None is 0, so that fits repeat.
    n_jobs : int | None, default None
        The number of threads; None is all cores; the result does not depend on it.
    progress : bool | None, default None
        Whether to show a bar; None shows one only in a terminal or notebook.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
        The embedding, centered.
    fit_info_ : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.
    suggestion_ : Suggestion
        What was chosen from the data, where a number was "auto".
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
    >>> estimator = truefold.ParallelTransportUnfolding().fit(X[:290])
    >>> estimator.embedding_.shape, estimator.transform(X[290:]).shape
    ((290, 2), (10, 2))
    """

    _method = "ptu"
    _own = ("landmarks",)

    def __init__(
        self,
        n_components: Count = 2,
        n_neighbors: Count = 12,
        *,
        landmarks: int | None = None,
        metric: str = "euclidean",
        components: str = "side-by-side",
        device: str = "auto",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.landmarks = landmarks
        self.metric = metric
        self.components = components
        self.device = device
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress


class LLE(Embedder):
    """Locally linear embedding: every point keeps the weights by which its neighbors reconstruct it; scaled to
    variance one.

    The embedding has no scale of its own: judge it by R_C.
    Cost: time n k^3 and a sparse factor of n points; memory n k and the factor.

    Parameters
    ----------
    n_components : int or "auto", default 2
        The number of dimensions of the embedding; "auto" chooses it from the data, see truefold.suggest.
    n_neighbors : int or "auto", default 12
        The number of neighbors of each point; "auto" chooses it from the data, see truefold.suggest.
    reg : float, default 0.001
        Regularization of the weights, times the trace of each local Gram matrix. Values: a number above 0.
    metric : str, default 'euclidean'
        The distance by which neighbors are found: euclidean, manhattan, cosine, correlation; or precomputed: X is
        a table of distances.
    components : str, default 'side-by-side'
        What to do with several connected components: side-by-side, largest or error.
    device : str, default 'auto'
        Where neighbors are searched: auto, cpu, or gpu for a graphics processor; the result is the same.
    random_state : Any, default None
        The seed, or a numpy generator that gives one; None is 0, so that fits repeat.
    n_jobs : int | None, default None
        The number of threads; None is all cores; the result does not depend on it.
    progress : bool | None, default None
        Whether to show a bar; None shows one only in a terminal or notebook.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
        The embedding, centered.
    fit_info_ : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.
    suggestion_ : Suggestion
        What was chosen from the data, where a number was "auto".
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
        device: str = "auto",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.reg = reg
        self.metric = metric
        self.components = components
        self.device = device
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress


class ModifiedLLE(Embedder):
    """Modified locally linear embedding: LLE with several weight vectors per point, so that none is arbitrary; scaled
    to variance one.

    The embedding has no scale of its own: judge it by R_C.
    Cost: time n k^3 and a sparse factor of n points; memory n k^2 and the factor.

    Parameters
    ----------
    n_components : int or "auto", default 2
        The number of dimensions of the embedding; "auto" chooses it from the data, see truefold.suggest.
    n_neighbors : int or "auto", default 12
        The number of neighbors of each point; "auto" chooses it from the data, see truefold.suggest.
    metric : str, default 'euclidean'
        The distance by which neighbors are found: euclidean, manhattan, cosine, correlation; or precomputed: X is
        a table of distances.
    components : str, default 'side-by-side'
        What to do with several connected components: side-by-side, largest or error.
    device : str, default 'auto'
        Where neighbors are searched: auto, cpu, or gpu for a graphics processor; the result is the same.
    random_state : Any, default None
        The seed, or a numpy generator that gives one; None is 0, so that fits repeat.
    n_jobs : int | None, default None
        The number of threads; None is all cores; the result does not depend on it.
    progress : bool | None, default None
        Whether to show a bar; None shows one only in a terminal or notebook.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
        The embedding, centered.
    fit_info_ : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.
    suggestion_ : Suggestion
        What was chosen from the data, where a number was "auto".
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
        device: str = "auto",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.components = components
        self.device = device
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress


class LTSA(Embedder):
    """Local tangent space alignment: coordinates that are as nearly affine in every tangent space as possible, scaled
    to variance one.

    The embedding has no scale of its own: judge it by R_C.
    Cost: time n k^2 and a sparse factor of n points; memory n k and the factor.

    Parameters
    ----------
    n_components : int or "auto", default 2
        The number of dimensions of the embedding; "auto" chooses it from the data, see truefold.suggest.
    n_neighbors : int or "auto", default 12
        The number of neighbors of each point; "auto" chooses it from the data, see truefold.suggest.
    center : bool, default False
        Whether a neighborhood includes its own center: true as in the paper, false as in scikit-learn. Values:
        True or False.
    metric : str, default 'euclidean'
        The distance by which neighbors are found: euclidean, manhattan, cosine, correlation; or precomputed: X is
        a table of distances.
    components : str, default 'side-by-side'
        What to do with several connected components: side-by-side, largest or error.
    device : str, default 'auto'
        Where neighbors are searched: auto, cpu, or gpu for a graphics processor; the result is the same.
    random_state : Any, default None
        The seed, or a numpy generator that gives one; None is 0, so that fits repeat.
    n_jobs : int | None, default None
        The number of threads; None is all cores; the result does not depend on it.
    progress : bool | None, default None
        Whether to show a bar; None shows one only in a terminal or notebook.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
        The embedding, centered.
    fit_info_ : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.
    suggestion_ : Suggestion
        What was chosen from the data, where a number was "auto".
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
        device: str = "auto",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.center = center
        self.metric = metric
        self.components = components
        self.device = device
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress


class HessianEigenmaps(Embedder):
    """Hessian eigenmaps: coordinates with the smallest second derivatives along the surface, scaled to variance one.

    The embedding has no scale of its own: judge it by R_C.
    Cost: time n k d^4 and a sparse factor of n points; memory n k d^2 and the factor.

    Parameters
    ----------
    n_components : int or "auto", default 2
        The number of dimensions of the embedding; "auto" chooses it from the data, see truefold.suggest.
    n_neighbors : int or "auto", default 12
        The number of neighbors of each point; "auto" chooses it from the data, see truefold.suggest.
    estimator : str, default 'complement'
        What is made small: hessian, the second derivatives as in the paper; or complement, everything that is not
        affine, as in scikit-learn. Values: "complement" or "hessian".
    metric : str, default 'euclidean'
        The distance by which neighbors are found: euclidean, manhattan, cosine, correlation; or precomputed: X is
        a table of distances.
    components : str, default 'side-by-side'
        What to do with several connected components: side-by-side, largest or error.
    device : str, default 'auto'
        Where neighbors are searched: auto, cpu, or gpu for a graphics processor; the result is the same.
    random_state : Any, default None
        The seed, or a numpy generator that gives one; None is 0, so that fits repeat.
    n_jobs : int | None, default None
        The number of threads; None is all cores; the result does not depend on it.
    progress : bool | None, default None
        Whether to show a bar; None shows one only in a terminal or notebook.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
        The embedding, centered.
    fit_info_ : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.
    suggestion_ : Suggestion
        What was chosen from the data, where a number was "auto".
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
        device: str = "auto",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.estimator = estimator
        self.metric = metric
        self.components = components
        self.device = device
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress


class LaplacianEigenmaps(Embedder):
    """Laplacian eigenmaps: the smoothest functions on the neighborhood graph, scaled to variance one.

    The embedding has no scale of its own: judge it by R_C.
    Cost: time n k and a sparse factor of n points; memory n k and the factor.

    Parameters
    ----------
    n_components : int or "auto", default 2
        The number of dimensions of the embedding; "auto" chooses it from the data, see truefold.suggest.
    n_neighbors : int or "auto", default 12
        The number of neighbors of each point; "auto" chooses it from the data, see truefold.suggest.
    weights : str, default 'connectivity'
        Connectivity: 1 between mutual neighbors, 1/2 where only one lists the other; heat: exp(-distance^2 /
        width). Values: "connectivity" or "heat".
    width : float | None, default None
        Width of heat, in squared units of the data; None is the mean squared distance of neighbors. Values: a
        number above 0 or None.
    metric : str, default 'euclidean'
        The distance by which neighbors are found: euclidean, manhattan, cosine, correlation; or precomputed: X is
        a table of distances.
    components : str, default 'side-by-side'
        What to do with several connected components: side-by-side, largest or error.
    device : str, default 'auto'
        Where neighbors are searched: auto, cpu, or gpu for a graphics processor; the result is the same.
    random_state : Any, default None
        The seed, or a numpy generator that gives one; None is 0, so that fits repeat.
    n_jobs : int | None, default None
        The number of threads; None is all cores; the result does not depend on it.
    progress : bool | None, default None
        Whether to show a bar; None shows one only in a terminal or notebook.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
        The embedding, centered.
    fit_info_ : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.
    suggestion_ : Suggestion
        What was chosen from the data, where a number was "auto".
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
        width: float | None = None,
        metric: str = "euclidean",
        components: str = "side-by-side",
        device: str = "auto",
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
        self.device = device
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress


class DiffusionMaps(Embedder):
    """Diffusion maps: coordinates whose distances are those of random walks on the neighborhood graph.

    The embedding has no scale of its own: judge it by R_C.
    Cost: time n k and a sparse factor of n points; memory n k and the factor.

    Parameters
    ----------
    n_components : int or "auto", default 2
        The number of dimensions of the embedding; "auto" chooses it from the data, see truefold.suggest.
    n_neighbors : int or "auto", default 12
        The number of neighbors of each point; "auto" chooses it from the data, see truefold.suggest.
    alpha : float, default 1.0
        How much of the influence of the density of the points is removed: 0 is none, 1 is all. Values: a number
        from 0 to 1.
    steps : float, default 1.0
        The number of steps of the walk. Values: a number of at least 0.
    width : float | None, default None
        Width of the kernel, in squared units of the data; None is the mean squared distance of neighbors. Values:
        a number above 0 or None.
    metric : str, default 'euclidean'
        The distance by which neighbors are found: euclidean, manhattan, cosine, correlation; or precomputed: X is
        a table of distances.
    components : str, default 'side-by-side'
        What to do with several connected components: side-by-side, largest or error.
    device : str, default 'auto'
        Where neighbors are searched: auto, cpu, or gpu for a graphics processor; the result is the same.
    random_state : Any, default None
        The seed, or a numpy generator that gives one; None is 0, so that fits repeat.
    n_jobs : int | None, default None
        The number of threads; None is all cores; the result does not depend on it.
    progress : bool | None, default None
        Whether to show a bar; None shows one only in a terminal or notebook.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
        The embedding, centered.
    fit_info_ : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.
    suggestion_ : Suggestion
        What was chosen from the data, where a number was "auto".
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
        width: float | None = None,
        metric: str = "euclidean",
        components: str = "side-by-side",
        device: str = "auto",
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
        self.device = device
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
        The number of dimensions of the embedding; "auto" chooses it from the data, see truefold.suggest.
    n_neighbors : int or "auto", default 12
        The number of neighbors of each point; "auto" chooses it from the data, see truefold.suggest.
    pairs : str, default 'neighbors'
        Which distances are kept: those between neighbors, or also those between two neighbors of a point. Values:
        "neighbors" or "common-neighbors".
    distances : str, default 'equal'
        Whether these distances stay equal, or may shrink. Values: "equal" or "at-most".
    rank : int | None, default None
        The number of columns of the solution, at least the dimensions and at most the points; None is the
        dimensions and 3 more. Values: a whole number of at least 1 or None.
    tolerance : float, default 0.001
        It ends when no squared distance is off by more than this share. Values: a number between 0 and 1.
    rounds : int, default 60
        The largest number of updates of the multipliers. Values: a whole number of at least 1.
    metric : str, default 'euclidean'
        The distance by which neighbors are found: euclidean, manhattan, cosine, correlation; or precomputed: X is
        a table of distances.
    components : str, default 'side-by-side'
        What to do with several connected components: side-by-side, largest or error.
    device : str, default 'auto'
        Where neighbors are searched: auto, cpu, or gpu for a graphics processor; the result is the same.
    random_state : Any, default None
        The seed, or a numpy generator that gives one; None is 0, so that fits repeat.
    n_jobs : int | None, default None
        The number of threads; None is all cores; the result does not depend on it.
    progress : bool | None, default None
        Whether to show a bar; None shows one only in a terminal or notebook.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
        The embedding, centered.
    fit_info_ : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.
    suggestion_ : Suggestion
        What was chosen from the data, where a number was "auto".
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
        rank: int | None = None,
        tolerance: float = 0.001,
        rounds: int = 60,
        metric: str = "euclidean",
        components: str = "side-by-side",
        device: str = "auto",
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
        self.device = device
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress


class ConformalEigenmaps(Embedder):
    """Conformal eigenmaps: mixes bottom eigenvectors so that neighborhoods keep their angles; sizes may change from
    place to place.

    The embedding has no scale of its own: judge it by R_C.
    Cost: that of lle, n k^2 m^4 for m eigenvectors, and a program of m x m matrices.

    Parameters
    ----------
    n_components : int or "auto", default 2
        The number of dimensions of the embedding; "auto" chooses it from the data, see truefold.suggest.
    n_neighbors : int or "auto", default 12
        The number of neighbors of each point; "auto" chooses it from the data, see truefold.suggest.
    eigenvectors : int, default 10
        How many bottom eigenvectors are mixed, at least the dimensions. Values: a whole number from 1 to 30.
    base : str, default 'lle'
        Whose eigenvectors are mixed: lle as in the paper, or ltsa. Values: "lle" or "ltsa".
    reg : float, default 0.001
        Regularization of LLE's weights, times the trace of each local Gram matrix. Values: a number above 0.
    metric : str, default 'euclidean'
        The distance by which neighbors are found: euclidean, manhattan, cosine, correlation; or precomputed: X is
        a table of distances.
    components : str, default 'side-by-side'
        What to do with several connected components: side-by-side, largest or error.
    device : str, default 'auto'
        Where neighbors are searched: auto, cpu, or gpu for a graphics processor; the result is the same.
    random_state : Any, default None
        The seed, or a numpy generator that gives one; None is 0, so that fits repeat.
    n_jobs : int | None, default None
        The number of threads; None is all cores; the result does not depend on it.
    progress : bool | None, default None
        Whether to show a bar; None shows one only in a terminal or notebook.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
        The embedding, centered.
    fit_info_ : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.
    suggestion_ : Suggestion
        What was chosen from the data, where a number was "auto".
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
        device: str = "auto",
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
        self.device = device
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress


class LocallyLinearCoordination(Embedder):
    """Locally linear coordination: local linear models about landmarks, put together by LLE's weights; scaled to
    variance one.

    The embedding has no scale of its own: judge it by R_C.
    Cost: a shortest-path search per model, time n k^3, and a dense problem of models (dim + 1) unknowns.

    Parameters
    ----------
    n_components : int or "auto", default 2
        The number of dimensions of the embedding; "auto" chooses it from the data, see truefold.suggest.
    n_neighbors : int or "auto", default 12
        The number of neighbors of each point; "auto" chooses it from the data, see truefold.suggest.
    models : int | None, default None
        The number of local models; None is one per 16 points, at most 200. Values: a whole number of at least 1
        or None.
    reg : float, default 0.001
        Regularization of LLE's weights, times the trace of each local Gram matrix. Values: a number above 0.
    metric : str, default 'euclidean'
        The distance by which neighbors are found: euclidean, manhattan, cosine, correlation; or precomputed: X is
        a table of distances.
    components : str, default 'side-by-side'
        What to do with several connected components: side-by-side, largest or error.
    device : str, default 'auto'
        Where neighbors are searched: auto, cpu, or gpu for a graphics processor; the result is the same.
    random_state : Any, default None
        The seed, or a numpy generator that gives one; None is 0, so that fits repeat.
    n_jobs : int | None, default None
        The number of threads; None is all cores; the result does not depend on it.
    progress : bool | None, default None
        Whether to show a bar; None shows one only in a terminal or notebook.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
        The embedding, centered.
    fit_info_ : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.
    suggestion_ : Suggestion
        What was chosen from the data, where a number was "auto".
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
        models: int | None = None,
        reg: float = 0.001,
        metric: str = "euclidean",
        components: str = "side-by-side",
        device: str = "auto",
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
        self.device = device
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress


class GlobalCoordination(Embedder):
    """Global coordination of local linear models: factor analyzers around landmarks whose coordinates are made to
    agree by a bound of the likelihood.

    Lengths in the embedding are meant to equal those along the data: judge it by R_N.
    Cost: that of the start, a shortest-path search per analyzer, and time a n q d a sweep for a analyzers around a
    point.

    Parameters
    ----------
    n_components : int or "auto", default 2
        The number of dimensions of the embedding; "auto" chooses it from the data, see truefold.suggest.
    n_neighbors : int or "auto", default 12
        The number of neighbors of each point; "auto" chooses it from the data, see truefold.suggest.
    analyzers : int | None, default None
        The number of local models; None is one per 8 (dim + 1) points, at most 200. Values: a whole number of at
        least 1 or None.
    start : str, default 'ltsa'
        The map in which it begins. Values: "ltsa", "lle" or "pca".
    iterations : int, default 300
        The most sweeps over the points. Values: a whole number of at least 2.
    tolerance : float, default 0.0001
        Ends where a sweep raises the mean bound of the log-likelihood of a point by less. Values: a number above
        0.
    metric : str, default 'euclidean'
        The distance by which neighbors are found: euclidean, manhattan, cosine, correlation; or precomputed: X is
        a table of distances.
    components : str, default 'side-by-side'
        What to do with several connected components: side-by-side, largest or error.
    device : str, default 'auto'
        Where neighbors are searched: auto, cpu, or gpu for a graphics processor; the result is the same.
    random_state : Any, default None
        The seed, or a numpy generator that gives one; None is 0, so that fits repeat.
    n_jobs : int | None, default None
        The number of threads; None is all cores; the result does not depend on it.
    progress : bool | None, default None
        Whether to show a bar; None shows one only in a terminal or notebook.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
        The embedding, centered.
    fit_info_ : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.
    suggestion_ : Suggestion
        What was chosen from the data, where a number was "auto".
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
    >>> estimator = truefold.GlobalCoordination().fit(X[:290])
    >>> estimator.embedding_.shape, estimator.transform(X[290:]).shape
    ((290, 2), (10, 2))
    """

    _method = "global-coordination"
    _own = ("analyzers", "start", "iterations", "tolerance")

    def __init__(
        self,
        n_components: Count = 2,
        n_neighbors: Count = 12,
        *,
        analyzers: int | None = None,
        start: str = "ltsa",
        iterations: int = 300,
        tolerance: float = 0.0001,
        metric: str = "euclidean",
        components: str = "side-by-side",
        device: str = "auto",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.analyzers = analyzers
        self.start = start
        self.iterations = iterations
        self.tolerance = tolerance
        self.metric = metric
        self.components = components
        self.device = device
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress


class CoordinatedPCA(Embedder):
    """Coordinated principal component analyzers: principal planes around landmarks, each with its own scale, made to
    agree by a bound of the likelihood.

    Lengths in the embedding are meant to equal those along the data: judge it by R_N.
    Cost: that of the start, a shortest-path search per analyzer, and time a n q d a sweep for a analyzers around a
    point.

    Parameters
    ----------
    n_components : int or "auto", default 2
        The number of dimensions of the embedding; "auto" chooses it from the data, see truefold.suggest.
    n_neighbors : int or "auto", default 12
        The number of neighbors of each point; "auto" chooses it from the data, see truefold.suggest.
    analyzers : int | None, default None
        The number of local models; None is one per 8 (dim + 1) points, at most 200. Values: a whole number of at
        least 1 or None.
    start : str, default 'ltsa'
        The map in which it begins. Values: "ltsa", "lle" or "pca".
    iterations : int, default 300
        The most sweeps over the points. Values: a whole number of at least 2.
    tolerance : float, default 0.0001
        Ends where a sweep raises the mean bound of the log-likelihood of a point by less. Values: a number above
        0.
    metric : str, default 'euclidean'
        The distance by which neighbors are found: euclidean, manhattan, cosine, correlation; or precomputed: X is
        a table of distances.
    components : str, default 'side-by-side'
        What to do with several connected components: side-by-side, largest or error.
    device : str, default 'auto'
        Where neighbors are searched: auto, cpu, or gpu for a graphics processor; the result is the same.
    random_state : Any, default None
        The seed, or a numpy generator that gives one; None is 0, so that fits repeat.
    n_jobs : int | None, default None
        The number of threads; None is all cores; the result does not depend on it.
    progress : bool | None, default None
        Whether to show a bar; None shows one only in a terminal or notebook.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
        The embedding, centered.
    fit_info_ : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.
    suggestion_ : Suggestion
        What was chosen from the data, where a number was "auto".
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
    >>> estimator = truefold.CoordinatedPCA().fit(X[:290])
    >>> estimator.embedding_.shape, estimator.transform(X[290:]).shape
    ((290, 2), (10, 2))
    """

    _method = "coordinated-pca"
    _own = ("analyzers", "start", "iterations", "tolerance")

    def __init__(
        self,
        n_components: Count = 2,
        n_neighbors: Count = 12,
        *,
        analyzers: int | None = None,
        start: str = "ltsa",
        iterations: int = 300,
        tolerance: float = 0.0001,
        metric: str = "euclidean",
        components: str = "side-by-side",
        device: str = "auto",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.analyzers = analyzers
        self.start = start
        self.iterations = iterations
        self.tolerance = tolerance
        self.metric = metric
        self.components = components
        self.device = device
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress


class LSML(Embedder):
    """Locally smooth manifold learning: learns a smooth field of tangent bases for the whole surface, and lays the
    points out by it.

    Lengths in the embedding are meant to equal those along the data: judge it by R_N.
    Cost: time n k q d and a Laplacian solve; the learning is free of n; memory n k d.

    Parameters
    ----------
    n_components : int or "auto", default 2
        The number of dimensions of the embedding; "auto" chooses it from the data, see truefold.suggest.
    n_neighbors : int or "auto", default 12
        The number of neighbors of each point; "auto" chooses it from the data, see truefold.suggest.
    features : int | None, default None
        The number of features, of which the bases are made; None chooses an eighth of the points, up to 1000 / d.
        Values: a whole number of at least 1 or None.
    smoothness : float, default 4.0
        How much it counts that bases change slowly. Values: a number above 0.
    shrinkage : float, default 0.001
        How much it counts that local coordinates are small. Values: a number above 0.
    iterations : int, default 60
        The most steps of the learning. Values: a whole number.
    tolerance : float, default 0.0001
        The learning ends when a step lowers its error by less than this share. Values: a number from 0 to below
        1.
    metric : str, default 'euclidean'
        The distance by which neighbors are found: euclidean, manhattan, cosine, correlation; or precomputed: X is
        a table of distances.
    components : str, default 'side-by-side'
        What to do with several connected components: side-by-side, largest or error.
    device : str, default 'auto'
        Where neighbors are searched: auto, cpu, or gpu for a graphics processor; the result is the same.
    random_state : Any, default None
        The seed, or a numpy generator that gives one; None is 0, so that fits repeat.
    n_jobs : int | None, default None
        The number of threads; None is all cores; the result does not depend on it.
    progress : bool | None, default None
        Whether to show a bar; None shows one only in a terminal or notebook.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
        The embedding, centered.
    fit_info_ : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.
    suggestion_ : Suggestion
        What was chosen from the data, where a number was "auto".
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
    >>> estimator = truefold.LSML().fit(X[:290])
    >>> estimator.embedding_.shape, estimator.transform(X[290:]).shape
    ((290, 2), (10, 2))
    """

    _method = "lsml"
    _own = ("features", "smoothness", "shrinkage", "iterations", "tolerance")

    def __init__(
        self,
        n_components: Count = 2,
        n_neighbors: Count = 12,
        *,
        features: int | None = None,
        smoothness: float = 4.0,
        shrinkage: float = 0.001,
        iterations: int = 60,
        tolerance: float = 0.0001,
        metric: str = "euclidean",
        components: str = "side-by-side",
        device: str = "auto",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.features = features
        self.smoothness = smoothness
        self.shrinkage = shrinkage
        self.iterations = iterations
        self.tolerance = tolerance
        self.metric = metric
        self.components = components
        self.device = device
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress


class TSNE(Embedder):
    """t-SNE: keeps neighbors together: they attract each other, and all points repel each other.

    The embedding has no scale of its own: judge it by R_C.
    Cost: time n perplexity and a convolution a step; memory 150 n perplexity bytes and the grid.

    Parameters
    ----------
    n_components : int or "auto", default 2
        The number of dimensions of the embedding; "auto" chooses it from the data, see truefold.suggest.
    n_neighbors : int or "auto", default 12
        The number of neighbors of each point; "auto" chooses it from the data, see truefold.suggest.
    perplexity : float, default 30.0
        The number of neighbors that effectively count, at least 1; three times as many are searched. Values: a
        number above 0.
    exaggeration : float, default 1.0
        How many times the attraction counts: 1 is t-SNE, about 4 looks like UMAP. Values: a number above 0.
    early_exaggeration : float, default 12.0
        How many times it counts in the first phase; at least exaggeration is taken. Values: a number above 0.
    early_iterations : int, default 250
        Steps of the first phase. Values: a whole number.
    iterations : int, default 500
        Steps of the second phase, at the most. Values: a whole number.
    learning_rate : float | None, default None
        The step for a gradient of one; None is the number of points over the exaggeration of the phase. Values: a
        number above 0 or None.
    tolerance : float, default 0.001
        The second phase ends when the gradient is below this share of the attraction. Values: a number of at
        least 0.
    metric : str, default 'euclidean'
        The distance by which neighbors are found: euclidean, manhattan, cosine, correlation; or precomputed: X is
        a table of distances.
    device : str, default 'auto'
        Where neighbors are searched: auto, cpu, or gpu for a graphics processor; the result is the same.
    random_state : Any, default None
        The seed, or a numpy generator that gives one; None is 0, so that fits repeat.
    n_jobs : int | None, default None
        The number of threads; None is all cores; the result does not depend on it.
    progress : bool | None, default None
        Whether to show a bar; None shows one only in a terminal or notebook.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
        The embedding, centered.
    fit_info_ : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.
    suggestion_ : Suggestion
        What was chosen from the data, where a number was "auto".
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : array of str
        Their names, where X is a frame whose columns have strings for names.
    neighborhoods_ : Neighborhoods
        The neighborhoods, for ``truefold.measure(X, Y, neighbors=...)``.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(300)
    >>> estimator = truefold.TSNE().fit(X[:290])
    >>> estimator.embedding_.shape, estimator.transform(X[290:]).shape
    ((290, 2), (10, 2))
    """

    _method = "tsne"
    _own = ("perplexity", "exaggeration", "early_exaggeration", "early_iterations", "iterations", "learning_rate", "tolerance")

    def __init__(
        self,
        n_components: Count = 2,
        n_neighbors: Count = 12,
        *,
        perplexity: float = 30.0,
        exaggeration: float = 1.0,
        early_exaggeration: float = 12.0,
        early_iterations: int = 250,
        iterations: int = 500,
        learning_rate: float | None = None,
        tolerance: float = 0.001,
        metric: str = "euclidean",
        device: str = "auto",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.perplexity = perplexity
        self.exaggeration = exaggeration
        self.early_exaggeration = early_exaggeration
        self.early_iterations = early_iterations
        self.iterations = iterations
        self.learning_rate = learning_rate
        self.tolerance = tolerance
        self.metric = metric
        self.device = device
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress


class UMAP(Embedder):
    """UMAP: lays out a weighted graph of neighbors: links pull, points drawn at random push.

    The embedding has no scale of its own: judge it by R_C.
    Cost: time n k an epoch; memory 50 n k bytes.

    Parameters
    ----------
    n_components : int or "auto", default 2
        The number of dimensions of the embedding; "auto" chooses it from the data, see truefold.suggest.
    n_neighbors : int or "auto", default 12
        The number of neighbors of each point; "auto" chooses it from the data, see truefold.suggest.
    min_dist : float, default 0.1
        How near points may lie in the map, at most spread. Values: a number of at least 0.
    spread : float, default 1.0
        The scale of the map. Values: a number above 0.
    epochs : int | None, default None
        How often all links are looked at; None is 500, and 200 beyond 10,000 points. Values: a whole number of at
        least 1 or None.
    negatives : int, default 5
        Points that push for each link that pulls. Values: a whole number.
    learning_rate : float, default 1.0
        The first step; the last is nearly zero. Values: a number above 0.
    metric : str, default 'euclidean'
        The distance by which neighbors are found: euclidean, manhattan, cosine, correlation; or precomputed: X is
        a table of distances.
    device : str, default 'auto'
        Where neighbors are searched: auto, cpu, or gpu for a graphics processor; the result is the same.
    random_state : Any, default None
        The seed, or a numpy generator that gives one; None is 0, so that fits repeat.
    n_jobs : int | None, default None
        The number of threads; None is all cores; the result does not depend on it.
    progress : bool | None, default None
        Whether to show a bar; None shows one only in a terminal or notebook.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
        The embedding, centered.
    fit_info_ : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.
    suggestion_ : Suggestion
        What was chosen from the data, where a number was "auto".
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : array of str
        Their names, where X is a frame whose columns have strings for names.
    neighborhoods_ : Neighborhoods
        The neighborhoods, for ``truefold.measure(X, Y, neighbors=...)``.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(300)
    >>> estimator = truefold.UMAP().fit(X[:290])
    >>> estimator.embedding_.shape, estimator.transform(X[290:]).shape
    ((290, 2), (10, 2))
    """

    _method = "umap"
    _own = ("min_dist", "spread", "epochs", "negatives", "learning_rate")

    def __init__(
        self,
        n_components: Count = 2,
        n_neighbors: Count = 12,
        *,
        min_dist: float = 0.1,
        spread: float = 1.0,
        epochs: int | None = None,
        negatives: int = 5,
        learning_rate: float = 1.0,
        metric: str = "euclidean",
        device: str = "auto",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.min_dist = min_dist
        self.spread = spread
        self.epochs = epochs
        self.negatives = negatives
        self.learning_rate = learning_rate
        self.metric = metric
        self.device = device
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress


class FaithfulMap(Embedder):
    """Faithful neighbor map: keeps neighbors together as t-SNE does, and the shape of neighborhoods of data and map.

    The embedding has no scale of its own: judge it by R_C.
    Cost: time n perplexity + n k^2 and a convolution a step; memory 150 n perplexity + 8 n k^2 bytes and the grid.

    Parameters
    ----------
    n_components : int or "auto", default 2
        The number of dimensions of the embedding; "auto" chooses it from the data, see truefold.suggest.
    n_neighbors : int or "auto", default 12
        The number of neighbors of each point; "auto" chooses it from the data, see truefold.suggest.
    shape : float, default 0.4
        How much shapes count: 0 is t-SNE, 1 shapes alone. Values: a number from 0 to 1.
    perplexity : float, default 30.0
        The number of neighbors that effectively count, at least 1; three times as many are searched. Values: a
        number above 0.
    early_iterations : int, default 250
        Steps of the first phase, for neighbors alone. Values: a whole number.
    iterations : int, default 500
        Steps of the second phase, at the most. Values: a whole number.
    metric : str, default 'euclidean'
        The distance by which neighbors are found: euclidean, manhattan, cosine, correlation; or precomputed: X is
        a table of distances.
    device : str, default 'auto'
        Where neighbors are searched: auto, cpu, or gpu for a graphics processor; the result is the same.
    random_state : Any, default None
        The seed, or a numpy generator that gives one; None is 0, so that fits repeat.
    n_jobs : int | None, default None
        The number of threads; None is all cores; the result does not depend on it.
    progress : bool | None, default None
        Whether to show a bar; None shows one only in a terminal or notebook.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
        The embedding, centered.
    fit_info_ : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.
    suggestion_ : Suggestion
        What was chosen from the data, where a number was "auto".
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : array of str
        Their names, where X is a frame whose columns have strings for names.
    neighborhoods_ : Neighborhoods
        The neighborhoods, for ``truefold.measure(X, Y, neighbors=...)``.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(300)
    >>> estimator = truefold.FaithfulMap().fit(X[:290])
    >>> estimator.embedding_.shape, estimator.transform(X[290:]).shape
    ((290, 2), (10, 2))
    """

    _method = "faithful"
    _own = ("shape", "perplexity", "early_iterations", "iterations")

    def __init__(
        self,
        n_components: Count = 2,
        n_neighbors: Count = 12,
        *,
        shape: float = 0.4,
        perplexity: float = 30.0,
        early_iterations: int = 250,
        iterations: int = 500,
        metric: str = "euclidean",
        device: str = "auto",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.shape = shape
        self.perplexity = perplexity
        self.early_iterations = early_iterations
        self.iterations = iterations
        self.metric = metric
        self.device = device
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress


#: The classes by the names that the tool gives them.
METHODS: dict[str, type[Embedder]] = {
    "gp": GreedyProcrustes,
    "psa": ProcrustesAlignment,
    "pca": PCA,
    "factor-analysis": FactorAnalysis,
    "mds": ClassicalMDS,
    "isomap": Isomap,
    "landmark-isomap": LandmarkIsomap,
    "c-isomap": ConformalIsomap,
    "ptu": ParallelTransportUnfolding,
    "lle": LLE,
    "modified-lle": ModifiedLLE,
    "ltsa": LTSA,
    "hessian-eigenmaps": HessianEigenmaps,
    "laplacian-eigenmaps": LaplacianEigenmaps,
    "diffusion-maps": DiffusionMaps,
    "sde": SemidefiniteEmbedding,
    "conformal-eigenmaps": ConformalEigenmaps,
    "llc": LocallyLinearCoordination,
    "global-coordination": GlobalCoordination,
    "coordinated-pca": CoordinatedPCA,
    "lsml": LSML,
    "tsne": TSNE,
    "umap": UMAP,
    "faithful": FaithfulMap,
}
