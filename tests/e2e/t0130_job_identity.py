# SPDX-License-Identifier: Apache-2.0
"""A job belongs to a pod only if the job's identity names the pod; a label alone proves nothing."""

import uuid

from lib.here import TIMEOUT, Here
from lib.pods import JOB_LABEL
from lib.runner import Test
from lib.waiting import eventually

_prepared = {}


def before_the_bridge(world):
    """The state that a bridge leaves which crashed between two steps."""
    here = Here(world, Test("prepared", None, "t0130-prepared"))
    pod = here.make_pod("twice")
    jobs = [world.slurm.submit(pod.name, here.identity(pod.name, pod.uid)) for _ in range(2)]
    gone = world.slurm.submit("never-was", here.identity("never-was", str(uuid.uuid4())))
    _prepared.update(pod=pod, jobs=jobs, orphan=gone)


def of_two_jobs_of_a_pod_the_oldest_is_kept(here):
    pod, (oldest, other) = _prepared["pod"], _prepared["jobs"]
    here.pods.append(pod)
    pod.runs_within(TIMEOUT)
    assert pod.job == oldest, f"{pod} has {pod.job}, the oldest is {oldest}"
    other.ended_within(90)
    assert oldest.state == "RUNNING" and pod.phase == "Running"
    here.not_removed_by_the_bridge(pod)


def a_job_whose_pod_was_never_created_is_cancelled(here):
    _prepared["orphan"].ended_within(90)


def a_label_with_a_foreign_job_does_not_affect_that_job(here):
    foreign = here.submit("somebody-elses", "not yours").runs_within(TIMEOUT)
    pod = here.make_pod("liar", labels={JOB_LABEL: str(foreign.id)})
    own = _own_job(pod, foreign)
    pod.runs_within(TIMEOUT)
    assert pod.node == own.nodes
    pod.delete().gone_within(TIMEOUT)
    own.ended_within(TIMEOUT)
    assert foreign.state == "RUNNING", f"{foreign} is {foreign.state}"
    here.exactly_one_job(pod, own)


def a_label_with_another_pods_job_does_not_affect_that_pod(here):
    honest = here.run_pod("honest")
    pod = here.make_pod("liar", labels={JOB_LABEL: str(honest.job.id)})
    own = _own_job(pod, honest.job)
    pod.runs_within(TIMEOUT)
    pod.delete().gone_within(TIMEOUT)
    assert honest.job.state == "RUNNING" and honest.phase == "Running"
    here.exactly_one_job(pod, own)


def a_label_with_a_foreign_job_that_ended_does_not_remove_the_pod(here):
    foreign = here.submit("was-cancelled", "not yours").runs_within(TIMEOUT)
    foreign.cancel()
    foreign.ended_within(TIMEOUT)
    pod = here.make_pod("liar", labels={JOB_LABEL: str(foreign.id)})
    own = _own_job(pod, foreign)
    pod.runs_within(TIMEOUT)
    here.exactly_one_job(pod, own)
    here.not_removed_by_the_bridge(pod)


def a_label_that_is_not_a_number_is_replaced(here):
    pod = here.make_pod("scribbler", labels={JOB_LABEL: "soon"}).runs_within(TIMEOUT)
    here.exactly_one_job(pod, pod.job)


def a_job_of_the_reference_is_adopted_by_the_pod_that_carries_its_id(here):
    name = f"switched-{uuid.uuid4().hex[:8]}"
    job = here.submit("reference", f'{{"pods":["slurm-bridge/{name}"]}}').runs_within(TIMEOUT)
    pod = here.make_pod(name, exact_name=True, labels={JOB_LABEL: str(job.id)}).runs_within(TIMEOUT)
    assert pod.job == job, f"{pod} has {pod.job}, not the {job} of the reference"
    assert pod.node == job.nodes
    assert not pod.records(), f"another job was submitted: {pod.records()}"
    pod.delete().gone_within(TIMEOUT)
    job.ended_within(TIMEOUT)


def a_new_pod_of_the_same_name_gets_its_own_job(here):
    first = here.run_pod("phoenix")
    job = first.job
    first.delete().gone_within(TIMEOUT)
    second = here.make_pod(first.name, exact_name=True).runs_within(TIMEOUT)
    assert second.job != job, f"the second {first.name} took the job of the first"
    assert not job.live
    found = eventually(lambda: len(second.records()) > 1 and second.records(), TIMEOUT, "accounting has both")
    assert [record.id for record in found] == [job.id, second.job.id]


def _own_job(pod, not_this):
    """The new job of the pod, instead of the one on its label."""
    def own():
        job = pod.job
        return job if job != not_this else None

    return eventually(own, TIMEOUT, f"{pod} names a job of its own")
