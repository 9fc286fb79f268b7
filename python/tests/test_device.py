"""Where neighbors are searched."""

import numpy as np
import pytest

import truefold

X = np.random.default_rng(3).normal(size=(300, 20)).astype(np.float32)


#: Every call that searches, as a function of the device.
CALLS = {
    "neighbors": lambda **on: truefold.neighbors(X, 7, **on).indices,
    "approximate": lambda **on: truefold.neighbors(X, 7, algorithm="approximate", **on).indices,
    "auto": lambda **on: truefold.neighbors(X, "auto", **on).indices,
    "suggest": lambda **on: np.array([truefold.suggest(X, **on).n_neighbors]),
    "tsne": lambda **on: truefold.TSNE(n_neighbors=5, iterations=20, **on).fit(X).embedding_,
    "numbers": lambda **on: truefold.LTSA(n_components="auto", n_neighbors="auto", **on).fit(X).embedding_,
    "embed": lambda **on: truefold.embed(X, method="isomap", **on).embedding_,
}


@pytest.mark.parametrize("name", CALLS)
def test_every_device_finds_the_same_or_says_what_is_missing(name):
    call = CALLS[name]
    expected = call()
    for device in ("auto", "cpu"):
        assert np.array_equal(call(device=device), expected)
    try:
        found = call(device="gpu")
    except ValueError as error:
        assert str(error).startswith("device = gpu cannot be used: ")
        assert str(error).endswith("; choose auto or cpu for device")
    else:
        assert np.array_equal(found, expected)
    with pytest.raises(ValueError, match="there is no device named 'cuda'"):
        call(device="cuda")


def test_what_a_device_cannot_do_is_said():
    # Where there is no device, that is said first.
    with pytest.raises(ValueError, match="device = gpu cannot be used"):
        truefold.neighbors(X, 7, metric="manhattan", device="gpu")
    with pytest.raises(ValueError, match="leave out device = 'cpu'"):
        truefold.neighbors(np.zeros((3, 3)), 1, metric="precomputed", device="cpu")


def test_the_transformer_passes_the_device_on():
    graph = truefold.NeighborsTransformer(5, device="cpu")
    assert np.array_equal(graph.fit_transform(X).indices, truefold.NeighborsTransformer(5).fit_transform(X).indices)
    with pytest.raises(ValueError, match="there is no device named 'cuda'"):
        truefold.NeighborsTransformer(5, device="cuda").fit_transform(X)
