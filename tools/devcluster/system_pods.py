# SPDX-License-Identifier: Apache-2.0
"""The pods that every cluster with real nodes has: cluster DNS and metrics-server. Their images are in node_software.IMAGES.

Guarantees  when start returns, names of Services and pods resolve. metrics-server needs about 20 s more until it answers.
"""

import subprocess
import time
from pathlib import Path

import api
import pki

MANIFESTS = Path(__file__).resolve().parent / "system_pods"
DNS = "/apis/apps/v1/namespaces/kube-system/deployments/coredns"


class SystemPodsFailed(Exception):
    """A manifest was refused, or cluster DNS does not run."""


def start(cluster, timeout=90):
    _apply(cluster)
    deadline = time.monotonic() + timeout
    with api.Api(cluster) as server:
        while not server.get(DNS).get("status", {}).get("availableReplicas"):
            if time.monotonic() > deadline:
                raise SystemPodsFailed(f"cluster DNS is not available after {timeout} s; see `kubectl -n kube-system describe pods`")
            time.sleep(0.1)


def _apply(cluster):
    done = subprocess.run([cluster.bin / "kubectl", "--kubeconfig", pki.kubeconfig_path(cluster, "admin"), "apply", "--server-side",
                           "--validate=false", "-f", MANIFESTS], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise SystemPodsFailed(f"the manifests in {MANIFESTS.name} could not be applied:\n{done.stdout.strip()}")
