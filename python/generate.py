"""Writes `truefold/estimators.py` and `truefold/datasets.py` from the tables of the library.

    python generate.py            writes both
    python generate.py --check    fails where one is not up to date

It needs an installed truefold, of which it reads the compiled part alone.
"""
from __future__ import annotations

import importlib.machinery
import importlib.util
import json
import sys
import textwrap
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parent / "truefold"

#: Where the name of a class is not the name of its method in capitals.
CLASSES = {
    "gp": "GreedyProcrustes",
    "psa": "ProcrustesAlignment",
    "ptu": "ParallelTransportUnfolding",
    "mds": "ClassicalMDS",
    "c-isomap": "ConformalIsomap",
    "sde": "SemidefiniteEmbedding",
    "llc": "LocallyLinearCoordination",
    "tsne": "TSNE",
    "faithful": "FaithfulMap",
}
ACRONYMS = {"lle", "lsml", "ltsa", "pca", "umap"}

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
    own = [own_parameter(row) for row in method["parameters"]]
    before, after = common_parameters(method["graph"])
    name, rows = class_name(method["name"]), [*before, *own, *after]
    text = f'\n\nclass {name}(Embedder):\n    """' + "\n".join(wrapped(described(method, rows))).strip()
    text += f'\n    """\n\n    _method = "{method["name"]}"\n'
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


#: A parameter of an estimator: its name, its annotation, its default, and what it does.
Row = tuple[str, str, Any, str]


def own_parameter(row: dict[str, Any]) -> Row:
    """A parameter of the method alone."""
    summary = f"{row['summary']}. Values: {in_words(row['values'])}"
    return row["name"], annotation(row["values"]), row["default"], summary


def common_parameters(graph: str) -> tuple[list[Row], list[Row]]:
    """The parameters of all estimators that come before and after those of the method alone."""
    auto = '"auto" chooses it from the data, see truefold.suggest'
    before: list[Row] = [("n_components", "Count", 2, f"the number of dimensions of the embedding; {auto}")]
    if graph != "none":
        before.append(("n_neighbors", "Count", 12, f"the number of neighbors of each point; {auto}"))
        metrics = "the distance by which neighbors are found: euclidean, manhattan, cosine, correlation"
        pieces = "what to do with several connected components: side-by-side, largest or error"
        after: list[Row] = [("metric", "str", "euclidean", f"{metrics}; or precomputed: X is a table of distances")]
        if graph == "components":
            after.append(("components", "str", "side-by-side", pieces))
        devices = "where neighbors are searched: auto, cpu, or gpu for a graphics processor; the result is the same"
        after.append(("device", "str", "auto", devices))
    else:
        after = [("metric", "str", "euclidean", "euclidean: X holds points; or precomputed: X is a table of distances")]
    after += [
        ("random_state", "Any", None, "the seed, or a numpy generator that gives one; None is 0, so that fits repeat"),
        ("n_jobs", "int | None", None, "the number of threads; None is all cores; the result does not depend on it"),
        ("progress", "bool | None", None, "whether to show a bar; None shows one only in a terminal or notebook"),
    ]
    return before, after


def described(method: dict[str, Any], rows: list[Row]) -> list[str]:
    """The lines of the docstring."""
    name = class_name(method["name"])
    scale = (
        "Lengths in the embedding are meant to equal those along the data: judge it by R_N."
        if method["metric_scale"]
        else "The embedding has no scale of its own: judge it by R_C."
    )
    lines = [f"{method['title']}: {method['summary']}.", "", scale, f"Cost: {method['cost']}.", ""]
    lines += ["Parameters", "----------"]
    for parameter, annotated, default, summary in rows:
        kind = 'int or "auto"' if annotated == "Count" else annotated
        lines += [f"{parameter} : {kind}, default {default!r}", *indented(sentence(summary.replace("null", "None")))]
    lines += ["", "Attributes", "----------", *ATTRIBUTES]
    if method["graph"] != "none":
        lines += GRAPH_ATTRIBUTES
    if method["graph"] == "components":
        lines += COMPONENT_ATTRIBUTES
    if any(row["name"] == "tear" for row in method["parameters"]):
        lines += TEAR_ATTRIBUTES
    lines += ["", "Examples", "--------", ">>> import truefold", ">>> X, Z = truefold.datasets.swiss_roll(300)"]
    lines += [f">>> estimator = truefold.{name}().fit(X[:290])"]
    return lines + [">>> estimator.embedding_.shape, estimator.transform(X[290:]).shape", "((290, 2), (10, 2))"]


#: The Python type of each kind of values.
TYPES = {"whole": "int", "flag": "bool", "names": "str", "null": "None"}


def annotation(values: list[dict[str, Any]]) -> str:
    """The annotation of a parameter that takes any of these values."""
    types = [TYPES.get(one["kind"], "float") for one in values]
    return " | ".join(name for name in ("int", "float", "bool", "str", "None") if name in types)


def in_words(values: list[dict[str, Any]]) -> str:
    """The values of a parameter, as Python writes them."""
    words = [word for one in values for word in one_in_words(one["kind"], one.get("values"))]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def one_in_words(kind: str, limits: Any) -> list[str]:
    """Values of one kind, each name by itself."""
    number = "a whole number" if kind == "whole" else "a number"
    if kind == "names":
        return [json.dumps(name) for name in limits]
    if kind == "whole" and limits[1] == NO_LIMIT:
        return [number if limits[0] == 0 else f"{number} of at least {limits[0]}"]
    ranges = {
        "flag": lambda: ["True", "False"],
        "null": lambda: ["None"],
        "whole": lambda: [f"{number} from {limits[0]} to {limits[1]}"],
        "above": lambda: [f"{number} above {limits:g}"],
        "at-least": lambda: [f"{number} of at least {limits:g}"],
        "between": lambda: [f"{number} between {limits[0]:g} and {limits[1]:g}"],
        "within": lambda: [f"{number} from {limits[0]:g} to {limits[1]:g}"],
        "from-below": lambda: [f"{number} from {limits[0]:g} to below {limits[1]:g}"],
    }
    return ranges[kind]()


#: The largest whole number, which stands for no limit.
NO_LIMIT = 2**64 - 1

ATTRIBUTES = [
    "embedding_ : array of shape (n_samples, n_components)",
    "    The embedding, centered.",
    "fit_info_ : dict",
    "    What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings; what was chosen.",
    "suggestion_ : Suggestion",
    "    What was chosen from the data, where a number was \"auto\".",
    "n_features_in_ : int",
    "    The number of columns of X.",
    "feature_names_in_ : array of str",
    "    Their names, where X is a frame whose columns have strings for names.",
]
GRAPH_ATTRIBUTES = [
    "neighborhoods_ : Neighborhoods",
    "    The neighborhoods, for ``truefold.measure(X, Y, neighbors=...)``.",
]

COMPONENT_ATTRIBUTES = [
    "rows_ : array of int",
    "    The rows of X that were embedded, where ``components`` is largest and left some out.",
]

TEAR_ATTRIBUTES = [
    "torn_ : array of shape (n_pairs, 2)",
    "    The pairs of rows of X along which a closed surface was torn, or that are shortcuts, if there are any; ``fit_info_['tear']`` has their share.",
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
    "locally": "They keep lengths except across a seam, where they jump: no perfect embedding exists.",
    "no": "They do not keep lengths.",
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
    """The annotation of a setting with this default."""
    return type(default).__name__


def literal(value: Any) -> str:
    """The value as it is written in Python."""
    return json.dumps(value) if isinstance(value, str) else repr(value)


def number(value: Any) -> str:
    """A setting's default; numbers that are whole without a fraction."""
    return f"{value:g}" if isinstance(value, float) else repr(value)


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
