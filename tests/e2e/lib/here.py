# SPDX-License-Identifier: Apache-2.0
"""What a test is given: `here` are the cluster, the bridge and both systems, and the test's own pods and jobs.

Guarantees  what a test made is taken away after it; if it does not go, the test has failed: a pod that its owner
            deletes goes, and no job of it stays.
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
from lib.pods import NAMESPACE, TEST_LABEL, Pod, Wish, describe, has_finalizer
from lib.slurm import SlurmFailed
from lib.waiting import Unmet, eventually

PATIENCE = 30  # seconds for what takes one or two on an idle machine
MANY_AT_ONCE = 4
SHOWN_PODS = 8

_numbers = itertools.count(1)
_filling = threading.Lock()


class Here:
    def __init__(self, world, test):
        self.cluster, self.bridge = world.cluster, world.bridge
        self.kubernetes, self.slurm, self.audit = world.kubernetes, world.slurm, world.audit
        self.folder, self.wanted_gone = world.folder, world.wanted_gone
        self.look_back_on = world.look_back_on
        self.test = test
        self.pods = []
        self._jobs = []

    # --- pods ---

    def make_pod(self, name, exact_name=False, **wishes):
        """A pod that was created, and no more. Its name gets a number, for it must be unique in accounting."""
        return self._create(name if exact_name else _unique(name), Wish(**wishes))

    def run_pod(self, name, **wishes):
        """A pod that runs."""
        return self.make_pod(name, **wishes).runs_within(PATIENCE)

    def make_pods(self, name, count, wishes=lambda number: {}):
        """Many at once; wishes(i) are those of the i-th. Comes through while the API server is away now and then."""
        names = [_unique(name) for _ in range(count)]
        with ThreadPoolExecutor(MANY_AT_ONCE) as pool:
            return list(pool.map(lambda i: self._create(names[i], Wish(**wishes(i))), range(count)))

    def pods_now(self):
        """{name: object} of the pods of this test that exist."""
        path = f"/api/v1/pods?labelSelector={TEST_LABEL}%3D{self.test.label}"
        return {item["metadata"]["name"]: item for item in persistently(lambda: self.kubernetes.get(path))["items"]}

    def cluster_id(self):
        """What tells this cluster from others in a job's admin_comment."""
        return self.kubernetes.get("/api/v1/namespaces/kube-system")["metadata"]["uid"]

    def identity(self, name, uid, cluster=None, scheduler=SCHEDULER):
        """The admin_comment that the bridge writes for a pod."""
        return json.dumps({"pods": [f"{NAMESPACE}/{name}"], "cluster": cluster or self.cluster_id(),
                           "scheduler": scheduler, "workload": uid, "uids": [uid]})

    # --- jobs that are not the bridge's ---

    def submit(self, name, admin_comment=None, **options):
        job = self.slurm.submit(_unique(name), admin_comment, **options)
        self._jobs.append(job)
        return job

    @contextlib.contextmanager
    def no_room(self, partition="small"):
        """All nodes of the partition are taken by somebody else's job; yields {"partition": ...} to ask for it."""
        with _filling:
            job = self.submit("filler", partition=partition, nodes=2, whole_nodes=True)
            try:
                job.runs_within(3 * PATIENCE)  # the pods of the test before may still be leaving
                yield {"partition": partition}
            finally:
                job.cancel()
                job.ended_within(PATIENCE)

    def events(self, reason):
        """All Events of that reason in the tests' namespace."""
        return self.kubernetes.get(f"/api/v1/namespaces/{NAMESPACE}/events?fieldSelector=reason%3D{reason}")["items"]

    # --- what befalls the systems ---

    def lose_slurm_state(self):
        """What slurmctld would read at its next start; it must not run."""
        for path in self.cluster.slurm_folder("var/slurmctld").glob("*_state*"):
            path.unlink()

    def copy_slurm_state(self):
        """A copy of what slurmctld would read at its next start; it must not run."""
        copy = self.folder / "slurmctld-state"
        subprocess.run(["cp", "-a", self.cluster.slurm_folder("var/slurmctld"), copy], check=True)
        return copy

    def bring_back_slurm_state(self, copy):
        """slurmctld must not run."""
        state = self.cluster.slurm_folder("var/slurmctld")
        subprocess.run(["find", state, "-mindepth", "1", "-delete"], check=True)
        subprocess.run(["cp", "-a", f"{copy}/.", state], check=True)

    @contextlib.contextmanager
    def slurm_conf(self, change):
        """slurm.conf as change(text) has it, for a while."""
        text = self.slurm.configuration()
        try:
            self.slurm.configure(change(text))
            yield
        finally:
            self.slurm.configure(text)

    def short_memory(self):
        """slurmctld forgets jobs seconds after their end: it looks for such once a minute."""
        return self.slurm_conf(lambda text: re.sub(r"(?m)^MinJobAge=.*$", "MinJobAge=5", text))

    @contextlib.contextmanager
    def dead_node(self, name):
        """Its kubelet is gone: nobody reports, the node is NotReady."""
        path = f"/api/v1/nodes/{name}"
        kind = self.kubernetes.get(path)["metadata"]["labels"]["type"]
        self.kubernetes.patch(path, {"metadata": {"labels": {"type": "dead"}}})  # kwok lets go of it
        not_ready = [{"type": "Ready", "status": "Unknown", "reason": "NodeStatusUnknown", "message": "no kubelet"}]
        self.kubernetes.patch(f"{path}/status", {"status": {"conditions": not_ready}}, "strategic")
        try:
            yield
        finally:
            self.kubernetes.patch(path, {"metadata": {"labels": {"type": kind}}})
            eventually(lambda: any(one["type"] == "Ready" and one["status"] == "True"
                                   for one in self.kubernetes.get(path)["status"]["conditions"]), 60, f"{name} is back")

    # --- promises that many tests make ---

    def pods_live_and_end(self, name):
        """Three pods, from created to released: one ends by itself, one with its job, one because its owner wants it."""
        ends, cancelled, deleted = (self.run_pod(f"{name}-{end}") for end in ("ends", "cancelled", "deleted"))
        jobs = [pod.job for pod in (ends, cancelled, deleted)]
        assert all(pod.condition()[0] == "True" for pod in (ends, cancelled, deleted)), "they say that they have a node"
        ends.end().ended_within(PATIENCE)
        ends.is_let_go_within(PATIENCE)
        cancelled.job.cancel()
        cancelled.gone_within(PATIENCE)
        self.removed_by_the_bridge(cancelled)
        deleted.delete().gone_within(PATIENCE)
        for job in jobs:
            job.ended_within(PATIENCE)

    def exactly_one_job(self, pod, job):
        """Accounting has this job for the pod and no other."""
        eventually(pod.records, PATIENCE, f"accounting knows {job} of {pod}")
        found = [record.id for record in pod.records()]
        assert found == [job.id], f"{pod} had jobs {found}, not {job.id} alone"

    def the_record_names(self, pod, job):
        """The job that ended says in accounting whose it was."""
        def told():
            return [record for record in pod.records() if record.id == job.id and record.admin_comment]

        [record] = eventually(told, PATIENCE, f"accounting has the admin_comment of {job}")
        said = json.loads(record.admin_comment)
        assert said["pods"] == [pod.key] and said["uids"] == [pod.uid], f"{job} says {record.admin_comment}"

    def removed_by_the_bridge(self, pod):
        self.wanted_gone.add(pod.key)
        eventually(lambda: pod.key in self.audit.pods_deleted_by_the_bridge(), PATIENCE,
                   f"the audit log has the bridge's delete of {pod}")

    def not_removed_by_the_bridge(self, *pods):
        removed = self.audit.pods_deleted_by_the_bridge() & {pod.key for pod in pods}
        assert not removed, f"the bridge deleted {', '.join(sorted(removed))}"

    # --- the end of a test ---

    def tidy(self, patience=60):
        self._cancel_jobs()
        with ThreadPoolExecutor(MANY_AT_ONCE) as pool:
            list(pool.map(lambda pod: persistently(pod.delete), self.pods))
        eventually(lambda: not self._left(), patience, self._what_is_left)

    def sweep(self):
        """What a failed test left, by force: the next one begins with a clean floor."""
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

    def story(self, complaint):
        """Lines about the test's pods and jobs, for a person who wants to know why it failed: about those that the
        complaint names, else about some."""
        names = [pod.name for pod in self.pods if re.search(rf"\b{pod.name}\b", complaint)]
        names = set(names or [pod.name for pod in self.pods][:SHOWN_PODS])
        lines = []
        with contextlib.suppress(Unreachable, Refused):
            lines += [describe(item) for item in self.pods_now().values() if item["metadata"]["name"] in names]
        with contextlib.suppress(SlurmFailed):
            lines += [f"job {record.id} of {record.name}: {record.state}" for record in self.slurm.records()
                      if record.name in names]
        lines += [str(entry) for entry in self.audit.writes_of_the_bridge() if entry.name in names][-20:]
        lines += [f"{part} is down; its last words: {said}" for part in self.cluster.dead_parts()
                  for said in self.cluster.log_tail(part, 3)]
        return lines + ["the bridge:", *self.bridge.log_tail(about=names)]

    def _create(self, name, wish):
        path = f"/api/v1/namespaces/{wish.namespace}/pods"

        def create():
            try:
                return self.kubernetes.create(path, wish.manifest(name, self.test.label))
            except Refused as refused:
                if refused.status != 409:  # there: an earlier attempt had its effect and lost its answer
                    raise
                return self.kubernetes.get(f"{path}/{name}")

        pod = Pod(self.kubernetes, self.slurm, persistently(create), wish.namespace)
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
