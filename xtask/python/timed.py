"""Runs one command on two processors; prints its wall and processor seconds, peak memory and output as JSON.

    python timed.py [--limit BYTES] [--seconds SECONDS] COMMAND...

--limit bounds the address space; after --seconds the command is stopped. The peak memory of a child includes that of
the process that started it, so this one imports nothing large.
"""
import json
import os
import resource
import signal
import sys
import tempfile
import time


def main(words):
    if words[0] == "--limit":
        limit = int(words[1])
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        words = words[2:]
    seconds = None
    if words[0] == "--seconds":
        seconds = float(words[1])
        words = words[2:]
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])
    with tempfile.TemporaryFile() as output:
        start = time.perf_counter()
        child = os.posix_spawn(words[0], words, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, output.fileno(), 1)])
        if seconds is not None:
            signal.signal(signal.SIGALRM, lambda *_: os.kill(child, signal.SIGKILL))
            signal.setitimer(signal.ITIMER_REAL, seconds)
        _, status, usage = os.wait4(child, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        wall = time.perf_counter() - start
        output.seek(0)
        text = output.read().decode()
    # Linux counts in units of 1024 bytes, macOS in bytes.
    unit = 1 if sys.platform == "darwin" else 1024
    print(json.dumps({
        "status": os.waitstatus_to_exitcode(status),
        "timed_out": seconds is not None and wall >= seconds,
        "wall_seconds": wall,
        "cpu_seconds": usage.ru_utime + usage.ru_stime,
        "peak_bytes": usage.ru_maxrss * unit,
        "output": text,
    }))


main(sys.argv[1:])
