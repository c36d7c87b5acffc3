# SPDX-License-Identifier: Apache-2.0
"""The state of one pod in both systems, as text. No I/O."""

from dataclasses import dataclass
from enum import Enum
from typing import Optional

from facts import RELEASED, Job, Pod

# Reasons of Slurm that occur in a demo; all others are shown unchanged.
REASONS = {
    "Resources": "no room in partition {partition}",
    "Priority": "other jobs are ahead of it",
}


class Stage(Enum):
    COMING = "is being placed"  # no job yet, or one that Slurm has not evaluated
    REFUSED = "has no job, with a reason"
    WAITING = "waits in Slurm"
    RUNNING = "runs"
    ENDING = "is ending"
    DONE = "is done"
    FAILED = "failed"


@dataclass(frozen=True)
class PodState:
    """One pod and its job at one moment."""
    pod: Pod
    job: Optional[Job]
    gone: bool = False  # it existed before

    @property
    def stage(self):
        if self.pod.phase == "Failed" or (self.gone and not self.pod.ended) or self._elsewhere:
            return Stage.FAILED
        if self.pod.ended:
            return Stage.ENDING if self.pod.held or not self._released else Stage.DONE
        if self.pod.phase == "Running":
            return Stage.RUNNING
        if self.job is None:
            return Stage.REFUSED if self.pod.message else Stage.COMING
        if self.pod.node:
            return Stage.COMING
        return Stage.WAITING if self.job.state == "PENDING" and self.job.reason != "None" else Stage.COMING

    @property
    def kubernetes(self):
        """The API server's side."""
        if self.gone:
            return "deleted"
        return f"{self.pod.phase} {self.pod.node}".strip()

    @property
    def slurm(self):
        """Slurm's side, beginning with the number of the job."""
        job = self.job
        if job is None:
            return f"- {self.pod.message or 'not submitted yet'}"
        if job.state == "PENDING":
            return f"{job.id} waits{self._why}"
        if job.state == "RUNNING":
            return f"{job.id} runs on {job.node}{self._with_extras}"
        return f"{job.id} {'released' if self._released else job.state}"

    @property
    def sentence(self):
        """Both sides in one sentence, without the pod's name."""
        job, pod = self.job, self.pod
        if self.gone and not pod.ended:
            return "was deleted before it ended" + (f" (job {job.id}: {job.state})" if job else "")
        if job is None:
            return f"has no Slurm job yet{': ' + pod.message if pod.message else ''}"
        if self._elsewhere:
            return f"is on {pod.node}, but Slurm placed job {job.id} on {job.node}"
        if pod.ended:
            return f"{pod.phase} on {pod.node}, job {job.id} {'released' if self._released else f'is {job.state}'}"
        if pod.node:
            return f"{pod.phase} on {pod.node}, where Slurm placed job {job.id}{self._with_extras}"
        if job.state == "PENDING":
            return f"waits in Slurm as job {job.id}{self._why}"
        return f"{pod.phase}, job {job.id} is {job.state}{' on ' + job.node if job.node else ''}"

    @property
    def _released(self):
        return self.job is not None and self.job.state in RELEASED

    @property
    def _elsewhere(self):
        return bool(self.job and self.job.node and self.pod.node and self.job.node != self.pod.node)

    @property
    def extras(self):
        """What the pod requested and got, in addition to a node."""
        if self.job is None:
            return ""
        job, asks = self.job, self.pod.asks
        asked = [value for name, value in (("account", job.account), ("qos", job.qos)) if name in asks]
        if job.gpus:
            asked.append(f"{job.gpus} GPUs")
        return ", ".join(asked)

    @property
    def _with_extras(self):
        return f" ({self.extras})" if self.extras else ""

    @property
    def _why(self):
        if self.job.reason == "None":
            return ""
        words = REASONS.get(self.job.reason, "").format(partition=self.job.partition)
        return f": {self.job.reason}{' - ' + words if words else ''}"


def pod_states(pods, jobs, seen_before):
    """One state for each pod that exists or existed. seen_before: the pods of earlier states."""
    present = {pod.uid for pod in pods}
    everyone = [*pods, *(pod for pod in seen_before if pod.uid not in present)]
    return [PodState(pod, job_of(pod, jobs), gone=pod.uid not in present)
            for pod in sorted(everyone, key=lambda pod: pod.name)]


def job_of(pod, jobs):
    """The job that names this pod in Slurm; the live or newest one if there are several."""
    own = [job for job in jobs if pod.uid in job.uids]
    return max(own, key=lambda job: (job.state not in RELEASED, job.id), default=None)
