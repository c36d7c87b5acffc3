# SPDX-License-Identifier: Apache-2.0
"""Waiting for a condition, never for time to pass."""

import threading
import time

POLL_SECONDS = 0.1

_over = threading.Event()


class Unmet(AssertionError):
    """Something that was promised did not come true in time."""


class Abandoned(Exception):
    """Nobody wants to know any more: the run was interrupted."""


def abandon():
    """Every wait, in every thread, ends now."""
    _over.set()


def pause(seconds=POLL_SECONDS):
    """Let some time pass; for polling, and for disturbances that come at random. Proves nothing."""
    if _over.wait(seconds):
        raise Abandoned()


def eventually(condition, within, what):
    """The first true value of condition(), asked again and again.

    After `within` seconds: Unmet, with `what` (a text, or a callable that tells how things are now). An AssertionError
    or whatever else condition() raises is not waited out.
    """
    deadline = time.monotonic() + within
    while True:
        is_last = time.monotonic() >= deadline  # whoever slept through all of it still gets a look afterwards
        value = condition()
        if value:
            return value
        if is_last:
            raise Unmet(f"not within {within} s: {what() if callable(what) else what}")
        pause()


def throughout(seconds, condition, what):
    """condition() is true each time it is asked, for so long."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        assert condition(), what() if callable(what) else what
        pause(0.25)
