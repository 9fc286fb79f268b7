"""The stages of truefold.dask: which kinds of tasks belong to each, and whose results go to all workers."""

#: By stage the names of its tasks, as the dashboard shows them after "truefold-".
STAGES = {
    "look": ["read", "look", "plan"],
    "sort": ["tree", "sort", "piece", "cell"],
    "search": ["search", "box", "boxes", "border", "beyond", "visit", "merge"],
    "lists": ["list-rows", "lists-back", "lists-back-piece", "list-table", "values"],
    "overlap": ["overlap"],
    "measure": ["locate", "beyond-rows", "halo-ask", "halo-send", "halo-take", "measure", "sums", "totals"],
    "components": [
        "components", "component-own", "component-back", "component-back-piece", "component-codes", "component-beyond",
        "component-ask", "component-send", "component-take", "component-pairs", "component-numbers", "component-rows",
    ],
    "sample": ["sample"],
    "fit": ["fit", "told"],
    "place": ["place"],
    "ground": ["rim", "rim-ask", "rim-send", "rim-take", "held", "held-ask", "held-send", "held-take", "ground"],
    "judge": [
        "map-back", "map-back-piece", "map-table", "around", "map-ask", "map-send", "map-take", "judge", "judged",
    ],
    "improve": ["improve"],
    "back": ["back", "back-piece", "map"],
}
#: How tasks are named that cut results.
CUT = "split-shuffle-"
#: What is not truefold's: sums of what a benchmark prints, and the like.
OTHER = "other"
#: Kinds of tasks whose results every worker needs.
SHARED = [
    "tree", "boxes", "border", "beyond", "fit", "component-numbers",
    *(f"{name}-{part}" for name in ("halo", "component", "rim", "held", "map") for part in ("ask", "send")),
]
STAGE_OF = {kind: stage for stage, kinds in STAGES.items() for kind in kinds}


def kind_of(key):
    """The name of a task as the dashboard shows it, without the first word; of several that dask made one, the first.

    Pieces that travel in two steps are pieces.
    """
    from distributed.utils import key_split

    key = str(key[0] if isinstance(key, tuple) else key)
    if key.startswith(CUT):
        # What cuts the result of a stage is named as in dask's own shuffles, with the stage behind its token.
        key = f"truefold-{key.partition('-truefold-')[2]}"
    names = [name.strip("-") for name in key_split(key).split("truefold-") if name.strip("-")]
    name = next((name for name in names if name != "array"), "array")
    return name.removesuffix("-group").removesuffix("-part")
