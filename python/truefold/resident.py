"""Where arrays of other packages lie in the memory of a graphics processor, so that a search there reads them in place.

Arrays tell it by ``__cuda_array_interface__`` (CuPy, PyTorch, numba, JAX) or by ``__dlpack__``. Only tables of one piece, row by
row, in a precision that the compiled part reads are taken where they are; of others the copy on the processor serves alone.
"""
from __future__ import annotations

import ctypes
from typing import Any, Optional

import numpy as np

from .host import is_foreign

Place = tuple[int, Optional[int], Any]
"""The address of the first number, the stream to wait for, if there is one, and what keeps the numbers there."""

#: The device of CUDA, by its number in DLPack.
_CUDA = 2
#: The default stream of a device: the number is the same in both protocols and in the driver.
_DEFAULT_STREAM = 1
#: Formats of DLPack, by code and bits.
_FORMATS = {(2, 64): np.float64, (2, 32): np.float32, (2, 16): np.float16, (1, 8): np.uint8}


class _Tensor(ctypes.Structure):
    """What a capsule of DLPack begins with."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


def resident(values: Any, copied: np.ndarray) -> Place | None:
    """Where ``values`` lie on a device, if they do, row by row with the numbers of their copy; None otherwise.

    The copy was made before, by the package of the array: what that package had still to do for it has ended then.

    Examples
    --------
    >>> table = np.zeros((2, 3))
    >>> resident(table, table) is None
    True
    """
    if not is_foreign(values):
        return None
    try:
        if hasattr(values, "detach"):
            values = values.detach()
        interface = getattr(values, "__cuda_array_interface__", None)
        return _from_dlpack(values, copied) if interface is None else _from_interface(values, interface, copied)
    except Exception:  # Packages raise what they like; the copy serves as well.
        return None


def _from_interface(values: Any, interface: dict[str, Any], copied: np.ndarray) -> Place | None:
    """By the interface of CUDA arrays."""
    strides, address = interface.get("strides"), int(interface["data"][0])
    same = tuple(interface["shape"]) == copied.shape and np.dtype(interface["typestr"]) == copied.dtype
    in_order = strides is None or tuple(strides) == _strides(copied)
    if not (same and in_order and address) or interface.get("mask") is not None:
        return None
    return address, interface.get("stream"), values


def _from_dlpack(values: Any, copied: np.ndarray, device: int = _CUDA) -> Place | None:
    """By a capsule of DLPack, which keeps the array as long as it lives itself."""
    if int(values.__dlpack_device__()[0]) != device:
        return None
    capsule = values.__dlpack__(stream=_DEFAULT_STREAM) if device == _CUDA else values.__dlpack__()
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    tensor = _Tensor.from_address(get(capsule, b"dltensor"))
    shape = tuple(tensor.shape[: tensor.ndim])
    strides = tuple(tensor.strides[: tensor.ndim]) if tensor.strides else None
    same = shape == copied.shape and tensor.lanes == 1 and _FORMATS.get((tensor.code, tensor.bits)) == copied.dtype
    in_order = strides is None or tuple(stride * copied.itemsize for stride in strides) == _strides(copied)
    if not (same and in_order and tensor.data):
        return None
    return tensor.data + tensor.byte_offset, _DEFAULT_STREAM if device == _CUDA else None, capsule


def _strides(copied: np.ndarray) -> tuple[int, ...]:
    """The bytes from row to row and from number to number where a table is of one piece."""
    return copied.shape[1] * copied.itemsize, copied.itemsize
