# SPDX-License-Identifier: Apache-2.0
"""A whole cluster: up, down, and one component at a time.

Guarantees  up may be repeated at any point: running components stay, others are started; the two halves start at the same
            time, and if one fails the other continues; down leaves no process, mount or file of the cluster.
"""

import functools
import subprocess

import containerd
import host
import kubernetes
import binaries
import process
import procfs
import progress
import real_node
import real_nodes
import slurm
import together

HALVES = {"kubernetes": kubernetes, "slurm": slurm}


class UsageError(Exception):
    """An invalid request of the caller."""


def up(cluster, options, halves):
    """Start the components of the named halves that do not run; {half: exception} of those that failed.

    options: only those that the caller set.
    """
    real = bool(options.get("real_nodes", cluster.options["real_nodes"]))
    host.require(halves, real)
    binaries.fetch(cluster.cache, halves, real)
    with cluster.lock(waiting=lambda: progress.say(f"waiting: another command is using cluster {cluster.name}")):
        _settle_options(cluster, options, halves)
        return together.run({name: functools.partial(_start_half, cluster, name) for name in halves})


def down(cluster):
    """Stop everything and remove the state folder. Returns False if there was no such cluster."""
    if not cluster.exists:
        _remove_what_has_no_record(cluster)
        return False
    with cluster.lock():
        together.run({name: functools.partial(half.stop, cluster) for name, half in HALVES.items()})
        for name in process.recorded(cluster):  # components of another version of this tool
            process.stop(cluster, name, grace=1)
        _remove_what_has_no_record(cluster)
        for point in procfs.mounts_under(cluster.folder):
            subprocess.run(["umount", "--lazy", point], check=False)
        cluster.remove()
    return True


def _remove_what_has_no_record(cluster):
    process.kill_strays(cluster)
    left = real_nodes.remove_control_groups(cluster)
    if left:
        progress.say(f"control groups that still have processes are left: {', '.join(map(str, left))}")


def component_names(cluster):
    """The components of this cluster, in start order."""
    names = []
    if "kubernetes" in cluster.options["halves"]:
        names += kubernetes.components(cluster)
    if "slurm" in cluster.options["halves"]:
        names += slurm.components(cluster)
    return names


def check_component(cluster, name):
    known = component_names(cluster)
    if not known:
        raise UsageError(f"there is no cluster {cluster.name!r}; start it with: devcluster up --name {cluster.name}")
    if name not in known:
        raise UsageError(f"cluster {cluster.name!r} has no component {name!r}; its components are: {', '.join(known)}")


def ready(cluster, name):
    """The callable that returns whether a component is ready."""
    return (kubernetes if name in kubernetes.components(cluster) else slurm).ready(cluster, name)


def start_component(cluster, name):
    check_component(cluster, name)
    with cluster.lock():
        node = real_nodes.node_named(cluster, name)
        if node is not None:  # a node starts with all its daemons
            real_nodes.start_node(cluster, node)
        else:
            process.start_again(cluster, name, ready=ready(cluster, name), timeout=180)


def stop_component(cluster, name):
    check_component(cluster, name)
    with cluster.lock():
        process.stop_for_a_while(cluster, name)


def kill_component(cluster, name):
    check_component(cluster, name)
    with cluster.lock():
        process.kill(cluster, name)


def real_node_of(cluster, name):
    """A running real node of the cluster."""
    node = real_nodes.node_named(cluster, name)
    if node is None:
        names = ", ".join(node.name for node in real_node.all_of(cluster)) if real_nodes.requested(cluster) else "none"
        raise UsageError(f"cluster {cluster.name!r} has no real node {name!r}; its real nodes are: {names}")
    if process.pid(cluster, name) is None:
        raise UsageError(f"node {name} does not run; start it with: devcluster start --name {cluster.name} {name}")
    return node


def import_images(cluster, archives):
    """Import image archives into every running real node."""
    with cluster.lock():
        running = [node for node in real_node.all_of(cluster) if process.pid(cluster, node.name) is not None]
        if not real_nodes.requested(cluster) or not running:
            raise UsageError(f"cluster {cluster.name!r} has no running real nodes")
        return together.run({node.name: functools.partial(containerd.import_images, cluster, node, archives)
                             for node in running})


def _start_half(cluster, name):
    HALVES[name].start(cluster)
    progress.say(f"{name.capitalize()} is up")


def _settle_options(cluster, options, halves):
    """Record the options of a new cluster; refuse others for one that exists."""
    if cluster.options["halves"]:
        for name, value in options.items():
            if cluster.options[name] != value:
                raise UsageError(f"cluster {cluster.name!r} exists with {name}={cluster.options[name]}; for {name}={value} "
                                 f"remove it first (devcluster down --name {cluster.name}) or use another --name")
    else:
        cluster.options.update(options)
    cluster.options["halves"] = [name for name in HALVES if name in halves or name in cluster.options["halves"]]
    cluster.save()
