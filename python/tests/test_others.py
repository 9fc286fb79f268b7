"""Embeddings by other packages, judged: the digits by umap-learn, openTSNE and scikit-learn."""
import numpy as np
import openTSNE
import pytest
import umap
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.manifold import TSNE, Isomap

import truefold

X = load_digits().data[:600]

MAKERS = {
    "umap-learn": lambda: umap.UMAP(random_state=0, n_jobs=1).fit_transform(X),
    "openTSNE": lambda: np.asarray(openTSNE.TSNE(random_state=0, n_iter=250).fit(X)),
    "sklearn TSNE": lambda: TSNE(random_state=0, init="pca", max_iter=300).fit_transform(X),
    "sklearn Isomap": lambda: Isomap(n_neighbors=12).fit_transform(X),
    "sklearn PCA": lambda: PCA(2).fit_transform(X),
}


@pytest.fixture(scope="module")
def judged():
    found = truefold.neighbors(X, 12)
    return {name: truefold.measure(X, make(), neighbors=found, measures="all") for name, make in MAKERS.items()}


@pytest.mark.filterwarnings("ignore")
def test_embeddings_of_the_digits_are_judged(judged):
    noise = truefold.measure(X, np.random.default_rng(0).normal(size=(len(X), 2)), measures="all")
    for name, result in judged.items():
        assert result.output_dim == 2 and result.n_points == 600, name
        assert all(np.isfinite(value) for value in result.values.values()), name
        # No map of digits into the plane is good, each is better than noise, and none beats the bound.
        assert result.lower_bounds["r_c"] <= result.r_c < noise.r_c, name
        assert result.trustworthiness > noise.trustworthiness + 0.2, name
        assert result.lower_bounds["r_n"] == judged["sklearn PCA"].lower_bounds["r_n"]
    # What the methods are made for shows: neighbors for t-SNE and UMAP, distances for Isomap and PCA.
    assert min(judged[name].overlap for name in ("umap-learn", "openTSNE", "sklearn TSNE")) > max(
        judged[name].overlap for name in ("sklearn Isomap", "sklearn PCA")
    )
    assert judged["sklearn Isomap"].residual_variance < judged["openTSNE"].residual_variance


def test_estimators_of_others_are_scored():
    score = truefold.EmbeddingScorer("trustworthiness", n_neighbors=12)
    assert score(Isomap(n_neighbors=12).fit(X), X) > 0.7
