# SPDX-License-Identifier: Apache-2.0
"""A user or Slurm ends a pod or its job early."""

from lib.here import TIMEOUT
from lib.waiting import eventually


def a_job_at_its_time_limit_removes_its_pod(here):
    """`scontrol update` ends it now instead of in a minute: limits have whole minutes."""
    pod = here.run_pod("limited", ask={"timelimit": "1"})
    job = pod.job
    facts = job.facts()
    assert facts["time_limit"]["number"] == 1
    here.slurm.run("scontrol", "update", f"JobId={job.id}", "EndTime=now+1")
    pod.gone_within(90)  # slurmctld checks for expired jobs every 30 s
    assert job.state == "TIMEOUT", f"{job} is {job.state}"
    here.removed_by_the_bridge(pod)
    here.exactly_one_job(pod, job)


def scancel_removes_the_pod(here):
    pod = here.run_pod("sleeper")
    job = pod.job
    job.cancel()
    pod.gone_within(TIMEOUT)
    here.removed_by_the_bridge(pod)
    here.exactly_one_job(pod, job)
    here.the_record_names(pod, job)


def scancel_of_a_waiting_job_removes_the_waiting_pod(here):
    with here.full_partition() as full:
        pod = here.make_pod("waiter", ask=full)
        job = pod.has_a_job_within(TIMEOUT).waits_within(TIMEOUT)
        job.cancel()
        pod.gone_within(TIMEOUT)
    here.removed_by_the_bridge(pod)
    here.exactly_one_job(pod, job)


def deleting_a_waiting_pod_cancels_its_job(here):
    with here.full_partition() as full:
        pod = here.make_pod("waiter", ask=full)
        job = pod.has_a_job_within(TIMEOUT).waits_within(TIMEOUT)
        pod.delete().gone_within(TIMEOUT)
        job.ended_within(TIMEOUT)
    here.exactly_one_job(pod, job)


def deleting_a_running_pod_keeps_its_job_until_the_pod_has_ended(here):
    pod = here.run_pod("slow-to-stop", stop_seconds=4)
    job = pod.job
    pod.delete()

    looks = 0

    def stopped():
        nonlocal looks
        state = job.state
        found = pod.find()  # read after the job: if it runs now, it ran then
        still_runs = found is not None and found["status"]["phase"] == "Running"
        assert not still_runs or state == "RUNNING", f"{job} is {state} while its pod still runs"
        looks += still_runs
        return not still_runs

    eventually(stopped, TIMEOUT, "the pod stops")
    assert looks > 0, "the pod stopped before it was observed"
    pod.gone_within(TIMEOUT)
    job.ended_within(TIMEOUT)
    here.exactly_one_job(pod, job)
    here.not_removed_by_the_bridge(pod)


def a_pod_deleted_by_force_leaves_no_job(here):
    pod = here.run_pod("forced")
    job = pod.job
    pod.delete(grace_seconds=0).gone_within(TIMEOUT)
    job.ended_within(TIMEOUT)
    here.exactly_one_job(pod, job)


def a_pod_deleted_before_it_was_processed_leaves_no_job(here):
    pods = here.make_pods("short-lived", 5)
    for pod in pods:
        pod.delete()
    for pod in pods:
        pod.gone_within(TIMEOUT)
    names = {pod.name for pod in pods}
    eventually(lambda: not names & here.slurm.live_names(), TIMEOUT, "none of their jobs is live")
