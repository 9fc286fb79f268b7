"""Unroll a swiss roll: choose k, embed by several methods, and see who keeps the shape.

Needs matplotlib and scikit-learn. Writes unroll_a_swiss_roll.png.
"""
from sklearn.model_selection import GridSearchCV

import truefold

X, truth = truefold.datasets.swiss_roll(1500, noise=0.1, random_state=1)

# The number of neighbors by which Procrustes alignment does best, judged in 12 neighbors each time.
search = GridSearchCV(
    truefold.ProcrustesAlignment(),
    {"n_neighbors": [6, 9, 12, 18]},
    scoring=truefold.EmbeddingScorer("r_n", n_neighbors=12),
    cv=truefold.AllRows(),
).fit(X)
print("best by R_N:", search.best_params_)

k = search.best_params_["n_neighbors"]
maps = {
    "Procrustes alignment": search.best_estimator_.embedding_,
    "greedy Procrustes": truefold.GreedyProcrustes(n_neighbors=k).fit_transform(X),
    "Isomap": truefold.Isomap(n_neighbors=k).fit_transform(X),
    "LTSA": truefold.LTSA(n_neighbors=k).fit_transform(X),
    "PCA": truefold.PCA().fit_transform(X),
    "the truth": truth,
}
for name, Y in maps.items():
    result = truefold.measure(X, Y)
    print(f"{name:21} R_N {result.r_n:.4f}, {result.times_best('r_n'):.2f} times the best possible; R_C {result.r_c:.4f}")

figure = truefold.plot.grid(X, maps, measure="r_n")
figure.savefig("unroll_a_swiss_roll.png", dpi=120)
