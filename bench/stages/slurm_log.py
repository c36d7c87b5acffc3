# SPDX-License-Identifier: Apache-2.0
"""When Slurm accepted and started each job, from slurmctld's own log.

It has milliseconds and adds no load to Slurm; a job's start_time has whole seconds, and polling would load the system
that is measured. Its clock is UTC: the dev cluster's root has no time zones. Jobs that backfill starts are not logged
(26.05.5): the caller needs another source for them.
"""

import re
from datetime import datetime, timezone

LINE = re.compile(r"^\[(\S+)\] (?:_slurm_rpc_submit_batch_job: JobId=(\d+) |sched: Allocate JobId=(\d+) )")


class SlurmLog:
    """Guarantees  after read(), submitted and started have seconds since 1970 for each job id since the construction."""

    def __init__(self, path):
        self._path = path
        self._read_to = path.stat().st_size
        self.submitted, self.started = {}, {}

    def read(self):
        with open(self._path, "rb") as log:
            log.seek(self._read_to)
            text = log.read()
        self._read_to += len(text)
        for line in text.decode(errors="replace").splitlines():
            found = LINE.match(line)
            if found:
                when = utc(found[1])
                if found[2]:
                    self.submitted.setdefault(found[2], when)
                else:
                    self.started.setdefault(found[3], when)
        return self


def utc(text):
    """Seconds since 1970 of Slurm's 2026-11-16T05:40:29.000."""
    return datetime.fromisoformat(text).replace(tzinfo=timezone.utc).timestamp()
