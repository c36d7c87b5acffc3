# SPDX-License-Identifier: Apache-2.0
"""The argument of a test: `here` has the cluster, the bridge and both systems, and the test's own pods and jobs.

Guarantees  the pods and jobs of a test are deleted after it; if they are not removed, the test has failed: a deleted pod
            must disappear, and its job must end.
"""

import contextlib
import itertools
import json
import re
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor

from lib.bridge import SCHEDULER
from lib.kubernetes import Refused, Unreachable, persistently
from lib.pods import NAMESPACE, TEST_LABEL, Pod, PodOptions, describe, has_finalizer
from lib.slurm import SlurmFailed
from lib.waiting import Unmet, eventually

TIMEOUT = 30  # seconds for actions that take one or two on an idle machine
MANY_AT_ONCE = 4
SHOWN_PODS = 8

_numbers = itertools.count(1)
_filling = threading.Lock()


class Here:
    def __init__(self, world, test):
        self.cluster, self.bridge = world.cluster, world.bridge
        self.kubernetes, self.slurm, self.audit = world.kubernetes, world.slurm, world.audit
        self.folder, self.expected_deletes = world.folder, world.expected_deletes
        self.check_audit_log_of = world.check_audit_log_of
        self.test = test
        self.pods = []
        self._jobs = []

    # --- pods ---

    def make_pod(self, name, exact_name=False, **pod_options):
        """A created pod. Its name gets a number, because it must be unique in accounting."""
        return self._create(name if exact_name else _unique(name), PodOptions(**pod_options))

    def run_pod(self, name, **pod_options):
        """A running pod."""
        return self.make_pod(name, **pod_options).runs_within(TIMEOUT)

    def make_pods(self, name, count, pod_options=lambda number: {}):
        """Many at once; pod_options(i) are those of the i-th. Retries while the API server is down."""
        names = [_unique(name) for _ in range(count)]
        with ThreadPoolExecutor(MANY_AT_ONCE) as pool:
            return list(pool.map(lambda i: self._create(names[i], PodOptions(**pod_options(i))), range(count)))

    def pods_now(self):
        """{name: object} of the pods of this test that exist."""
        path = f"/api/v1/pods?labelSelector={TEST_LABEL}%3D{self.test.label}"
        return {item["metadata"]["name"]: item for item in persistently(lambda: self.kubernetes.get(path))["items"]}

    def cluster_id(self):
        """The id of this cluster in a job's admin_comment."""
        return self.kubernetes.get("/api/v1/namespaces/kube-system")["metadata"]["uid"]

    def identity(self, name, uid, cluster=None, scheduler=SCHEDULER):
        """The admin_comment that the bridge writes for a pod."""
        return json.dumps({"pods": [f"{NAMESPACE}/{name}"], "cluster": cluster or self.cluster_id(),
                           "scheduler": scheduler, "workload": uid, "uids": [uid]})

    # --- foreign jobs ---

    def submit(self, name, admin_comment=None, **options):
        job = self.slurm.submit(_unique(name), admin_comment, **options)
        self._jobs.append(job)
        return job

    @contextlib.contextmanager
    def full_partition(self, partition="small"):
        """All nodes of the partition are occupied by a foreign job; yields {"partition": ...} for requests."""
        with _filling:
            job = self.submit("filler", partition=partition, nodes=2, whole_nodes=True)
            try:
                job.runs_within(3 * TIMEOUT)  # the pods of the previous test may still be terminating
                yield {"partition": partition}
            finally:
                job.cancel()
                job.ended_within(TIMEOUT)

    def events(self, reason):
        """All Events with that reason in the tests' namespace."""
        return self.kubernetes.get(f"/api/v1/namespaces/{NAMESPACE}/events?fieldSelector=reason%3D{reason}")["items"]

    # --- faults ---

    def delete_slurm_state(self):
        """Delete the state that slurmctld would read at its next start; it must not run."""
        for path in self.cluster.slurm_folder("var/slurmctld").glob("*_state*"):
            path.unlink()

    def copy_slurm_state(self):
        """A copy of the state that slurmctld would read at its next start; it must not run."""
        copy = self.folder / "slurmctld-state"
        subprocess.run(["cp", "-a", self.cluster.slurm_folder("var/slurmctld"), copy], check=True)
        return copy

    def restore_slurm_state(self, copy):
        """Restore that copy; slurmctld must not run."""
        state = self.cluster.slurm_folder("var/slurmctld")
        subprocess.run(["find", state, "-mindepth", "1", "-delete"], check=True)
        subprocess.run(["cp", "-a", f"{copy}/.", state], check=True)

    @contextlib.contextmanager
    def slurm_conf(self, change):
        """Inside this context slurm.conf is change(text)."""
        text = self.slurm.configuration()
        try:
            self.slurm.configure(change(text))
            yield
        finally:
            self.slurm.configure(text)

    def short_min_job_age(self):
        """slurmctld purges jobs seconds after their end: it checks once a minute."""
        return self.slurm_conf(lambda text: re.sub(r"(?m)^MinJobAge=.*$", "MinJobAge=5", text))

    @contextlib.contextmanager
    def dead_node(self, name):
        """Its kubelet is stopped: there are no heartbeats, the node is NotReady."""
        path = f"/api/v1/nodes/{name}"
        kind = self.kubernetes.get(path)["metadata"]["labels"]["type"]
        self.kubernetes.patch(path, {"metadata": {"labels": {"type": "dead"}}})  # kwok no longer manages it
        not_ready = [{"type": "Ready", "status": "Unknown", "reason": "NodeStatusUnknown", "message": "no kubelet"}]
        self.kubernetes.patch(f"{path}/status", {"status": {"conditions": not_ready}}, "strategic")
        try:
            yield
        finally:
            self.kubernetes.patch(path, {"metadata": {"labels": {"type": kind}}})
            eventually(lambda: any(one["type"] == "Ready" and one["status"] == "True"
                                   for one in self.kubernetes.get(path)["status"]["conditions"]), 60, f"{name} is Ready again")

    # --- common checks ---

    def pods_run_and_end(self, name):
        """Three pods, from creation to release: one ends, one is ended with its job, one is deleted by its owner."""
        ends, cancelled, deleted = (self.run_pod(f"{name}-{end}") for end in ("ends", "cancelled", "deleted"))
        jobs = [pod.job for pod in (ends, cancelled, deleted)]
        assert all(pod.condition()[0] == "True" for pod in (ends, cancelled, deleted)), "PodScheduled is True"
        ends.end().ended_within(TIMEOUT)
        ends.is_released_within(TIMEOUT)
        cancelled.job.cancel()
        cancelled.gone_within(TIMEOUT)
        self.removed_by_the_bridge(cancelled)
        deleted.delete().gone_within(TIMEOUT)
        for job in jobs:
            job.ended_within(TIMEOUT)

    def exactly_one_job(self, pod, job):
        """Accounting has this job for the pod and no other."""
        eventually(pod.records, TIMEOUT, f"accounting has {job} of {pod}")
        found = [record.id for record in pod.records()]
        assert found == [job.id], f"{pod} had jobs {found}, not {job.id} alone"

    def the_record_names(self, pod, job):
        """The record of the ended job in accounting names the pod."""
        def record_with_comment():
            return [record for record in pod.records() if record.id == job.id and record.admin_comment]

        [record] = eventually(record_with_comment, TIMEOUT, f"accounting has the admin_comment of {job}")
        identity = json.loads(record.admin_comment)
        assert identity["pods"] == [pod.key] and identity["uids"] == [pod.uid], f"{job} has {record.admin_comment}"

    def removed_by_the_bridge(self, pod):
        self.expected_deletes.add(pod.key)
        eventually(lambda: pod.key in self.audit.pods_deleted_by_the_bridge(), TIMEOUT,
                   f"the audit log has the bridge's delete of {pod}")

    def not_removed_by_the_bridge(self, *pods):
        removed = self.audit.pods_deleted_by_the_bridge() & {pod.key for pod in pods}
        assert not removed, f"the bridge deleted {', '.join(sorted(removed))}"

    # --- cleanup ---

    def tidy(self, within=60):
        self._cancel_jobs()
        with ThreadPoolExecutor(MANY_AT_ONCE) as pool:
            list(pool.map(lambda pod: persistently(pod.delete), self.pods))
        eventually(lambda: not self._left(), within, self._what_is_left)

    def sweep(self):
        """Delete by force what a failed test left, for the next test."""
        for pod in self.pods:
            with contextlib.suppress(Refused, Unreachable, AssertionError):
                if has_finalizer(pod.now()):
                    self.kubernetes.patch(pod.path, {"metadata": {"finalizers": None}})
                pod.delete(grace_seconds=0)
        self._cancel_jobs()
        names = [pod.name for pod in self.pods]
        with contextlib.suppress(SlurmFailed, Unmet):
            jobs = [job for job, name in self.slurm.jobs() if name in names]
            if jobs:
                self.slurm.run("scancel", *jobs)

    def diagnosis(self, complaint):
        """Lines about the pods and jobs of a failed test: about those that the complaint names, else about some."""
        names = [pod.name for pod in self.pods if re.search(rf"\b{pod.name}\b", complaint)]
        names = set(names or [pod.name for pod in self.pods][:SHOWN_PODS])
        lines = []
        with contextlib.suppress(Unreachable, Refused):
            lines += [describe(item) for item in self.pods_now().values() if item["metadata"]["name"] in names]
        with contextlib.suppress(SlurmFailed):
            lines += [f"job {record.id} of {record.name}: {record.state}" for record in self.slurm.records()
                      if record.name in names]
        lines += [str(entry) for entry in self.audit.writes_of_the_bridge() if entry.name in names][-20:]
        lines += [f"{component} is down; end of its log: {line}" for component in self.cluster.dead_components()
                  for line in self.cluster.log_tail(component, 3)]
        return lines + ["the bridge:", *self.bridge.log_tail(about=names)]

    def _create(self, name, options):
        path = f"/api/v1/namespaces/{options.namespace}/pods"

        def create():
            try:
                return self.kubernetes.create(path, options.manifest(name, self.test.label))
            except Refused as refused:
                if refused.status != 409:  # 409: an earlier attempt had its effect, and its answer was lost
                    raise
                return self.kubernetes.get(f"{path}/{name}")

        pod = Pod(self.kubernetes, self.slurm, persistently(create), options.namespace)
        self.pods.append(pod)
        return pod

    def _cancel_jobs(self):
        for job in self._jobs:
            with contextlib.suppress(SlurmFailed):
                job.cancel()

    def _left(self):
        if self.pods_now():
            return True
        return bool({pod.name for pod in self.pods} & self.slurm.live_names())

    def _what_is_left(self):
        live = sorted({pod.name for pod in self.pods} & self.slurm.live_names())
        stays = [describe(item) for item in self.pods_now().values()]
        return f"nothing of the test is left; pods: {'; '.join(stays[:5])}; live jobs of: {', '.join(live[:5])}"


def _unique(name):
    return f"{name}-{next(_numbers)}"
