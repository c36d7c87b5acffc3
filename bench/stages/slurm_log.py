# SPDX-License-Identifier: Apache-2.0
"""When Slurm took and started each job, from slurmctld's own log.

It has milliseconds and costs Slurm nothing; a job's start_time has whole seconds, and asking for states would load
what is being measured. Its clock is UTC: the dev cluster's root has no time zones. What backfill starts is not logged
(26.05.5): for those jobs the caller needs another word.
"""

import re
from datetime import datetime, timezone

LINE = re.compile(r"^\[(\S+)\] (?:_slurm_rpc_submit_batch_job: JobId=(\d+) |sched: Allocate JobId=(\d+) )")


class SlurmLog:
    """Guarantees  submitted and started hold, after read(), seconds since 1970 for each job id since this was made."""

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
