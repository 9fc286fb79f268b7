"""Warnings that point at the line of the user's own code."""
from __future__ import annotations

import sys
import warnings
from typing import Iterable

#: Packages whose lines are not the user's: ours, and those that call us for the user.
_BETWEEN = ("truefold", "sklearn", "joblib")


def tell(texts: Iterable[str], category: type[Warning]) -> None:
    """Warn of each text at the nearest line outside these packages."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] in _BETWEEN:
        frame, level = frame.f_back, level + 1
    for text in texts:
        warnings.warn(text, category, stacklevel=level)
