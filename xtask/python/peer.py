"""Embeds points by another program; prints the seconds of the call alone.

    python peer.py scikit-learn|tapkee|umap-learn METHOD X.npy K Y.npy [DIM]

METHOD is truefold's name of the method, DIM the number of dimensions, 2 where it is not given. tapkee searches neighbors by its vantage-point tree, scikit-learn and umap-learn
use both processors where they can, and umap-learn's first call compiles its code on other points beforehand.
"""
import json
import sys
import time

import numpy as np


def scikit_learn(method, x, k, dim):
    from sklearn.decomposition import PCA
    from sklearn.manifold import Isomap, LocallyLinearEmbedding, SpectralEmbedding

    if method == "pca":
        return PCA(dim).fit_transform
    if method == "isomap":
        return Isomap(n_neighbors=k, n_components=dim, n_jobs=2).fit_transform
    if method == "laplacian-eigenmaps":
        affinity = "nearest_neighbors"
        return SpectralEmbedding(dim, affinity=affinity, n_neighbors=k + 1, random_state=0, n_jobs=2).fit_transform
    kinds = {"lle": "standard", "modified-lle": "modified", "hessian-eigenmaps": "hessian", "ltsa": "ltsa"}
    # Below 200 points it chooses a dense solver; larger data get arpack.
    return LocallyLinearEmbedding(
        n_neighbors=k, n_components=dim, method=kinds[method], random_state=0, n_jobs=2
    ).fit_transform


def tapkee_method(method, x, k, dim):
    import tapkee

    names = {
        "pca": "pca",
        "mds": "mds",
        "isomap": "isomap",
        "landmark-isomap": "l-isomap",
        "lle": "lle",
        "ltsa": "ltsa",
        "hessian-eigenmaps": "hlle",
        "laplacian-eigenmaps": "la",
    }
    settings = {"num_neighbors": k, "target_dimension": dim, "neighbors_method": "vptree"}
    if method == "landmark-isomap":
        settings["landmark_ratio"] = 500 / len(x)
    columns = np.asfortranarray(x.T, dtype=np.float64)
    return lambda _: tapkee.embed(columns, method=names[method], **settings)


def umap_learn(_method, x, k, dim):
    import umap

    make = lambda: umap.UMAP(n_neighbors=k + 1, n_components=dim, n_jobs=2)
    make().fit_transform(np.random.default_rng(0).random((500, x.shape[1])))
    return make().fit_transform


package, method, source, k, target = sys.argv[1:6]
dim = int(sys.argv[6]) if len(sys.argv) > 6 else 2
x = np.load(source)
programs = {"scikit-learn": scikit_learn, "tapkee": tapkee_method, "umap-learn": umap_learn}
call = programs[package](method, x, int(k), dim)
start = time.perf_counter()
y = call(x)
seconds = time.perf_counter() - start
np.save(target, np.ascontiguousarray(y, dtype=np.float64))
print(json.dumps({"seconds": seconds}))
