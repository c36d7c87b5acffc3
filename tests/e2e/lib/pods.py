# SPDX-License-Identifier: Apache-2.0
"""A pod, with the permissions of its owner."""

from dataclasses import dataclass, field
from typing import Optional

from lib.bridge import SCHEDULER
from lib.kubernetes import Refused
from lib.waiting import eventually

NAMESPACE = "slurm-bridge"
JOB_LABEL = "scheduler.slinky.slurm.net/slurm-jobid"
FINALIZER = "scheduler.slinky.slurm.net/finalizer"
NODE_ANNOTATION = "slinky.slurm.net/slurm-node"
ASK = "slurmjob.slinky.slurm.net/"  # + partition, account, timelimit, ...
TEST_LABEL = "slurm-bridge.dev/test"
ENDED = ("Succeeded", "Failed")


@dataclass
class PodOptions:
    """Options of a test's pod. By default it shares its node and runs until it is deleted."""
    run_seconds: Optional[int] = None
    stop_seconds: Optional[int] = None
    fails: bool = False
    whole_node: bool = False
    ask: dict = field(default_factory=dict)  # annotations for Slurm: {"partition": "small"}
    labels: dict = field(default_factory=dict)
    gated: bool = False
    scheduler: str = SCHEDULER
    namespace: str = NAMESPACE
    cpu: str = "1"
    memory: str = "1Gi"
    spec: dict = field(default_factory=dict)  # further fields of the pod's spec: {"nodeSelector": ...}
    annotations: Optional[dict] = None  # all annotations, instead of those of the options above

    def manifest(self, name, test):
        manifest = {
            "metadata": {"name": name, "labels": {TEST_LABEL: test, **self.labels}, "annotations": self._annotations()},
            "spec": {
                "schedulerName": self.scheduler,
                "restartPolicy": "Never",
                "containers": [{"name": "main", "image": "none",
                                "resources": {"requests": {"cpu": self.cpu, "memory": self.memory}}}],
            },
        }
        manifest["spec"].update(self.spec)
        if self.gated:
            manifest["spec"]["schedulingGates"] = [{"name": "example.com/not-yet"}]
        return manifest

    def _annotations(self):
        if self.annotations is not None:
            return self.annotations
        says = {ASK + name: value for name, value in self.ask.items()}
        if not self.whole_node:
            says.setdefault(ASK + "exclusive", "false")
        if self.run_seconds is not None:
            says["slurm-bridge.dev/run-seconds"] = str(self.run_seconds)
        if self.stop_seconds is not None:
            says["slurm-bridge.dev/stop-seconds"] = str(self.stop_seconds)
        if self.fails:
            says["slurm-bridge.dev/exit"] = "failed"
        return says


class Pod:
    """One pod, by name and uid. Its state is read from the API server each time."""

    def __init__(self, kubernetes, slurm, manifest, namespace):
        self._kubernetes, self._slurm = kubernetes, slurm
        self.name, self.namespace = manifest["metadata"]["name"], namespace
        self.uid = manifest["metadata"]["uid"]
        self.path = f"/api/v1/namespaces/{namespace}/pods/{self.name}"

    def __repr__(self):
        return f"pod {self.name}"

    @property
    def key(self):
        return f"{self.namespace}/{self.name}"

    # --- current state ---

    def find(self):
        """The object, or None if the pod with this uid does not exist."""
        found = self._kubernetes.find(self.path)
        return found if found is not None and found["metadata"]["uid"] == self.uid else None

    def now(self):
        found = self.find()
        assert found is not None, f"{self} is gone"
        return found

    @property
    def job(self):
        """The job of its label; None without one."""
        return job_named_by(self.now(), self._slurm)

    @property
    def phase(self):
        return self.now()["status"]["phase"]

    @property
    def node(self):
        return self.now()["spec"].get("nodeName")

    def condition(self, kind="PodScheduled"):
        """(status, reason, message) of a condition; None if it has none of that kind."""
        for one in self.now()["status"].get("conditions", []):
            if one["type"] == kind:
                return one["status"], one.get("reason", ""), one.get("message", "")
        return None

    def records(self):
        """Its jobs in accounting, by name: names are unique."""
        return self._slurm.records_named(self.name)

    # --- actions of its owner ---

    def delete(self, grace_seconds=None):
        """Delete it; it may terminate later."""
        options = {"preconditions": {"uid": self.uid}}
        if grace_seconds is not None:
            options["gracePeriodSeconds"] = grace_seconds
        try:
            self._kubernetes.delete(self.path, options)
        except Refused as refused:
            if refused.status not in (404, 409):  # it does not exist, or another pod has its name
                raise
        return self

    def end(self):
        """Its program ends now."""
        self._kubernetes.patch(self.path, {"metadata": {"annotations": {"slurm-bridge.dev/run-seconds": "0"}}})
        return self

    def ask(self, **pod_options):
        """Change annotations for Slurm; None removes one."""
        annotations = {ASK + name: value for name, value in pod_options.items()}
        self._kubernetes.patch(self.path, {"metadata": {"annotations": annotations}})
        return self

    # --- waiting ---

    def has_a_job_within(self, seconds):
        return eventually(lambda: self.job, seconds, lambda: f"{self} names its job; {describe(self.now())}")

    def runs_within(self, seconds):
        eventually(lambda: self.phase == "Running", seconds, lambda: f"{self} runs; {describe(self.now())}")
        return self

    def ended_within(self, seconds, phase="Succeeded"):
        eventually(lambda: self.phase in ENDED, seconds, lambda: f"{self} has ended; {describe(self.now())}")
        assert self.phase == phase, f"{self} ended as {self.phase}, not as {phase}"
        return self

    def is_released_within(self, seconds):
        """The bridge's finalizer is removed; the pod still exists."""
        eventually(lambda: not has_finalizer(self.now()), seconds, lambda: f"{self} is released; {describe(self.now())}")
        return self

    def gone_within(self, seconds):
        eventually(lambda: self.find() is None, seconds, lambda: f"{self} is gone; {describe(self.now())}")
        return self

    def has_reason_within(self, seconds, reason):
        """The message of PodScheduled=False with that reason."""
        def condition_with_reason():
            condition = self.condition()
            return condition if condition and condition[:2] == ("False", reason) else None

        return eventually(condition_with_reason, seconds, lambda: f"{self} has the reason {reason}; {describe(self.now())}")[2]


def job_id_of(manifest):
    return manifest["metadata"].get("labels", {}).get(JOB_LABEL)


def job_named_by(manifest, slurm):
    number = job_id_of(manifest)
    return slurm.job(number) if number and number.isdigit() else None


def has_finalizer(manifest):
    return FINALIZER in manifest["metadata"].get("finalizers", [])


def is_bound(manifest):
    return bool(manifest["spec"].get("nodeName"))


def has_ended(manifest):
    return manifest["status"].get("phase") in ENDED


def describe(manifest):
    """One line about a pod, for messages."""
    meta, status = manifest["metadata"], manifest["status"]
    words = [f"{meta['name']}: {status.get('phase')}", f"node {manifest['spec'].get('nodeName')}",
             f"job {job_id_of(manifest)}", "finalizer" if has_finalizer(manifest) else "no finalizer"]
    if meta.get("deletionTimestamp"):
        words.append(f"deleted {meta['deletionTimestamp']}")
    for one in status.get("conditions", []):
        if one["type"] == "PodScheduled" and one["status"] == "False":
            words.append(f"{one.get('reason')}: {one.get('message')}")
    return ", ".join(words)
