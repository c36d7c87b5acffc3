# SPDX-License-Identifier: Apache-2.0
"""Namespaces, the ServiceAccounts and roles of the product, and a kubeconfig for each account.

Guarantees  the bridge never runs as administrator here: its kubeconfigs have service account tokens with exactly the
            permissions of deploy/rbac.yaml. Tokens are valid for 24 hours, survive an API server restart, and are
            renewed by every `up` that finds them older than 12 hours.
"""

import subprocess
import time
from pathlib import Path

import api
import pki

SYSTEM_NAMESPACE = "slurm"  # namespace of the bridge
MANAGED_NAMESPACE = "slurm-bridge"  # namespace of pods that Slurm schedules
ALL_IN_ONE = "slurm-bridge"
ACCOUNTS = ("slurm-bridge-scheduler", "slurm-bridge-controllers", "slurm-bridge-admission", ALL_IN_ONE)
TOKEN_SECONDS = 24 * 3600

RBAC = Path(__file__).resolve().parents[2] / "deploy/rbac.yaml"


class AccessFailed(Exception):
    """Roles or accounts could not be set up."""


def create(cluster):
    with api.Api(cluster) as server:
        for name in (SYSTEM_NAMESPACE, MANAGED_NAMESPACE):
            server.create("/api/v1/namespaces", {"metadata": {"name": name}})
        _apply_rbac(cluster)
        for account in ACCOUNTS:
            if not _is_fresh(pki.token_kubeconfig_path(cluster, account)):
                pki.write_token_kubeconfig(cluster, account, _token(server, account))


def wait_until_usable(cluster, timeout=90):
    """Pods can be created once the controller manager has created the namespace's default account."""
    deadline = time.monotonic() + timeout
    with api.Api(cluster) as server:
        for namespace in ("default", SYSTEM_NAMESPACE, MANAGED_NAMESPACE):
            while not _has_default_account(server, namespace):
                if time.monotonic() > deadline:
                    raise AccessFailed(f"namespace {namespace} has no default service account after {timeout} s; "
                                       "see `devcluster logs controller-manager`")
                time.sleep(0.05)


def _apply_rbac(cluster):
    done = subprocess.run([cluster.bin / "kubectl", "--kubeconfig", pki.kubeconfig_path(cluster, "admin"), "apply", "--validate=false",
                           "-f", RBAC], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True)
    if done.returncode != 0:
        raise AccessFailed(f"{RBAC.name} could not be applied:\n{done.stdout.strip()}")


def _token(server, account):
    path = f"/api/v1/namespaces/{SYSTEM_NAMESPACE}/serviceaccounts/{account}/token"
    answer = server.post(path, {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest",
                                "spec": {"expirationSeconds": TOKEN_SECONDS}})
    return answer["status"]["token"]


def _is_fresh(path):
    return path.exists() and time.time() - path.stat().st_mtime < TOKEN_SECONDS / 2


def _has_default_account(server, namespace):
    try:
        return bool(server.get(f"/api/v1/namespaces/{namespace}/serviceaccounts/default"))
    except api.Refused as refused:
        if refused.status == 404:
            return False
        raise
