"""Stops long fits by SIGINT at several moments; prints the longest seconds from signal to exception, by method."""
import json
import os
import signal
import threading
import time
import warnings

import truefold

warnings.simplefilter("ignore")
# A background process of a script may ignore SIGINT from the start.
signal.signal(signal.SIGINT, signal.default_int_handler)
X = truefold.datasets.swiss_roll(30_000).points
LONG = {
    "psa, annealing": truefold.ProcrustesAlignment(alignment="annealing", sweeps=1_000_000, cooling=0.999999),
    **{name: method() for name, method in truefold.estimators.METHODS.items() if name not in ("pca", "mds")},
}


def until_exception(estimator, moment):
    """Seconds from the signal to the exception, or nothing if the fit ended before it."""
    sent = []

    def send():
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(moment, send)
    timer.start()
    try:
        estimator.fit(X)
        timer.cancel()
        timer.join()
        return None
    except KeyboardInterrupt:
        return time.perf_counter() - sent[0]


longest = {}
for name, estimator in LONG.items():
    for moment in (0.1, 0.3, 1.0, 3.0):
        try:
            seconds = until_exception(estimator, moment)
        except KeyboardInterrupt:
            # The signal came between the end of the fit and the end of the timer.
            continue
        if seconds is not None:
            longest[name] = max(longest.get(name, 0.0), seconds)
print(json.dumps({"seconds": longest}))
