"""The gate: the interpreter's lock is free, Ctrl-C stops, threads obey, progress is told, forked children work."""
import multiprocessing
import os
import signal
import statistics
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import truefold


@pytest.fixture(scope="module")
def long():
    """A fit that would take hours: annealing as slow as it may be."""
    X, _ = truefold.datasets.swiss_roll(2000)
    estimator = truefold.ProcrustesAlignment(alignment="annealing", sweeps=1_000_000, cooling=0.999999)
    return estimator, X


@pytest.fixture(autouse=True)
def listening():
    """A process that a script starts in the background is born deaf to Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_stops_a_long_fit(long):
    estimator, X = long
    threading.Timer(0.5, signal.raise_signal, [signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        estimator.fit(X)
    assert not hasattr(estimator, "embedding_")
    assert truefold.measure(X, X[:, :2]).r_n > 0


def test_other_exceptions_of_signal_handlers_stop_it_too(long):
    estimator, X = long

    class Alarm(Exception):
        pass

    def ring(*_):
        raise Alarm

    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(Alarm):
            estimator.fit(X)
    finally:
        signal.signal(signal.SIGALRM, before)


def test_other_threads_go_on(long):
    estimator, X = long
    turns = []

    def count():
        for _ in range(50):
            turns.append(time.perf_counter())
            time.sleep(0.002)
        signal.raise_signal(signal.SIGINT)

    thread = threading.Thread(target=count)
    with pytest.raises(KeyboardInterrupt):
        thread.start()
        estimator.fit(X)
    thread.join()
    assert len(turns) == 50


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="counts threads in /proc")
@pytest.mark.parametrize("jobs", [1, 3])
def test_threads_obey(long, jobs):
    estimator, X = long
    # What earlier calls left ends by itself.
    time.sleep(1.0)
    before, seen = len(os.listdir("/proc/self/task")), []

    def look():
        for _ in range(200):
            seen.append(len(os.listdir("/proc/self/task")))
            time.sleep(0.003)
        signal.raise_signal(signal.SIGINT)

    thread = threading.Thread(target=look)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        estimator.set_params(n_jobs=jobs).fit(X)
    thread.join()
    # The threads of the call, one that waits for them, and the one that looks; the search before had threads of its own.
    assert statistics.mode(seen) == before + jobs + 2


def test_progress_is_told(long, capsys):
    estimator, X = long
    estimator = truefold.ProcrustesAlignment(**{**estimator.get_params(), "progress": True, "n_jobs": None})
    threading.Timer(1.0, signal.raise_signal, [signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        estimator.fit(X)
    assert "%|" in capsys.readouterr().err
    truefold.measure(X, X[:, :2], progress=False)
    truefold.measure(X, X[:, :2])
    assert capsys.readouterr().err == ""


def test_progress_needs_tqdm_only_where_it_is_asked_for(monkeypatch, roll):
    for name in [name for name in sys.modules if name.split(".")[0] == "tqdm"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "tqdm", None)
    truefold.measure(*roll)
    with pytest.raises(ImportError, match="pip install tqdm"):
        truefold.measure(*roll, progress=True)


def _measured(queue, X, Z):
    queue.put(truefold.measure(X, Z).r_n)


def test_forked_children_work(roll):
    X, Z = roll
    here = truefold.measure(X, Z).r_n
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_measured, args=(queue, X, Z))
    child.start()
    assert queue.get(timeout=120) == here
    child.join()


def test_calls_in_threads_do_not_disturb_each_other(roll):
    X, Z = roll
    found = [None] * 8

    def work(place):
        found[place] = truefold.measure(X, Z, n_neighbors=5 + place).r_n

    threads = [threading.Thread(target=work, args=(place,)) for place in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [truefold.measure(X, Z, n_neighbors=5 + place).r_n for place in range(8)]
    assert np.all(np.isfinite(found))


# Fits where memory ends: with the reserve; without it, where a thread has to wait until there is memory; and of few points after that.
SHORT = """
import os
import resource
import time
import numpy as np
import truefold

def space():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmSize:"))

def threads():
    return len(os.listdir("/proc/self/task"))

def ended(count):
    until = time.monotonic() + 20
    while threads() > count and time.monotonic() < until:
        time.sleep(0.01)
    return threads() <= count

def fit(X, jobs):
    try:
        truefold.LSML(n_jobs=jobs).fit(X)
        print("fitted")
    except (MemoryError, OSError, ValueError) as error:
        print(f"{type(error).__name__}: {error}")

X, _ = truefold.datasets.swiss_roll(10_000)
before = threads()
limit = space() + (32 << 20)
resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
fit(X, JOBS)
print(ended(before))
kept = np.empty(limit - space() - (12 << 20), np.uint8)
fit(X, JOBS)
resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(ended(before))
fit(X[:500], JOBS)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits on the address space are those of Linux")
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_call_without_memory_ends_and_the_interpreter_goes_on(jobs):
    script = SHORT.replace("JOBS", str(jobs))
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=100)
    assert run.returncode == 0, run.stderr
    short, all_ended, shorter, all_ended_then, fitted = run.stdout.splitlines()
    assert short == "OutOfMemoryError: memory ran out before the end; give fewer points, choose a smaller n_neighbors, or give more memory"
    # Or no thread could be started.
    assert shorter.startswith(("OutOfMemoryError: ", "MemoryLimitError: ", "OSError: no thread", "ParameterError: n_jobs"))
    # Nothing of a call is left once there is memory.
    assert (all_ended, all_ended_then, fitted) == ("True", "True", "fitted")
