# SPDX-License-Identifier: Apache-2.0
"""What Slurm does to a job, its pod follows; what cannot be proved is left alone."""

from lib.here import PATIENCE
from lib.runner import alone
from lib.slurm import SlurmFailed
from lib.waiting import eventually, throughout

DISRUPTED = "DisruptionTarget"


def _disruption_while_it_ends(pod):
    """The reason of DisruptionTarget on the pod that is being deleted; empty without one."""
    eventually(lambda: pod.now()["metadata"].get("deletionTimestamp"), PATIENCE, f"{pod} is being deleted")
    condition = pod.condition(DISRUPTED)
    return condition[1] if condition and condition[0] == "True" else ""


@alone
def a_preempted_pod_is_removed_and_can_be_told_from_a_failed_one(here):
    pod = here.run_pod("humble", stop_seconds=3, whole_node=True, ask={"partition": "small", "qos": "normal"})
    other = here.run_pod("humble", stop_seconds=3, whole_node=True, ask={"partition": "small", "qos": "normal"})
    urgent = here.make_pod("urgent", whole_node=True, ask={"partition": "small", "qos": "urgent"})
    gone = eventually(lambda: next((one for one in (pod, other)
                                    if one.now()["metadata"].get("deletionTimestamp")), None), PATIENCE, "one gives way")
    assert _disruption_while_it_ends(gone) == "PreemptedBySlurm"
    gone.gone_within(PATIENCE)
    here.removed_by_the_bridge(gone)
    urgent.runs_within(PATIENCE)


@alone
def a_pod_preempted_with_a_grace_time_runs_until_that_is_over(here):
    pods = [here.run_pod("low", whole_node=True, stop_seconds=3, ask={"partition": "small", "qos": "low"})
            for _ in range(2)]
    here.make_pod("urgent", whole_node=True, ask={"partition": "small", "qos": "urgent"}).runs_within(60)
    gone = [pod for pod in pods if pod.find() is None or pod.now()["metadata"].get("deletionTimestamp")]
    assert len(gone) == 1, f"{gone} gave way for one pod"
    gone[0].gone_within(PATIENCE)
    here.removed_by_the_bridge(gone[0])


@alone
def a_pod_whose_node_fails_in_slurm_is_removed_and_can_be_told_from_a_failed_one(here):
    pod = here.run_pod("unlucky", stop_seconds=3, spec={"nodeSelector": {"kubernetes.io/hostname": "k009"}})
    here.slurm.run("scontrol", "update", "NodeName=k009", "State=DOWN", "Reason=smoke")
    try:
        assert _disruption_while_it_ends(pod) == "NodeFailedInSlurm"
        pod.gone_within(PATIENCE)
        here.removed_by_the_bridge(pod)
    finally:
        here.slurm.run("scontrol", "update", "NodeName=k009", "State=RESUME")
    eventually(lambda: not here.kubernetes.get("/api/v1/nodes/k009")["spec"].get("unschedulable"), PATIENCE,
               "k009 is free again on both sides")


def a_pod_at_its_time_limit_is_no_disruption(here):
    pod = here.run_pod("limited", stop_seconds=3, ask={"timelimit": "1"})
    here.slurm.run("scontrol", "update", f"JobId={pod.job.id}", "EndTime=now+1")
    eventually(lambda: pod.now()["metadata"].get("deletionTimestamp"), 90, f"{pod} is being deleted")
    assert _disruption_while_it_ends(pod) == ""
    pod.gone_within(PATIENCE)
    here.removed_by_the_bridge(pod)


def a_cancelled_pod_ends_gracefully_and_is_no_disruption(here):
    pod = here.run_pod("cancelled", stop_seconds=3)
    pod.job.cancel()
    assert _disruption_while_it_ends(pod) == ""
    assert pod.now()["metadata"]["deletionGracePeriodSeconds"] > 0, "it was killed instead of being asked to end"
    pod.gone_within(PATIENCE)
    here.removed_by_the_bridge(pod)


def a_suspended_job_takes_its_pod_along(here):
    pod = here.run_pod("suspended", stop_seconds=3)
    job = pod.job
    here.slurm.run("scontrol", "suspend", job.id)
    assert _disruption_while_it_ends(pod) == "SuspendedBySlurm"
    pod.gone_within(PATIENCE)
    here.removed_by_the_bridge(pod)
    job.ended_within(PATIENCE)


def pod_and_job_deleted_at_the_same_moment_leave_nothing(here):
    for _ in range(5):
        pod = here.run_pod("both")
        job = pod.job
        here.wanted_gone.add(pod.key)
        job.cancel()
        pod.delete().gone_within(PATIENCE)
        job.ended_within(PATIENCE)
        here.exactly_one_job(pod, job)


@alone
def a_pod_on_a_dead_node_gives_its_job_back_after_the_node_is_drained(here):
    pod = here.run_pod("stranded", spec={"nodeSelector": {"kubernetes.io/hostname": "k010"}})
    job = pod.job
    with here.dead_node("k010"):
        pod.delete(grace_seconds=0)
        job.ended_within(60)
        states = here.slurm.node("k010")["state"]
        assert "DRAIN" in states, f"{job} was given back while Slurm may still use k010: {states}"
        pod.gone_within(PATIENCE)
    here.exactly_one_job(pod, job)


@alone
def a_job_that_slurm_purged_while_the_bridge_was_away_takes_its_pod_along_by_accountings_word(here):
    """An outage of the bridge that is longer than MinJobAge, which is 5 minutes by default and seconds here."""
    with here.short_memory():
        pod, other = here.run_pod("forgotten"), here.run_pod("still-runs")
        job = pod.job
        here.bridge.kill()
        job.cancel()
        eventually(lambda: _is_forgotten(job), 200, f"Slurm has forgotten {job}")
        here.bridge.start_and_wait()
        pod.gone_within(60)
        here.removed_by_the_bridge(pod)
        assert other.phase == "Running" and other.job.state == "RUNNING"
        here.exactly_one_job(pod, job)


def _is_forgotten(job):
    try:
        return not job.facts()
    except SlurmFailed:
        return True


@alone
def slurm_away_for_a_minute_changes_nothing_for_twenty_that_run_and_five_that_wait(here):
    with here.no_room() as full:
        runs = here.make_pods("runs", 20)
        waits = here.make_pods("waits", 5, lambda _: {"ask": full})
        for pod in runs:
            pod.runs_within(60)
        for pod in waits:
            pod.has_a_job_within(PATIENCE).waits_within(PATIENCE)
        jobs = {pod: pod.job for pod in runs + waits}
        here.stop_slurmctld()
        here.cluster.kill("slurmrestd")
        throughout(60, lambda: _phases(here, runs) == {"Running"} and _phases(here, waits) == {"Pending"},
                   "pods go on without Slurm")
        for part in ("slurmctld", "slurmrestd"):
            here.cluster.start(part)
        here.not_removed_by_the_bridge(*runs, *waits)
        assert {pod: pod.job for pod in runs + waits} == jobs, "some pod has another job now"
    for pod in waits:
        pod.runs_within(60)
        here.exactly_one_job(pod, jobs[pod])
    for pod in runs:
        assert pod.phase == "Running" and jobs[pod].state == "RUNNING", f"{pod} is {pod.phase} under {jobs[pod].state}"


def _phases(here, pods):
    now = here.pods_now()
    return {now[pod.name]["status"]["phase"] for pod in pods}
