# SPDX-License-Identifier: Apache-2.0
"""One real node as a value: its name, addresses, labels, taints and folder. Names and labels are those of soperator's demo."""

import os
from dataclasses import dataclass
from pathlib import Path

MAX_WORKERS = 9
RESERVED_MEMORY_MIB = 100  # a kubelet evicts pods below it
PREFIX = "soperator-demo"
CLUSTER_NETWORK, POD_NETWORK, SERVICE_NETWORK = "10.240.0.0/24", "10.244.0.0/16", "10.96.0.0/16"
CONTROL_PLANE_ADDRESS = "10.240.0.1"  # also of the API server
DNS_ADDRESS, DNS_DOMAIN = "10.96.0.10", "cluster.local"

CONTROL_PLANE_LABEL = "node-role.kubernetes.io/control-plane"
WORKER_LABELS = {
    "nebius.com/node-group-id": "node-group-id-here",
    "scheduler.slinky.slurm.net/external-node": "true",  # nodes that the bridge uses have it
}


@dataclass(frozen=True)
class RealNode:
    """number: 1 is the control plane, workers follow. folder: the node's state in the cluster's folder."""
    name: str
    number: int
    folder: Path

    @property
    def is_control_plane(self):
        return self.number == 1

    @property
    def address(self):
        return f"10.240.0.{self.number}"

    @property
    def hardware_address(self):
        return f"02:00:0a:f0:00:{self.number:02x}"

    @property
    def pod_subnet(self):
        return f"10.244.{self.number}.0/24"

    @property
    def labels(self):
        return {CONTROL_PLANE_LABEL: ""} if self.is_control_plane else dict(WORKER_LABELS)

    @property
    def taints(self):
        return [{"key": CONTROL_PLANE_LABEL, "effect": "NoSchedule"}] if self.is_control_plane else []


def allocatable_memory_mib():
    """Memory that a kubelet on this machine offers to pods."""
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // (1024 * 1024) - RESERVED_MEMORY_MIB


def worker_names(count):
    """soperator-demo-worker, -worker2, -worker3, ..."""
    return [f"{PREFIX}-worker{number if number > 1 else ''}" for number in range(1, count + 1)]


def all_of(cluster):
    """The nodes of a cluster with real nodes: the control plane, then the workers."""
    names = [f"{PREFIX}-control-plane", *worker_names(cluster.options["real_nodes"])]
    return [RealNode(name, number, cluster.folder / "nodes" / name) for number, name in enumerate(names, 1)]
