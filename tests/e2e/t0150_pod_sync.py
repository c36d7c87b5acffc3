# SPDX-License-Identifier: Apache-2.0
"""Pods follow state changes of their jobs; without proof nothing is deleted."""

import threading
import time
import urllib.parse
from concurrent.futures import ThreadPoolExecutor

from lib.here import TIMEOUT
from lib.holding_proxy import HOLD_REQUEST, HoldingProxy
from lib.nodes import Node
from lib.runner import alone
from lib.slurm import API, SlurmFailed
from lib.waiting import eventually, pause, throughout

DISRUPTED = "DisruptionTarget"
A_WHILE = 10


def _is_removed(here, pod, within=TIMEOUT):
    """The bridge's delete of the pod, and the reason of the DisruptionTarget that it set before; empty without one.

    From the audit log: the pod itself may be removed before the test reads it."""
    here.expected_deletes.add(pod.key)
    delete = eventually(lambda: next((entry for entry in _writes(here, pod) if entry.verb == "delete"), None), within,
                        f"the bridge deletes {pod}")
    conditions = [condition for entry in _writes(here, pod) if entry.what == "status" and entry.received < delete.received
                  for condition in entry.sent.get("status", {}).get("conditions", [])]
    reasons = [one["reason"] for one in conditions if one["type"] == DISRUPTED and one["status"] == "True"]
    pod.gone_within(TIMEOUT)
    return delete, reasons[-1] if reasons else ""


def _writes(here, pod):
    return [entry for entry in here.audit.writes_of_the_bridge() if entry.key == pod.key]


@alone
def a_preempted_pod_is_removed_and_marked_as_disrupted(here):
    pods = [here.run_pod("humble", stop_seconds=3, whole_node=True, ask={"partition": "small", "qos": "normal"})
            for _ in range(2)]
    urgent = here.make_pod("urgent", whole_node=True, ask={"partition": "small", "qos": "urgent"})
    gone = eventually(lambda: next((pod for pod in pods if pod.key in here.audit.pods_deleted_by_the_bridge()), None),
                      TIMEOUT, "one is preempted")
    assert _is_removed(here, gone)[1] == "PreemptedBySlurm"
    urgent.runs_within(TIMEOUT)


@alone
def a_pod_preempted_with_a_grace_time_runs_until_its_end(here):
    pods = [here.run_pod("low", whole_node=True, stop_seconds=3, ask={"partition": "small", "qos": "low"})
            for _ in range(2)]
    jobs = {pod: pod.job for pod in pods}
    urgent = here.make_pod("urgent", whole_node=True, ask={"partition": "small", "qos": "urgent"})
    victim = eventually(lambda: next((pod for pod in pods if _in_its_grace_time(jobs[pod])), None), TIMEOUT,
                        "one of them is in its grace time")
    looked = 0
    while True:
        now, in_grace = victim.find(), _in_its_grace_time(jobs[victim])  # in this order: the pod first
        if not in_grace:
            break
        assert now, f"{victim} was removed within its grace time"
        assert now["status"]["phase"] == "Running", f"{victim} is {now['status']['phase']} while {jobs[victim]} runs"
        assert not now["metadata"].get("deletionTimestamp"), f"{victim} is deleted within its grace time"
        looked += 1
        pause()
    assert looked > 0, "the grace time was over before it was observed"
    assert _is_removed(here, victim)[1] == "PreemptedBySlurm"
    urgent.runs_within(TIMEOUT)
    [other] = set(pods) - {victim}
    assert other.phase == "Running" and jobs[other].state == "RUNNING", "only one is preempted"


def _in_its_grace_time(job):
    """Slurm has preempted it, and it still runs."""
    facts = job.facts()
    return facts["job_state"][0] == "RUNNING" and facts["preempt_time"]["number"] > 0


@alone
def a_pod_whose_node_fails_in_slurm_is_removed_and_marked_as_disrupted(here):
    pod = here.run_pod("unlucky", stop_seconds=3, spec={"nodeSelector": {"kubernetes.io/hostname": "k009"}})
    here.slurm.run("scontrol", "update", "NodeName=k009", "State=DOWN", "Reason=smoke")
    try:
        assert _is_removed(here, pod)[1] == "NodeFailedInSlurm"
    finally:
        here.slurm.run("scontrol", "update", "NodeName=k009", "State=RESUME")
    eventually(lambda: not here.kubernetes.get("/api/v1/nodes/k009")["spec"].get("unschedulable"), TIMEOUT,
               "k009 is free again on both sides")


def a_pod_at_its_time_limit_is_no_disruption(here):
    pod = here.run_pod("limited", stop_seconds=3, ask={"timelimit": "1"})
    here.slurm.run("scontrol", "update", f"JobId={pod.job.id}", "EndTime=now+1")
    assert _is_removed(here, pod, within=90)[1] == ""


def a_cancelled_pod_ends_gracefully_and_is_no_disruption(here):
    pod = here.run_pod("cancelled", stop_seconds=3)
    pod.job.cancel()
    delete, disruption = _is_removed(here, pod)
    assert disruption == ""
    assert delete.sent.get("gracePeriodSeconds") != 0, "it was killed without its grace period"


def a_suspended_job_removes_its_pod(here):
    pod = here.run_pod("suspended", stop_seconds=3)
    job = pod.job
    here.slurm.run("scontrol", "suspend", job.id)
    assert _is_removed(here, pod)[1] == "SuspendedBySlurm"
    job.ended_within(TIMEOUT)


def pod_and_job_deleted_at_the_same_moment_leave_nothing(here):
    """In either order, or at the same time."""
    orders = (lambda pod, job: (job.cancel(), pod.delete()), lambda pod, job: (pod.delete(), job.cancel()), _both_at_once)
    pods = here.make_pods("both", 4 * len(orders))
    for pod in pods:
        pod.runs_within(TIMEOUT)
        here.expected_deletes.add(pod.key)
    jobs = {pod: pod.job for pod in pods}
    with ThreadPoolExecutor(len(pods)) as pool:
        list(pool.map(lambda one: orders[one[0] % len(orders)](one[1], jobs[one[1]]), enumerate(pods)))
    for pod in pods:
        pod.gone_within(TIMEOUT)
        jobs[pod].ended_within(TIMEOUT)
        here.exactly_one_job(pod, jobs[pod])


def _both_at_once(pod, job):
    ready = threading.Barrier(2)
    with ThreadPoolExecutor(1) as other:
        cancelled = other.submit(lambda: (ready.wait(), job.cancel()))
        ready.wait()
        pod.delete()
        cancelled.result()


@alone
def a_pod_on_a_dead_node_releases_its_job_after_the_node_is_drained(here):
    """Slurm would allocate the node to other jobs when the job is released, although processes may still run there."""
    node = Node(here, "k010")
    slurmrestd = urllib.parse.urlsplit(here.cluster.environment["SLURM_REST_API"]).port
    with HoldingProxy(slurmrestd, f"POST {API}/node/k010 ".encode(), fates=(HOLD_REQUEST,)) as wire:
        here.bridge.stop()
        here.bridge.start_and_wait(SLURM_REST_API=f"http://127.0.0.1:{wire.port}")
        pod = here.run_pod("stranded", spec={"nodeSelector": {"kubernetes.io/hostname": "k010"}})
        job, before = pod.job, wire.count(HOLD_REQUEST)
        with here.dead_node("k010"):
            pod.delete(grace_seconds=0)
            eventually(lambda: wire.count(HOLD_REQUEST) > before, TIMEOUT, "the drain is sent")
            throughout(A_WHILE, lambda: job.state == "RUNNING" and pod.find(), lambda: f"{job} is kept; it is {job.state}")
            assert not node.drained, "the drain was not held: the test proves nothing"
            wire.release(HOLD_REQUEST)
            job.ended_within(60)
            assert node.drained, f"{job} was released while Slurm may still use k010: {node.facts()['state']}"
            pod.gone_within(TIMEOUT)
        here.exactly_one_job(pod, job)
        here.bridge.stop()


@alone
def a_job_purged_while_the_bridge_was_stopped_removes_its_pod_when_accounting_shows_its_end(here):
    """The bridge is stopped for longer than MinJobAge, which is 5 minutes by default and seconds here: Slurm has purged
    the job, and only accounting has its end."""
    with here.short_min_job_age(), here.full_partition() as full:
        pod, other = here.run_pod("forgotten"), here.run_pod("still-runs")
        ends, deleted = here.run_pod("ends"), here.run_pod("deleted")
        waits = here.make_pod("waits", ask=full)
        waits.has_a_job_within(TIMEOUT).waits_within(TIMEOUT)
        jobs = {one: one.job for one in (pod, other, ends, deleted, waits)}
        here.bridge.kill()
        jobs[pod].cancel()
        deleted.delete()
        ends.end().ended_within(TIMEOUT)
        eventually(lambda: deleted.phase == "Failed", TIMEOUT, "the deleted pod has stopped")
        eventually(lambda: _is_purged(jobs[pod]), 200, f"Slurm has purged {jobs[pod]}")
        assert jobs[ends].state == jobs[deleted].state == "RUNNING", "no bridge ran to release them"

        here.bridge.start_and_wait()
        pod.gone_within(60)
        here.removed_by_the_bridge(pod)
        deleted.gone_within(60)
        ends.is_released_within(60)
        for one in (ends, deleted):
            eventually(lambda: _is_over(jobs[one]), TIMEOUT, f"{jobs[one]} of {one} is released")
        assert other.phase == "Running" and jobs[other].state == "RUNNING"
        assert waits.job == jobs[waits] and jobs[waits].state == "PENDING"
    waits.runs_within(TIMEOUT)
    here.not_removed_by_the_bridge(other, ends, deleted, waits)
    for one, job in jobs.items():
        here.exactly_one_job(one, job)


def _is_over(job):
    """Ended, or already purged."""
    try:
        return not job.live
    except SlurmFailed:
        return _is_purged(job)


def _is_purged(job):
    try:
        return not job.facts()
    except SlurmFailed:
        return True


@alone
def slurm_down_for_a_minute_changes_nothing_for_twenty_running_and_five_waiting_pods(here):
    with here.full_partition() as full:
        runs = here.make_pods("runs", 20)
        waits = here.make_pods("waits", 5, lambda _: {"ask": full})
        for pod in runs:
            pod.runs_within(60)
        for pod in waits:
            pod.has_a_job_within(TIMEOUT).waits_within(TIMEOUT)
        jobs = {pod: pod.job for pod in runs + waits}
        here.cluster.stop("slurmctld")
        here.cluster.kill("slurmrestd")
        throughout(60, lambda: _phases(here, runs) == {"Running"} and _phases(here, waits) == {"Pending"},
                   "pods keep running without Slurm")
        for part in ("slurmctld", "slurmrestd"):
            here.cluster.start(part)
        here.not_removed_by_the_bridge(*runs, *waits)
        assert {pod: pod.job for pod in runs + waits} == jobs, "some pod has another job now"
    for pod in waits:
        pod.runs_within(60)
        here.exactly_one_job(pod, jobs[pod])
    for pod in runs:
        assert pod.phase == "Running" and jobs[pod].state == "RUNNING", f"{pod} is {pod.phase} under {jobs[pod].state}"


@alone
def slurmctld_killed_with_twenty_running_and_five_waiting_pods_loses_no_pod_and_duplicates_no_job(here):
    """SIGKILL, down for a minute, while slurmrestd answers. slurmctld saves its state every few seconds: the newest jobs
    are lost, and their ids may be reused. So a waiting pod may have another job afterwards, but never two."""
    with here.full_partition() as full:
        runs = here.make_pods("runs", 20)
        for pod in runs:
            pod.runs_within(60)
        jobs = {pod: pod.job for pod in runs}
        _state_is_saved(here)
        waits = here.make_pods("waits", 5, lambda _: {"ask": full})
        for pod in waits:
            pod.has_a_job_within(TIMEOUT).waits_within(TIMEOUT)
        here.cluster.kill("slurmctld")
        late = here.make_pod("late", ask=full)
        throughout(60, lambda: _phases(here, runs) == {"Running"} and _phases(here, [*waits, late]) == {"Pending"},
                   "pods keep running without Slurm")
        here.cluster.start("slurmctld")
        for pod in (*waits, late):
            eventually(lambda: _has_one_live_job(here, pod), 60, f"{pod} has a job again")
    for pod in (*waits, late):
        pod.runs_within(60)
    for pod in runs:
        assert pod.phase == "Running" and pod.job == jobs[pod], f"{pod} is {pod.phase}, its job was {jobs[pod]}"
    here.not_removed_by_the_bridge(*runs, *waits, late)
    for pod in (*runs, *waits, late):
        assert pod.job.state == "RUNNING", f"{pod} runs under {pod.job}, which is {pod.job.state}"
        assert _has_one_live_job(here, pod), f"{pod} has {pod.job} and {_live_jobs(here, pod)} are live"


def _state_is_saved(here):
    """The current state of slurmctld is saved: it writes some seconds after each change."""
    changed = time.time()
    job = here.submit("a-change")
    eventually(lambda: _saved_at(here) > changed, 60, "slurmctld has saved its state")
    job.cancel()


def _saved_at(here):
    try:
        return (here.cluster.slurm_folder("var/slurmctld") / "job_state").stat().st_mtime
    except FileNotFoundError:  # while it is replaced
        return 0


def _has_one_live_job(here, pod):
    job = pod.job
    return job is not None and _live_jobs(here, pod) == [job.id]


def _live_jobs(here, pod):
    """All live jobs of that name in slurmctld."""
    states = here.slurm.states()
    return [job for job, name in here.slurm.jobs() if name == pod.name and states.get(job) in ("PENDING", "RUNNING")]


def _phases(here, pods):
    now = here.pods_now()
    return {now[pod.name]["status"]["phase"] for pod in pods}
