# SPDX-License-Identifier: Apache-2.0
"""Two Kubernetes clusters on one Slurm, with the same scheduler name, the same namespaces and the same pod names: each
bridge processes its own pods and jobs and does not change the other's."""

import contextlib
import json

from lib.audit import Audit
from lib.bridge import Bridge
from lib.cluster import Cluster
from lib.here import TIMEOUT
from lib.kubernetes import Kubernetes
from lib.pods import JOB_LABEL, NAMESPACE, Pod, PodOptions
from lib.runner import alone
from lib.waiting import eventually, throughout

SWEPT_SECONDS = 30  # a bridge cancels an orphan after 20 to 25 s


@alone
def two_bridges_with_the_same_names_share_a_slurm_without_affecting_each_other(here):
    with _another_cluster(here) as other:
        ours = {name: here.make_pod(name) for name in ("cancelled", "deleted", "orphaned", "calm")}
        theirs = {name: other.make_pod(pod.name) for name, pod in ours.items()}
        for pod in (*ours.values(), *theirs.values()):
            pod.runs_within(TIMEOUT)
        jobs = {pod: pod.job for pod in (*ours.values(), *theirs.values())}
        assert len(set(jobs.values())) == 8, f"eight pods have {jobs}"
        _identities_are_right(jobs, ours, here.cluster_id())
        _identities_are_right(jobs, theirs, other.cluster_id())

        here.expected_deletes.add(ours["cancelled"].key)
        jobs[ours["cancelled"]].cancel()
        ours["cancelled"].gone_within(TIMEOUT)
        theirs["deleted"].delete().gone_within(TIMEOUT)
        jobs[theirs["deleted"]].ended_within(TIMEOUT)
        liar = here.make_pod("liar", labels={JOB_LABEL: str(jobs[theirs["calm"]].id)})
        own = eventually(lambda: liar.job if liar.job != jobs[theirs["calm"]] else None, TIMEOUT, "it has its own job")
        liar.runs_within(TIMEOUT)
        here.exactly_one_job(liar, own)

        # The other bridge is stopped, and its pod is deleted: our bridge must not cancel the job.
        other.bridge.kill()
        other.lose(theirs["orphaned"])
        here.bridge.kill()
        here.bridge.start_and_wait()
        here.run_pod("witness")  # the new process has scanned all jobs before it submitted one for this pod
        left = [pod for pod in jobs if pod not in (ours["cancelled"], theirs["deleted"])]
        throughout(SWEPT_SECONDS, lambda: all(jobs[pod].state == "RUNNING" for pod in left), "the jobs of the other cluster are kept")

        other.bridge.start_and_wait()
        jobs[theirs["orphaned"]].ended_within(90)
        left.remove(theirs["orphaned"])
        for pod in left:
            assert pod.phase == "Running" and pod.job == jobs[pod] and jobs[pod].state == "RUNNING", f"{pod} suffered"


def _identities_are_right(jobs, pods, cluster):
    for pod in pods.values():
        identity = json.loads(jobs[pod].admin_comment)
        assert (identity["cluster"], identity["uids"]) == (cluster, [pod.uid]), f"{jobs[pod]} has {identity}"


class _Another:
    """A second Kubernetes with its own bridge, on the Slurm of the first."""

    def __init__(self, here, cluster):
        self._here = here
        self.kubernetes = Kubernetes(cluster.path("KUBECONFIG"))
        for name in ("SLURM_REST_API", "SLURM_JWT_FILE"):
            cluster.environment[name] = here.cluster.environment[name]
        folder = here.folder / "another"
        folder.mkdir(exist_ok=True)
        self.bridge = Bridge(cluster, folder)
        self._pods = []

    def cluster_id(self):
        return self.kubernetes.get("/api/v1/namespaces/kube-system")["metadata"]["uid"]

    def make_pod(self, name):
        manifest = PodOptions().manifest(name, self._here.test.label)
        created = self.kubernetes.create(f"/api/v1/namespaces/{NAMESPACE}/pods", manifest)
        pod = Pod(self.kubernetes, self._here.slurm, created, NAMESPACE)
        self._pods.append(pod)
        return pod

    def lose(self, pod):
        """Delete it while no bridge runs to release its job."""
        self.kubernetes.patch(pod.path, {"metadata": {"finalizers": None}})
        pod.delete(grace_seconds=0).gone_within(TIMEOUT)

    def tidy(self):
        for pod in self._pods:
            pod.delete()
        eventually(lambda: not any(pod.find() for pod in self._pods), 60, "the other cluster's pods are deleted")


@contextlib.contextmanager
def _another_cluster(here):
    cluster = Cluster(f"{here.cluster.name}-2")
    try:
        cluster.up(16, only="kubernetes")
        another = _Another(here, cluster)
        another.bridge.start_and_wait()
        try:
            yield another
            another.tidy()
        finally:
            another.bridge.end()
            here.check_audit_log_of(cluster, Audit(cluster.path("AUDIT_LOG")), expected_deletes=set())
    finally:
        cluster.down()
