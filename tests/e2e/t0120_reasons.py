# SPDX-License-Identifier: Apache-2.0
"""Every waiting pod shows the reason."""

import uuid

from lib.here import TIMEOUT
from lib.pods import ASK
from lib.waiting import eventually

RECHECKED = 90  # a refused job is submitted again once a minute


def a_pod_that_waits_in_slurm_has_its_own_reason_and_not_unschedulable(here):
    with here.full_partition() as full:
        pod = here.make_pod("waiter", ask=full)
        job = pod.has_a_job_within(TIMEOUT)
        message = pod.has_reason_within(TIMEOUT, "WaitingInSlurm")
        assert str(job.id) in message, f"the job is not named: {message}"
    pod.runs_within(TIMEOUT)
    assert pod.condition()[0] == "True", f"{pod} runs and still has {pod.condition()}"
    here.exactly_one_job(pod, job)


def a_pod_refused_for_its_partition_shows_the_reason_and_starts_when_it_is_fixed(here):
    pod = here.make_pod("refused", ask={"partition": "nowhere"})
    message = pod.has_reason_within(TIMEOUT, "RefusedBySlurm")
    assert "partition" in message, f"Slurm's message is missing: {message}"
    assert pod.job is None and not pod.records(), "a refused pod has no job"
    pod.ask(partition=None).runs_within(TIMEOUT)
    here.exactly_one_job(pod, pod.job)


def a_pod_refused_for_its_account_shows_the_reason_and_starts_when_it_is_fixed(here):
    pod = here.make_pod("refused", ask={"account": "nobody"})
    message = pod.has_reason_within(TIMEOUT, "RefusedBySlurm")
    assert "account" in message, f"Slurm's message is missing: {message}"
    pod.ask(account="physics").runs_within(TIMEOUT)
    here.exactly_one_job(pod, pod.job)


def what_an_administrator_adds_to_slurm_later_ends_the_wait(here):
    """The bridge is not notified: a refused job is submitted again from time to time."""
    name = f"tomorrow-{uuid.uuid4().hex[:8]}"
    pods = [here.make_pod("early", ask={what: name}) for what in ("partition", "account")]
    for pod in pods:
        pod.has_reason_within(TIMEOUT, "RefusedBySlurm")
    here.slurm.run("sacctmgr", "-i", "add", "account", name, f"Description={name}", f"Organization={name}")
    here.slurm.run("sacctmgr", "-i", "add", "user", "slurm", f"Account={name}")
    here.slurm.run("scontrol", "create", f"PartitionName={name}", "Nodes=k[003-004]", "State=UP")
    try:
        for pod in pods:
            pod.runs_within(RECHECKED)
            here.exactly_one_job(pod, pod.job)
            pod.delete().gone_within(TIMEOUT)
    finally:
        here.slurm.run("scontrol", "delete", f"PartitionName={name}")


def a_limit_on_the_number_of_jobs_is_reported_and_the_pod_waits(here):
    """Slurm refuses such a job like an invalid one, but the cause is temporary."""
    name = f"narrow-{uuid.uuid4().hex[:8]}"
    here.slurm.run("sacctmgr", "-i", "add", "qos", name, "MaxSubmitJobsPerUser=1")
    here.slurm.run("sacctmgr", "-i", "modify", "user", "slurm", "set", f"qos+={name}")
    first = here.run_pod("first", ask={"qos": name})
    second = here.make_pod("second", ask={"qos": name})
    message = second.has_reason_within(TIMEOUT, "NotYetTakenBySlurm")
    assert "2050" in message and "limit" in message, message
    first.delete().gone_within(TIMEOUT)
    second.runs_within(60)
    here.exactly_one_job(second, second.job)


def a_job_that_fits_no_node_is_refused_and_starts_when_it_requests_less(here):
    pod = here.make_pod("huge", ask={"cpu-per-task": "64"})
    pod.has_reason_within(TIMEOUT, "RefusedBySlurm")
    pod.ask(**{"cpu-per-task": "2"})
    pod.runs_within(TIMEOUT)


def a_pod_that_fits_no_node_is_not_submitted_and_shows_the_reason(here):
    pod = here.make_pod("huge", cpu="64")
    message = pod.has_reason_within(TIMEOUT, "NoNodeFits")
    assert "64 of cpu" in message and "has 32" in message, message
    assert pod.job is None and not pod.records(), "a job was submitted that can never run"


def a_waiting_pod_shows_slurms_reason_with_an_explanation(here):
    with here.full_partition() as full:
        pod = here.make_pod("patient", ask=full)
        job = pod.has_a_job_within(TIMEOUT)
        message = _message_with_slurms_reason(pod, job)
        assert f"job {job.id}" in message and "(" in message, message


def an_invalid_annotation_is_named_with_the_fix(here):
    pod = here.make_pod("invalid", ask={"timelimit": "2h"})
    message = pod.has_reason_within(TIMEOUT, "InvalidRequest")
    for word in (f"{ASK}timelimit", '"2h"', '"120"'):
        assert word in message, f"{word} is missing: {message}"
    assert not pod.records(), "no job was submitted"
    pod.ask(timelimit="120").runs_within(TIMEOUT)
    here.exactly_one_job(pod, pod.job)


def a_waiting_pod_is_not_written_repeatedly(here):
    with here.full_partition() as full:
        pod = here.make_pod("patient", ask=full)
        _message_with_slurms_reason(pod, pod.has_a_job_within(TIMEOUT))
        before = _writes(here, pod)
        others = [here.make_pod("meanwhile", run_seconds=1) for _ in range(2)]
        for other in others:
            other.ended_within(TIMEOUT)
        assert _writes(here, pod) == before, f"it was written without a change: {_writes(here, pod)[len(before):]}"


def _message_with_slurms_reason(pod, job):
    """The message, once it has Slurm's reason. The reason may change, and the bridge reads a waiting job once a minute."""
    def message():
        message = pod.has_reason_within(TIMEOUT, "WaitingInSlurm")
        return message if job.facts()["state_reason"] in message else None

    return eventually(message, 3 * TIMEOUT, lambda: f"{pod} shows {job.facts()['state_reason']}; it has {pod.condition()}")


def _writes(here, pod):
    """Writes in the audit log, after the condition is logged."""
    eventually(lambda: any(entry.name == pod.name and entry.what == "status" for entry in here.audit.entries()),
               TIMEOUT, "the audit log has the condition")
    return [str(entry) for entry in here.audit.writes_of_the_bridge() if entry.name == pod.name]
