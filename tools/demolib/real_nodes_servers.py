# SPDX-License-Identifier: Apache-2.0
"""The cluster with real nodes that the demo runs on with REAL_NODES=N: containers start where Slurm placed them.

Guarantees  a cluster with another number of nodes, which an earlier demo left running, is not stopped.
"""

from bridge_process import Busy, CannotStart
from observation import NAMESPACE
from real_node import MAX_WORKERS
from real_servers import RealServers


def requested_nodes(text):
    """The number of worker nodes, or None if the text is not one."""
    return int(text) if text.isdigit() and 1 <= int(text) <= MAX_WORKERS else None


class RealNodeServers(RealServers):
    NAME = "demo-real-nodes"
    WHERE = "REAL NODES"
    EXAMPLES = tuple(f"examples/real-nodes/{name}.yaml" for name in ("pod", "job", "waiting"))
    INTRODUCTION = """\
REAL NODES: a real kube-apiserver 1.36, a real Slurm 26.05, and nodes with kubelet and containerd.
This demo connects them with the bridge and shows {count} example workloads run as Slurm jobs.
Containers really start, on the nodes on which Slurm placed them.
"""

    def __init__(self, count=None):
        """count: worker nodes; None if the servers are only to be stopped."""
        super().__init__()
        self._count = count
        self.up_options = ("--real-nodes", str(count))

    def up(self):
        existing = self.cluster.options["real_nodes"] if self.exists else 0
        if existing not in (0, self._count):
            raise Busy(f"a demo with {existing} real nodes is running; stop it with: tools/demo stop")
        super().up()

    def outputs(self, pods):
        """From the kubelets: a pod without a log has no text."""
        return {pod.name: self._log(pod.name) for pod in pods}

    def _log(self, name):
        try:
            return self.kubectl("logs", "--namespace", NAMESPACE, name)
        except CannotStart:
            return ""
