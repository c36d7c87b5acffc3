# SPDX-License-Identifier: Apache-2.0
"""The closed network of real nodes: a bridge in a network namespace of its own, and one virtual cable per node.

The namespace is held by the component "network"; the control plane's processes run in it. Nothing is created in the
machine's own network namespace, and there is no route from the closed network to it. All links end with the processes
that hold the namespaces.

Guarantees  create and connect may be interrupted and repeated.
"""

import subprocess

import node_software
import process
import procfs
import real_node

HOLDER = "network"
BRIDGE = "nodes"


class NetworkFailed(Exception):
    """A command that configures the network failed."""


def create(cluster):
    """Start the holder of the namespace and configure its bridge."""
    argv = ["unshare", "--net", "--", node_software.program(cluster.cache, "pause")]
    process.start(cluster, HOLDER, argv, ready=ready(cluster))
    # The control plane has no default route. Without a route, addresses of Services are unreachable before kube-proxy's
    # rules replace them.
    _configure(namespace(cluster), f"""
ip link set lo up
ip link show {BRIDGE} >/dev/null 2>&1 || ip link add {BRIDGE} type bridge
ip address replace {real_node.CONTROL_PLANE_ADDRESS}/24 dev {BRIDGE}
ip link set {BRIDGE} up
ip route replace {real_node.SERVICE_NETWORK} dev {BRIDGE} src {real_node.CONTROL_PLANE_ADDRESS}
echo 1 > /proc/sys/net/ipv4/ip_forward
""")
    for node in real_node.all_of(cluster):
        if not node.is_control_plane:
            _configure(namespace(cluster), f"ip route replace {node.pod_subnet} via {node.address}")


def ready(cluster):
    return lambda: procfs.namespace(process.pid(cluster, HOLDER), "net") != procfs.namespace("self", "net")


def namespace(cluster):
    """Path of the control plane's network namespace."""
    return f"/proc/{process.pid(cluster, HOLDER)}/ns/net"


def inside(cluster, argv):
    """The argv that runs a program of this machine in the control plane's network namespace."""
    return ["nsenter", f"--net={namespace(cluster)}", "--", *argv]


def connect(cluster, node, node_pid):
    """Connect a worker's network namespace to the bridge. The control plane node shares the bridge's namespace."""
    if node.is_control_plane:
        return
    own = f"/proc/{node_pid}/ns/net"
    cable = f"node{node.number}"
    if not _succeeds(own, "ip link show eth0"):
        # The cable of a node that was killed may still exist for a moment. The hardware address is constant: other nodes
        # keep the address of a node for seconds after its restart.
        _configure(namespace(cluster), f"""
ip link delete {cable} 2>/dev/null || true
ip link add {cable} type veth peer name eth0 address {node.hardware_address} netns {node_pid}
""")
    _configure(namespace(cluster), f"ip link set {cable} master {BRIDGE} up")
    others = [other for other in real_node.all_of(cluster) if other.number != node.number]
    routes = "\n".join(f"ip route replace {other.pod_subnet} via {other.address}" for other in others)
    # kube-proxy needs a default route. It ends at the control plane, which has none.
    _configure(own, f"""
ip link set lo up
ip address replace {node.address}/24 dev eth0
ip link set eth0 up
echo 1 > /proc/sys/net/ipv4/ip_forward
ip route replace default via {real_node.CONTROL_PLANE_ADDRESS}
{routes}
""")


def _configure(path, script):
    done = _run(path, f"set -e\n{script}")
    if done.returncode != 0:
        raise NetworkFailed(f"the closed network could not be configured: {done.stderr.strip()}")


def _succeeds(path, script):
    return _run(path, script).returncode == 0


def _run(path, script):
    return subprocess.run(["nsenter", f"--net={path}", "--", "sh", "-c", script], stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
