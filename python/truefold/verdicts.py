"""What is said of an embedding that was looked at both ways and beside chance, and of every one of its points."""
from __future__ import annotations

import json
from typing import Any

import numpy as np

from . import _native
from .wording import html_lines, html_table

#: What is said of a point, by name: its title, and the color in which it is drawn.
CLASSES: dict[str, dict[str, str]] = {row["name"]: row for row in json.loads(_native.tables())["classes"]}

#: The columns of a frame that name a pair of groups.
_PAIR = ("first", "second")


class Verdict:
    """What :func:`truefold.measure` says of an embedding: ``result.verdict``.

    Attributes
    ----------
    score : float
        Both directions in one number: 1 the best possible, 0 chance. It is the geometric mean of ``forward`` and
        ``reverse``, each at least 0.
    forward, reverse : float
        The skill of R_C on the neighborhoods of the data, what the map kept, and on those of the map, whether what it
        shows is real.
    out_of_reach : float
        The share of the shape of a neighborhood that no embedding of this dimension can keep.
    neighbors : dict of float
        What happens to neighbors: the share ``kept`` and ``kept_by_chance``, the share of those that the map shows that
        is ``false`` and that of the true ones that is ``missing``, and how many times farther away they are: the map's
        neighbors in the data (``farther_in_data``), the true ones in the map (``farther_in_map``).
    counts : dict of int
        The number of points of each class: ``faithful``, ``shape_lost``, ``false_neighbors``, ``neighbors_missing``,
        ``chance``.
    names : list of str
        The classes in the order of their codes.
    per_point : dict of array
        For each point the ``code`` of its class, its ``p_value`` against chance, adjusted for the number of points, its
        ``skill``, and its own shares and ratios of false and missing neighbors.
    level : float
        The false discovery rate at which points were told from chance.
    telling : str
        The measure to read: ``"r_c"`` where the map has a scale of its own, otherwise ``"r_n"``.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(1000)
    >>> verdict = truefold.measure(X, Z).verdict
    >>> bool(verdict.score > 0.99), verdict.counts["faithful"] > 990, str(verdict.classes[0])
    (True, True, 'faithful')
    """

    def __init__(
        self, told: dict[str, Any], per_point: dict[str, np.ndarray], index: Any = None
    ) -> None:
        found = told["facts"]["verdict"]
        self.score: float = found["score"]
        self.forward: float = found["forward"]
        self.reverse: float = found["reverse"]
        self.out_of_reach: float = found["out_of_reach"]
        self.level: float = found["level"]
        self.neighbors: dict[str, float] = found["neighbors"]
        self.counts: dict[str, int] = found["counts"]
        self.names: list[str] = list(CLASSES)
        self.per_point = per_point
        self.telling: str = told["telling"]
        self._lines, self._index = told["verdict"], index

    @property
    def classes(self) -> np.ndarray:
        """The class of each point by name."""
        return np.asarray(self.names)[self.per_point["code"]]

    def per_point_frame(self) -> Any:
        """One row per point, as a frame of pandas with the index of the data: the class as a category, and the rest."""
        import pandas

        columns: dict[str, Any] = {"class": pandas.Categorical.from_codes(self.per_point["code"], self.names)}
        columns.update((name, values) for name, values in self.per_point.items() if name != "code")
        return pandas.DataFrame(columns, index=self._index)

    def __repr__(self) -> str:
        return "\n".join(self._lines)

    def _repr_html_(self) -> str:
        return html_lines(self._lines)


class Labels:
    """What an embedding does to groups of points: ``result.labels``, where labels were given.

    Attributes
    ----------
    accuracy : dict of float
        How often the vote of its neighbors tells the label of a point: in the ``data``, in the ``map``, and by ``chance``.
    names : list of str
        The labels.
    map_only, data_only : list of (str, str)
        The pairs of groups that touch in the map and not in the data, and those that touch in the data and not in the map.
    do_not_compare : list of (str, str)
        The pairs of groups whose distance cannot be read off the map.
    level : float
        The share of these findings that may be false on average.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(1000)
    >>> found = truefold.measure(X, X[:, :2], labels=(Z[:, 0] // 30).astype(int)).labels
    >>> found.names, found.accuracy["data"] > 0.9 > found.accuracy["map"]
    (['0', '1', '2'], True)
    >>> found.false_neighbors().shape
    (3, 3)
    """

    def __init__(self, told: dict[str, Any]) -> None:
        facts = told["facts"]
        self.accuracy: dict[str, float] = facts["accuracy"]
        self.names: list[str] = [row["label"] for row in facts["by_label"]]
        self.map_only = [tuple(pair) for pair in facts["touching"]["map_only"]]
        self.data_only = [tuple(pair) for pair in facts["touching"]["data_only"]]
        self.do_not_compare = [tuple(pair) for pair in (facts["distances"] or {}).get("do_not_compare", ())]
        self.level: float = facts["level"]
        self._told = told

    def to_frame(self) -> Any:
        """One row per label, as a frame of pandas: points, score, accuracies, shares of missing, false, foreign neighbors."""
        import pandas

        rows = [
            {
                "points": row["points"], "score": row["score"], "data_accuracy": row["accuracy"]["data"],
                "map_accuracy": row["accuracy"]["map"], "missing": row["missing"], "false": row["false"],
                "foreign": row["foreign"],
            }
            for row in self._told["facts"]["by_label"]
        ]
        return pandas.DataFrame(rows, index=pandas.Index(self.names, name="label"))

    def false_neighbors(self) -> Any:
        """Whose the false neighbors of each group are, as a frame of pandas: how many of the column's, in each row's map."""
        return self._matrix("false_neighbors")

    def missing_neighbors(self) -> Any:
        """Whose the missing neighbors of each group are, alike."""
        return self._matrix("missing_neighbors")

    def touching(self) -> Any:
        """One row per pair of groups, as a frame of pandas: whether they ``touch``, lie ``apart`` or that is ``open``, in the
        data and in the map, and how many pairs of neighbors cross their border."""
        import pandas

        rows = [
            {
                **dict(zip(_PAIR, pair["pair"])), "data": pair["data"]["contact"], "map": pair["map"]["contact"],
                "data_pairs": pair["data"]["pairs"], "map_pairs": pair["map"]["pairs"],
            }
            for pair in self._told["facts"]["touching"]["pairs"]
        ]
        return pandas.DataFrame(rows, columns=[*_PAIR, "data", "map", "data_pairs", "map_pairs"])

    def distances(self) -> Any:
        """One row per pair of groups with enough members, as a frame of pandas: the median distance of their points in the
        ``data``, along the neighborhoods of the data (``along``) and in the ``map``, each with the interval from ``_low`` to
        ``_high``; and of the orders with other pairs that the data decide, how many the map keeps and reverses."""
        import pandas

        told = {"data": "data", "along": "along_data", "map": "map"}
        ends = {"": "median", "_low": "low", "_high": "high"}
        counts = ("decided", "kept", "reversed")
        rows = [
            {
                **dict(zip(_PAIR, pair["pair"])),
                **{f"{name}{end}": (pair[key] or {}).get(at) for name, key in told.items() for end, at in ends.items()},
                **{name: pair[name] for name in counts},
            }
            for pair in (self._told["facts"]["distances"] or {}).get("pairs", ())
        ]
        numbers = [f"{name}{end}" for name in told for end in ends]
        frame = pandas.DataFrame(rows, columns=[*_PAIR, *numbers, *counts])
        return frame.astype({name: float for name in numbers})

    def _matrix(self, name: str) -> Any:
        import pandas

        matrix = pandas.DataFrame(0, index=self.names, columns=self.names)
        for entry in self._told["facts"][name]:
            matrix.loc[entry["of"], entry["whose"]] = entry["count"]
        return matrix

    def to_dict(self) -> dict[str, Any]:
        """The result as in the tool's JSON."""
        return json.loads(json.dumps(self._told["facts"]))

    def __repr__(self) -> str:
        return self._told["text"]

    def _repr_html_(self) -> str:
        return html_table(self._told["table"]) + html_lines(self._told["sentences"])
