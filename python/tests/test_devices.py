"""Arrays of other packages come in, from a device too; stand-ins behave as those packages do."""
import sys
import types

import numpy as np
import pytest

import truefold
from truefold.host import is_foreign, on_host
from truefold.inputs import source, table
from truefold.resident import _from_dlpack, resident


class Tensor:
    """As a tensor of PyTorch: not readable as an array while it has gradients or lies on a device."""

    def __init__(self, array, device="cuda", gradients=False, dtype=None):
        self.array, self.device, self.gradients = array, device, gradients
        self.dtype, self.shape = dtype or f"torch.{array.dtype}", array.shape

    def __dlpack_device__(self):
        return (1 if self.device == "cpu" else 2, 0)

    def __dlpack__(self, **options):
        if self.device != "cpu" or self.gradients:
            raise BufferError("Can't export tensors that require gradient")
        return self.array.__dlpack__()

    def __array__(self, *_, **__):
        raise TypeError("can't convert cuda:0 device type tensor to numpy")

    def __len__(self):
        return len(self.array)

    def detach(self):
        return Tensor(self.array, self.device, dtype=self.dtype)

    def cpu(self):
        return Tensor(self.array, "cpu", self.gradients, self.dtype)

    def float(self):
        return Tensor(self.array.astype(np.float32), self.device, self.gradients)

    def numpy(self):
        if self.device != "cpu" or self.gradients or "bfloat16" in self.dtype:
            raise TypeError("can't convert this tensor to numpy")
        return self.array


class OnDevice:
    """What arrays on a CUDA device have in common."""

    def __init__(self, array):
        self.array, self.shape, self.dtype = array, array.shape, array.dtype

    @property
    def __cuda_array_interface__(self):
        return {"shape": self.shape, "typestr": self.dtype.str, "data": (1, False), "version": 3}


class Cupy(OnDevice):
    """As CuPy's."""

    def __dlpack_device__(self):
        return (2, 0)

    def __dlpack__(self, **_):
        raise BufferError("unsupported device")

    def __array__(self, *_, **__):
        raise TypeError("Implicit conversion to a NumPy array is not allowed. Please use `.get()`.")

    def get(self):
        return self.array.copy()


class Numba(OnDevice):
    """As numba's, and those of cuVS."""

    def copy_to_host(self):
        return self.array.copy()


class Standard:
    """As the array API standard has it, on a device."""

    def __init__(self, array, device=2):
        self.array, self.device, self.shape = array, device, array.shape

    def __dlpack_device__(self):
        return (self.device, 0)

    def __dlpack__(self, **_):
        if self.device != 1:
            raise BufferError("not on the processor")
        return self.array.__dlpack__()

    def to_device(self, device):
        assert device == "cpu"
        return Standard(self.array, 1)


class Jax(Standard):
    """As JAX's: to be read as an array wherever it lies."""

    def __array__(self, *_, **__):
        return self.array

    def to_device(self, device):
        raise ValueError("not a device of JAX")


FORMS = {
    "torch on a device": Tensor,
    "torch with gradients": lambda array: Tensor(array, gradients=True),
    "torch on the processor": lambda array: Tensor(array, "cpu", True),
    "cupy": Cupy,
    "numba": Numba,
    "standard": Standard,
    "standard on the processor": lambda array: Standard(array, 1),
    "jax": Jax,
}


@pytest.mark.parametrize("form", FORMS)
def test_arrays_come_in_from_wherever_they_lie(form, roll):
    X, Z = roll[0][:100].copy(), roll[1][:100].copy()
    make = FORMS[form]
    assert is_foreign(make(X)) and not is_foreign(X)
    for kind in (np.float64, np.float32, np.float16, np.int64):
        found = on_host(make(X.astype(kind)), "X")
        assert type(found) is np.ndarray and found.dtype == kind and np.array_equal(found, X.astype(kind))
    expected = truefold.measure(X, Z)
    rows = expected.neighborhoods.indices
    distances = expected.neighborhoods.distances(X)
    assert np.array_equal(truefold.neighbors(make(X)).indices, rows)
    for given in (make(rows), (make(rows), make(distances)), (make(distances), make(rows))):
        assert truefold.measure(make(X), make(Z), neighbors=given).values == expected.values
    groups = np.repeat([0, 1], 50)
    told = [truefold.measure(X, Z, labels=labels).labels.to_frame() for labels in (groups, make(groups))]
    assert told[0].equals(told[1])
    fitted = truefold.LTSA().fit(make(X), neighbors=make(rows))
    assert np.array_equal(fitted.transform(make(X)), fitted.embedding_)
    assert len(truefold.compare(make(X), {"given": make(Z), "pca": "pca"}).rows) == 2
    assert truefold.report(X, make(Z)).results["Y"].r_n == expected.r_n


def test_what_lies_on_the_processor_is_read_there(roll):
    X = roll[0].copy()
    for make in (FORMS["torch on the processor"], FORMS["standard on the processor"]):
        assert np.shares_memory(table(make(X), "X")[0], X)


def test_formats_that_numpy_does_not_know_become_single_precision():
    whole = np.array([[1.0, 2.0], [3.0, 4.0]])
    found = on_host(Tensor(whole, dtype="torch.bfloat16"), "X")
    assert found.dtype == np.float32 and np.array_equal(found, whole)


def test_distances_on_a_device(roll):
    from scipy.sparse import csr_matrix
    from sklearn.metrics import pairwise_distances

    distances = pairwise_distances(roll[0][:60])
    distances = (distances + distances.T) / 2
    expected = truefold.neighbors(distances, 5, metric="precomputed").indices
    assert np.array_equal(truefold.neighbors(Cupy(distances), 5, metric="precomputed").indices, expected)

    class Sparse:
        """As CuPy's sparse matrices."""

        __module__ = "cupyx.scipy.sparse._csr"
        nnz, tocsr = 1, None

        def get(self):
            return csr_matrix(distances)

    assert np.array_equal(truefold.neighbors(Sparse(), 5, metric="precomputed").indices, expected)


def test_an_interface_alone_is_read_by_cupy_or_refused(roll, monkeypatch):
    X = roll[0]
    bare = OnDevice(X)
    monkeypatch.setitem(sys.modules, "numba.cuda", None)
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(TypeError, match=r"^X is a .*\.OnDevice that cannot be copied to the memory of the processor \(.*\); give a NumPy array of it$"):
        truefold.neighbors(bare)
    with pytest.raises(TypeError, match=r"^neighbors is a .*OnDevice"):
        truefold.measure(X, X[:, :2], neighbors=bare)
    monkeypatch.setitem(sys.modules, "cupy", types.SimpleNamespace(asarray=lambda values: Cupy(values.array)))
    assert np.array_equal(on_host(bare, "X"), X)


def test_the_place_on_a_device_is_what_the_array_tells():
    X = np.arange(12, dtype=np.float32).reshape(4, 3)
    assert resident(X, X) is None and resident(FORMS["standard on the processor"](X), X) is None

    def told(array, copied=X, **entries):
        class Array(OnDevice):
            @property
            def __cuda_array_interface__(self):
                return {**super().__cuda_array_interface__, "data": (4096, False), **entries}

        made = Array(array)
        place = resident(made, copied)
        assert place is None or place[2] is made
        return place and place[:2]

    assert told(X) == (4096, None)
    assert told(X, stream=7) == (4096, 7)
    assert told(X, strides=(12, 4)) == (4096, None)
    assert told(X, data=(0, False)) is None
    assert told(X, mask=X) is None
    # Columns first, another shape, another type than the copy has, bytes in the other order.
    assert told(X, strides=(4, 16)) is None
    assert told(X[:2]) is None
    assert told(X.astype(np.int64), X.astype(np.float64)) is None
    assert told(X.astype(">f4")) is None


def test_a_capsule_of_dlpack_tells_its_place():
    for kind in (np.float64, np.float32, np.float16, np.uint8):
        X = np.arange(12).astype(kind).reshape(4, 3)
        address, stream, _ = _from_dlpack(X, X, device=1)
        assert (address, stream) == (X.ctypes.data, None)
        part = X[1:]
        assert _from_dlpack(part, part, device=1)[0] == X.ctypes.data + 3 * X.itemsize
        assert _from_dlpack(X.T, np.ascontiguousarray(X.T), device=1) is None
        assert _from_dlpack(X[:, :2], np.ascontiguousarray(X[:, :2]), device=1) is None
        # The table that it must be the same as has another shape or type; the device is another.
        assert _from_dlpack(X, X[:2], device=1) is None
        assert _from_dlpack(X, X.astype(np.int32), device=1) is None
        assert _from_dlpack(X, X) is None


def test_an_address_where_no_device_has_memory_is_not_read(roll):
    made = source(Cupy(roll[0]), "euclidean")[0]
    assert not made.on_device and not source(roll[0], "euclidean")[0].on_device
