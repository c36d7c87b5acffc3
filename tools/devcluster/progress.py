# SPDX-License-Identifier: Apache-2.0
"""Progress lines: seconds since the start of the command, and what has just been done."""

import sys
import threading
import time

_started = time.monotonic()
_lock = threading.Lock()


def say(text):
    """One line, from any thread."""
    with _lock:
        print(f"{seconds():6.1f} s  {text}", file=sys.stderr, flush=True)


def seconds():
    return time.monotonic() - _started


class Meter:
    """Progress of one long step: a line at once, then at most one per interval while it advances."""

    def __init__(self, what, interval=15):
        self._what, self._interval = what, interval
        self._said = time.monotonic()
        say(what)

    def at(self, done, total):
        if time.monotonic() - self._said >= self._interval:
            self._said = time.monotonic()
            say(f"{self._what}: {done} of {total}, {100 * done // max(total, 1)} %")
