"""What the measures of dask arrays tell: numbers of all rows, and of each row when they are asked for."""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from dask.delayed import Delayed

from .. import _native
from ..choosing import MEASURES, ByName, known_name
from ..errors import DataError
from .chunks import compute
from .fits import KINDS, Total
from .sampled import Sampled
from .tasks import persisted

#: The measures that are taken in neighborhoods of the data.
FORWARD = ("r", "r_n", "r_pca", "r_c", "r_a")


class Measured(ByName):
    """The numbers that :func:`truefold.dask.measure` found; ``values.r_n`` and so on are the values.

    Attributes
    ----------
    values, lower_bounds, chance, chance_errors, skill, standard_errors : dict of float
        As those of :class:`truefold.Measurement`.
    over_scale : dict or None
        The neighborhoods of every size that are kept, where ``r_nx`` was measured, as in :class:`truefold.Measurement`.
    n_points, n_neighbors, n_components_of_graph : int
        The number of rows and of neighbors of each, and the number of connected components.
    n_sampled : int or None
        The number of rows that were compared with all others, where measures did so.
    """

    def __init__(
        self, totals: dict[str, Total], sampled: dict[str, Sampled], names: list[str], shape: tuple[int, int, int, int | None]
    ) -> None:
        found = {name: total.mean(0) for name, total in totals.items()} | {name: one.value for name, one in sampled.items()}
        by_chance = {name: total.mean(2) for name, total in totals.items()}
        by_chance |= {name: one.chance for name, one in sampled.items() if one.chance is not None}
        self.values = {name: found[name] for name in names}
        self.lower_bounds = {name: total.mean(1) for name, total in totals.items() if total.counts[1]}
        self.chance = {name: by_chance[name] for name in names if name in by_chance}
        self.chance_errors = {
            name: float(np.sqrt(total.variance) / max(total.counts[2], 1))
            for name, total in totals.items()
            if total.variance > 0
        }
        self.standard_errors = {name: one.error for name, one in sampled.items() if one.error is not None}
        self.over_scale = next((one.curve for one in sampled.values() if one.curve is not None), None)
        self.skill = {name: skill for name in self.chance if (skill := self._skill(name)) is not None}
        self.n_points, self.n_neighbors, self.n_components_of_graph, self.n_sampled = shape

    @property
    def score(self) -> float | None:
        """Both directions in one number, as that of :class:`truefold.Verdict`: 1 the best possible, 0 chance; None where ``r_c``
        or ``reverse_r_c`` was not measured."""
        both = [self.skill.get(name) for name in ("r_c", "reverse_r_c")]
        return None if None in both else float(np.sqrt(np.prod(np.maximum(np.array(both, dtype=float), 0.0))))

    @property
    def telling(self) -> str | None:
        """The measure to read: ``r_c`` of a map that is far larger or smaller than the data, otherwise ``r_n``; None where these
        were not measured."""
        if not {"r_n", "r_c"} <= self.values.keys():
            return next((name for name in ("r_n", "r_c") if name in self.values), None)
        # With the best scale t and the correlation c of a neighborhood, R_N - R_C = (t - c)^2 and 1 - R_C = c^2.
        return "r_c" if self.values["r_n"] - self.values["r_c"] > (1 - self.values["r_c"]) / 4 else "r_n"

    def _best(self, name: str) -> float:
        return self.lower_bounds.get(name, 0.0 if MEASURES[name]["lower_is_better"] else 1.0)

    def _skill(self, name: str) -> float | None:
        """How far on the way from chance to the best; nothing where these are the same, up to rounding."""
        chance, best = self.chance[name], self._best(name)
        room = chance - best if MEASURES[name]["lower_is_better"] else best - chance
        return (chance - self.values[name]) / (chance - best) if room > 1e-12 * max(abs(best), abs(chance)) else None

    def times_best(self, name: str) -> float | None:
        """How many times the best possible value this is, where there is a bound above zero."""
        name = known_name(name)
        bound = self.lower_bounds.get(name, 0.0)
        return self.values[name] / bound if bound > 0 else None

    def to_frame(self) -> Any:
        """One row per measure, as a frame of pandas: value, lower bound, times best, chance, skill, standard error."""
        import pandas

        times = {name: self.times_best(name) for name in self.values}
        found = (self.values, self.lower_bounds, times, self.chance, self.skill, self.standard_errors)
        rows = [[values.get(name) for values in found] for name in self.values]
        columns = ["value", "lower_bound", "times_best", "chance", "skill", "standard_error"]
        return pandas.DataFrame(rows, index=pandas.Index(list(self.values), name="measure"), columns=columns, dtype=float)

    def _lines(self) -> list[list[str]]:
        """The cells of the table, measure by measure."""
        lines = []
        for name, value in self.values.items():
            error = f" +- {_native.number(self.standard_errors[name])}" if name in self.standard_errors else ""
            chance = _native.number(self.chance[name]) if name in self.chance else ""
            skill = f"{self.skill[name]:.3f}" if name in self.skill else ""
            lines.append([MEASURES[name]["symbol"], _native.number(value) + error, _native.number(self._best(name)), chance, skill])
        return lines

    def _head(self) -> str:
        """What was measured."""
        head = f"{self.n_points:,} points, {self.n_neighbors} neighbors each, connected components: {self.n_components_of_graph:,}"
        return head if self.n_sampled is None else f"{head}\n{self.n_sampled:,} of the points compared with all others"

    def __repr__(self) -> str:
        rows = [["measure", "value", "best", "chance", "skill"], *self._lines()]
        least = (12, 10, 10, 10, 7)
        widths = [max(width, *(len(row[at]) for row in rows)) for at, width in enumerate(least)]
        lines = [
            " ".join([f"{row[0]:<{widths[0]}}", *(f"{cell:>{width}}" for cell, width in zip(row[1:], widths[1:]))]).rstrip()
            for row in rows
        ]
        return "\n".join([self._head(), "", *lines])


class Facts(NamedTuple):
    """The measures that are taken, the number of neighbors, and the number of rows that are sampled, where any are."""

    names: list[str]
    k: int
    sampled: int | None


class Measurement:
    """What :func:`truefold.dask.measure` will find; nothing is computed before it is asked for.

    Attributes
    ----------
    per_point, per_point_bounds, per_point_chance : dict of dask array
        For each measure one number per row, chunked like X: its value, the least that any map could have, and what an unrelated
        map would have. Of measures that look at a sample, rows that are not in it have NaN.
    components : dask array of int
        The connected component of each row.
    """

    def __init__(self, rows: dict[str, dict[str, Any]], found: tuple[Any, Delayed, Delayed], facts: Facts, client: Any) -> None:
        self.per_point = rows["per_point"]
        self.per_point_bounds = rows["per_point_bound"]
        self.per_point_chance = rows["per_point_chance"]
        self.components, self._totals, self._sampled = found
        self._facts, self._client = facts, client

    def compute(self) -> Measured:
        """The means over all rows, the number of connected components, and what they would be by chance."""
        totals, sampled, last = compute([self._totals, self._sampled, self.components.max()], self._client)
        if any(name in FORWARD and total.counts[0] == 0 for name, total in totals.items()):
            raise DataError(
                "every neighborhood of X is a single place: all points coincide with their neighbors; "
                "remove duplicates, or choose a larger n_neighbors"
            )
        shape = (len(self.components), self._facts.k, int(last) + 1, self._facts.sampled)
        return Measured(totals, sampled, self._facts.names, shape)

    def persist(self) -> Measurement:
        """The same with all numbers of rows computed and kept on the workers."""
        kinds = (self.per_point, self.per_point_bounds, self.per_point_chance)
        some = (*kinds, self.components, self._totals, self._sampled)
        *rows, components_of, totals, sampled = persisted(list(some), self._client)
        return Measurement(dict(zip(KINDS, rows)), (components_of, totals, sampled), self._facts, self._client)

    def __repr__(self) -> str:
        return f"Measurement(n_points={len(self.components)}, k={self._facts.k}, measures={list(self.per_point)}), not computed yet"
