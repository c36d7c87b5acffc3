# SPDX-License-Identifier: Apache-2.0
"""Jobs of a user at the login node, and what accounting records about them."""

import re
from dataclasses import dataclass

from lab import Failed, wait_until

FINISHED = ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY", "BOOT_FAIL", "DEADLINE", "PREEMPTED")
FIELDS = "JobID,JobName,State,ExitCode,NNodes,NodeList,Elapsed"


@dataclass(frozen=True)
class Record:
    """One job, or one task of an array, according to sacct."""
    id: str
    name: str
    state: str
    exit_code: str
    nodes: int
    node_list: str
    elapsed: str

    @property
    def finished(self):
        return self.state in FINISHED


def submit(login, script, *options):
    """The id of a new batch job. script: its text; options: of sbatch, already quoted for a shell."""
    text = login.run(f"sbatch --parsable {' '.join(options)}", stdin=script)
    found = re.search(r"(?m)^(\d+)(;|$)", text.strip())
    if found is None:
        raise Failed(f"sbatch printed no job id: {text.strip()}")
    return int(found[1])


def records(login, job):
    """[Record] of the job, one per array task, without steps."""
    text = login.run(f"sacct --noheader --parsable2 --allocations --array --jobs={job} --format={FIELDS}")
    return [record(line) for line in text.splitlines() if line.count("|") == FIELDS.count(",")]


def record(line):
    """From one line of `sacct --parsable2 --format=FIELDS`."""
    number, name, state, exit_code, nodes, node_list, elapsed = line.split("|")
    return Record(number, name, state.split()[0] if state else "", exit_code, int(nodes) if nodes.isdigit() else 0, node_list, elapsed)


def wait_until_running(login, job, timeout=60):
    """The nodes of the job."""
    def nodes():
        return login.try_run(f"squeue --noheader --jobs={job} --states=RUNNING --format=%N").stdout.strip()

    return wait_until(nodes, timeout, lambda: f"job {job} runs: {queue(login)}", poll=0.5)


def wait_until_finished(login, job, tasks=1, timeout=120):
    """The records of the job, when accounting knows the end of all its tasks."""
    def all_finished():
        found = records(login, job)
        return found if len(found) >= tasks and all(one.finished for one in found) else None

    return wait_until(all_finished, timeout, lambda: f"job {job} has ended: {queue(login)}", poll=1)


def restarts(login, job):
    """How often the job was requeued, according to slurmctld."""
    found = re.search(r"Restarts=(\d+)", login.run(f"scontrol show job {job}"))
    return int(found[1]) if found else 0


def queue(login):
    return login.try_run("squeue --all --array").stdout.strip()
