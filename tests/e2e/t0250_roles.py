# SPDX-License-Identifier: Apache-2.0
"""The roles as separate processes, each with only its own permissions."""

import contextlib

from lib.bridge import Bridge
from lib.runner import alone


@alone
def scheduler_and_controllers_run_separately_with_their_own_permissions(here):
    here.bridge.stop()
    with _role(here, "scheduler") as scheduler, _role(here, "controllers") as controllers:
        here.pods_run_and_end("apart")
        for role in (scheduler, controllers):
            assert role.stop() == 0


@contextlib.contextmanager
def _role(here, name):
    folder = here.folder / name
    folder.mkdir()
    process = Bridge(here.cluster, folder, role=name)
    process.start_and_wait()
    try:
        yield process
    finally:
        process.end()
