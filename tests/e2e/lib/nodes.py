# SPDX-License-Identifier: Apache-2.0
"""One node in both systems, with administrator permissions."""

import contextlib
import json

from lib.waiting import eventually

EXTERNAL = "scheduler.slinky.slurm.net/external-node"
PARTITIONS = "scheduler.slinky.slurm.net/external-node-partitions"
TOPOLOGY = "topology.slinky.slurm.net/spec"
SLURM_NAME = "slinky.slurm.net/slurm-nodename"
DRAIN_REASON = "slinky.slurm.net/slurm-drain-reason"
LIFTED = "slinky.slurm.net/slurm-cordon-lifted"
TAINT = "slinky.slurm.net/managed-node"
SLICES = "/apis/resource.k8s.io/v1/resourceslices"


class Node:
    """`slurm_name` is its name in Slurm, if it differs."""

    def __init__(self, here, name, slurm_name=None):
        self._here = here
        self.name, self.slurm_name = name, slurm_name or name
        self.path = f"/api/v1/nodes/{name}"

    def __str__(self):
        return self.name

    # --- Kubernetes ---

    @classmethod
    def create(cls, here, name, slurm_name=None, labels=None, annotations=None, cpus=4, alive=True):
        """A node object; kwok simulates its kubelet if `alive`."""
        labels = {"kubernetes.io/hostname": name, **({"type": "kwok"} if alive else {}), **(labels or {})}
        if slurm_name:
            labels[SLURM_NAME] = slurm_name
        resources = {"cpu": str(cpus), "memory": "8Gi", "pods": "100"}
        here.kubernetes.create("/api/v1/nodes", {
            "metadata": {"name": name, "labels": labels, "annotations": annotations or {}},
            "status": {"capacity": resources, "allocatable": resources,
                       "conditions": [{"type": "Ready", "status": "True", "reason": "KubeletReady"}],
                       "addresses": [{"type": "InternalIP", "address": "127.0.0.1"}]}})
        return cls(here, name, slurm_name)

    def delete(self):
        if self._here.kubernetes.find(self.path):
            self._here.kubernetes.delete(self.path)

    @contextlib.contextmanager
    def deleted(self):
        """Inside this context the node is deleted; it is created again unchanged."""
        was = self.object()
        self._here.kubernetes.delete(self.path)
        try:
            yield
        finally:
            metadata = {key: was["metadata"].get(key, {}) for key in ("name", "labels", "annotations")}
            self._here.kubernetes.create("/api/v1/nodes", {"metadata": metadata, "status": was["status"]})

    def object(self):
        return self._here.kubernetes.get(self.path)

    def patch(self, **parts):
        self._here.kubernetes.patch(self.path, parts)

    def cordon(self, cordoned=True):
        self.patch(spec={"unschedulable": cordoned})

    def label(self, key, value):
        self.patch(metadata={"labels": {key: value}})

    def annotate(self, key, value):
        self.patch(metadata={"annotations": {key: value}})

    def set_ready(self, status):
        self._here.kubernetes.patch(
            self.path + "/status", {"status": {"conditions": [{"type": "Ready", "status": status, "reason": "Test"}]}})

    @property
    def cordoned(self):
        return self.object()["spec"].get("unschedulable", False)

    def _noted(self, key):
        return self.object()["metadata"].get("annotations", {}).get(key)

    @property
    def noted_reason(self):
        return self._noted(DRAIN_REASON)

    @property
    def lifted_reason(self):
        return self._noted(LIFTED)

    @property
    def taints(self):
        return [taint for taint in self.object()["spec"].get("taints", []) if taint["key"] == TAINT]

    def publish(self, driver, devices, generation=1):
        """Publish the devices of a driver: {name: {attribute: value}}."""
        def attributes(given):
            return {key: {"int" if isinstance(value, int) else "string": value} for key, value in given.items()}

        self._here.kubernetes.create(SLICES, {
            "metadata": {"name": f"{self.name}-{driver}-{generation}"},
            "spec": {"driver": driver, "nodeName": self.name,
                     "pool": {"name": self.name, "generation": generation, "resourceSliceCount": 1},
                     "devices": [{"name": name, "attributes": attributes(given)} for name, given in devices.items()]}})

    def withdraw(self, driver=""):
        """Delete the ResourceSlices of all drivers, or of one."""
        for item in self._here.kubernetes.get(SLICES)["items"]:
            if item["spec"].get("nodeName") == self.name and item["spec"]["driver"].startswith(driver):
                self._here.kubernetes.delete(f"{SLICES}/{item['metadata']['name']}")

    def events(self):
        """(reason, message) of the Events about it."""
        items = self._here.kubernetes.get(
            f"/api/v1/namespaces/default/events?fieldSelector=involvedObject.name%3D{self.name}")["items"]
        return [(item["reason"], item["message"]) for item in items]

    # --- Slurm ---

    def facts(self):
        """None if Slurm has no such node."""
        nodes = json.loads(self._here.slurm.run("scontrol", "--json", "show", "nodes"))["nodes"]
        return next((node for node in nodes if node["name"] == self.slurm_name), None)

    @property
    def drained(self):
        """False also if Slurm has no such node, for example while it is registered again."""
        return "DRAIN" in (self.facts() or {"state": []})["state"]

    @property
    def reason(self):
        return self.facts()["reason"]

    def admin(self, state, reason=None):
        words = [f"State={state}"] + ([f"Reason={reason}"] if reason else [])
        self._here.slurm.run("scontrol", "update", f"NodeName={self.slurm_name}", *words)

    # --- waiting ---

    def is_drained_within(self, seconds, reason):
        def drained_so():
            facts = self.facts()
            return facts and "DRAIN" in facts["state"] and facts["reason"] == reason

        eventually(drained_so, seconds, lambda: f"{self} is drained: {reason}; it is {self._in_short()}")

    def is_open_in_slurm_within(self, seconds):
        eventually(self.open_in_slurm, seconds, lambda: f"{self} is open in Slurm; it is {self._in_short()}")

    def open_in_slurm(self):
        """Its facts, if it exists and is not drained."""
        facts = self.facts()
        return facts if facts and "DRAIN" not in facts["state"] else None

    def _in_short(self):
        facts = self.facts()
        return f"{facts['state']} {facts['reason']!r}" if facts else "not there"

    def is_cordoned_within(self, seconds, reason):
        eventually(lambda: self.cordoned and self.noted_reason == reason, seconds,
                   lambda: f"{self} is cordoned: {reason}; its annotation is {self.noted_reason!r}")

    def is_open_in_kubernetes_within(self, seconds):
        eventually(lambda: not self.cordoned and self.noted_reason is None and self.lifted_reason is None, seconds,
                   lambda: f"{self} is not cordoned and has no annotation; it is {self.object()}")
