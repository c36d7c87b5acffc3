# SPDX-License-Identifier: Apache-2.0
"""The files that one cluster's daemons and clients read: configuration, keys and tokens.

Guarantees  keys are created once and kept; secret files have mode 0600; a file is complete or absent.
"""

import os
import secrets
import time

import real_node
import slurm_token
from cluster import NODE_CPUS, NODE_GPU_TYPE, NODE_GPUS, NODE_MEMORY_MIB
from slurm_accounts import USERS
from slurm_config import NodeShape, Settings, cgroup_conf, job_submit_lua, slurm_conf, slurmdbd_conf, \
    topology_yaml
from slurm_daemons import home, slurmd_components
from slurm_root import USERS as ROOT_USERS

TOKEN_SECONDS = 365 * 24 * 3600


def settings(cluster):
    """The typed values of this cluster's configuration; reserves its ports."""
    options = cluster.options
    slurmd_ports = tuple(cluster.port(component) for component in slurmd_components(cluster))
    return Settings(
        controller_port=cluster.port("slurmctld"),
        database_port=cluster.port("slurmdbd"),
        slurmd_ports=slurmd_ports,
        external_port=slurmd_ports[0] if slurmd_ports else cluster.port("slurmd-r1"),
        nodes=tuple(cluster.node_names),
        shape=_shape(options),
        profile=options.get("profile", "fast"),
        min_job_age=options.get("min_job_age", 300))


def _shape(options):
    if options.get("real_nodes"):
        # What each kubelet reports as allocatable: all nodes share this machine.
        return NodeShape(cpus=os.cpu_count(), sockets=1, memory_mib=real_node.allocatable_memory_mib(), gpus=0)
    return NodeShape(cpus=NODE_CPUS, memory_mib=NODE_MEMORY_MIB, gpus=options.get("gpus", NODE_GPUS), gpu_type=NODE_GPU_TYPE)


def write_configuration(cluster):
    """slurm.conf, the other configuration files, and the two keys."""
    cluster.port("slurmrestd")  # reserved here with the others, before threads need them
    folder, values = home(cluster) / "etc", settings(cluster)
    _write(folder / "slurm.conf", slurm_conf(values).encode(), 0o644)
    _write(folder / "cgroup.conf", cgroup_conf().encode(), 0o644)
    _write(folder / "gres.conf", b"", 0o644)
    _write(folder / "topology.yaml", topology_yaml().encode(), 0o644)
    _write(folder / "job_submit.lua", job_submit_lua().encode(), 0o644)
    _write(folder / "slurmdbd.conf", slurmdbd_conf(values).encode(), 0o600, "slurm")
    for name, length in (("slurm.key", 1024), ("jwt.key", 32)):
        if not (folder / name).exists():
            _write(folder / name, secrets.token_bytes(length), 0o600, "slurm")


def write_tokens(cluster):
    """token.USER in the cluster's folder, for the bridge (slurm) and for every user."""
    key = (home(cluster) / "etc/jwt.key").read_bytes()
    for user in USERS:
        token = slurm_token.mint(key, user.name, time.time(), TOKEN_SECONDS)
        _write(cluster.folder / f"token.{user.name}", token.encode(), 0o600)


def _write(path, content, mode, owner="root"):
    draft = path.with_name(f".{path.name}.draft")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(content)
        os.fchown(file.fileno(), ROOT_USERS[owner], ROOT_USERS[owner])
        os.fchmod(file.fileno(), mode)
    draft.replace(path)
