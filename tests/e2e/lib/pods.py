# SPDX-License-Identifier: Apache-2.0
"""A pod, as its owner sees it."""

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
class Wish:
    """What a test wants of a pod. By default it shares its node and runs until it is deleted."""
    run_seconds: Optional[int] = None
    stop_seconds: Optional[int] = None
    fails: bool = False
    whole_node: bool = False
    ask: dict = field(default_factory=dict)  # what Slurm is asked for: {"partition": "small"}
    labels: dict = field(default_factory=dict)
    gated: bool = False
    scheduler: str = SCHEDULER
    namespace: str = NAMESPACE
    cpu: str = "1"
    memory: str = "1Gi"
    spec: dict = field(default_factory=dict)  # more of the pod's spec: {"nodeSelector": ...}
    annotations: Optional[dict] = None  # all of them, instead of those that the wishes above make

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
    """One pod, by name and uid. What it says is asked anew each time."""

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

    # --- what it is now ---

    def find(self):
        """The object, or None if this very pod is gone; a namesake does not count."""
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
        """The jobs that accounting has for it, by name: names are used once."""
        return self._slurm.records_named(self.name)

    # --- what its owner does ---

    def delete(self, grace_seconds=None):
        """Ask for it; it may take its time to go."""
        options = {"preconditions": {"uid": self.uid}}
        if grace_seconds is not None:
            options["gracePeriodSeconds"] = grace_seconds
        try:
            self._kubernetes.delete(self.path, options)
        except Refused as refused:
            if refused.status not in (404, 409):  # gone, or a namesake in its place
                raise
        return self

    def end(self):
        """Its program ends by itself, now."""
        self._kubernetes.patch(self.path, {"metadata": {"annotations": {"slurm-bridge.dev/run-seconds": "0"}}})
        return self

    def ask(self, **wishes):
        """Change what Slurm is asked for; None takes a wish back."""
        annotations = {ASK + name: value for name, value in wishes.items()}
        self._kubernetes.patch(self.path, {"metadata": {"annotations": annotations}})
        return self

    # --- what it comes to ---

    def has_a_job_within(self, seconds):
        return eventually(lambda: self.job, seconds, lambda: f"{self} names its job; {describe(self.now())}")

    def runs_within(self, seconds):
        eventually(lambda: self.phase == "Running", seconds, lambda: f"{self} runs; {describe(self.now())}")
        return self

    def ended_within(self, seconds, phase="Succeeded"):
        eventually(lambda: self.phase in ENDED, seconds, lambda: f"{self} has ended; {describe(self.now())}")
        assert self.phase == phase, f"{self} ended as {self.phase}, not as {phase}"
        return self

    def is_let_go_within(self, seconds):
        """The bridge's finalizer is off; the pod stays."""
        eventually(lambda: not has_finalizer(self.now()), seconds, lambda: f"{self} is let go; {describe(self.now())}")
        return self

    def gone_within(self, seconds):
        eventually(lambda: self.find() is None, seconds, lambda: f"{self} is gone; {describe(self.now())}")
        return self

    def says_within(self, seconds, reason):
        """The message of PodScheduled=False with that reason."""
        def said():
            condition = self.condition()
            return condition if condition and condition[:2] == ("False", reason) else None

        return eventually(said, seconds, lambda: f"{self} says {reason}; {describe(self.now())}")[2]


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
    """One line about a pod, for a person who wonders."""
    meta, status = manifest["metadata"], manifest["status"]
    words = [f"{meta['name']}: {status.get('phase')}", f"node {manifest['spec'].get('nodeName')}",
             f"job {job_id_of(manifest)}", "finalizer" if has_finalizer(manifest) else "no finalizer"]
    if meta.get("deletionTimestamp"):
        words.append(f"deleted {meta['deletionTimestamp']}")
    for one in status.get("conditions", []):
        if one["type"] == "PodScheduled" and one["status"] == "False":
            words.append(f"{one.get('reason')}: {one.get('message')}")
    return ", ".join(words)
