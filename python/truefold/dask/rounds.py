"""Rounds in which cells improve their own rows of a map, while the rows around them are held."""
from __future__ import annotations

import operator
from typing import Any

from .cells import bring_back, fetch
from .chunks import compute
from .field import Field
from .fits import added
from .ground import around_of, grounds, improved, judged
from .tasks import Tasks

#: Rounds end when the measure of all rows is at most so many times its lower bound.
NEAR = 1.05
#: They end too when a round lowers what is above the bound by less than this share.
GAIN = 0.05
#: The steps of a cell in a round, and when they end.
STEPS = {"iterations": 6, "tolerance": 1e-3}


class Rounds:
    """The rounds of one fit.

    Attributes
    ----------
    told : dict
        The measure, its values from the start on, its lower bound, and why the rounds ended.
    """

    def __init__(self, field: Field, client: Any) -> None:
        self.field, self.client = field, client
        self.grounds: list[Any] = []
        self.told: dict[str, Any] = {}

    def prepare(self, k: int) -> None:
        """Find the neighbors of all rows, and what lies around each cell; with workers this goes on in the background."""
        if not self.grounds:
            tasks = self.field.tasks.named(k, "ground")
            self.grounds = tasks.kept(grounds(self.field, k, tasks), self.client)

    def run(self, cells: list[Any], target: str, most: int) -> list[Any]:
        """The cells of a map after as many rounds as help, each kept by a worker."""
        values: list[float] = []
        best, bound, why = cells, 0.0, "most rounds"
        for number in range(most + 1):
            tasks = Tasks([*self.grounds, *cells], "round", number)
            around = tasks.kept(self._around(cells, tasks), self.client)
            tasks = tasks.joined([Tasks(around)])
            value, bound = self._judged(cells, around, target, tasks)
            if values and value >= values[-1]:
                why = "no gain"
                break
            best, before = cells, values[-1] if values else float("inf")
            values.append(value)
            if value <= NEAR * bound:
                why = "near the bound"
                break
            if before - value < GAIN * (before - bound):
                why = "no gain"
                break
            if number < most:
                parameters = {"target": target.replace("_", "-"), **STEPS}
                moved = [
                    tasks("improve", improved, ground.key, cell.key, known.key, parameters, place=(at,))
                    for at, (ground, cell, known) in enumerate(zip(self.grounds, cells, around))
                ]
                cells = tasks.kept(moved, self.client)
        self.told = {"measure": target, "values": values, "lower_bound": bound, "stop": why}
        return best

    def _around(self, cells: list[Any], tasks: Tasks) -> list[Any]:
        """The places of the rows around each cell."""
        chunks = self.field.chunks
        tables = bring_back([cell.key for cell in cells], chunks, tasks, "map-back")
        in_chunks = [[tasks("map-table", operator.getitem, one, 0, place=(at,))] for at, one in enumerate(tables)]
        wanted = [tasks("around", around_of, one.key, place=(at,)) for at, one in enumerate(self.grounds)]
        return fetch(wanted, in_chunks, chunks, tasks, "map")

    def _judged(self, cells: list[Any], around: list[Any], target: str, tasks: Tasks) -> tuple[float, float]:
        """The measure of all rows, and its lower bound."""
        each = [
            tasks("judge", judged, ground.key, cell.key, known.key, target, place=(at,))
            for at, (ground, cell, known) in enumerate(zip(self.grounds, cells, around))
        ]
        total = compute([tasks.delayed(tasks("judged", added, each, [target]))], self.client)[0][target]
        return total.mean(0), total.mean(1)
