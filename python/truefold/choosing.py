"""Which measures are taken, and how; options that none of them uses are refused."""
from __future__ import annotations

import json
import sys
from typing import Any, Iterable

from . import _native
from .errors import DataError, ParameterError
from .host import on_host
from .rows import matched
from .run import positive

#: Every measure by name: symbol, summary, range, whether lower is better, whether its cost is quadratic,
#: whether it is taken by default, and in comparisons.
MEASURES: dict[str, dict[str, Any]] = {row["name"]: row for row in json.loads(_native.tables())["measures"]}
#: The false discovery rate at which points are told from chance.
LEVEL = 0.05


class ByName:
    """A result whose ``values`` are attributes too, by the names of their measures."""

    def __getattr__(self, name: str) -> float:
        try:
            return self.__dict__["values"][name]
        except KeyError:
            known = ", ".join(self.__dict__.get("values", ()))
            raise AttributeError(f"there is no measure '{name}' in this result; there are {known}") from None


def known_name(measure: str) -> str:
    """The name of a measure as the table spells it: ``"R_C"`` and ``"r-c"`` are ``"r_c"``."""
    return _native.measures_named([measure])[0]


def measuring(
    measures: str | Iterable[str] | None,
    metric: str,
    *,
    compared: bool = False,
    center: bool = True,
    sample: int | None = None,
    exact: bool = False,
    steps: int | None = None,
    level: float | None = None,
    labels: list[str] | None = None,
) -> dict[str, Any]:
    """What to measure and how, ready for the compiled part; where no measure is named, the default ones, or in
    comparisons (``compared``) theirs.

    Examples
    --------
    >>> chosen = measuring(["R-C", "r_c"], "euclidean")
    >>> chosen["measures"], chosen["level"]
    (['r_c'], None)
    """
    asked = None if measures is None else [measures] if isinstance(measures, str) else list(measures)
    names = _chosen(asked, "compared" if compared else "default")
    check_options(names, sample, exact, steps)
    return {
        # The compiled part has its own order of the usual ones.
        "measures": None if asked is None else names,
        "metric": metric,
        "center": bool(center),
        "sample": rows_looked_at(sample, exact),
        "steps": None if steps is None else positive("steps", steps, "choose at least 2"),
        "level": _level(asked, level),
        "labels": labels,
    }


def texts_of(X: Any, labels: Iterable[Any] | None) -> list[str] | None:
    """Labels as text, in the order of the rows of X; a missing one is empty."""
    if labels is None:
        return None
    # NaN is the only value that differs from itself; pandas' own missing value refuses to tell.
    return [
        "" if label is None or str(label) == "<NA>" or label != label else str(label)
        for label in matched(X, on_host(labels, "labels"), "labels")
    ]


def check_labels(texts: list[str] | None, count: int) -> None:
    """An error unless there is one label per point, or none."""
    if texts is not None and len(texts) != count:
        raise DataError(f"there are {len(texts)} labels for {count} points; give exactly one label per point")


def groups_of(texts: list[str] | None) -> list[str] | None:
    """The labels of a picture, where they make groups; labels that are all different are there to be shown alone.

    Examples
    --------
    >>> groups_of(["a", "b", "a"]), groups_of(["a", "b", "c", "", ""])
    (['a', 'b', 'a'], None)
    """
    named = [text for text in texts or () if text]
    return texts if len(set(named)) < len(named) else None


def _chosen(asked: list[str] | None, usual: str) -> list[str]:
    """The names: the usual ones where there are none, every one for ``all``, each once."""
    if asked == []:
        raise ParameterError("measures = [] leaves nothing to measure; name at least one measure, or leave it out")
    if asked == ["all"]:
        return list(MEASURES)
    if asked is None:
        return [name for name, info in MEASURES.items() if info[usual]]
    default = [name for name, info in MEASURES.items() if info["default"]]
    return _native.measures_named([name for given in asked for name in (default if given == "default" else [given])])


def check_options(names: list[str], sample: int | None, exact: bool, steps: int | None) -> None:
    """An error for an option that none of the measures uses."""
    advice = "leave it out, or choose such a measure with measures"
    given = "exact = True" if exact else None if sample is None else f"sample = {sample}"
    if exact and sample is not None:
        raise ParameterError(f"sample = {sample} and exact = True exclude each other; leave out one of them")
    if given is not None and not any(MEASURES[name]["quadratic"] for name in names):
        raise ParameterError(f"{given} has no effect: only measures of quadratic cost look at a sample; {advice}")
    if steps is not None and "collapse" not in names:
        raise ParameterError(f"steps = {steps} has no effect: only the measure collapse counts steps; {advice}")


def rows_looked_at(sample: int | None, exact: bool) -> int | None:
    """The number of points that measures of quadratic cost look at, where it is not left to them."""
    if exact:
        # As many as there are: no data have more.
        return sys.maxsize
    return None if sample is None else positive("sample", sample, "choose at least 2")


def _level(asked: list[str] | None, level: float | None) -> float | None:
    """The false discovery rate of the verdict; None where there is no verdict."""
    if asked is None or asked == ["all"] or "default" in asked:
        return LEVEL if level is None else float(level)
    if level is not None:
        raise ParameterError(
            f"level = {level} has no effect: measures given by name come without a verdict; leave it out, or leave out measures"
        )
    return None
