# SPDX-License-Identifier: Apache-2.0
"""The roles as processes of their own, each with no more than its own rights."""

import contextlib

from lib.bridge import Bridge
from lib.here import PATIENCE
from lib.runner import alone


@alone
def scheduler_and_controllers_run_apart_each_with_its_own_rights(here):
    here.bridge.stop()
    with _role(here, "scheduler") as scheduler, _role(here, "controllers") as controllers:
        pod = here.make_pod("apart", run_seconds=1)
        pod.ended_within(PATIENCE)
        pod.is_let_go_within(PATIENCE)
        pod.job.ended_within(PATIENCE)

        cancelled = here.run_pod("apart-cancelled")
        cancelled.job.cancel()
        cancelled.gone_within(PATIENCE)
        here.removed_by_the_bridge(cancelled)

        deleted = here.run_pod("apart-deleted")
        job = deleted.job
        deleted.delete()
        deleted.gone_within(PATIENCE)
        job.ended_within(PATIENCE)
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
