"""What an AnnData object holds, by the names that scanpy gives; neither scanpy nor anndata is imported."""
from __future__ import annotations

from typing import Any, Iterable

import numpy as np

from .errors import UnknownNameError
from .inputs import is_sparse
from .measures import Measurement


def representation(adata: Any, use_rep: str | None) -> np.ndarray:
    """The data that were embedded."""
    if use_rep is None:
        use_rep = "X_pca" if "X_pca" in adata.obsm else "X"
    if use_rep != "X" and use_rep not in adata.obsm:
        raise UnknownNameError(f"there is no representation named '{use_rep}'; there are {_names(adata, 'X')}")
    values = adata.X if use_rep == "X" else adata.obsm[use_rep]
    return values.toarray() if is_sparse(values) else values


def embedding_key(adata: Any, basis: str) -> str:
    """The key of an embedding in ``obsm``; ``umap`` stands for ``X_umap``."""
    for key in (basis, f"X_{basis}"):
        if key in adata.obsm:
            return key
    raise UnknownNameError(f"there is no embedding named '{basis}' in obsm; there are {_names(adata)}")


def embedding(adata: Any, basis: str) -> Any:
    """An embedding of the cells."""
    return adata.obsm[embedding_key(adata, basis)]


def embeddings(adata: Any, bases: str | Iterable[str] | None) -> dict[str, Any]:
    """Embeddings by name; every one of two columns where none is named."""
    if bases is None:
        found = {key: values for key, values in adata.obsm.items() if np.shape(values)[1] == 2}
        if not found:
            raise UnknownNameError(f"no entry of obsm has two columns; name some of {_names(adata)}")
        return {key.removeprefix("X_"): values for key, values in found.items()}
    return {basis.removeprefix("X_"): embedding(adata, basis) for basis in ([bases] if isinstance(bases, str) else bases)}


def graph(adata: Any, key: str | None) -> Any:
    """The distances of the neighbor graph under this key of ``uns``; nothing where there is no key."""
    if key is None:
        return None
    if key not in adata.uns:
        raise UnknownNameError(f"there are no neighbors under '{key}' in uns; run scanpy.pp.neighbors first")
    known = adata.uns[key]
    # Files of before scanpy 1.6 name no key, and those of before anndata 0.7 hold the matrix itself.
    usual = "distances" if key == "neighbors" else f"{key}_distances"
    place = known.get("distances_key", usual)
    if place in adata.obsp:
        return adata.obsp[place]
    if is_sparse(known.get("distances")):
        return known["distances"]
    raise UnknownNameError(
        f"there are no distances of '{key}': obsp has no '{place}'; run scanpy.pp.neighbors again"
    )


def column(adata: Any, name: str) -> Any:
    """A column of ``obs``."""
    if name not in adata.obs:
        known = ", ".join(map(str, adata.obs.columns)) or "none"
        raise UnknownNameError(f"there is no column named '{name}' in obs; there are {known}")
    return adata.obs[name]


def storable(result: Measurement) -> dict[str, Any]:
    """What AnnData can store of a judgment."""
    told = result.to_dict()
    neighborhoods = {
        name: value for name, value in told["neighborhoods"].items() if isinstance(value, (int, float, str))
    }
    facts = {name: told[name] for name in ("measures", "lower_bounds", "warnings")}
    facts |= {"chance": result.chance, "skill": result.skill, "neighborhoods": neighborhoods}
    found = result.verdict
    if found is not None:
        numbers = {name: getattr(found, name) for name in ("score", "forward", "reverse", "out_of_reach", "level")}
        facts["verdict"] = {**numbers, "telling": found.telling, "counts": found.counts, "neighbors": found.neighbors}
    if result.labels is not None:
        own = result.labels
        facts["labels"] = {
            "accuracy": own.accuracy, "groups": own.to_frame(), "false_neighbors": own.false_neighbors(),
            "missing_neighbors": own.missing_neighbors(), "distances": own.distances(),
            **{name: _pairs(getattr(own, name)) for name in ("map_only", "data_only", "do_not_compare")},
        }
    return facts


def _pairs(pairs: list[tuple[str, str]]) -> np.ndarray:
    """Pairs of groups, one per row."""
    return np.array(pairs, dtype=object).reshape(-1, 2)


def _names(adata: Any, *more: str) -> str:
    return ", ".join([*more, *adata.obsm.keys()]) or "none"
