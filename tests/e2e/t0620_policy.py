# SPDX-License-Identifier: Apache-2.0
"""deploy/policy: who may set the user and the priority of a Slurm job."""

import contextlib
import json
import subprocess
from pathlib import Path

from lib.cluster import TOP
from lib.here import TIMEOUT
from lib.pods import ASK, NAMESPACE
from lib.runner import alone
from lib.waiting import eventually

POLICY = TOP / "deploy/policy/job-identity.yaml"
BINDING = {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding", "metadata": {"name": "e2e-policy-alice"},
           "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "edit"},
           "subjects": [{"kind": "User", "name": "alice", "apiGroup": "rbac.authorization.k8s.io"}]}
DENIED = "are for members of slurm-admins"


@alone
def only_administrators_choose_the_user_and_the_priority_of_a_job(here):
    with _policy(here):
        for name in ("user-id", "group-id", "priority"):
            annotations = {ASK + name: "1"}
            for manifest in (_pod(annotations), _job(annotations), _job({}, annotations), _cron_job(annotations)):
                done = _as_alice(here, "create", manifest)
                assert done.returncode != 0 and DENIED in done.stdout, f"{name} on a {manifest['kind']}: {done.stdout}"
        for manifest in (_pod({ASK + "timelimit": "5"}), _job({ASK + "qos": "low"}), _cron_job({})):
            done = _as_alice(here, "create", manifest)
            assert done.returncode == 0, done.stdout


@alone
def the_policy_does_not_affect_the_bridge_and_other_changes(here):
    with _policy(here):
        pod = here.run_pod("of-alice", ask={"user-id": "alice"})  # labelled and bound by the bridge
        assert pod.job.facts()["user_name"] == "alice"
        path = ["pod", pod.name, "--namespace", NAMESPACE]
        assert _kubectl(here, "--as", "alice", "label", *path, "a=b").returncode == 0
        for change in (f"{ASK}user-id=bob", f"{ASK}user-id-", f"{ASK}priority=7"):
            done = _kubectl(here, "--as", "alice", "annotate", "--overwrite", *path, change)
            assert done.returncode != 0 and DENIED in done.stdout, f"{change}: {done.stdout}"


@contextlib.contextmanager
def _policy(here):
    assert _kubectl(here, "apply", "-f", POLICY).returncode == 0
    here.kubernetes.create("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", BINDING)
    try:
        refused = _pod({ASK + "user-id": "1"})
        eventually(lambda: DENIED in _as_alice(here, "create", refused).stdout, TIMEOUT, "the policy is in effect")
        yield
    finally:
        _kubectl(here, "delete", "--ignore-not-found", "-f", POLICY)
        _kubectl(here, "delete", "--ignore-not-found", "clusterrolebinding", BINDING["metadata"]["name"])


def _template(annotations):
    return {"metadata": {"annotations": annotations},
            "spec": {"restartPolicy": "Never", "schedulerName": "nobody", "containers": [{"name": "c", "image": "none"}]}}


def _metadata(annotations=None):
    return {"generateName": "policy-", "namespace": NAMESPACE, "annotations": annotations or {}}


def _pod(annotations):
    return {"apiVersion": "v1", "kind": "Pod", **_template({}), "metadata": _metadata(annotations)}


def _job(annotations, of_template=None):
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": _metadata(annotations),
            "spec": {"suspend": True, "template": _template(of_template or {})}}


def _cron_job(of_job):
    return {"apiVersion": "batch/v1", "kind": "CronJob", "metadata": _metadata(),
            "spec": {"schedule": "0 0 1 1 *", "jobTemplate": {"metadata": {"annotations": of_job}, "spec": {"template": _template({})}}}}


def _as_alice(here, verb, manifest):
    return _kubectl(here, "--as", "alice", verb, "--dry-run=server", "-f", "-", given=json.dumps(manifest))


def _kubectl(here, *arguments, given=""):
    kubectl = Path(here.cluster.environment["PATH"].split(":")[0]) / "kubectl"
    return subprocess.run([kubectl, "--kubeconfig", here.cluster.path("KUBECONFIG"), *arguments], input=given,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
