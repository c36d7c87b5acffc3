# SPDX-License-Identifier: Apache-2.0
"""Whether a workload ran as Slurm jobs, and if not, why. No I/O.

A workload counts only if each of its pods ended Succeeded on the node on which Slurm had placed its job, each had
exactly one job according to Slurm's accounting, and that job is released.
"""

from dataclasses import dataclass, replace
from typing import Tuple

from facts import RELEASED
from pod_state import Stage


@dataclass(frozen=True)
class Verdict:
    file: str
    pods: int
    problems: Tuple[str, ...]
    ran: str = ""  # if there are no problems: jobs, nodes, waiting time

    @property
    def good(self):
        return not self.problems

    def lines(self):
        head = f"{self.file:<13} {_count(self.pods, 'pod'):<6}  "
        return [head + self.ran] if self.good else [head + "did not run as expected:",
                                                    *(f"{'':<{len(head)}}{problem}" for problem in self.problems)]


def judge(workload, states, records, jobs):
    """states: the last ones of the workload's pods; records, jobs: all of accounting and slurmctld."""
    problems = [f"only {len(states)} of its {workload.pods} pods were created"] if len(states) < workload.pods else []
    own = []
    for state in states:
        records_of_pod = [record for record in records if state.pod.uid in record.uids]
        own += records_of_pod
        ids = {one.id for one in (*records_of_pod, *jobs) if state.pod.uid in one.uids}
        problem = _problem(state, records_of_pod, sorted(ids))
        if problem:
            problems.append(f"{state.pod.name} {problem}")
    return Verdict(workload.file, workload.pods, tuple(problems), "" if problems else _ran(own, states))


def with_outputs(verdict, states, outputs):
    """The verdict, with a problem for each pod whose container has written nothing."""
    silent = [f"{state.pod.name} ended, but its container has no output" for state in states
              if state.pod.ended and not outputs.get(state.pod.name)]
    return replace(verdict, problems=(*verdict.problems, *silent))


def accounting_knows(states, records):
    """Whether accounting has the end of every released job, which it records a little later."""
    over = {uid for record in records if record.state in RELEASED for uid in record.uids}
    return all(state.pod.uid in over for state in states if state.stage is Stage.DONE)


def last_line(verdicts):
    good = sum(verdict.good for verdict in verdicts)
    line = f"{good} of {len(verdicts)} workloads ran as Slurm jobs"
    bad = [verdict.file for verdict in verdicts if not verdict.good]
    return f"{line}; not: {', '.join(bad)}" if bad else line


def _problem(state, records, ids):
    """ids: of all jobs that were ever submitted for the pod; a record has the pod only when the job has ended."""
    pod, job = state.pod, state.job
    if not pod.ended and not state.gone:
        return f"did not end: {state.sentence}"
    if pod.phase != "Succeeded":
        return state.sentence
    if len(ids) > 1:
        return f"had {len(ids)} Slurm jobs: {', '.join(map(str, ids))}"
    if not ids:
        return "never had a Slurm job"
    if pod.held or (job is not None and job.state not in RELEASED):
        return f"ended, but job {ids[0]} is not released yet: it is {job.state if job else 'unknown to Slurm'}"
    if not records:
        return f"ended, but accounting does not know job {ids[0]} as its job"
    record = records[0]
    if record.node != pod.node:
        return f"ran on {pod.node}, but Slurm had placed job {record.id} on {record.node or 'no node'}"
    return "" if record.state in RELEASED else f"ended, but job {record.id} is {record.state} in accounting"


def _ran(records, states):
    ids, nodes = [record.id for record in records], sorted({record.node for record in records})
    text = f"ran as {'job' if len(ids) == 1 else 'jobs'} {_ranges(ids)} on {' and '.join(nodes)}"
    extras = {state.extras for state in states if state.extras}
    text += f" ({'; '.join(sorted(extras))})" if extras else ""
    longest = max(record.waited for record in records)
    return text + (f"; queued up to {longest} s" if longest > 2 else "")


def _ranges(numbers):
    """1-4, 6 for 1 2 3 4 6."""
    spans = []
    for number in sorted(numbers):
        if spans and spans[-1][1] == number - 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ", ".join(str(low) if low == high else f"{low}-{high}" for low, high in spans)


def _count(number, noun):
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
