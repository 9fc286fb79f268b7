"""Judge a UMAP: how faithful is the usual picture of the digits, where does it lie, and what would be better?

Needs scikit-learn, umap-learn and matplotlib. Writes judge_a_umap.png.
"""
import umap
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA

import truefold

digits = load_digits()
X = digits.data[:1000]

# Who is a neighbor is found once, so that all maps are compared in the same neighborhoods.
neighbors = truefold.neighbors(X, n_neighbors=12)
maps = {
    "UMAP": umap.UMAP(random_state=0, n_jobs=1).fit_transform(X),
    "PCA": PCA(2).fit_transform(X),
    "PSA": truefold.ProcrustesAlignment().fit_transform(X, neighbors=neighbors),
}

# UMAP does not keep lengths, so R_C is the measure to read: each neighborhood may have a scale of its own.
for name, Y in maps.items():
    result = truefold.measure(X, Y, neighbors=neighbors, measures=["r_n", "r_c", "trustworthiness"])
    print(f"{name:5} R_C {result.r_c:.3f}, {result.times_best('r_c'):.2f} times the best possible; "
          f"trustworthiness {result.trustworthiness:.3f}")

# Where the UMAP is least to be trusted.
result = truefold.measure(X, maps["UMAP"], neighbors=neighbors)
print("the digits whose surroundings UMAP distorts most:", digits.target[result.worst(10, "r_c")])

# The same map, moved as little as a descent moves it, until R_C falls no more.
refined = truefold.refine(X, maps["UMAP"], neighbors=neighbors, target="r-c")
maps["UMAP, refined"] = refined.embedding
print(refined)

figure = truefold.plot.grid(X, maps, measure="r_c", columns=2, neighbors=neighbors)
figure.savefig("judge_a_umap.png", dpi=120)
