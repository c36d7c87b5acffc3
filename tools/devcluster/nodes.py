# SPDX-License-Identifier: Apache-2.0
"""The cluster's nodes as Kubernetes objects; kwok simulates their kubelets."""

import datetime
import time
from concurrent.futures import ThreadPoolExecutor

import api
import binaries
from cluster import NODE_CPUS, NODE_GPUS, NODE_MEMORY_MIB

CONDITIONS = (("Ready", "True", "KubeletReady"), ("MemoryPressure", "False", "KubeletHasSufficientMemory"),
              ("DiskPressure", "False", "KubeletHasNoDiskPressure"), ("PIDPressure", "False", "KubeletHasSufficientPID"))
CONNECTIONS = 4
READY_TIMEOUT = 60


class NodesNotReady(Exception):
    """Nodes that did not become usable in time."""


def node(name, number):
    """The object of one node. Its resources must be the same as in Slurm, which places jobs by its own definition.

    It includes what kwok and the controller manager would add with one write each: 500 nodes are then ready in half the time.
    """
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    resources = {"cpu": str(NODE_CPUS), "memory": f"{NODE_MEMORY_MIB}Mi", "pods": "1000",
                 "nvidia.com/gpu": str(NODE_GPUS)}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "name": name,
            "labels": {
                "kubernetes.io/hostname": name,
                "kubernetes.io/os": "linux",
                "kubernetes.io/arch": "amd64",
                "beta.kubernetes.io/os": "linux",
                "beta.kubernetes.io/arch": "amd64",
                "type": "kwok",
                "scheduler.slinky.slurm.net/external-node": "true",
            },
        },
        "status": {
            "capacity": resources,
            "allocatable": resources,
            "addresses": [
                {"type": "InternalIP", "address": f"10.128.{number // 250}.{number % 250 + 1}"},
                {"type": "Hostname", "address": name},
            ],
            "conditions": [
                {"type": kind, "status": status, "reason": reason, "lastHeartbeatTime": now, "lastTransitionTime": now}
                for kind, status, reason in CONDITIONS
            ],
            "nodeInfo": {
                "architecture": "amd64", "operatingSystem": "linux", "kubeletVersion": f"v{binaries.KUBERNETES_VERSION}",
                "kubeProxyVersion": "", "containerRuntimeVersion": "kwok", "kernelVersion": "kwok", "osImage": "kwok",
                "bootID": "", "machineID": "", "systemUUID": "",
            },
        },
    }


def create(cluster):
    """Create the missing nodes."""
    everything = list(enumerate(cluster.node_names))

    def some(share):
        with api.Api(cluster) as server:
            for number, name in share:
                server.create("/api/v1/nodes", node(name, number))

    with ThreadPoolExecutor(CONNECTIONS) as pool:
        list(pool.map(some, (everything[start::CONNECTIONS] for start in range(CONNECTIONS))))


def wait_until_ready(cluster, names, timeout=READY_TIMEOUT):
    """Until every named node is Ready and the not-ready taint that each new node gets is gone."""
    wanted = set(names)
    deadline = time.monotonic() + timeout
    with api.Api(cluster) as server:
        while True:
            found = server.get("/api/v1/nodes")["items"]
            missing = wanted - {item["metadata"]["name"] for item in found if _is_usable(item)}
            if not missing:
                return
            if time.monotonic() > deadline:
                some = ", ".join(sorted(missing)[:5])
                raise NodesNotReady(f"{len(missing)} of {len(wanted)} nodes are not ready after {timeout} s ({some}); "
                                    f"see `devcluster logs {'kubelet-NODE' if cluster.options['real_nodes'] else 'kwok'}` and "
                                    "`devcluster logs controller-manager`")
            time.sleep(0.1 + len(wanted) / 1000)  # a list of 500 nodes costs the API server as much as 50 writes


def _is_usable(item):
    ready = any(condition["type"] == "Ready" and condition["status"] == "True"
                for condition in item["status"].get("conditions", []))
    return ready and not any(taint["key"].startswith("node.kubernetes.io/") for taint in item["spec"].get("taints", []))
