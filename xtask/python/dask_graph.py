"""Draws the tasks of truefold.dask and who uses whose results, from the graphs that small runs with four chunks compute.

    python dask_graph.py FIGURE.svg

A line of marks is a stage, by the names that the dashboard shows; a mark is a task of a chunk or of a cell, with those that only cut
its result into pieces or put such pieces together. What a stage sends to all of the next one is drawn in red. Where a graph has other
stages than those that are listed here, this is an error.
"""
import re
import sys
from html import escape
from typing import NamedTuple

import dask
import dask.array as da
import truefold.dask
from dask_stages import kind_of

CHUNKS, ROWS, SAMPLE = 4, 4000, 800
INK, SOFT, FRAME, FAINT, ALL = "#1a1c20", "#606670", "#b4b9c1", "#d6d9de", "#c2410c"
#: Across: the names of the stages, the marks, what is said of them.
NAMES, STEP, TEXT, LINE, TOP, MARGIN = 150, 34, 330, 26, 76, 20


class Stage(NamedTuple):
    """Kinds of tasks that are drawn as one line of dots, and what their results are; the first names them."""

    kinds: str
    words: str

    @property
    def is_of_chunks(self):
        """Whether its tasks are those of chunks, and not of cells."""
        name = self.kinds.split()[0]
        return name in ("chunks", "sort") or name.endswith(("-send", ":chunk"))


SEARCH = [
    Stage("chunks array", "X (and Y), read by the worker that needs it"),
    Stage("sort piece", "rows of a chunk, by cell: 8 (q + 1) bytes a row"),
    Stage("cell", "rows that lie together"),
    Stage("search box", "lists of a cell among its own rows: 16 k bytes a row"),
    Stage("border boxes", "rows whose neighbors may lie beyond the cell"),
    Stage("beyond", "what a cell has for the rows of others"),
    Stage("merge", "whole lists"),
]
PICTURES = {
    "measure": [
        *SEARCH,
        Stage("locate beyond-rows halo-ask", "which rows beyond the cell its lists name"),
        Stage("halo-send", "these rows of X and Y, from their chunks"),
        Stage("measure halo-take sums", "values of each row of a cell, and their sums"),
        Stage("totals", "a few numbers, to the client"),
    ],
    "fit": [
        *SEARCH,
        Stage("sample", "rows that are spread as those of the cell are"),
        Stage("fit", "the map of the sample, by one worker"),
        Stage("place", "places of all rows of a cell"),
        Stage("lists-back:cell lists-back-piece list-rows", "lists, by chunk: 4 k bytes a row"),
        Stage("lists-back:chunk list-table", "lists of the rows of a chunk"),
        Stage("rim rim-ask", "neighbors beyond the cell"),
        Stage("rim-send", "these rows and their lists"),
        Stage("held rim-take held-ask", "neighbors of the neighbors"),
        Stage("held-send", "these rows"),
        Stage("ground held-take", "a cell and what lies around it"),
        Stage("map-back:cell map-back-piece", "places, by chunk: 8 (d + 1) bytes a row"),
        Stage("map-back:chunk map-table", "places of the rows of a chunk"),
        Stage("around map-ask", "which rows lie around a cell"),
        Stage("map-send", "their places"),
        Stage("judge map-take", "sums of the measure over a cell"),
        Stage("judged", "two numbers, to the client"),
        Stage("improve", "places nearer to the best; again from map-back on"),
        Stage("back:cell back-piece", "places, by chunk"),
        Stage("back:chunk map", "the map, chunked like X"),
    ],
}
#: The look at all chunks, and small things that the client and all workers get.
LEFT_OUT = ("look", "plan", "tree", "told")
KEY = [
    ("square", "a task of a chunk"),
    ("disc", "a task of a cell, or of all"),
    (FRAME, "results that stay with a chunk or cell, or that one task makes or needs"),
    (ALL, "results that all send to all: these travel between workers"),
]
NOTES = [
    "Numbers: the tasks of a line, with those that only cut or join pieces, of a run with 4 chunks.",
    "Before: look and plan. Every chunk is checked and sampled, and the client cuts the tree of cells.",
    "Measures of the map's own neighborhoods, and the overlap, do the same once more for Y.",
    "Connected components go the ways of lists-back and halo-send.",
    "improve: in rounds, until the measure of all rows is near its bound.",
]


class Seen(dask.callbacks.Callback):
    """Who uses whose results in all graphs that are computed."""

    def __init__(self):
        super().__init__(start=self.began)
        self.uses = {}

    def began(self, graph):
        for key, task in graph.items():
            self.uses.setdefault(key, set(getattr(task, "dependencies", ())))


def graphs():
    """For each picture the tasks that a small run computes."""
    X, Z = truefold.datasets.swiss_roll(ROWS)
    X, Z = (da.from_array(one, chunks=(ROWS // CHUNKS, -1)) for one in (X, Z))
    works = {
        "measure": lambda: truefold.dask.measure(X, Z, measures="r_n")._totals.compute(),
        "fit": lambda: truefold.dask.ProcrustesAlignment(sample_size=SAMPLE).fit(X),
    }
    for name, work in works.items():
        # Without fusing, as the dashboard would then show several names as one.
        with dask.config.set({"scheduler": "synchronous", "optimization.fuse.active": False}), Seen() as seen:
            work()
        yield name, seen.uses


def dot_of(key, lines):
    """The line of a task and its place there; nothing for those that are left out."""
    kind = kind_of(key)
    if kind in LEFT_OUT:
        return None
    numbers = [key[1]] if isinstance(key, tuple) else [int(word) for word in re.findall(r"-(\d+)(?=-|$)", key)]
    side = next((f"{kind}:{word}" for word in ("cell", "chunk") if f"-{word}-" in str(key)), kind)
    if (line := lines.get(side, lines.get(kind))) is None:
        raise SystemExit(f"the stage {kind} is on no line of the picture")
    # A piece belongs to what was cut.
    place = numbers[-2 if kind.endswith("-piece") or kind == "piece" else -1] if numbers else None
    return line, place


def picture(name, stages, uses, left):
    """The shapes of one picture, and its height."""
    lines = {kind: at for at, stage in enumerate(stages) for kind in stage.kinds.split()}
    links, dots, tasks = set(), set(), [0] * len(stages)
    for key, used in uses.items():
        if (end := dot_of(key, lines)) is None:
            continue
        dots.add(end)
        tasks[end[0]] += 1
        links |= {(start, end) for start in (dot_of(one, lines) for one in used) if start and start[0] < end[0]}

    def at(dot):
        line, place = dot
        middle = (CHUNKS - 1) / 2 if place is None else place
        return left + NAMES + STEP * middle, TOP + LINE * line

    def between(start, end):
        return {link for link in links if (link[0][0], link[1][0]) == (start, end)}

    title, shapes = words(left, 50, f"truefold.dask: {name}", 13.5, INK, True), []
    for link in sorted(links, key=str):
        (x, y), (to_x, to_y) = at(link[0]), at(link[1])
        start, end = link[0][0], link[1][0]
        single = None in (link[0][1], link[1][1])
        across = not single and len(between(start, end)) > CHUNKS
        if end - start == 1 or across or single:
            path = f"M{x:g} {y:g}L{to_x:g} {to_y:g}"
        else:
            # Past the lines between, beside their dots.
            aside = x + 7 + min(end - start, 8)
            path = f"M{x:g} {y:g}C{aside:g} {y + 14:g} {aside:g} {to_y - 14:g} {to_x:g} {to_y:g}"
        color = ALL if across else FRAME if end - start == 1 or single else FAINT
        shapes.append((across, f'<path d="{path}" fill="none" stroke="{color}" stroke-width="{0.8 if across else 1.1}"/>'))
    shapes = [title, *(shape for _, shape in sorted(shapes))]
    for dot in sorted(dots, key=str):
        shapes.append(mark("square" if stages[dot[0]].is_of_chunks else "disc", *at(dot)))
    for line, stage in enumerate(stages):
        y = TOP + LINE * line + 4
        title = stage.kinds.split()[0].split(":")[0]
        shapes.append(words(left, y, title, 12, INK, False))
        shapes.append(words(left + NAMES - 22, y, str(tasks[line]), 10.5, SOFT, False, "end"))
        shapes.append(words(left + NAMES + STEP * (CHUNKS - 1) + 26, y, stage.words, 11, SOFT, False))
    return shapes, TOP + LINE * len(stages)


def mark(kind, x, y):
    """A task of a chunk, or of a cell."""
    if kind == "square":
        return f'<rect x="{x - 4:g}" y="{y - 4:g}" width="8" height="8" fill="{INK}"/>'
    return f'<circle cx="{x:g}" cy="{y:g}" r="4.4" fill="{INK}"/>'


def words(x, y, text, size, color, bold, anchor="start"):
    """A line of text."""
    weight = ' font-weight="600"' if bold else ""
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{color}" text-anchor="{anchor}"{weight}>{escape(text)}</text>'


def legend(left, top):
    """What marks and lines mean."""
    shapes = []
    for line, (kind, text) in enumerate(KEY):
        y = top + 20 * line
        sign = f'<path d="M{left:g} {y:g}h22" stroke="{kind}" stroke-width="1.5"/>'
        shapes += [sign if kind[0] == "#" else mark(kind, left + 11, y), words(left + 34, y + 4, text, 11, INK, False)]
    top += 20 * len(KEY) + 14
    return [*shapes, *(words(left, top + 18 * line, text, 11, SOFT, False) for line, text in enumerate(NOTES))]


def main(path):
    wide, shapes, height = NAMES + STEP * (CHUNKS - 1) + TEXT, [], 0
    for place, (name, uses) in enumerate(graphs()):
        some, below = picture(name, PICTURES[name], uses, MARGIN + place * (wide + MARGIN))
        shapes, height = shapes + some, max(height, below)
    whole = 2 * MARGIN + 2 * wide + MARGIN
    title = f"The tasks of {CHUNKS} chunks, and who uses whose results"
    shapes += legend(MARGIN, TOP + LINE * (len(PICTURES["measure"]) + 1))
    text = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole:g} {height:g}" width="{whole:g}" height="{height:g}" '
        f'font-family="system-ui, sans-serif"><title>{title}</title>',
        f'<rect width="{whole:g}" height="{height:g}" fill="#ffffff"/>',
        words(MARGIN, 24, title, 15, INK, True),
        *shapes,
        "</svg>",
    ]
    with open(path, "w") as out:
        out.write("\n".join(text) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
