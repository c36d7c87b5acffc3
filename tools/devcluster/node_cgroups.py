# SPDX-License-Identifier: Apache-2.0
"""The control groups of real nodes. They are the only objects of a node that do not end with its processes.

Guarantees  names contain the cluster and its folder, so that remove finds the groups of a cluster without any record and
            never those of another cluster.
"""

import contextlib
import hashlib
import os
import time
from pathlib import Path

TOP = Path("/sys/fs/cgroup")
CPUSET_FILES = ("cpuset.cpus", "cpuset.mems")
V2_CONTROLLERS = ("cpuset", "cpu", "io", "memory", "hugetlb", "pids")


def name(cluster, node):
    """The group that contains all pods of a node, relative to the top of every hierarchy."""
    return _prefix(cluster) + node.name


def create(cluster, node):
    """Create the node's group in every hierarchy; kubelet requires that it exists."""
    for hierarchy in _hierarchies():
        group = hierarchy / name(cluster, node)
        group.mkdir(exist_ok=True)
        if is_v2() and hierarchy == TOP:
            _delegate(hierarchy)
            _delegate(group)
        for file in CPUSET_FILES:  # a new v1 group may use no processor
            if not is_v2() and (group / file).exists() and not (group / file).read_text().strip():
                (group / file).write_text((hierarchy / file).read_text())


def remove(cluster, limit=10):
    """Remove all groups of the cluster; its processes have been killed. Returns those that could not be removed."""
    deadline = time.monotonic() + limit
    while True:
        left = [group for hierarchy in _hierarchies() for group in hierarchy.glob(f"{_prefix(cluster)}*")]
        if not left or time.monotonic() > deadline:
            return left
        for group in left:
            _remove_tree(group)
        time.sleep(0.05)  # killed processes leave their group when the kernel has finished them


def is_v2():
    return (TOP / "cgroup.controllers").exists()


def _prefix(cluster):
    return f"slurm-bridge-{hashlib.sha256(str(cluster.folder).encode()).hexdigest()[:8]}-{cluster.name}-"


def _hierarchies():
    if is_v2():
        return [TOP]
    return [path for path in TOP.iterdir() if path.is_dir() and not path.is_symlink()] if TOP.is_dir() else []


def _delegate(group):
    """Let children of a v2 group have controllers. A controller that the machine lacks is skipped."""
    available = (group / "cgroup.controllers").read_text().split()
    for controller in V2_CONTROLLERS:
        if controller in available:
            (group / "cgroup.subtree_control").write_text(f"+{controller}")


def _remove_tree(group):
    for folder, _, _ in os.walk(group, topdown=False):
        with contextlib.suppress(OSError):
            os.rmdir(folder)
