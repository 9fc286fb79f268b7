"""Where neighbors are searched."""

import numpy as np
import pytest

import truefold

X = np.random.default_rng(3).normal(size=(300, 20)).astype(np.float32)


def test_every_device_finds_the_same_or_says_what_is_missing():
    expected = truefold.neighbors(X, 7, device="cpu").indices
    assert np.array_equal(truefold.neighbors(X, 7).indices, expected)
    try:
        found = truefold.neighbors(X, 7, device="gpu").indices
    except ValueError as error:
        assert str(error).startswith("device = gpu cannot be used: ")
        assert str(error).endswith("; choose auto or cpu for device")
    else:
        assert np.array_equal(found, expected)


def test_what_a_device_cannot_do_is_said():
    with pytest.raises(ValueError, match="device = gpu cannot be used with this metric"):
        truefold.neighbors(X, 7, metric="manhattan", device="gpu")
    with pytest.raises(ValueError, match="there is no device named 'cuda'"):
        truefold.neighbors(X, 7, device="cuda")
    with pytest.raises(ValueError, match="leave out device = 'cpu'"):
        truefold.neighbors(np.zeros((3, 3)), 1, metric="precomputed", device="cpu")


def test_the_transformer_passes_the_device_on():
    graph = truefold.NeighborsTransformer(5, device="cpu")
    assert np.array_equal(graph.fit_transform(X).indices, truefold.NeighborsTransformer(5).fit_transform(X).indices)
    with pytest.raises(ValueError, match="there is no device named 'cuda'"):
        truefold.NeighborsTransformer(5, device="cuda").fit_transform(X)
