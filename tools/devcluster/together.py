# SPDX-License-Identifier: Apache-2.0
"""Several things at the same time, without holding up the person who presses Ctrl-C."""

import threading
import time


class Interrupted(Exception):
    """Ctrl-C while work was going on; what the threads still do ends with the process."""


def run(work, stop_at_first=False):
    """Call every function of work (name -> callable) in a thread of its own; {name: exception} of those that failed.

    stop_at_first: return as soon as one has failed, whatever the others are doing.
    """
    failures = {}

    def call(name):
        try:
            work[name]()
        except Exception as error:  # for the caller, who knows what the work was
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
