# SPDX-License-Identifier: Apache-2.0
"""The namespaces of one real node: own processes, mounts, network, host name and root folder, on the kernel of this machine.

The component with the node's name holds them; its child is process 1 of the node. Killing it is a power cut: all
processes, mounts and network devices of the node end at once. What the node wrote to its disk stays in node.folder.

Expects     node_software is in the cache; the node's control groups exist.
Guarantees  mounts are visible only inside the node; start may be interrupted and repeated.
Does not    start a daemon in the node.
"""

import shlex

import node_network
import node_software
import process
import procfs

PATH = "/opt/kubernetes:/opt/crictl:/usr/sbin:/usr/bin:/sbin:/bin"
ENVIRONMENT = {"PATH": PATH, "HOME": "/root"}

# Folders of the node's disk and where the node sees them. Images and volumes cannot be on the overlay of the root.
DISK = {"containerd": "var/lib/containerd", "kubelet": "var/lib/kubelet", "kubernetes": "etc/kubernetes", "log": "var/log"}

INIT = """#!/bin/sh
# Process 1 of the node {name}: builds the root folder in a private mount namespace, then waits.
set -eu
root={folder}/root
echo {name} > /proc/sys/kernel/hostname
mount -t overlay overlay -o lowerdir={lower},upperdir={folder}/upper,workdir={folder}/work "$root"
{binds}
mount -t tmpfs -o mode=755 tmpfs "$root/run"
mkdir -p "$root/run/netns" "$root/run/lock"
mount -t proc proc "$root/proc"
mount -t sysfs sysfs "$root/sys"
mount --rbind /sys/fs/cgroup "$root/sys/fs/cgroup"
mount --rbind /dev "$root/dev"
cd "$root"
pivot_root . mnt
umount --lazy /mnt
mount --make-rshared / # volumes that a pod mounts must appear in other pods
exec /opt/pause/pause
"""


def start(cluster, node):
    for folder in ("root", "upper", "work", *DISK):
        (node.folder / folder).mkdir(mode=0o755, parents=True, exist_ok=True)
    shared_folder(cluster).mkdir(mode=0o755, exist_ok=True)
    script = node.folder / "init"
    if process.pid(cluster, node.name) is None:
        _write_files(node)
        script.write_text(_script(cluster, node))
        script.chmod(0o700)
    argv = ["unshare", "--mount", "--propagation", "private", "--pid", "--fork", "--kill-child", "--uts", "--ipc"]
    if node.is_control_plane:
        argv = node_network.inside(cluster, argv)
    else:
        argv.append("--net")
    process.start(cluster, node.name, [*argv, "--", script], ready=ready(cluster, node), wrapped=True)


def shared_folder(cluster):
    """A folder of this machine that every node sees as /shared: storage that several nodes can write to."""
    return cluster.folder / "shared"


def ready(cluster, node):
    return lambda: procfs.command_name(first_process(cluster, node)) == "pause"


def first_process(cluster, node):
    """Id, on this machine, of the node's process 1; None if the node does not run."""
    holder = process.pid(cluster, node.name)
    found = procfs.children(holder) if holder is not None else []
    return found[0] if found else None


def inside(cluster, node, argv):
    """The argv that runs a program of the node inside the node."""
    target = str(first_process(cluster, node))
    return ["nsenter", "--target", target, "--mount", "--pid", "--net", "--uts", "--ipc", "--", *argv]


def _script(cluster, node):
    cache = cluster.cache
    sources = {**{node.folder / folder: point for folder, point in DISK.items()}, shared_folder(cluster): "shared",
               node_software.kubernetes_folder(cache): "opt/kubernetes",
               node_software.program(cache, "crictl").parent: "opt/crictl",
               node_software.program(cache, "pause").parent: "opt/pause"}
    binds = "\n".join(f'mount --bind {shlex.quote(str(source))} "$root/{point}"' for source, point in sources.items())
    return INIT.format(name=node.name, folder=shlex.quote(str(node.folder)), binds=binds,
                       lower=shlex.quote(str(node_software.root(cache))))


def _write_files(node):
    """Files of the node's /etc that differ between nodes; written below the overlay before it is mounted."""
    etc = node.folder / "upper/etc"
    etc.mkdir(mode=0o755, exist_ok=True)
    (etc / "hostname").write_text(f"{node.name}\n")
    (etc / "hosts").write_text(f"127.0.0.1 localhost\n{node.address} {node.name}\n")
    (etc / "machine-id").write_text(f"{node.number:032x}\n")
