# SPDX-License-Identifier: Apache-2.0
"""Unknown does not mean ended: the API server or Slurm is down, and nothing is lost, duplicated or deleted."""

import random
import urllib.parse
from concurrent.futures import ThreadPoolExecutor

from lib.bursts import (all_are_placed, each_has_exactly_one_job, ended_ones_are_released,
                        running_ones_have_a_running_job)
from lib.cutting_proxy import OF_SLURMRESTD, CuttingProxy, kubeconfig_through
from lib.here import TIMEOUT
from lib.runner import alone
from lib.waiting import eventually, pause, throughout

ROUNDS = 10
PODS_PER_ROUND = 20
API_SERVER, SLURM_API = "apiserver", "slurmrestd"


@alone
def api_server_and_slurmrestd_killed_ten_times_each_during_a_burst(here):
    mark = here.audit.mark()
    with ThreadPoolExecutor(1) as makers:
        batches = [makers.submit(here.make_pods, "storm", PODS_PER_ROUND, _mixed) for _ in range(ROUNDS)]
        try:
            for batch in batches:
                _kill_both(here.cluster)
                batch.result()
        finally:  # if a server does not start again, the threads that create pods must end
            makers.shutdown(cancel_futures=True)
    assert len(here.pods) == ROUNDS * PODS_PER_ROUND

    all_are_placed(here, here.pods, within=180)
    each_has_exactly_one_job(here, here.pods)
    ended_ones_are_released(here, here.pods, within=60)
    running_ones_have_a_running_job(here, here.pods)
    asked_for = here.audit.pods_deleted_by_the_bridge(mark)
    assert not asked_for, f"the bridge deleted pods without a reason: {sorted(asked_for)[:5]}"


@alone
def answers_cut_at_random_bytes_leave_no_surplus_job(here):
    mark = here.audit.mark()
    slurmrestd = urllib.parse.urlsplit(here.cluster.environment["SLURM_REST_API"]).port
    with CuttingProxy(here.kubernetes.port) as kubernetes, CuttingProxy(slurmrestd, OF_SLURMRESTD) as slurm:
        here.bridge.stop()
        here.bridge.start(SLURM_REST_API=f"http://127.0.0.1:{slurm.port}", KUBECONFIG=kubeconfig_through(
            kubernetes, here.cluster.path("SLURM_BRIDGE_KUBECONFIG"), here.folder))
        for _ in range(ROUNDS):
            here.make_pods("cut", 6, _mixed)
            pause(random.uniform(0, 1))
        eventually(lambda: slurm.cuts > 30, 300, lambda: f"enough answers are cut; so far {slurm.cuts}")
        slurm.repair()
        kubernetes.repair()
        all_are_placed(here, here.pods, within=120)
        each_has_exactly_one_job(here, here.pods)
        ended_ones_are_released(here, here.pods, within=60)
        here.bridge.stop()
    running_ones_have_a_running_job(here, here.pods)
    assert not here.audit.pods_deleted_by_the_bridge(mark), "the bridge deleted a pod on a lost answer"


@alone
def slurmrestd_down_for_20_seconds_changes_nothing(here):
    with here.full_partition() as full:
        waits = here.make_pod("waits", ask=full)
        waiting_job = waits.has_a_job_within(TIMEOUT).waits_within(TIMEOUT)
        runs = [here.run_pod("runs") for _ in range(3)]
        ends, deleted = here.run_pod("ends"), here.run_pod("deleted")
        jobs = {pod: pod.job for pod in (*runs, ends, deleted)}
        here.cluster.kill(SLURM_API)
        deleted.delete()
        ends.end()
        new = here.make_pod("new")
        throughout(20, lambda: all(pod.phase == "Running" for pod in runs) and waits.phase == "Pending",
                   "running and waiting pods are unchanged while Slurm is down")
        ends.ended_within(TIMEOUT)
        assert jobs[ends].state == "RUNNING" and deleted.find(), "a pod whose job could not be released is kept"
        here.cluster.start(SLURM_API)

        new.runs_within(TIMEOUT)
        deleted.gone_within(TIMEOUT)
        ends.is_released_within(TIMEOUT)
        assert waits.job == waiting_job and waiting_job.state == "PENDING"
    waits.runs_within(TIMEOUT)
    here.not_removed_by_the_bridge(*here.pods)
    for pod in (*runs, ends, waits, new):
        here.exactly_one_job(pod, pod.job)
    for pod in (ends, deleted):
        jobs[pod].ended_within(TIMEOUT)


@alone
def the_api_server_down_for_15_seconds_changes_nothing(here):
    with here.full_partition() as full:
        waits = here.make_pod("waits", ask=full)
        waiting_job = waits.has_a_job_within(TIMEOUT).waits_within(TIMEOUT)
        runs = [here.run_pod("runs") for _ in range(3)]
        cancelled = here.run_pod("cancelled")
        jobs, cancelled_job = [pod.job for pod in runs], cancelled.job
        here.cluster.kill(API_SERVER)
        cancelled_job.cancel()
        throughout(15, lambda: all(job.state == "RUNNING" for job in jobs) and waiting_job.state == "PENDING",
                   "jobs are kept while Kubernetes is down")
        here.cluster.start(API_SERVER)

        here.run_pod("new")
        cancelled.gone_within(TIMEOUT)
        assert [pod.job for pod in runs] == jobs and waits.job == waiting_job
    waits.runs_within(TIMEOUT)
    here.removed_by_the_bridge(cancelled)
    here.not_removed_by_the_bridge(*(pod for pod in here.pods if pod is not cancelled))
    for pod in (*runs, waits):
        here.exactly_one_job(pod, pod.job)


@alone
def a_rejected_token_is_reported_and_waiting_pods_continue_when_it_is_replaced(here):
    """The token file is read again: no restart is needed."""
    good = here.cluster.path("SLURM_JWT_FILE").read_text().strip()
    file = here.folder / "token"
    file.touch(mode=0o600)
    file.write_text(good)
    here.bridge.stop()
    here.bridge.start_and_wait(SLURM_JWT_FILE=str(file))
    runs = here.run_pod("runs")
    for name, bad in (("expired", _token(here, seconds=1)), ("forged", good[:-8] + good[-8:].swapcase())):
        file.write_text(bad)
        eventually(lambda: not here.slurm.accepts(bad), TIMEOUT, f"Slurm refuses a token that is {name}")
        eventually(lambda: here.bridge.metrics()["slurm_bridge_slurm_up"] == 0, TIMEOUT, "the metric shows the outage")
        new = here.make_pod(f"new-{name}")
        message = new.has_reason_within(60, "SlurmUnavailable")
        for text in ("1007", "to change: the Slurm token", "expired"):
            assert text in message, f"{name}: {text!r} is missing: {message}"
        assert new.job is None and not new.records()
        assert runs.phase == "Running" and runs.job.state == "RUNNING", "running pods keep running"
        file.write_text(good)
        new.runs_within(TIMEOUT)
        here.exactly_one_job(new, new.job)
    here.not_removed_by_the_bridge(*here.pods)
    here.bridge.stop()


def _token(here, seconds):
    """A token of SlurmUser, as an administrator creates it; valid for this long."""
    said = here.slurm.run("scontrol", "token", "username=slurm", f"lifespan={seconds}")
    return said.strip().split("=", 1)[1]


@alone
def the_bridge_starts_before_the_systems_that_it_needs(here):
    here.bridge.stop()
    for part in (API_SERVER, SLURM_API):
        here.cluster.kill(part)
    here.bridge.start()
    eventually(lambda: any("cannot" in line for line in here.bridge.log_tail(5)), TIMEOUT, "the log names what is missing")
    for part in (API_SERVER, SLURM_API):
        here.cluster.start(part)
    here.run_pod("first")


def _mixed(number):
    """Half of them keep running; the others end during or after the faults."""
    return {"run_seconds": (None, 2, None, 8)[number % 4]}


def _kill_both(cluster):
    """In any order, one after the other or overlapping."""
    first, second = random.sample((API_SERVER, SLURM_API), 2)
    pause(random.uniform(0, 1))
    cluster.kill(first)
    if random.random() < 0.5:
        cluster.start(first)
        pause(random.uniform(0, 1))
        cluster.restart(second)
    else:
        pause(random.uniform(0, 0.5))
        cluster.kill(second)
        cluster.start(second)
        cluster.start(first)
