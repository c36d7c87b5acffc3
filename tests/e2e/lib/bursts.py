# SPDX-License-Identifier: Apache-2.0
"""Checks for many pods, with the state of both systems."""

import collections

from lib.kubernetes import persistently
from lib.pods import describe, has_ended, has_finalizer, is_bound, job_id_of
from lib.waiting import eventually


def all_are_placed(here, pods, within):
    """Each pod exists with its original uid and is bound; ended pods were bound too."""
    def waiting():
        now = here.pods_now()
        for pod in pods:
            found = now.get(pod.name)
            assert found is not None, f"{pod} is gone"
            assert found["metadata"]["uid"] == pod.uid, f"{pod} was replaced by a new pod of the same name"
        return [describe(now[pod.name]) for pod in pods if not is_bound(now[pod.name])]

    def complaint():
        left = waiting()
        return f"all pods are bound; {len(left)} of {len(pods)} are not: {'; '.join(left[:5])}"

    eventually(lambda: not waiting(), within, complaint)


def each_has_exactly_one_job(here, pods, within=60):
    """According to accounting, slurmctld and the labels, which must agree."""
    named = {pod.name: job_id_of(here.pods_now()[pod.name]) for pod in pods}
    twice = [job for job, count in collections.Counter(named.values()).items() if count > 1]
    assert not twice, f"jobs on the labels of more than one pod: {twice}"

    expected = {name: [int(job)] for name, job in named.items()}
    of_controller = _jobs_by_name(expected, here.slurm.jobs())  # without those that ended more than 5 minutes ago
    still_known = {name: expected[name] for name in of_controller}
    assert of_controller == still_known, _difference(still_known, of_controller, "slurmctld")

    def recorded():
        found = _jobs_by_name(expected, ((record.id, record.name) for record in here.slurm.records()))
        return found if all(name in found for name in expected) else None

    of_accounting = eventually(recorded, within, "accounting knows a job of each pod")
    assert of_accounting == expected, _difference(expected, of_accounting, "accounting")


def ended_ones_are_released(here, pods, within):
    """No job of an ended pod is live, and its finalizer is removed."""
    names = {pod.name for pod in pods}

    def held():
        states, live = here.pods_now(), here.slurm.live_names()
        ended = [item for name, item in states.items() if name in names and has_ended(item)]
        return [describe(item) for item in ended if has_finalizer(item) or item["metadata"]["name"] in live]

    eventually(lambda: not held(), within, lambda: f"ended pods are released; not yet: {'; '.join(held()[:5])}")


def running_ones_have_a_running_job(here, pods):
    states = here.slurm.states()
    for pod in pods:
        now = persistently(pod.now)
        if now["status"]["phase"] == "Running":
            state = states.get(int(job_id_of(now)))
            assert state == "RUNNING", f"{pod} runs and its job {job_id_of(now)} is {state}"


def _jobs_by_name(names, jobs):
    found = collections.defaultdict(list)
    for job, name in sorted(jobs):
        if name in names:
            found[name].append(job)
    return dict(found)


def _difference(expected, found, where):
    wrong = [f"{name}: job {expected[name][0]} on its label, {found.get(name, [])} in {where}"
             for name in expected if found.get(name) != expected[name]]
    return f"{len(wrong)} of {len(expected)} pods do not have exactly one job: {'; '.join(wrong[:5])}"
