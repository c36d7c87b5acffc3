# SPDX-License-Identifier: Apache-2.0
"""Runs several functions at the same time; Ctrl-C does not wait for them."""

import threading
import time


class Interrupted(Exception):
    """Ctrl-C during the work; the threads end with the process."""


def run(work, stop_at_first=False):
    """Call every function of work (name -> callable) in its own thread; {name: exception} of those that failed.

    stop_at_first: return as soon as one has failed, without waiting for the others.
    """
    failures = {}

    def call(name):
        try:
            work[name]()
        except Exception as error:  # handled by the caller
            failures[name] = error

    threads = [threading.Thread(target=call, args=(name,), daemon=True) for name in work]
    for thread in threads:
        thread.start()
    try:
        while any(thread.is_alive() for thread in threads) and not (stop_at_first and failures):
            time.sleep(0.02)
    except KeyboardInterrupt:
        raise Interrupted from None
    return dict(failures)
