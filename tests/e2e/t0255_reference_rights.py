# SPDX-License-Identifier: Apache-2.0
"""Separate roles with the permissions of the reference's chart (reference_rights.yaml), as if only the images were replaced."""

import contextlib
import re
import subprocess
from pathlib import Path

from lib.bridge import Bridge
from lib.cluster import TOP
from lib.here import TIMEOUT
from lib.nodes import Node
from lib.runner import alone
from lib.waiting import eventually

RIGHTS = TOP / "tests/e2e/reference_rights.yaml"
SYSTEM = "slurm"
ROLE = "/apis/rbac.authorization.k8s.io/v1/clusterroles/slurm-bridge-reference-controllers"
NOTE = f"/apis/coordination.k8s.io/v1/namespaces/{SYSTEM}/leases/cluster-id.slinky.slurm.net"
GRANT = "grant this account get on namespaces, resourceNames [kube-system] (deploy/rbac.yaml)"
NO_CONDITION = "may not patch pods/status"


@alone
def controllers_get_the_cluster_id_from_the_scheduler_and_all_but_conditions_works(here):
    with _accounts(here) as account, _role(here, "scheduler") as scheduler, _role(here, "controllers") as controllers:
        controllers.start(KUBECONFIG=account("controllers"))
        eventually(lambda: controllers.died or controllers.log_lines(GRANT), TIMEOUT, "they name the missing permission")
        status, text = controllers.probe("/readyz?verbose")
        assert status == 500 and "may not be read" in text, text
        scheduler.start_and_wait(KUBECONFIG=account("scheduler"))
        eventually(lambda: controllers.died or " running " in controllers.log_text(), TIMEOUT, "they get the cluster id")
        assert {_cluster(scheduler), _cluster(controllers)} == {here.cluster_id()}
        logged = [line.split("error=")[1] for line in controllers.log_lines(GRANT)]
        assert len(logged) == len(set(logged)), f"it is logged repeatedly: {logged}"

        here.pods_run_and_end("as-before")
        _slurm_ends_pods_without_a_condition(here, controllers)
        _nodes_are_synchronized(here)

        kept = here.run_pod("kept")
        assert controllers.stop() == 0
        controllers.start_and_wait()  # with the permissions of deploy/rbac.yaml from now on
        assert _cluster(controllers) == here.cluster_id()
        job = kept.job
        job.cancel()
        kept.gone_within(TIMEOUT)
        here.removed_by_the_bridge(kept)
        here.exactly_one_job(kept, job)
        for role in (scheduler, controllers):
            assert role.stop() == 0


@alone
def controllers_that_cannot_get_the_cluster_id_exit_and_name_the_missing_permission(here):
    with _accounts(here) as account, _role(here, "controllers") as controllers:
        rules = here.kubernetes.get(ROLE)["rules"]  # of a release before 1.3
        here.kubernetes.patch(ROLE, {"rules": [rule for rule in rules if "leases" not in rule["resources"]]})
        controllers.start(KUBECONFIG=account("controllers"))
        assert controllers.ended_by_itself_within(30 + TIMEOUT) == 1
        [last] = controllers.log_lines(" ended ")
        assert GRANT in last, last


def _slurm_ends_pods_without_a_condition(here, controllers):
    for _ in range(2):
        pod = here.run_pod("suspended", stop_seconds=15)
        here.slurm.run("scontrol", "suspend", pod.job.id)
        eventually(lambda: pod.now()["metadata"].get("deletionTimestamp"), TIMEOUT, f"{pod} is being deleted")
        assert pod.condition("DisruptionTarget") is None
        pod.gone_within(TIMEOUT)
        here.removed_by_the_bridge(pod)
    assert len(controllers.log_lines(NO_CONDITION)) == 1, "it is logged once"


def _nodes_are_synchronized(here):
    node = Node(here, "k003")
    try:
        node.cordon()
        node.is_drained_within(TIMEOUT, "slurm-bridge: Corresponding Kubernetes node (k003) is unschedulable")
        node.cordon(False)
        node.is_open_in_slurm_within(TIMEOUT)
        node.admin("DRAIN", "fan")
        node.is_cordoned_within(TIMEOUT, "fan")
        node.admin("RESUME")
        node.is_open_in_kubernetes_within(TIMEOUT)
        assert node.taints, "the taint is set"
    finally:
        node.cordon(False)
        with contextlib.suppress(Exception):
            node.admin("RESUME")


def _cluster(process):
    return re.search(r" running .*\bcluster=(\S+)", process.log_text())[1]


# --- accounts ---

@contextlib.contextmanager
def _accounts(here):
    """account(role): the kubeconfig of the reference's account for it."""
    here.bridge.stop()
    _kubectl(here, "apply", "--validate=false", "-f", RIGHTS)
    try:
        yield lambda role: _kubeconfig(here, role)
    finally:
        _kubectl(here, "delete", "--ignore-not-found", "-f", RIGHTS)
        if here.kubernetes.find(NOTE):
            here.kubernetes.delete(NOTE)


def _kubectl(here, *arguments):
    kubectl = Path(here.cluster.environment["PATH"].split(":")[0]) / "kubectl"
    done = subprocess.run([kubectl, "--kubeconfig", here.cluster.path("KUBECONFIG"), *arguments], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
    assert done.returncode == 0, done.stdout


def _kubeconfig(here, role):
    """The kubeconfig of our own account with another token, and with the namespace of the bridge."""
    account = f"slurm-bridge-reference-{role}"
    answer = here.kubernetes.create(
        f"/api/v1/namespaces/{SYSTEM}/serviceaccounts/{account}/token",
        {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"expirationSeconds": 3600}})
    text = Path(f"{here.cluster.environment['SLURM_BRIDGE_KUBECONFIG']}-{role}").read_text()
    text = re.sub(r"(?m)^(\s+token: ).*$", rf"\g<1>{answer['status']['token']}", text)
    text = re.sub(r"(?m)^  context:$", f"  context:\n    namespace: {SYSTEM}", text)
    path = here.folder / f"kubeconfig-reference-{role}"
    path.write_text(text)
    path.chmod(0o600)
    return str(path)


@contextlib.contextmanager
def _role(here, name):
    folder = here.folder / f"{here.test.label}-{name}"
    folder.mkdir()
    process = Bridge(here.cluster, folder, role=name)
    try:
        yield process
    finally:
        process.end()
