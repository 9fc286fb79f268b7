"""Runs where numpy is the only package: the package imports, measures and embeds, and says what a picture needs."""
import importlib.util
import pickle
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
    assert method().fit(X).embedding_.shape == (300, 2), name
try:
    truefold.plot.scatter(Y)
except ImportError as error:
    assert "pip install matplotlib" in str(error)
else:
    raise AssertionError("a picture without matplotlib")
print(f"truefold {truefold.__version__} works with numpy alone: R_N {result.r_n:.4f}")
