"""Progress on a bar of tqdm, where tqdm is there."""
from __future__ import annotations

import contextlib
import sys
import warnings
from typing import Any, Callable, Iterator

Report = Callable[[str, int, int], None]


@contextlib.contextmanager
def reporting(progress: bool | None) -> Iterator[Report | None]:
    """What progress is reported to while the block runs: a bar, or nothing.

    ``True`` asks for a bar, ``False`` for none; ``None`` shows one after a second where tqdm is installed, in a notebook
    or where standard error is a terminal.
    """
    kind = _bar(progress)
    if kind is None:
        yield None
        return
    bars = _Bars(kind, 0.0 if progress else 1.0)
    try:
        yield bars.report
    finally:
        bars.close()


def _bar(progress: bool | None) -> Any:
    if progress is False:
        return None
    if progress is None and not (_in_notebook() or (sys.stderr is not None and sys.stderr.isatty())):
        return None
    try:
        with warnings.catch_warnings():
            # In a notebook without widgets tqdm warns that its bar is made of text, which is no problem.
            warnings.simplefilter("ignore")
            from tqdm.auto import tqdm
    except ImportError:
        if progress:
            raise ImportError("progress = True needs tqdm; install it by `pip install tqdm`") from None
        return None
    return tqdm


def _in_notebook() -> bool:
    """Whether this is a Jupyter kernel; asked of what is loaded, so that nothing is imported for it."""
    return "ipykernel" in sys.modules


class _Bars:
    """One bar at a time: a new stage closes the bar of the one before."""

    def __init__(self, kind: Any, delay: float) -> None:
        self._kind, self._delay = kind, delay
        self._bar: Any = None
        self._stage = ("", 0)

    def report(self, stage: str, total: int, done: int) -> None:
        if self._bar is None or self._stage != (stage, total) or done < self._bar.n:
            self.close()
            self._stage = (stage, total)
            self._bar = self._kind(total=total, desc=stage, leave=False, delay=self._delay)
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None
