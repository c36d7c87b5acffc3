# SPDX-License-Identifier: Apache-2.0
"""How quickly one system follows the other, at a low rate of changes.

RUNNING -> bound      from slurmctld's log ("sched: Allocate", milliseconds) to the watch event that shows the node; jobs
                      that backfill starts are not logged: from the last poll, one every POLL seconds, that did not
                      find the job running
cancelled -> gone     from sending DELETE job to the watch event that shows the deletionTimestamp
ended -> released     from sending the status Succeeded, as a kubelet does, to the first poll that finds the job ended;
                      Slurm does not log it, so these few jobs are polled every POLL seconds
"""

import http.client
import json
import random
import threading
import time

from lib.bridge import SCHEDULER
from lib.slurm import API
from lib.waiting import eventually
from stages.figures import percentile
from stages.ground import NAMESPACE, PODS, rest_address

POLL = 0.02
PACE = 0.06
SAMPLES = 60
WARM = 20
ENDED = {"CANCELLED", "COMPLETED", "FAILED"}


def measure(ground, figures, _options):
    if ground.bridge is None or not ground.bridge.running:
        ground.start_bridge()
    ground.load("create", scheduler=SCHEDULER, pods=WARM, prefix="warm-")  # warm up
    calls, began, log, polls = ground.bridge_calls("slurm"), time.monotonic(), ground.slurm_log(), Polls(ground)
    seen = ground.load("create", scheduler=SCHEDULER, pods=3 * SAMPLES, prefix="paced-", per_second=20)["pods"]
    figures["paced_slurm_calls_per_s"] = (ground.bridge_calls("slurm") - calls) / (time.monotonic() - began)
    started = {**polls.close(), **log.read().started}
    put(figures, "running_to_bound", [pod["bound"] - started[pod["job"]] for pod in seen.values()])
    put(figures, "created_to_running", [started[pod["job"]] - pod["created"] for pod in seen.values()])

    slurm = SlurmCalls(ground)
    jobs = {name: pod["job"] for name, pod in seen.items()}
    names = sorted(jobs)
    put(figures, "gone", gone(ground, slurm, {name: jobs[name] for name in names[:SAMPLES]}))
    put(figures, "released", _released(ground, slurm, {name: jobs[name] for name in names[SAMPLES:2 * SAMPLES]}))
    put(figures, "slurm_call", _times(lambda: slurm.states(list(jobs.values())), SAMPLES))
    put(figures, "api_patch", _times(lambda: ground.api.patch(
        f"{PODS}/{names[-1]}", {"metadata": {"annotations": {"bench": str(time.monotonic_ns())}}}), 3 * SAMPLES))
    ground.clear_by_force()


def put(figures, name, seconds):
    figures[f"{name}_p50_ms"] = 1000 * percentile(seconds, 0.5)
    figures[f"{name}_p99_ms"] = 1000 * percentile(seconds, 0.99)


def gone(ground, slurm, jobs):
    """Cancels these jobs, {pod: job}, and returns for each the time until its pod was being deleted."""
    watch = Watch(ground.api, lambda pod: pod["metadata"].get("deletionTimestamp"))
    sent = {}
    for name, job in jobs.items():
        time.sleep(random.uniform(0.5, 1.5) * PACE)
        sent[name] = time.monotonic()
        slurm.cancel(job)
    eventually(lambda: all(name in watch.seen for name in jobs), 60, "each pod whose job was cancelled is being deleted")
    watch.close()
    return [watch.seen[name] - sent[name] for name in jobs]


def _released(ground, slurm, jobs):
    sent, over = {}, {}

    def poll():
        while len(over) < len(jobs):
            waiting = [name for name in sent if name not in over]
            states = slurm.states([jobs[name] for name in waiting]) if waiting else {}
            now = time.monotonic()
            over.update({name: now for name in waiting if states.get(jobs[name]) in ENDED})
            time.sleep(POLL)

    poller = threading.Thread(target=poll, daemon=True)
    poller.start()
    for name in jobs:
        time.sleep(random.uniform(0.5, 1.5) * PACE)
        sent[name] = time.monotonic()
        ground.api.patch(f"{PODS}/{name}/status", {"status": {"phase": "Succeeded"}})
    eventually(lambda: not poller.is_alive(), 60, lambda: f"each job is released; {len(over)} of {len(jobs)} are")
    return [over[name] - sent[name] for name in jobs]


def _times(call, count):
    def once():
        began = time.monotonic()
        call()
        return time.monotonic() - began
    return [once() for _ in range(count)]


class Polls:
    """When jobs were last seen not running, by polling all of them every POLL seconds."""

    def __init__(self, ground):
        self._slurm = SlurmCalls(ground)
        self._started = {}
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._poll, daemon=True)
        self._thread.start()

    def close(self):
        """{job id: seconds since 1970} of all jobs that were seen running."""
        self._over.set()
        self._thread.join()
        return self._started

    def _poll(self):
        last = time.time()
        while not self._over.wait(POLL):
            asked = time.time()
            for job, state in self._slurm.states().items():
                if state == "RUNNING":
                    self._started.setdefault(job, last)
            last = asked


class SlurmCalls:
    """slurmrestd over kept connections, one for each thread."""

    def __init__(self, ground):
        self._address = rest_address(ground.cluster)
        self._headers = {"X-SLURM-USER-TOKEN": ground.cluster.path("SLURM_JWT_FILE").read_text().strip()}
        self._of_thread = threading.local()

    def cancel(self, job):
        self._call("DELETE", f"/job/{job}")

    def states(self, jobs=()):
        """{id: state} of the jobs that Slurm knows; all jobs if there are no ids."""
        query = "&".join(f"job_id={job}" for job in jobs)
        return {str(job["job_id"]): job["state"][0] for job in self._call("GET", f"/jobs/state/?{query}")["jobs"]}

    def _call(self, method, path):
        for _ in range(3):  # slurmrestd may close connections; these requests are idempotent
            try:
                connection = self._connection()
                connection.request(method, API + path, headers=self._headers)
                return json.loads(connection.getresponse().read())
            except (OSError, http.client.HTTPException) as error:
                self._of_thread.connection, failure = None, error
        raise failure

    def _connection(self):
        if getattr(self._of_thread, "connection", None) is None:
            self._of_thread.connection = http.client.HTTPConnection(*self._address, timeout=15)
        return self._of_thread.connection


class Watch:
    """The time at which each pod of the namespace first satisfied a condition, while the watch is open."""

    def __init__(self, api, condition):
        version = api.get(f"{PODS}?limit=1")["metadata"]["resourceVersion"]
        self._condition = condition
        self.seen = {}
        self._connection = http.client.HTTPSConnection(api.host, api.port, timeout=600, context=api._context)
        self._connection.request("GET", f"/api/v1/namespaces/{NAMESPACE}/pods?watch=1&resourceVersion={version}")
        self._answer = self._connection.getresponse()
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def close(self):
        self._connection.sock.shutdown(2)
        self._thread.join()
        self._connection.close()

    def _follow(self):
        try:
            for line in self._answer:
                pod, now = json.loads(line)["object"], time.monotonic()
                if self._condition(pod):
                    self.seen.setdefault(pod["metadata"]["name"], now)
        except (OSError, ValueError, http.client.HTTPException):
            pass  # closed
