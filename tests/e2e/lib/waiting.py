# SPDX-License-Identifier: Apache-2.0
"""Waiting for conditions with a deadline, never for a fixed time."""

import threading
import time

POLL_SECONDS = 0.1

_over = threading.Event()


class Unmet(AssertionError):
    """A condition was not met in time."""


class Abandoned(Exception):
    """The run was interrupted."""


def abandon():
    """End every wait in every thread now."""
    _over.set()


def pause(seconds=POLL_SECONDS):
    """Sleep; only for polling and for faults at random times."""
    if _over.wait(seconds):
        raise Abandoned()


def eventually(condition, within, what):
    """The first true value of condition(), which is called repeatedly.

    After `within` seconds: Unmet, with `what` (a text, or a callable that describes the current state). An exception
    of condition() is raised at once.
    """
    deadline = time.monotonic() + within
    while True:
        is_last = time.monotonic() >= deadline  # a process that was suspended until the deadline still checks once
        value = condition()
        if value:
            return value
        if is_last:
            raise Unmet(f"not within {within} s: {what() if callable(what) else what}")
        pause()


def throughout(seconds, condition, what):
    """condition() is true each time it is called, for this long."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        assert condition(), what() if callable(what) else what
        pause(0.25)
