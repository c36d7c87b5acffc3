# SPDX-License-Identifier: Apache-2.0
"""The objects that the operator creates (tests/golden/operator/parts), given to the real API server. No operator runs."""

import contextlib
import copy
import json
import subprocess

from lib.bridge import program
from lib.cluster import TOP
from lib.here import TIMEOUT
from lib.kubernetes import Refused
from lib.waiting import eventually

GOLDEN = TOP / "tests/golden/operator/parts"
MANAGER = "slurm-operator"
ALL_KINDS = {  # kind: where its objects are
    "ConfigMap": ("/api/v1", "configmaps"),
    "Service": ("/api/v1", "services"),
    "ServiceAccount": ("/api/v1", "serviceaccounts"),
    "PersistentVolumeClaim": ("/api/v1", "persistentvolumeclaims"),
    "Pod": ("/api/v1", "pods"),
    "StatefulSet": ("/apis/apps/v1", "statefulsets"),
    "Deployment": ("/apis/apps/v1", "deployments"),
    "PodDisruptionBudget": ("/apis/policy/v1", "poddisruptionbudgets"),
    "NetworkPolicy": ("/apis/networking.k8s.io/v1", "networkpolicies"),
}
BASELINE = {f"pod-security.kubernetes.io/{mode}": "baseline" for mode in ("enforce", "warn")}


def every_object_is_accepted_without_a_warning(here):
    with _namespace(here, "operator-objects") as space:
        for name, thing in _golden(space):
            if thing["kind"] == "ServiceAccount":
                thing["metadata"]["name"] += "-2"  # the first exists
            _is_accepted(here, name, thing)


def every_pod_is_valid_under_pod_security_baseline(here):
    with _namespace(here, "operator-pods") as space:
        templates = [(name, thing) for name, thing in _golden(space) if "template" in thing.get("spec", {})]
        assert templates, "there are StatefulSets and Deployments"
        for name, thing in templates:
            template = thing["spec"]["template"]
            pod = {"apiVersion": "v1", "kind": "Pod", "spec": copy.deepcopy(template["spec"]),
                   "metadata": {**template["metadata"], "name": "a", "namespace": space}}
            claims = thing["spec"].get("volumeClaimTemplates", ())
            pod["spec"].setdefault("volumes", []).extend(
                {"name": claim["metadata"]["name"], "persistentVolumeClaim": {"claimName": "a"}} for claim in claims)
            _is_accepted(here, name, pod)


def pod_security_baseline_refuses_a_privileged_pod(here):
    """Otherwise the test before proves nothing."""
    with _namespace(here, "operator-privileged") as space:
        pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "namespace": space}, "spec": {
            "containers": [{"name": "a", "image": "a", "securityContext": {"privileged": True}}]}}
        try:
            here.kubernetes.create(_path(pod) + "?dryRun=All", pod)
        except Refused as refused:
            assert refused.status == 403 and "privileged" in str(refused), refused
        else:
            raise AssertionError("the privileged pod was accepted")


def an_applied_object_is_not_written_again(here):
    """What the server stores is what the operator wants, by the comparison that the operator uses."""
    with _namespace(here, "operator-stable") as space:
        pairs = []
        for _, thing in _golden(space):
            if thing["kind"] == "Pod":  # pods are created, not applied
                continue
            path = f"{_path(thing)}/{thing['metadata']['name']}?dryRun=All&force=true&fieldManager={MANAGER}"
            pairs.append({"live": here.kubernetes.patch(path, thing, "apply"), "desired": thing})
        done = subprocess.run([program("apply_probe"), MANAGER], input=json.dumps(pairs), stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT)
        assert done.returncode == 0, f"these would be written for ever:\n{done.stdout}"


def _is_accepted(here, name, thing):
    if thing["kind"] == "Pod":
        thing["spec"].pop("priorityClassName", None)  # an administrator creates it
    try:
        here.kubernetes.create(_path(thing) + "?dryRun=All&fieldValidation=Strict", thing)
    except Refused as refused:
        raise AssertionError(f"{name}: {refused}") from refused
    assert not here.kubernetes.warnings, f"{name}: {here.kubernetes.warnings}"


def _golden(space):
    """(name, object) of each golden file, in the namespace of the test."""
    files = sorted(GOLDEN.rglob("*.json"))
    assert files, f"{GOLDEN} has no files"
    for file in files:
        thing = json.loads(file.read_text())
        thing["metadata"]["namespace"] = space
        yield str(file.relative_to(GOLDEN)), thing


def _path(thing):
    api, plural = ALL_KINDS[thing["kind"]]
    return f"{api}/namespaces/{thing['metadata']['namespace']}/{plural}"


@contextlib.contextmanager
def _namespace(here, name):
    """With ServiceAccounts of the names in the golden files: a pod needs its own to exist."""
    here.kubernetes.create("/api/v1/namespaces", {"metadata": {"name": name, "labels": BASELINE}})
    try:
        accounts = f"/api/v1/namespaces/{name}/serviceaccounts"
        for account in {thing["metadata"]["name"] for _, thing in _golden(name) if thing["kind"] == "ServiceAccount"}:
            here.kubernetes.create(accounts, {"metadata": {"name": account}})
        eventually(lambda: here.kubernetes.find(accounts + "/default") is not None, TIMEOUT, "the default account exists")
        yield name
    finally:
        here.kubernetes.delete(f"/api/v1/namespaces/{name}")
