"""How faithful is a low-dimensional embedding, where is it not, and how far is it from the best possible?

Examples
--------
>>> import truefold
>>> X, Z = truefold.datasets.swiss_roll(1000)
>>> result = truefold.measure(X, Z, n_neighbors=12)
>>> round(result.r_n, 6), round(result.times_best("r_n"), 2)
(0.002871, 1.03)
>>> Y = truefold.ProcrustesAlignment(n_neighbors=12).fit_transform(X)
>>> bool(truefold.measure(X, Y).r_n < result.r_n)
True
"""
from __future__ import annotations

from . import datasets, errors, estimators, plot, scanpy
from ._native import VERSION as __version__
from .agreement import Stability, stability
from .automatic import embed
from .choosing import MEASURES
from .comparison import Comparison, Sweep, compare, sweep
from .denoising import Denoised, denoise
from .embedder import Embedder
from .errors import (
    DataError,
    FileError,
    FitWarning,
    MemoryLimitError,
    NotConnectedError,
    NotFittedError,
    OutOfMemoryError,
    ParameterError,
    RankDeficientError,
    SolverError,
    TooFewPointsError,
    TruefoldError,
    UnknownNameError,
)
from .estimators import *  # noqa: F403
from .measures import Measurement, measure
from .model import Placement
from .neighborhoods import Neighborhoods, neighbors
from .page import Report, report
from .refinement import Refinement, refine
from .sample import Sample
from .saved import GivenEmbedding, load
from .selection import AllRows, EmbeddingScorer
from .stretching import Ellipses, ellipses
from .suggestion import Suggestion, suggest
from .transformer import NeighborsTransformer
from .verdicts import Labels, Verdict

__all__ = [
    "AllRows",
    "Comparison",
    "DataError",
    "Denoised",
    "Ellipses",
    "Embedder",
    "EmbeddingScorer",
    "FileError",
    "FitWarning",
    "GivenEmbedding",
    "Labels",
    "MEASURES",
    "Measurement",
    "MemoryLimitError",
    "Neighborhoods",
    "NeighborsTransformer",
    "NotConnectedError",
    "NotFittedError",
    "OutOfMemoryError",
    "ParameterError",
    "Placement",
    "RankDeficientError",
    "Refinement",
    "Report",
    "Sample",
    "SolverError",
    "Stability",
    "Suggestion",
    "Sweep",
    "TooFewPointsError",
    "TruefoldError",
    "UnknownNameError",
    "Verdict",
    "__version__",
    "compare",
    "datasets",
    "denoise",
    "ellipses",
    "embed",
    "errors",
    "estimators",
    "load",
    "measure",
    "neighbors",
    "plot",
    "refine",
    "report",
    "scanpy",
    "stability",
    "suggest",
    "sweep",
    *estimators.__all__,
]
