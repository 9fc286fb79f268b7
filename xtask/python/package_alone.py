"""Runs with numpy as the only other package: the package imports, measures and embeds, and names what a plot needs."""
import importlib.util
import pickle
import tempfile
import warnings

for missing in ("sklearn", "scipy", "pandas", "matplotlib", "tqdm"):
    assert importlib.util.find_spec(missing) is None, f"{missing} is here, so that this shows nothing"

import truefold  # noqa: E402

X, Z = truefold.datasets.swiss_roll(300)
estimator = truefold.GreedyProcrustes(n_neighbors=8)
Y = estimator.fit_transform(X)
result = truefold.measure(X, Y, neighbors=estimator.neighborhoods_)
assert result.r_n < 0.05, result
assert repr(estimator) == "GreedyProcrustes(n_neighbors=8)"
assert estimator.set_params(n_neighbors=9).get_params()["n_neighbors"] == 9
assert list(estimator.get_feature_names_out()) == ["greedyprocrustes0", "greedyprocrustes1"]
assert (pickle.loads(pickle.dumps(estimator)).embedding_ == Y).all()
warnings.simplefilter("ignore")
for name, method in truefold.estimators.METHODS.items():
    fitted = method().fit(X)
    assert (fitted.transform(X) == fitted.embedding_).all() and fitted.embedding_.shape == (300, 2), name
try:
    estimator.transform(X[:, :2])
except ValueError as error:
    assert "the new points have 2 dimensions and the fitted ones 3" in str(error)
else:
    raise AssertionError("points of two dimensions among points of three")
with tempfile.TemporaryDirectory() as folder:
    again = truefold.load(estimator.save(f"{folder}/roll.truefold"))
    assert (again.transform(X + 0.1) == estimator.transform(X + 0.1)).all()
assert truefold.suggest(X).n_components == 2
try:
    truefold.plot.scatter(Y)
except ImportError as error:
    assert "pip install matplotlib" in str(error)
else:
    raise AssertionError("a picture without matplotlib")
print(f"truefold {truefold.__version__} works with numpy alone: R_N {result.r_n:.4f}")
