# SPDX-License-Identifier: Apache-2.0
"""Each refusal of Slurm that a pod can cause, and jobs that Slurm accepts and never starts: the pod shows Slurm's message
and what to change; the number of submits is limited; the pod starts after the fix."""

import contextlib
import itertools
import threading
import time
import urllib.parse
from dataclasses import dataclass, field

from lib.here import TIMEOUT
from lib.holding_proxy import HOLD_REQUEST, PASS, HoldingProxy
from lib.runner import alone
from lib.slurm import API
from lib.waiting import eventually, throughout

REFUSED = "RefusedBySlurm"
SUBMITS_REFUSED = 'slurm_bridge_slurm_calls_total{endpoint="POST job/submit",outcome="422"}'
ASKED_AGAIN_SECONDS = 60  # interval of repeated submits of a refused job
RESERVATION = "for-alice"


@dataclass(frozen=True)
class Refusal:
    """The request, Slurm's error number and message, the field to change, and the fix."""
    ask: dict
    number: int
    text: str
    change: str
    fixed: dict
    pod_options: dict = field(default_factory=dict)


def _each_refusal():
    configuration = "Requested node configuration is not available"
    account = "Invalid account or account/partition combination specified"
    return [
        Refusal({"partition": "nowhere"}, 2000, "Invalid partition name specified", "partition", {"partition": None}),
        Refusal({"account": "nobody"}, 2045, account, "account", {"account": "physics"}),
        Refusal({"user-id": "carol", "account": "biology"}, 2045, account, "account", {"account": "physics"}),
        Refusal({"user-id": "99999"}, 2045, account, "account", {"user-id": "carol"}),
        Refusal({"qos": "golden"}, 2066, "Invalid qos specification", "QOS", {"qos": "low"}),
        Refusal({"cpu-per-task": "64"}, 2014, configuration, "CPUs", {"cpu-per-task": "2"}),
        Refusal({"mem-per-node": "9Ti"}, 2014, configuration, "memory", {"mem-per-node": "1Gi"}),
        Refusal({"gres": "gres/gpu:a100:99"}, 2014, configuration, "GPUs", {"gres": "gres/gpu:a100:1"}),
        Refusal({"gres": "gres/gpu:h100:1"}, 2014, configuration, "GPUs", {"gres": "gres/gpu:a100:1"}),
        Refusal({"gres": "gres/unobtainium:1"}, 2072, "Invalid generic resource (gres) specification", "gres",
                {"gres": None}),
        Refusal({"gres": "GPU:A100:1"}, 2115, "Invalid Trackable RESource (TRES) specification", "TRES",
                {"gres": "gres/gpu:a100:1"}),
        Refusal({"constraints": "golden"}, 2029, "Invalid feature specification", "constraints",
                {"constraints": "k8s"}),
        Refusal({"licenses": "matlab:1"}, 2048, "Invalid license specification", "licences", {"licenses": None}),
        Refusal({"reservation": "never-made"}, 2053, "Requested reservation is invalid", "reservation",
                {"reservation": None}),
        Refusal({"reservation": RESERVATION, "user-id": "bob", "account": "biology"}, 2052,
                "Access denied to requested reservation", "reservation", {"user-id": "alice"}),
        Refusal({"user-id": "nobody-here"}, 2166, "Unable to resolve user", "user", {"user-id": "alice"}),
        Refusal({"group-id": "nobody-here"}, 2164, "Unable to resolve group", "group", {"group-id": None}),
        Refusal({"job-name": "n" * 1024, "constraints": "c" * 1024}, 2029, "Invalid feature specification",
                "constraints", {"job-name": None, "constraints": None}),
    ]


@alone
def each_refusal_shows_the_error_number_and_the_fix_and_the_pod_starts_after_the_fix(here):
    refusals = _each_refusal()
    with _reservation(here):
        before, began = here.bridge.metrics().get(SUBMITS_REFUSED, 0), time.monotonic()
        pods = here.make_pods("refused", len(refusals), lambda i: {"ask": refusals[i].ask})
        for pod, refusal in zip(pods, refusals):
            message = pod.has_reason_within(TIMEOUT, REFUSED)
            for text in (refusal.text, str(refusal.number), refusal.change):
                assert text in message, f"{refusal.ask}: {text!r} is missing: {message}"
            assert pod.job is None, f"{refusal.ask}: a refused pod has {pod.job}"

        def asked():
            return here.bridge.metrics()[SUBMITS_REFUSED] - before

        def at_most():  # evaluated after asked(), so that a slow machine causes no false failure
            return len(refusals) * (1 + int((time.monotonic() - began) / ASKED_AGAIN_SECONDS))

        throughout(5, lambda: len(refusals) <= asked() <= at_most(),
                   lambda: f"each is submitted once a minute; there were {asked()} submits, at most {at_most()}")
        names = {pod.name for pod in pods}
        eventually(lambda: names <= {event["involvedObject"]["name"] for event in here.events(REFUSED)}, TIMEOUT,
                   "each refusal is an Event too")
        for pod, refusal in zip(pods, refusals):
            pod.ask(**refusal.fixed)
        for pod, refusal in zip(pods, refusals):
            pod.runs_within(TIMEOUT)
            assert pod.condition()[0] == "True", f"{refusal.ask}: it runs and still has {pod.condition()}"
        _delete_all(pods)


@dataclass(frozen=True)
class Never:
    """A job that Slurm accepts and never starts, or refuses if it enforces the limits of partitions."""
    ask: dict
    reason: str  # Slurm's reason
    by_the_administrator: str  # the update that fixes the job
    number: int  # of the refusal
    change: str
    fixed: dict


NEVER = [
    Never({"partition": "short", "timelimit": "60"}, "PartitionTimeLimit", "TimeLimit=1",
          2051, "the time limit", {"timelimit": "1"}),
    Never({"min-nodes": "100", "max-nodes": "100"}, "PartitionNodeLimit", "NumNodes=1-1",
          2006, "the number of nodes", {"min-nodes": None, "max-nodes": None}),
    Never({"partition": "closed", "user-id": "carol"}, "AccountNotAllowed", "Partition=slurm-bridge",
          2003, "the partition (it is not open to this user's groups)", {"partition": None}),
]
CLOSED = "PartitionName=closed Nodes=k003 State=UP AllowGroups=root\n"


@alone
def a_job_that_slurm_never_starts_shows_the_reason_and_starts_when_an_administrator_fixes_it(here):
    with here.slurm_conf(lambda text: text + CLOSED):
        pods = here.make_pods("never", len(NEVER), lambda i: {"ask": NEVER[i].ask})
        for pod, never in zip(pods, NEVER):
            job = pod.has_a_job_within(TIMEOUT).waits_within(TIMEOUT)
            eventually(lambda: never.reason in pod.has_reason_within(TIMEOUT, "WaitingInSlurm"), TIMEOUT,
                       lambda: f"{never.ask} shows {never.reason}; it has {pod.condition()}")
            here.slurm.run("scontrol", "update", f"JobId={job.id}", never.by_the_administrator)
            pod.runs_within(TIMEOUT)
            here.exactly_one_job(pod, job)
        _delete_all(pods)


@alone
def with_enforced_partition_limits_the_same_requests_are_refused(here):
    with here.slurm_conf(lambda text: f"EnforcePartLimits=ALL\n{text}{CLOSED}"):
        pods = here.make_pods("never", len(NEVER), lambda i: {"ask": NEVER[i].ask})
        for pod, never in zip(pods, NEVER):
            message = pod.has_reason_within(TIMEOUT, REFUSED)
            for text in (str(never.number), never.change):
                assert text in message, f"{never.ask}: {text!r} is missing: {message}"
            pod.ask(**never.fixed).runs_within(TIMEOUT)
        _delete_all(pods)


@alone
def a_submit_that_excludes_a_node_just_deleted_in_slurm_is_repeated_at_once(here):
    """Slurm refuses a job if one of its excluded nodes is unknown (2018); the pod is not the cause."""
    leaving = "leaves-1"
    on_k007 = {"nodeSelector": {"kubernetes.io/hostname": "k007"}}
    holding = threading.Event()
    fates = (HOLD_REQUEST if holding.is_set() else PASS for _ in itertools.count())
    slurmrestd = urllib.parse.urlsplit(here.cluster.environment["SLURM_REST_API"]).port
    with HoldingProxy(slurmrestd, f"POST {API}/job/submit".encode(), fates) as wire:
        here.bridge.stop()
        here.bridge.start_and_wait(SLURM_REST_API=f"http://127.0.0.1:{wire.port}")
        here.slurm.call("POST", "/new/node/", {"node_conf": f"NodeName={leaving} CPUs=1 Feature=k8s State=EXTERNAL"})
        try:
            eventually(lambda: leaving in _excluded_by(here.run_pod("first", spec=on_k007)), 90,
                       f"the bridge excludes {leaving}, which has no Kubernetes node")
            refused = here.bridge.metrics().get(SUBMITS_REFUSED, 0)
            holding.set()
            pod = here.make_pod("second", spec=on_k007)
            eventually(lambda: wire.count(HOLD_REQUEST), TIMEOUT, "its submit is in transit")
        finally:
            here.slurm.run("scontrol", "delete", f"NodeName={leaving}")
        holding.clear()
        wire.release(HOLD_REQUEST)
        pod.runs_within(TIMEOUT)
        assert here.bridge.metrics()[SUBMITS_REFUSED] > refused, "Slurm did not refuse it: the test proves nothing"
        assert not [event for event in here.events(REFUSED) if event["involvedObject"]["name"] == pod.name]
        here.exactly_one_job(pod, pod.job)
        here.bridge.stop()


def _excluded_by(pod):
    return pod.job.facts()["excluded_nodes"]


def _delete_all(pods):
    """While the requested objects still exist."""
    for pod in pods:
        pod.delete()
    for pod in pods:
        pod.gone_within(60)


@contextlib.contextmanager
def _reservation(here):
    here.slurm.run("scontrol", "create", f"ReservationName={RESERVATION}", "StartTime=now", "Duration=60",
                   "Users=alice", "Nodes=k015", "Flags=MAINT,OVERLAP,IGNORE_JOBS")
    try:
        yield
    finally:
        here.slurm.run("scontrol", "delete", f"ReservationName={RESERVATION}")
