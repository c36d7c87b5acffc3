# SPDX-License-Identifier: Apache-2.0
"""The text of Slurm's configuration files, from typed values.

Guarantees  same settings, same text; a value that could start a new line, a new key or a comment raises ValueError.
Does not    read or write anything.
"""

import re
from dataclasses import dataclass
from typing import Optional, Tuple

CLUSTER_NAME = "devcluster"  # the same for all: each cluster has its own database, copied from one template
HOST = "ctl"  # the host name inside the mount namespace of every component
FEATURE = "k8s"  # of the nodes that Kubernetes runs; the partitions include all nodes with it, also later ones
GRACE_SECONDS = 15

PROFILES = {
    "fast": ("batch_sched_delay=0", "bf_interval=1", "bf_continue", "sched_interval=5", "sched_min_interval=100000",
             "default_queue_depth=10000", "bf_max_job_test=10000"),
    "defaults": (),
}


@dataclass(frozen=True)
class NodeShape:
    """One node that Kubernetes runs."""
    cpus: int = 32
    sockets: int = 2
    memory_mib: int = 131072
    gpus: int = 8
    gpu_type: str = "a100"


@dataclass(frozen=True)
class Settings:
    """The settings that differ between clusters."""
    controller_port: int
    database_port: int
    slurmd_ports: Tuple[int, ...]  # one real node r1, r2, ... for each
    external_port: int  # address of the external nodes, see _external_nodes
    nodes: Tuple[str, ...]
    shape: NodeShape = NodeShape()
    profile: str = "fast"
    min_job_age: int = 300


@dataclass(frozen=True)
class Partition:
    name: str
    nodes: Tuple[str, ...]
    default: bool = False
    max_minutes: Optional[int] = None
    grace_seconds: int = 0


def slurm_conf(settings):
    lines = [_line(pair) for pair in _globals(settings)]
    lines += [_external_nodes(settings), *_real_nodes(settings), _line(("NodeSet", FEATURE), ("Feature", FEATURE))]
    lines += [_partition(partition) for partition in partitions(settings)]
    return _text(lines)


def slurmdbd_conf(settings):
    return _text(_line(pair) for pair in (
        ("AuthType", "auth/slurm"),
        ("AuthAltTypes", "auth/jwt"),
        ("AuthAltParameters", "jwt_key=/etc/slurm/jwt.key"),
        ("DbdHost", HOST),
        ("DbdAddr", "127.0.0.1"),
        ("DbdPort", settings.database_port),
        ("SlurmUser", "slurm"),
        ("PidFile", "/run/slurmdbd/slurmdbd.pid"),
        ("StorageType", "accounting_storage/mysql"),
        ("StorageHost", "localhost"),  # the unix socket; the server gets the user from the kernel, no password
        ("StorageUser", "slurm"),
        ("StorageLoc", "slurm_acct"),
        ("CommitDelay", 1),
    ))


def cgroup_conf():
    return _text([_line(("CgroupPlugin", "disabled"))])


def topology_yaml():
    """Two empty switches, for nodes with a topology annotation; jobs use the flat topology, as without a file."""
    return """---
- topology: topo-switch
  cluster_default: false
  tree:
    switches:
      - switch: root
        children: s1,s2
      - switch: s1
        nodes: ""
      - switch: s2
        nodes: ""
- topology: flat
  cluster_default: true
  flat: true
"""


def job_submit_lua():
    """Jobs for `preemptable` without a QOS get `low`, and thereby the grace time."""
    return """function slurm_job_submit(job, partitions, user)
   if job.partition == "preemptable" and job.qos == nil then
      job.qos = "low"
   end
   return slurm.SUCCESS
end

function slurm_job_modify(job, change, partitions, user)
   return slurm.SUCCESS
end
"""


def partitions(settings):
    """The partitions, in the order of slurm.conf."""
    found = [
        Partition("slurm-bridge", (FEATURE,), default=True),
        Partition("small", settings.nodes[:2]),
        Partition("preemptable", (FEATURE,), grace_seconds=GRACE_SECONDS),
        Partition("short", (FEATURE,), max_minutes=1),
    ]
    if settings.slurmd_ports:
        found.append(Partition("real", tuple(real_node_names(settings))))
    return found


def real_node_names(settings):
    return [f"r{number}" for number in range(1, len(settings.slurmd_ports) + 1)]


def dynamic_node(settings, name):
    """The node_conf of a node with numbered GPUs, to be created over REST while slurmctld runs."""
    words = _node_words(settings, _name(name))
    shape = settings.shape
    if shape.gpus:
        devices = f"/dev/nvidia[0-{shape.gpus - 1}]"
        gres = ",".join(_word(*pair) for pair in (
            ("count", shape.gpus), ("name", "gpu"), ("type", shape.gpu_type), ("file", devices)))
        words.append(f'GresConf="{gres}"')  # required by Slurm for a dynamic node with Gres
    return " ".join(words)


def _globals(settings):
    if settings.profile not in PROFILES:
        raise ValueError(f"unknown profile {settings.profile!r}; there are: {', '.join(PROFILES)}")
    pairs = [
        ("ClusterName", CLUSTER_NAME),
        ("SlurmctldHost", f"{HOST}(127.0.0.1)"),
        ("SlurmctldPort", settings.controller_port),
        ("SlurmUser", "slurm"),
        ("AuthType", "auth/slurm"),
        ("CredType", "cred/slurm"),
        ("AuthAltTypes", "auth/jwt"),
        ("AuthAltParameters", "jwt_key=/etc/slurm/jwt.key"),
        ("StateSaveLocation", "/var/lib/slurm/slurmctld"),
        ("SlurmdSpoolDir", "/var/lib/slurm/slurmd.%n"),
        ("SlurmctldPidFile", "/run/slurmctld/slurmctld.pid"),
        ("SlurmdPidFile", "/run/slurm/slurmd.%n.pid"),
        # No cgroups: the host may have any cgroup layout, or none that is writable.
        ("ProctrackType", "proctrack/pgid"),
        ("TaskPlugin", "task/none"),
        ("JobAcctGatherType", "jobacct_gather/none"),
        ("SwitchType", "switch/none"),
        ("MpiDefault", "none"),
        ("ReturnToService", 2),
        ("KillWait", 3),
        ("MinJobAge", settings.min_job_age),
        ("MaxJobCount", 200000),
        ("MaxNodeCount", 2000),
        ("SelectType", "select/cons_tres"),
        ("SelectTypeParameters", "CR_Core_Memory"),
        ("GresTypes", "gpu"),
        ("SlurmdParameters", "config_overrides"),  # r1 may claim more CPUs than this machine has
        ("SchedulerType", "sched/backfill"),
        *_preemption(),
        ("PriorityType", "priority/multifactor"),
        ("PriorityWeightQOS", 10000),
        ("PriorityWeightAge", 1000),
        ("PriorityWeightFairshare", 1000),
        ("AccountingStorageType", "accounting_storage/slurmdbd"),
        ("AccountingStorageHost", "127.0.0.1"),
        ("AccountingStoragePort", settings.database_port),
        ("AccountingStorageTRES", f"gres/gpu,gres/gpu:{settings.shape.gpu_type}"),
        ("AccountingStorageEnforce", "associations,limits,qos"),
        ("AccountingStoreFlags", "job_comment,job_extra"),
        ("MCSPlugin", "mcs/label"),
        ("MCSParameters", "ondemand,ondemandselect"),
    ]
    if PROFILES[settings.profile]:
        pairs.append(("SchedulerParameters", ",".join(PROFILES[settings.profile])))
    return pairs


def _preemption():
    # Tested on 26.05.5: preempt/qos takes the grace time from the job's own QOS and ignores both the partition's
    # GraceTime and a QOS on the partition; preempt/partition_prio takes the partition's and ignores every QOS. They do
    # not mix. So: preempt/qos, a QOS `low` with the grace time, and job_submit_lua() to give it to `preemptable`.
    return [("PreemptType", "preempt/qos"), ("PreemptMode", "CANCEL"), ("JobSubmitPlugins", "lua")]


def _external_nodes(settings):
    # slurmctld sends an RPC to an external node when a job is signalled or preempted with a grace time. Without an answer
    # the node would stay NOT_RESPONDING permanently. So all of them have the address of one real slurmd.
    return " ".join(_node_words(settings, ",".join(map(_name, settings.nodes))))


def _node_words(settings, names):
    shape = settings.shape
    pairs = [
        ("NodeName", names),
        ("CPUs", shape.cpus),
        ("Sockets", shape.sockets),
        ("CoresPerSocket", shape.cpus // shape.sockets),
        ("ThreadsPerCore", 1),
        ("RealMemory", shape.memory_mib),
        ("Feature", FEATURE),
        ("NodeAddr", "127.0.0.1"),
        ("Port", settings.external_port),
        ("State", "EXTERNAL"),
    ]
    if shape.gpus:
        pairs.append(("Gres", f"gpu:{shape.gpu_type}:{shape.gpus}"))
    return [_word(*pair) for pair in pairs]


def _real_nodes(settings):
    return [_line(("NodeName", name), ("NodeHostname", HOST), ("NodeAddr", "127.0.0.1"), ("Port", port), ("CPUs", 8),
                  ("RealMemory", 16000), ("Feature", "real"))
            for name, port in zip(real_node_names(settings), settings.slurmd_ports)]


def _partition(partition):
    pairs = [("PartitionName", _name(partition.name)), ("Nodes", ",".join(map(_name, partition.nodes))),
             ("State", "UP")]
    if partition.default:
        pairs.append(("Default", "YES"))
    if partition.max_minutes is not None:
        pairs.append(("MaxTime", partition.max_minutes))
    if partition.grace_seconds:
        pairs.append(("GraceTime", partition.grace_seconds))
    return _line(*pairs)


def _text(lines):
    return "".join(f"{line}\n" for line in lines)


def _line(*pairs):
    return " ".join(_word(*pair) for pair in pairs)


def _word(key, value):
    if not re.fullmatch(r"[A-Za-z0-9_.,:/%()\[\]=-]+", str(value)):
        raise ValueError(f"{key}: {value!r} is not allowed in a Slurm configuration file")
    return f"{key}={value}"


def _name(name):
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name):
        raise ValueError(f"{name!r} cannot be the name of a node or partition")
    return name
