"""The ceilings of the first graphics processor, and the searches of PyTorch and FAISS for neighbors; one line of JSON."""
from __future__ import annotations

import json
import sys
import time

import torch


def seconds(task, repeats: int = 5) -> float:
    """The median of some runs, after one to warm up."""
    task()
    torch.cuda.synchronize()
    found = []
    for _ in range(repeats):
        start = time.perf_counter()
        task()
        torch.cuda.synchronize()
        found.append(time.perf_counter() - start)
    return sorted(found)[len(found) // 2]


def search(points: torch.Tensor, rows: int, k: int) -> None:
    """The k nearest of the first rows, tile by tile, in single precision."""
    squares = (points * points).sum(1)
    for first in range(0, rows, 4096):
        part = points[first : min(first + 4096, rows)]
        torch.topk(squares - 2 * part @ points.T, k + 1, largest=False)


def faiss_seconds(points: torch.Tensor, k: int) -> float | None:
    """FAISS's exact search on the device, if it is there."""
    try:
        import faiss

        resources = faiss.StandardGpuResources()
    except (ImportError, AttributeError):
        return None
    host = points.cpu().numpy()

    def task() -> None:
        index = faiss.GpuIndexFlatL2(resources, host.shape[1])
        index.add(host)
        index.search(host, k + 1)

    return seconds(task, 1)


torch.backends.cuda.matmul.allow_tf32 = False
size, repeats, count = 8192, 10, 20_000 if "--quick" in sys.argv else 10**6
matrix = torch.randn(size, size, device="cuda", dtype=torch.float16)
half = repeats * 2 * size**3 / seconds(lambda: [matrix @ matrix for _ in range(repeats)])
source = torch.empty(2**31, dtype=torch.uint8, device="cuda")
target = torch.empty_like(source)
copy = repeats * 2 * 2**31 / seconds(lambda: [target.copy_(source) for _ in range(repeats)])
del matrix, source, target
peers, faiss = {}, {}
for width in (50, 128, 784):
    points = torch.randn(count, width, device="cuda")
    peers[str(width)] = 10 * seconds(lambda points=points: search(points, count // 10, 12), 1)
    found = faiss_seconds(points, 12)
    if found is not None:
        faiss[str(width)] = found
print(json.dumps({"half": half, "copy": copy, "torch": peers, "faiss": faiss}))
