# SPDX-License-Identifier: Apache-2.0
"""The bridge may be killed at any time, and may be stopped during changes."""

import random

from lib.bursts import all_are_placed, each_has_exactly_one_job, running_ones_have_a_running_job
from lib.here import TIMEOUT
from lib.runner import alone
from lib.waiting import eventually, pause

ROUNDS = 12
PODS_PER_ROUND = 5


@alone
def the_bridge_stops_cleanly_on_sigterm(here):
    pod = here.run_pod("survivor")
    code = here.bridge.stop()
    assert code == 0, f"exit code {code} after SIGTERM"
    assert pod.phase == "Running" and pod.job.state == "RUNNING", "its pods keep running"


@alone
def kill_9_at_random_moments_of_a_burst_leaves_no_surplus_job(here):
    for _ in range(ROUNDS):
        here.make_pods("burst", PODS_PER_ROUND)
        pause(random.uniform(0, 0.3))  # between submit, label and bind of these and earlier pods
        here.bridge.kill()
        here.bridge.start()

    all_are_placed(here, here.pods, within=90)
    each_has_exactly_one_job(here, here.pods)
    running_ones_have_a_running_job(here, here.pods)
    here.not_removed_by_the_bridge(*here.pods)


@alone
def a_pod_created_while_the_bridge_is_stopped_runs_after_its_start(here):
    here.bridge.stop()
    pod = here.make_pod("early")
    here.bridge.start()
    pod.runs_within(TIMEOUT)
    here.exactly_one_job(pod, pod.job)


@alone
def a_job_submitted_before_the_crash_is_adopted_and_no_second_one_is_submitted(here):
    here.bridge.kill()
    pod = here.make_pod("adopted")
    job = here.slurm.submit(pod.name, here.identity(pod.name, pod.uid))  # what the previous process did before it crashed
    here.bridge.start()
    pod.runs_within(TIMEOUT)
    assert pod.job == job, f"{pod} has {pod.job}, not the existing {job}"
    here.exactly_one_job(pod, job)


@alone
def a_job_cancelled_while_the_bridge_is_stopped_removes_its_pod(here):
    pod, other = here.run_pod("cancelled"), here.run_pod("other")
    job = pod.job
    here.bridge.kill()
    job.cancel()
    job.ended_within(TIMEOUT)
    here.bridge.start()
    pod.gone_within(TIMEOUT)
    here.removed_by_the_bridge(pod)
    here.exactly_one_job(pod, job)
    assert other.phase == "Running" and other.job.state == "RUNNING"


@alone
def a_waiting_job_cancelled_while_the_bridge_is_stopped_removes_its_pod(here):
    with here.full_partition() as full:
        pod = here.make_pod("waiter", ask=full)
        job = pod.has_a_job_within(TIMEOUT).waits_within(TIMEOUT)
        here.bridge.kill()
        job.cancel()
        job.ended_within(TIMEOUT)
        here.bridge.start()
        pod.gone_within(TIMEOUT)
    here.removed_by_the_bridge(pod)
    here.exactly_one_job(pod, job)


@alone
def pods_that_end_or_are_deleted_while_the_bridge_is_stopped_release_their_jobs(here):
    ends, deleted = here.run_pod("ends"), here.run_pod("deleted")
    jobs = [ends.job, deleted.job]
    here.bridge.kill()
    deleted.delete()
    ends.end().ended_within(TIMEOUT)
    eventually(lambda: deleted.phase == "Failed", TIMEOUT, "the deleted pod has stopped")
    assert all(job.state == "RUNNING" for job in jobs), "no bridge ran to release them"

    here.bridge.start()
    deleted.gone_within(TIMEOUT)
    ends.is_released_within(TIMEOUT)
    for pod, job in zip((ends, deleted), jobs):
        job.ended_within(TIMEOUT)
        here.exactly_one_job(pod, job)
    assert ends.phase == "Succeeded"
    here.not_removed_by_the_bridge(ends, deleted)
