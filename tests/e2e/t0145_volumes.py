# SPDX-License-Identifier: Apache-2.0
"""Pods with volumes run where their volumes are, and wait for missing volumes."""

import contextlib
import uuid

from lib.bridge import CONFIG
from lib.here import TIMEOUT
from lib.pods import NAMESPACE
from lib.runner import alone
from lib.waiting import eventually

CLAIMS = f"/api/v1/namespaces/{NAMESPACE}/persistentvolumeclaims"
VOLUMES = "/api/v1/persistentvolumes"
CLASSES = "/apis/storage.k8s.io/v1/storageclasses"
SELECTED = "volume.kubernetes.io/selected-node"
NOT_READY = "VolumesNotReady"
HOLD_IN_FORCE = "the configuration changed and is in force keys=holdSeconds"
SMALL = {"partition": "small"}  # two nodes: k001 and k002


def a_pod_runs_on_the_node_of_its_volume(here):
    with _storage(here) as storage:
        storage.volume("k007")
        claim = storage.claim()
        storage.is_bound(claim)
        pod = here.run_pod("has-data", spec=_using(claim))
        assert pod.node == "k007" and pod.job.nodes == "k007", f"{pod} runs on {pod.node}"
        _end(pod)


def a_claim_that_waits_for_its_first_consumer_gets_a_volume_on_the_pods_node(here):
    with _storage(here, waits=True) as storage:
        storage.volume("k008")
        claim = storage.claim()
        pod = here.run_pod("first-consumer", spec=_using(claim))
        assert pod.node == "k008", f"{pod} runs on {pod.node}"
        storage.is_bound(claim)
        _end(pod)


def a_missing_claim_is_named_and_the_pod_starts_when_it_is_created(here):
    with _storage(here) as storage:
        name = f"{storage.name}-later"
        pod = here.make_pod("early", spec=_using(name))
        message = pod.has_reason_within(TIMEOUT, NOT_READY)
        assert f"{NAMESPACE}/{name}" in message, message
        assert pod.job is None and not pod.records(), "a job was submitted that cannot run"
        storage.volume("k009")
        storage.is_bound(storage.claim(name))
        pod.runs_within(TIMEOUT)
        assert pod.node == "k009", f"{pod} runs on {pod.node}"
        here.exactly_one_job(pod, pod.job)
        _end(pod)


def a_volume_that_no_slurm_node_can_reach_is_reported(here):
    with _storage(here) as storage:
        storage.volume("elsewhere")
        claim = storage.claim()
        storage.is_bound(claim)
        pod = here.make_pod("unreachable", spec=_using(claim))
        message = pod.has_reason_within(TIMEOUT, "NoNodeFits")
        assert claim in message and "elsewhere" in message, message
        _end(pod)


def a_pod_waits_for_a_read_write_once_pod_claim(here):
    with _storage(here, modes=["ReadWriteOncePod"]) as storage:
        storage.volume("k009")
        claim = storage.claim()
        storage.is_bound(claim)
        first = here.run_pod("has-it", spec=_using(claim))
        second = here.make_pod("wants-it", spec=_using(claim))
        message = second.has_reason_within(TIMEOUT, NOT_READY)
        assert first.name in message and "ReadWriteOncePod" in message, message
        assert second.job is None, "nodes are not reserved for a pod that cannot start"
        _end(first)
        second.runs_within(TIMEOUT)
        _end(second)


def a_pod_waits_for_a_claim_in_use_by_another_schedulers_pod(here):
    with _storage(here, modes=["ReadWriteOncePod"]) as storage:
        storage.volume("k009")
        claim = storage.claim()
        storage.is_bound(claim)
        stays = {"nodeName": "k009", "tolerations": [{"operator": "Exists"}]}  # otherwise our taint would evict it
        foreign = here.make_pod("foreign", scheduler="nobody", spec={**_using(claim), **stays}).runs_within(TIMEOUT)
        ours = here.make_pod("wants-it", spec=_using(claim))
        assert foreign.name in ours.has_reason_within(TIMEOUT, NOT_READY), f"{ours} has {ours.condition()}"
        _end(foreign)
        ours.runs_within(TIMEOUT)
        _end(ours)


@alone
def of_pods_created_together_one_gets_the_read_write_once_pod_claim(here):
    """All of them have a running job before the first is bound."""
    with _storage(here, modes=["ReadWriteOncePod"]) as storage:
        storage.volume("k001")
        claim = storage.claim()
        storage.is_bound(claim)
        with here.full_partition() as full:
            left = here.make_pods("rivals", 3, lambda _: {"ask": full, "spec": _using(claim)})
            for pod in left:
                pod.has_a_job_within(TIMEOUT).waits_within(TIMEOUT)
        while left:
            ran = eventually(lambda: next((pod for pod in left if pod.node), None), TIMEOUT, "one pod has the claim")
            left.remove(ran)
            for pod in left:
                pod.job.runs_within(TIMEOUT)
                eventually(lambda: ran.name in pod.has_reason_within(TIMEOUT, NOT_READY), TIMEOUT,
                           lambda: f"{pod} names {ran}; it has {pod.condition()}")
                assert not pod.node, f"{pod} and {ran} have a claim that is for one pod"
            here.exactly_one_job(ran, ran.job)
            _end(ran)


@alone
def a_volume_that_is_never_provisioned_does_not_tie_the_pod_to_the_released_node(here):
    here.bridge.stop()
    here.bridge.configure(f"{CONFIG}holdSeconds: 3\n")
    here.bridge.start_and_wait()
    first, other = "k001", "k002"
    try:
        taken = here.submit("taken", partition="small", node=other, whole_nodes=True).runs_within(TIMEOUT)
        with _storage(here, waits=True, provisioner="example.com/on-holiday") as storage:
            claim = storage.claim()
            pod = here.make_pod("patient", ask=SMALL, spec=_using(claim))
            event = eventually(lambda: _given_back(here, pod), 60, f"{pod} releases the node")
            assert f"volumes are being made for node {first}" in event["message"], event["message"]
            _hold_for_long(here)  # before there is another node: no further timeout from now on
            taken.cancel()
            eventually(lambda: storage.selected(claim) == other, 60,
                       lambda: f"the volume is requested on {other}; it is for {storage.selected(claim)}")
            assert "volumes are being made" in pod.has_reason_within(TIMEOUT, NOT_READY)
            assert not pod.node
            storage.volume(other, of=claim)  # the provisioner is back
            pod.runs_within(TIMEOUT)
            assert pod.node == other, f"{pod} runs on {pod.node}"
            _end(pod)
    finally:
        here.bridge.stop()
        here.bridge.configure(CONFIG)
        here.bridge.start_and_wait()


def _given_back(here, pod):
    return next((event for event in here.events("NodeGivenBack") if event["involvedObject"]["name"] == pod.name), None)


def _hold_for_long(here):
    before = len(here.bridge.log_lines(HOLD_IN_FORCE))
    here.bridge.configure(f"{CONFIG}holdSeconds: 120\n")
    eventually(lambda: len(here.bridge.log_lines(HOLD_IN_FORCE)) > before, TIMEOUT, "the longer hold is in force")


def _using(claim):
    return {"volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": claim}}]}


def _end(pod):
    """Before its volume is deleted."""
    pod.delete().gone_within(TIMEOUT)


class _Storage:
    """A StorageClass of the test, with its volumes and claims."""

    def __init__(self, here, waits, provisioner, modes):
        self._here, self._modes = here, modes
        self.name = f"storage-{uuid.uuid4().hex[:8]}"
        self._made = []
        self._create(CLASSES, self.name, {
            "provisioner": provisioner, "volumeBindingMode": "WaitForFirstConsumer" if waits else "Immediate"})

    def volume(self, node, of=None):
        """A volume that can be reached from that node only; for the claim `of`, if it is given."""
        term = {"matchExpressions": [{"key": "kubernetes.io/hostname", "operator": "In", "values": [node]}]}
        spec = {"capacity": {"storage": "1Gi"}, "accessModes": self._modes, "storageClassName": self.name,
                "local": {"path": "/none"}, "nodeAffinity": {"required": {"nodeSelectorTerms": [term]}}}
        if of is not None:
            uid = self._here.kubernetes.get(f"{CLAIMS}/{of}")["metadata"]["uid"]
            spec["claimRef"] = {"kind": "PersistentVolumeClaim", "namespace": NAMESPACE, "name": of, "uid": uid}
        self._create(VOLUMES, f"{self.name}-{node}", {"spec": spec})

    def claim(self, name=None):
        name = name or f"{self.name}-data"
        self._create(CLAIMS, name, {"spec": {"accessModes": self._modes, "storageClassName": self.name,
                                             "resources": {"requests": {"storage": "1Gi"}}}})
        return name

    def is_bound(self, claim):
        eventually(lambda: self._here.kubernetes.get(f"{CLAIMS}/{claim}")["status"].get("phase") == "Bound", 3 * TIMEOUT,
                   f"claim {claim} has its volume")

    def selected(self, claim):
        """The node for which its volume is provisioned."""
        return self._here.kubernetes.get(f"{CLAIMS}/{claim}")["metadata"].get("annotations", {}).get(SELECTED)

    def take_away(self):
        for path in reversed(self._made):
            self._here.kubernetes.delete(path)

    def _create(self, path, name, manifest):
        self._here.kubernetes.create(path, {"metadata": {"name": name}, **manifest})
        self._made.append(f"{path}/{name}")


@contextlib.contextmanager
def _storage(here, waits=False, provisioner="kubernetes.io/no-provisioner", modes=("ReadWriteOnce",)):
    storage = _Storage(here, waits, provisioner, list(modes))
    try:
        yield storage
    finally:
        storage.take_away()
