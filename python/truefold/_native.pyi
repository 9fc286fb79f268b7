"""The compiled part of the package; its functions take checked arrays and are not for users."""
from typing import Any

import numpy as np
from numpy.typing import NDArray

VERSION: str

_Floats = NDArray[np.float64]
_Rows = NDArray[np.int64]
_Settings = tuple[int, int | None, Any]

class Source:
    @staticmethod
    def points(array: _Floats, name: str) -> Source: ...
    @staticmethod
    def distances(array: _Floats, name: str) -> Source: ...
    @staticmethod
    def sparse_distances(offsets: _Rows, columns: _Rows, values: _Floats, name: str) -> Source: ...
    def __len__(self) -> int: ...

class Neighborhoods:
    def lists(self) -> tuple[_Rows, _Rows]: ...
    def components(self) -> _Rows: ...
    def facts(self) -> str: ...
    def __len__(self) -> int: ...

def tables() -> str: ...
def neighbors(
    x: Source, k: int, radius: float | None, metric: str, algorithm: str, settings: _Settings
) -> Neighborhoods: ...
def neighbors_from_lists(offsets: _Rows, rows: _Rows) -> Neighborhoods: ...
def measure(
    x: Source,
    y: Source,
    neighborhoods: Neighborhoods,
    choice: tuple[list[str], bool, int | None, int, str],
    settings: _Settings,
) -> tuple[dict[str, dict[str, Any]], int]: ...
def embed(
    x: Source,
    neighborhoods: Neighborhoods | None,
    method: str,
    parameters: list[tuple[str, str]],
    dim: int,
    components: str,
    settings: _Settings,
) -> tuple[_Floats, _Rows | None, str]: ...
def refine(
    x: Source, y: Source, neighborhoods: Neighborhoods, parameters: str, settings: _Settings
) -> tuple[_Floats, str]: ...
def dataset(
    name: str, points: int | None, noise: float, seed: int, settings: list[tuple[str, str]]
) -> tuple[_Floats, _Floats, list[str], list[str], list[str] | None]: ...
