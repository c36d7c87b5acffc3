# SPDX-License-Identifier: Apache-2.0
"""The pods of every cluster with real nodes: cluster DNS and metrics-server. Their images are in node_software.IMAGES.

Guarantees  when start returns, names of Services and pods resolve on every node.
Does not    wait for metrics-server, which answers about 20 s later.
"""

import subprocess
import time
from pathlib import Path

import api
import cluster_dns
import node_namespace
import pki
import real_node

MANIFESTS = Path(__file__).resolve().parent / "system_pods"
DNS = "/apis/apps/v1/namespaces/kube-system/deployments/coredns"


class SystemPodsFailed(Exception):
    """A manifest was refused, or cluster DNS does not run."""


def start(cluster, timeout=90):
    _apply(cluster)
    deadline = time.monotonic() + timeout
    with api.Api(cluster) as server:
        while not server.get(DNS).get("status", {}).get("availableReplicas") or not _answers_everywhere(cluster):
            if time.monotonic() > deadline:
                raise SystemPodsFailed(f"cluster DNS does not answer in every node after {timeout} s; "
                                       "see `kubectl -n kube-system describe pods` and `devcluster logs kube-proxy-NODE`")
            time.sleep(0.1)


def _answers_everywhere(cluster):
    return all(cluster_dns.answers(node_namespace.first_process(cluster, node)) for node in real_node.all_of(cluster))


def _apply(cluster):
    done = subprocess.run([cluster.bin / "kubectl", "--kubeconfig", pki.kubeconfig_path(cluster, "admin"), "apply",
                           "--server-side", "--validate=false", "-f", MANIFESTS],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise SystemPodsFailed(f"the manifests in {MANIFESTS.name} could not be applied:\n{done.stdout.strip()}")
