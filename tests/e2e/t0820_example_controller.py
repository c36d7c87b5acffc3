# SPDX-License-Identifier: Apache-2.0
"""examples/controller on the real API server: the guarantees of src/kube for controllers (docs/kube-library.md)."""

import contextlib
import signal
import subprocess
from pathlib import Path

from lib.bridge import program
from lib.cluster import TOP
from lib.here import TIMEOUT
from lib.kubernetes import Refused
from lib.waiting import eventually

CRD = TOP / "examples/controller/crd.yaml"
CRD_PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/configmapcopies.example.com"
LEASE = "/apis/coordination.k8s.io/v1/namespaces/default/leases/config-map-copier"
SPACES = ("copies-home", "copies-one", "copies-two")
COPIES = "/apis/example.com/v1/namespaces/copies-home/configmapcopies"


def copies_follow_their_source_and_are_deleted_with_their_object(here):
    with _namespaces(here), _controller(here, "one") as controller:  # before the kind exists
        with _crd(here):
            here.kubernetes.create(COPIES, {"apiVersion": "example.com/v1", "kind": "ConfigMapCopy", "metadata": {
                "name": "c"}, "spec": {"configMap": "source", "namespaceLabel": "copies"}})
            eventually(lambda: _ready(here).get("reason") == "NoSource", 2 * TIMEOUT, "the condition reports the missing source")
            here.kubernetes.create(_maps("copies-home"), {"metadata": {"name": "source"}, "data": {"x": "1"}})
            eventually(lambda: _ready(here).get("status") == "True", TIMEOUT, "it is ready")
            assert _ready(here)["observedGeneration"] == 1
            assert [_value(here, space) for space in SPACES] == ["1", "1", "1"]
            [owner] = _copy(here, "copies-home")["metadata"]["ownerReferences"]
            assert owner["controller"] and owner["blockOwnerDeletion"] and owner["kind"] == "ConfigMapCopy"
            assert "ownerReferences" not in _copy(here, "copies-one")["metadata"]

            here.kubernetes.patch(_maps("copies-home") + "/source", {"data": {"x": None, "y": "2"}})
            eventually(lambda: all(_copy(here, space)["data"] == {"y": "2"} for space in SPACES), TIMEOUT,
                       "keys that were removed from the source are removed from the copies")
            here.kubernetes.patch("/api/v1/namespaces/copies-two", {"metadata": {"labels": {"copies": None}}})
            eventually(lambda: _copy(here, "copies-two") is None, TIMEOUT, "a namespace without the label has no copy")
            here.kubernetes.patch(_maps("copies-one") + "/c", {"data": {"y": "broken"}})
            eventually(lambda: _copy(here, "copies-one")["data"] == {"y": "2"}, TIMEOUT, "a changed copy is restored")
            _nothing_is_written_while_nothing_differs(here)

            controller.send_signal(signal.SIGTERM)
            assert controller.wait(TIMEOUT) == 0
            with _controller(here, "two"):  # it acquires a released Lease
                here.kubernetes.delete(COPIES + "/c")
                eventually(lambda: here.kubernetes.find(COPIES + "/c") is None, TIMEOUT, "the finalizer is removed")
                assert _copy(here, "copies-one") is None, "copies are deleted before their object"
                eventually(lambda: _copy(here, "copies-home") is None, TIMEOUT, "the owned copy is deleted")


def _nothing_is_written_while_nothing_differs(here):
    versions = [_copy(here, space)["metadata"]["resourceVersion"] for space in SPACES[:2]]
    before = here.kubernetes.get(COPIES + "/c")["metadata"]["resourceVersion"]
    here.kubernetes.patch("/api/v1/namespaces/copies-two", {"metadata": {"annotations": {"wakes": "it"}}})
    # Keys run in order: once a later one is done, the effect of the annotation is complete.
    here.kubernetes.create(COPIES, {"apiVersion": "example.com/v1", "kind": "ConfigMapCopy", "metadata": {"name": "later"},
                                    "spec": {"configMap": "source", "namespaceLabel": "no-namespace-has-this"}})
    eventually(lambda: _ready(here, "later").get("status") == "True", TIMEOUT, "a later copy is ready")
    assert [_copy(here, space)["metadata"]["resourceVersion"] for space in SPACES[:2]] == versions
    assert here.kubernetes.get(COPIES + "/c")["metadata"]["resourceVersion"] == before
    here.kubernetes.delete(COPIES + "/later")
    eventually(lambda: here.kubernetes.find(COPIES + "/later") is None, TIMEOUT, "the later copy is deleted")


def _maps(space):
    return f"/api/v1/namespaces/{space}/configmaps"


def _copy(here, space):
    return here.kubernetes.find(_maps(space) + "/c")


def _value(here, space):
    copy = _copy(here, space)
    return copy and copy["data"].get("x")


def _ready(here, name="c"):
    conditions = here.kubernetes.get(f"{COPIES}/{name}").get("status", {}).get("conditions", [])
    return next((one for one in conditions if one["type"] == "Ready"), {})


@contextlib.contextmanager
def _namespaces(here):
    for space in SPACES:
        here.kubernetes.create("/api/v1/namespaces", {"metadata": {"name": space, "labels": {"copies": "yes"}}})
    try:
        yield
    finally:
        for space in SPACES:
            here.kubernetes.delete(f"/api/v1/namespaces/{space}")
        if here.kubernetes.find(LEASE):
            here.kubernetes.delete(LEASE)


@contextlib.contextmanager
def _crd(here):
    _kubectl(here, "apply", "-f", CRD)
    eventually(lambda: _is_served(here), TIMEOUT, "the kind is served")
    try:
        yield
    finally:
        here.kubernetes.delete(CRD_PATH)


def _is_served(here):
    """Shortly after the definition is accepted: 404 before that, and 429 while the server prepares its storage."""
    try:
        here.kubernetes.get(COPIES)
        return True
    except Refused as refused:
        if refused.status in (404, 429):
            return False
        raise


@contextlib.contextmanager
def _controller(here, name):
    command = [program("example-controller", "SLURM_BRIDGE_EXAMPLE_CONTROLLER"), here.cluster.path("KUBECONFIG")]
    with open(here.folder / f"controller-{name}.log", "wb") as log:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()


def _kubectl(here, *arguments):
    kubectl = Path(here.cluster.environment["PATH"].split(":")[0]) / "kubectl"
    done = subprocess.run([kubectl, "--kubeconfig", here.cluster.path("KUBECONFIG"), *arguments], capture_output=True,
                          text=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr
