"""Judge the UMAP of 700 blood cells that come with scanpy: which cells, and which types, does it show as they are?

Needs scanpy. Writes cells_types.png, cells_verdict.png and cells_false.png, which docs/scanpy.md shows.
"""
import numpy as np
import scanpy
from matplotlib import pyplot

import truefold

adata = scanpy.datasets.pbmc68k_reduced()
result = truefold.scanpy.verdict(adata, "umap", labels="bulk_labels", neighbors_key="neighbors")
print(result)

# Beside other maps of the same cells, one of them made here.
adata.obsm["X_pca2"] = adata.obsm["X_pca"][:, :2]
print(truefold.scanpy.compare(adata, ["umap", "pca2"], ["psa"], neighbors_key="neighbors"))

# The three pictures: the types, what is said of every cell, and whose the false neighbors of each type are.
places = adata.obsm["X_umap"]
figure, ax = pyplot.subplots(figsize=(9.0, 5.0), layout="constrained")
truefold.plot.scatter(places, adata.obs["bulk_labels"].to_numpy(), ax=ax, title="cell types")
figure.savefig("cells_types.png", dpi=100)
figure, ax = pyplot.subplots(figsize=(9.0, 5.0), layout="constrained")
truefold.plot.verdict(places, result, ax=ax)
figure.savefig("cells_verdict.png", dpi=100)

shares = result.labels.false_neighbors()
figure, ax = pyplot.subplots(figsize=(7.5, 6.0), layout="constrained")
shown = ax.imshow(np.ma.masked_equal(shares.to_numpy(), 0.0), cmap="magma_r")
ax.set_xticks(range(len(shares)), shares.columns, rotation=60, ha="right")
ax.set_yticks(range(len(shares)), shares.index)
ax.set_title("whose the false neighbors are")
figure.colorbar(shown, label="false neighbors")
figure.savefig("cells_false.png", dpi=100)
