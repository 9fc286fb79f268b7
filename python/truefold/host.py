"""Arrays of other packages, wherever they lie, as NumPy arrays in the memory of the processor.

Anything with ``__dlpack__`` or ``__cuda_array_interface__`` is taken: tensors of PyTorch, arrays of CuPy, JAX, numba,
RAPIDS and TensorFlow. None of these packages is imported for it, but for CuPy or numba where an array on a device offers
no way of its own to be copied. Numbers keep their precision; formats that NumPy does not know, such as bfloat16, become
32-bit floats. An array that lies in the memory of the processor already is not copied where NumPy can read it there.
"""
from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

#: The devices of DLPack whose memory the processor reads: its own, and pinned memory of CUDA and ROCm.
_READABLE = (1, 3, 11)


def is_foreign(values: Any) -> bool:
    """Whether this is an array of another package than NumPy.

    Examples
    --------
    >>> is_foreign(np.zeros(3)), is_foreign([0.0, 1.0])
    (False, False)
    """
    if isinstance(values, (np.ndarray, np.generic)):
        return False
    known = any(hasattr(values, name) for name in ("__dlpack__", "__cuda_array_interface__"))
    return known or type(values).__module__.startswith("cupyx.")


def on_host(values: Any, name: str) -> Any:
    """An array of another package as one of NumPy, or of scipy where it is sparse; anything else as it is."""
    if not is_foreign(values):
        return values
    kind, reasons = f"{type(values).__module__}.{type(values).__qualname__}", []
    for way in _ways(values):
        try:
            return _known_format(way())
        except Exception as error:  # Packages raise what they like; the next way may do.
            reasons.append(str(error).strip().split("\n")[0].rstrip("."))
    reason = next((f" ({reason})" for reason in reasons if reason), "")
    raise TypeError(
        f"{name} is a {kind} that cannot be copied to the memory of the processor{reason}; give a NumPy array of it"
    )


def _ways(values: Any) -> Iterator[Callable[[], Any]]:
    """The ways from here to NumPy, those without a copy first."""
    if hasattr(values, "detach"):
        # PyTorch: without gradients, in a format that NumPy knows.
        values = values.detach()
        if any(name in str(values.dtype) for name in ("bfloat16", "float8")):
            values = values.float()
        yield lambda: values.cpu().numpy()
    if _is_readable(values):
        yield lambda: np.from_dlpack(values)
    for method in ("copy_to_host", "get", "to_numpy", "numpy"):
        if callable(getattr(values, method, None)):
            yield getattr(values, method)
    if hasattr(values, "__array__"):
        yield lambda: np.asarray(values)
    if hasattr(values, "to_device"):
        yield lambda: np.from_dlpack(values.to_device("cpu"))
    if hasattr(values, "__dlpack__"):
        # Since NumPy 2.1: the package that made the array copies it.
        yield lambda: np.from_dlpack(values, device="cpu", copy=True)
    if hasattr(values, "__cuda_array_interface__"):
        yield lambda: importlib.import_module("cupy").asarray(values).get()
        yield lambda: importlib.import_module("numba.cuda").as_cuda_array(values).copy_to_host()


def _is_readable(values: Any) -> bool:
    """Whether the array lies where the processor reads it."""
    if not hasattr(values, "__dlpack_device__"):
        return False
    try:
        return int(values.__dlpack_device__()[0]) in _READABLE
    except Exception:  # An array that cannot tell its device is copied by another way.
        return False


def _known_format(made: Any) -> Any:
    """What a way gave; numbers in a format of another package as 32-bit floats."""
    if isinstance(made, np.ndarray) and made.dtype.kind == "V":
        return made.astype(np.float32)
    if isinstance(made, np.ndarray) or hasattr(made, "tocsr"):
        return made
    raise TypeError(f"it gives a {type(made).__name__}")
