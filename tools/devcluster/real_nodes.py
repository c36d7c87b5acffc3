# SPDX-License-Identifier: Apache-2.0
"""Real nodes: their closed network, their daemons, and their Node objects.

Expects     node_software is in the cache; the caller holds the cluster's lock.
Guarantees  start may be interrupted and repeated: running daemons stay; a node that lost its process 1 starts again with
            its disk; remove leaves no process, mount, network device or control group, whatever was started before.
Does not    need a container engine or a route to other machines.
"""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import api
import containerd
import kube_proxy
import kubelet
import node_cgroups
import node_namespace
import node_network
import node_software
import process
import procfs
import progress
import real_node

FORWARDER = "forwarder"
FORWARDED = ("etcd", "apiserver", "controller-manager", "scheduler")  # the same port on both sides
SSH_NODE_PORT = 30022
DAEMONS = (containerd, kubelet, kube_proxy)


def requested(cluster):
    return cluster.options["real_nodes"] > 0


def components(cluster):
    """Component names besides those of the control plane: first those that start before it, then the nodes'."""
    return [node_network.HOLDER, FORWARDER], [name for node in real_node.all_of(cluster) for name in _components_of(node)]


def start_network(cluster):
    """The closed network and the forwarder; the control plane starts in it afterwards."""
    if process.pid(cluster, node_network.HOLDER) is None:
        _stop_processes(cluster)  # what still runs is in a network that nobody can enter any more
    node_network.create(cluster)
    process.start(cluster, FORWARDER, _forwarder(cluster), ready=_forwarder_ready(cluster))


def start_nodes(cluster):
    """All nodes at the same time."""
    nodes = real_node.all_of(cluster)
    with api.Api(cluster) as server:
        for node in nodes:
            server.create("/api/v1/nodes", _object(node))
    with ThreadPoolExecutor(len(nodes)) as pool:
        for started in [pool.submit(start_node, cluster, node) for node in nodes]:
            started.result()


def start_node(cluster, node):
    node_cgroups.create(cluster, node)
    node_namespace.start(cluster, node)
    node_network.connect(cluster, node, node_namespace.first_process(cluster, node))
    containerd.start(cluster, node)
    containerd.import_images(cluster, node, node_software.image_archives(cluster.cache).values())
    kubelet.start(cluster, node)
    kube_proxy.start(cluster, node)
    progress.say(f"node {node.name} is started")


def ready(cluster, name):
    """A callable that is true once the component is ready; None if it is not one of the nodes' components."""
    if name == node_network.HOLDER:
        return node_network.ready(cluster)
    if name == FORWARDER:
        return _forwarder_ready(cluster)
    for node in real_node.all_of(cluster):
        if name == node.name:
            return node_namespace.ready(cluster, node)
        for daemon in DAEMONS:
            if name == daemon.component(node):
                return daemon.ready(cluster, node)
    return None


def node_named(cluster, name):
    """The node whose process 1 is the component of that name, or None."""
    return next((node for node in real_node.all_of(cluster) if node.name == name), None) if requested(cluster) else None


def stop(cluster):
    if requested(cluster):
        _stop_processes(cluster)


def remove_control_groups(cluster):
    """After all processes have been killed. Returns the groups that could not be removed."""
    return node_cgroups.remove(cluster)


def _stop_processes(cluster):
    before, of_nodes = components(cluster)
    nodes = [node.name for node in real_node.all_of(cluster)]
    # With its process 1 everything in a node ends, so the daemons' components need no time to end.
    for name in (*nodes, *of_nodes, *FORWARDED, *before):
        process.kill(cluster, name)
        process.stop(cluster, name, grace=0)


def _components_of(node):
    return [node.name, *(daemon.component(node) for daemon in DAEMONS)]


def _object(node):
    """Labels and taints that a kubelet may not set on itself are there before it registers."""
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": node.name, "labels": node.labels},
            "spec": {"taints": node.taints}}


# --- forwarder --------------------------------------------------------------------------------------------------


def ssh_port(cluster):
    """The loopback port that leads to node port 30022; another one if a second cluster uses 30022."""
    return cluster.port("node-port-30022", preferred=SSH_NODE_PORT)


def _forwarder(cluster):
    rules = [f"{cluster.port(name)}=127.0.0.1:{cluster.port(name)}" for name in FORWARDED]
    rules.append(f"{ssh_port(cluster)}={real_node.CONTROL_PLANE_ADDRESS}:{SSH_NODE_PORT}")
    return [sys.executable, Path(__file__).resolve().parent / "forwarder.py", node_network.namespace(cluster), *rules]


def _forwarder_ready(cluster):
    return lambda: (procfs.namespace(process.pid(cluster, FORWARDER), "net")
                    == procfs.namespace(process.pid(cluster, node_network.HOLDER), "net") is not None)
