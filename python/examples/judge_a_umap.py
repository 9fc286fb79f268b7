"""Judge a UMAP: how far can the usual picture of the digits be trusted, where does it lie, and is another one better?

Needs scikit-learn, umap-learn and matplotlib. Writes judge_a_umap.png.
"""
import umap
from matplotlib import pyplot
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
# The UMAP moved downhill until R_C on the neighborhoods of the data falls no more.
maps["UMAP, refined"] = truefold.refine(X, maps["UMAP"], neighbors=neighbors, target="r_c").embedding

# R_C alone asks what a map keeps, and would take a heap of all digits for a good map: the score also asks whether the
# neighbors that the map shows are real.
results = {name: truefold.measure(X, Y, neighbors=neighbors) for name, Y in maps.items()}
for name, result in results.items():
    verdict = result.verdict
    print(
        f"{name:13} R_C {result.r_c:.3f}; score {verdict.score:.2f}: keeps {verdict.forward:.2f}, shows {verdict.reverse:.2f}; "
        f"{100 * verdict.neighbors['false']:.0f} % of the neighbors that it shows are false"
    )

best = max(results, key=lambda name: results[name].verdict.score)
faithful = results[best].verdict.counts["faithful"] / len(X)
print(f"\nThe verdict: of these maps {best} is the one to show, and {100 * faithful:.0f} % of its points are faithful.\n")
print(results[best].verdict)

# The digits whose surroundings in that map are least to be trusted.
lost = results[best].verdict.per_point["false_share"].argsort()[::-1][:10]
print("look again at rows", ", ".join(f"{row} (a {digits.target[row]})" for row in lost))

figure, axes = pyplot.subplots(2, 2, figsize=(11, 8), layout="constrained")
for ax, (name, result) in zip(axes.flat, results.items()):
    truefold.plot.verdict(maps[name], result, ax=ax, title=f"{name}: score {result.verdict.score:.2f}")
figure.savefig("judge_a_umap.png", dpi=120)
