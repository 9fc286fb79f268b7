"""Writes `truefold/estimators.py` and `truefold/datasets.py` from the tables of the library.

    python generate.py            writes both
    python generate.py --check    fails where one is not up to date

It needs an installed truefold, of which it reads the compiled part alone.
"""
from __future__ import annotations

import importlib.machinery
import importlib.util
import json
import re
import sys
import textwrap
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parent / "truefold"

#: Where the name of a class is not the name of its method in capitals.
CLASSES = {
    "gp": "GreedyProcrustes",
    "psa": "ProcrustesAlignment",
    "mds": "ClassicalMDS",
    "c-isomap": "ConformalIsomap",
    "sde": "SemidefiniteEmbedding",
    "llc": "LocallyLinearCoordination",
}
ACRONYMS = {"lle", "ltsa", "pca"}

HEAD = '''"""{title}

Written by ``generate.py`` from the tables of the library.
"""
from __future__ import annotations

'''


def tables() -> dict[str, list[dict[str, Any]]]:
    """The tables, asked of the compiled part without importing the package, whose files may be out of date."""
    # Python puts the folder of a script first, and there are the sources, without the compiled part.
    path = [place for place in sys.path if Path(place or ".").resolve() != PACKAGE.parent]
    package = importlib.machinery.PathFinder.find_spec("truefold", path)
    if package is None or not package.submodule_search_locations:
        sys.exit("truefold is not installed; build and install the wheel first")
    finder = importlib.machinery.PathFinder.find_spec("_native", list(package.submodule_search_locations))
    if finder is None or finder.loader is None:
        sys.exit("the installed truefold has no compiled part")
    native = importlib.util.module_from_spec(finder)
    finder.loader.exec_module(native)
    return json.loads(native.tables())


def estimators(methods: list[dict[str, Any]]) -> str:
    """The module of all estimators."""
    text = HEAD.format(title="The methods as estimators, one class each.")
    text += "from typing import Any\n\nfrom .embedder import Embedder\nfrom .suggestion import Count\n\n"
    names = [class_name(method["name"]) for method in methods]
    text += "__all__ = [\n" + "".join(f'    "{name}",\n' for name in sorted(names)) + "]\n"
    text += "".join(estimator(method) for method in methods)
    text += "\n\n#: The classes by the names that the tool gives them.\nMETHODS: dict[str, type[Embedder]] = {\n"
    text += "".join(f'    "{method["name"]}": {name},\n' for method, name in zip(methods, names))
    return text + "}\n"


def estimator(method: dict[str, Any]) -> str:
    """The class of one method."""
    own = [(row["name"], annotated(row), row["default"], row["summary"]) for row in method["parameters"]]
    auto = '"auto" is what the data call for, see truefold.suggest'
    before = [("n_components", "Count", 2, f"the number of dimensions of the embedding; {auto}")]
    metrics = "the distance by which neighbors are found: euclidean, manhattan, cosine, correlation"
    after = [("metric", "str", "euclidean", f"{metrics}; or precomputed: X is a table of distances")]
    if method["follows_graph"]:
        before.append(("n_neighbors", "Count", 12, f"the number of neighbors of each point; {auto}"))
        pieces = "what to do with several connected components: side-by-side, largest or error"
        after.append(("components", "str", "side-by-side", pieces))
    else:
        after = [("metric", "str", "euclidean", "euclidean: X holds points; or precomputed: X is a table of distances")]
    after += [
        ("random_state", "Any", None, "the seed, or a numpy generator that gives one; None is 0, so that fits repeat"),
        ("n_jobs", "int | None", None, "the number of threads; None is all cores; the result does not depend on it"),
        ("progress", "bool | None", None, "whether to show a bar; None shows one only where somebody watches"),
    ]
    name, rows = class_name(method["name"]), [*before, *own, *after]
    scale = (
        "Lengths in the embedding are meant to equal those along the data: judge it by R_N."
        if method["metric_scale"]
        else "Lengths in the embedding mean nothing by themselves: judge it by R_C."
    )
    lines = [f"{method['title']}: {method['summary']}.", "", scale, f"Cost: {method['cost']}.", ""]
    lines += ["Parameters", "----------"]
    for parameter, annotation, default, summary in rows:
        described = 'int or "auto"' if annotation == "Count" else annotation
        lines += [f"{parameter} : {described}, default {default!r}", *indented(sentence(python(summary)))]
    lines += ["", "Attributes", "----------", *ATTRIBUTES]
    if method["follows_graph"]:
        lines += GRAPH_ATTRIBUTES
    if any(row["name"] == "tear" for row in method["parameters"]):
        lines += TEAR_ATTRIBUTES
    lines += ["", "Examples", "--------", ">>> import truefold", ">>> X, Z = truefold.datasets.swiss_roll(300)"]
    lines += [f">>> estimator = truefold.{name}().fit(X[:290])"]
    lines += [">>> estimator.embedding_.shape, estimator.transform(X[290:]).shape", "((290, 2), (10, 2))"]
    text = f'\n\nclass {name}(Embedder):\n    """' + "\n".join(wrapped(lines)).strip() + '\n    """\n\n'
    text += f'    _method = "{method["name"]}"\n'
    if own:
        names = ", ".join(f'"{row[0]}"' for row in own)
        text += f"    _own = ({names}{',' if len(own) == 1 else ''})\n"
    text += "\n    def __init__(\n        self,\n"
    for place, (parameter, annotation, default, _) in enumerate(rows):
        if place == len(before):
            text += "        *,\n"
        text += f"        {parameter}: {annotation} = {literal(default)},\n"
    text += "    ) -> None:\n"
    return text + "".join(f"        self.{row[0]} = {row[0]}\n" for row in rows)


ATTRIBUTES = [
    "embedding_ : array of shape (n_samples, n_components)",
    "    The embedding, centered.",
    "fit_info_ : dict",
    "    What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.",
    "suggestion_ : Suggestion",
    "    What the data call for, where a number was left to them.",
    "n_features_in_ : int",
    "    The number of columns of X.",
    "feature_names_in_ : array of str",
    "    Their names, where X is a frame whose columns have strings for names.",
]
GRAPH_ATTRIBUTES = [
    "neighborhoods_ : Neighborhoods",
    "    The neighborhoods, for ``truefold.measure(X, Y, neighbors=...)``.",
    "rows_ : array of int",
    "    The rows of X that were embedded, where ``components`` is largest and left some out.",
]

TEAR_ATTRIBUTES = [
    "torn_ : array of shape (n_pairs, 2)",
    "    The pairs of rows of X that a closed surface was torn along, or that are shortcuts, where there are any; ``fit_info_['tear']`` has their share.",
]


def datasets(rows: list[dict[str, Any]]) -> str:
    """The module of all data sets."""
    text = HEAD.format(title="Data sets whose true coordinates are known, one function each.")
    text += "from .run import RandomState\nfrom .sample import Sample, draw\n\n"
    names = [row["name"].replace("-", "_") for row in rows]
    text += "__all__ = [\n" + "".join(f'    "{name}",\n' for name in sorted(names)) + "]\n"
    return text + "".join(dataset(row, name) for row, name in zip(rows, names))


ISOMETRIC = {
    "globally": "They keep lengths: the true coordinates are a perfect embedding.",
    "locally": "They keep lengths away from a seam, across which they jump: no perfect embedding exists.",
    "no": "They stretch the surface, as any must or as these do.",
}


def dataset(row: dict[str, Any], name: str) -> str:
    """The function of one data set."""
    settings = [(setting["name"], setting) for setting in row["settings"]]
    lines = [sentence(row["summary"]), "", f"True coordinates: {row['truth_summary'].rstrip('.')}."]
    lines += [ISOMETRIC[row["isometric"]]]
    lines += ["", "Parameters", "----------", f"n_points : int, default {row['default_points']}"]
    lines += ["    The number of points.", "noise : float, default 0.0"]
    lines += ["    The standard deviation of Gaussian noise added to every coordinate."]
    lines += ["random_state : int, numpy generator or None", "    The seed; None is 0."]
    for key, setting in settings:
        limits = f", from {setting['least']:g} to {setting['most']:g}" if "least" in setting else ""
        lines += [f"{key} : {kind(setting['default'])}, default {number(setting['default'])}"]
        lines += indented(sentence(setting["summary"] + limits))
    lines += ["", "Returns", "-------", "Sample", "    Unpacks into the points and their true coordinates.", ""]
    lines += ["Examples", "--------", ">>> import truefold", f">>> X, Z = truefold.datasets.{name}(100)"]
    lines += [">>> X.shape, Z.shape", f"((100, {row['input_dim']}), (100, {row['intrinsic_dim']}))"]
    text = f"\n\ndef {name}(\n    n_points: int = {row['default_points']},\n    *,\n    noise: float = 0.0,\n"
    text += "    random_state: RandomState = None,\n"
    text += "".join(
        f"    {key}: {kind(setting['default'])} = {number(setting['default'])},\n" for key, setting in settings
    )
    text += ') -> Sample:\n    """' + "\n".join(wrapped(lines)).strip() + '\n    """\n'
    chosen = ", ".join(f'"{key}": {key}' for key, _ in settings)
    return text + f'    return draw("{row["name"]}", n_points, noise, random_state, {{{chosen}}})\n'


def class_name(method: str) -> str:
    """The name of a method's class."""
    words = (word.upper() if word in ACRONYMS else word.capitalize() for word in method.split("-"))
    return CLASSES.get(method) or "".join(words)


def kind(default: Any) -> str:
    """The annotation of a parameter with this default."""
    return "int | float | str | None" if default is None else type(default).__name__


def annotated(row: dict[str, Any]) -> str:
    """The annotation of a method's parameter; some words stand beside yes and no, or beside numbers."""
    is_choice = isinstance(row["default"], str) and re.search(r"\btrue, false\b", row["summary"])
    is_number = row["default"] == "auto" and re.search(r"\ba number\b", row["summary"])
    if is_number:
        return "int | str | None" if re.search(r"\bnull\b", row["summary"]) else "int | str"
    return "bool | str" if is_choice else kind(row["default"])


def literal(value: Any) -> str:
    """The value as it is written in Python."""
    return json.dumps(value) if isinstance(value, str) else repr(value)


def number(value: Any) -> str:
    """A setting's default; numbers that are whole without a fraction."""
    return f"{value:g}" if isinstance(value, float) else repr(value)


def python(summary: str) -> str:
    """The table's words with Python's names for values."""
    words = re.sub(r"\bnull\b", "None", summary)
    return re.sub(r"\btrue\b", "True", re.sub(r"\bfalse\b", "False", words))


def sentence(text: str) -> str:
    """With a capital and a full stop."""
    return text[:1].upper() + text[1:].rstrip(".") + "."


def indented(text: str) -> list[str]:
    """As the description of a parameter."""
    return textwrap.wrap(text, 110, initial_indent="    ", subsequent_indent="    ")


def wrapped(lines: list[str]) -> list[str]:
    """The lines of a docstring, indented and none too long."""
    out = []
    for line in lines:
        indent = "    " + line[: len(line) - len(line.lstrip())]
        out += textwrap.wrap(line.strip(), 116, initial_indent=indent, subsequent_indent=indent) or [""]
    return out


def main() -> None:
    made = tables()
    files = {"estimators.py": estimators(made["methods"]), "datasets.py": datasets(made["datasets"])}
    for name, text in files.items():
        path = PACKAGE / name
        if "--check" in sys.argv[1:]:
            if not path.exists() or path.read_text() != text:
                sys.exit(f"truefold/{name} is not what the tables say; run `python generate.py` in python/")
        else:
            path.write_text(text)


if __name__ == "__main__":
    main()
