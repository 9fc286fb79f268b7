"""Arrays that lie on a graphics processor: their lists beside those of NumPy's, and the seconds; one line of JSON."""
from __future__ import annotations

import json
import sys
import time
from typing import Any

import numpy as np
import torch

import truefold
from truefold.inputs import source

try:
    import cupy
except ImportError:
    cupy = None


class OnlyDlpack:
    """A tensor that only tells of itself by DLPack."""

    def __init__(self, tensor: torch.Tensor) -> None:
        self.tensor = tensor

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.tensor.__dlpack_device__()

    def __dlpack__(self, **options: Any) -> Any:
        return self.tensor.__dlpack__(stream=options.get("stream"))

    def numpy(self) -> np.ndarray:
        return self.tensor.cpu().numpy()


def forms(tensor: torch.Tensor) -> dict[str, Any]:
    """The same numbers as arrays of several packages, all where the tensor lies."""
    found = {"PyTorch": tensor, "DLPack": OnlyDlpack(tensor)}
    if cupy is not None:
        found["CuPy"] = cupy.asarray(tensor)
    return found


def searched(X: Any, device: str, metric: str = "euclidean") -> tuple[np.ndarray, float]:
    """The lists and the seconds of one search."""
    start = time.perf_counter()
    found = truefold.neighbors(X, 12, algorithm="brute", device=device, metric=metric, progress=False)
    return found.indices, time.perf_counter() - start


def checked(name: str, tensor: torch.Tensor, metric: str = "euclidean", stays: bool = True) -> list[dict[str, Any]]:
    """Whether arrays on the device have the lists of the processor, and are read there."""
    # Before anything else waits for the numbers to be made.
    searches = [(form, array, *searched(array, "gpu", metric)) for form, array in forms(tensor).items()]
    expected, here = searched(tensor.cpu().numpy(), "cpu", metric)
    lines = []
    for form, array, found, there in searches:
        read = source(array, metric)[0].on_device
        kind = str(tensor.dtype).split(".")[-1]
        what = f"{form}, {name}, {tensor.shape[0]} x {tensor.shape[1]}, {kind}, {metric}"
        lines.append({"what": what, "same": bool(np.array_equal(found, expected)) and read == stays, "here": here, "there": there})
    return lines


def timed(rows: int, columns: int) -> list[dict[str, Any]]:
    """Seconds of arrays in either memory."""
    tensor = torch.randn(rows, columns, device="cuda")
    lines = []
    for form, array in {"NumPy": tensor.cpu().numpy(), **forms(tensor)}.items():
        searched(array, "gpu")
        seconds = sorted(searched(array, "gpu")[1] for _ in range(3))
        read = "the device" if source(array, "euclidean")[0].on_device else "the processor"
        what = f"normal, {rows} x {columns}"
        lines.append({"what": what, "array": form, "read": read, "median": seconds[1], "seconds": seconds})
    return lines


def main() -> None:
    quick = "--quick" in sys.argv
    torch.manual_seed(0)
    few, many = (2000, 5000) if quick else (20_000, 60_000)
    plain = torch.randn(few, 50, device="cuda")
    lengths = plain * 10 ** (12 * torch.rand(few, 1, device="cuda") - 6)
    pixels = (torch.rand(many, 784, device="cuda") * 5 - 4).clamp(min=0).mul(255).floor()
    lines = checked("pixels", pixels) + checked("pixels", pixels.to(torch.uint8))
    for kind in (torch.float32, torch.float64, torch.float16):
        lines += checked("normal", plain.to(kind))
    for metric in ("cosine", "correlation"):
        lines += checked("normal", plain, metric)
    lines += checked("norms", lengths.double()) + checked("ties", (plain * 2).round()[:, :12].contiguous())
    # A stream of its own, on which the numbers may still be made when the search begins.
    with torch.cuda.stream(torch.cuda.Stream()):
        late = torch.randn(few, 4096, device="cuda") @ torch.randn(4096, 50, device="cuda")
        lines += checked("made on another stream", late)
    # Every other column is no table of one piece: the copy serves.
    lines += checked("part of a wider array", torch.randn(few, 100, device="cuda")[:, ::2], stays=False)
    sizes = [(few, 50)] if quick else [(10**6, 50), (10**6, 784)]
    versions = f"PyTorch {torch.__version__}, CuPy {cupy.__version__ if cupy else 'missing'}, NumPy {np.__version__}"
    times = [line for size in sizes for line in timed(*size)]
    print(json.dumps({"versions": versions, "checked": lines, "timed": times}))


main()
