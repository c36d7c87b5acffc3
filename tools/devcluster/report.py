# SPDX-License-Identifier: Apache-2.0
"""The status table and the environment of a cluster."""

import shlex
from dataclasses import dataclass
from typing import Optional

import access
import audit
import lifecycle
import binaries
import pki
import process
import real_nodes
from cluster import cache_root

UP, NOT_READY, DOWN = "up", "not ready", "down"


@dataclass
class Row:
    component: str
    pid: Optional[int]
    memory_mib: Optional[int]
    port: Optional[int]
    state: str


def rows(cluster):
    return [_row(cluster, name) for name in lifecycle.component_names(cluster)]


def _row(cluster, name):
    pid = process.pid(cluster, name)
    if pid is None:
        return Row(name, None, None, cluster.ports.get(name), DOWN)
    return Row(name, pid, process.memory_mib(pid), cluster.ports.get(name), UP if _works(cluster, name) else NOT_READY)


def _works(cluster, name):
    try:
        return bool(lifecycle.ready(cluster, name)())
    except Exception:  # as in process.start: any error means "not ready"
        return False


def table(rows):
    lines = [("COMPONENT", "PID", "MEMORY", "PORT", "STATE")]
    lines += [(row.component, _text(row.pid), _text(row.memory_mib, " MiB"), _text(row.port), row.state) for row in rows]
    widths = [max(len(line[column]) for line in lines) for column in range(5)]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines)


def environment(cluster):
    """`export` lines for a shell."""
    values = {}
    if "kubernetes" in cluster.options["halves"]:
        values["KUBECONFIG"] = pki.kubeconfig_path(cluster, "admin")
        values["SLURM_BRIDGE_KUBECONFIG"] = pki.token_kubeconfig_path(cluster, access.ALL_IN_ONE)
        values["AUDIT_LOG"] = audit.log_path(cluster)
        if real_nodes.requested(cluster):
            values["LOGIN_PORT"] = real_nodes.ssh_port(cluster)
        values["KUBE_SCHEDULER"] = binaries.kubernetes_binary(cache_root(), "kube-scheduler")
    if "slurm" in cluster.options["halves"]:
        values["SLURM_REST_API"] = f"http://127.0.0.1:{cluster.port('slurmrestd')}"
        values["SLURM_JWT_FILE"] = cluster.folder / "token.slurm"  # SlurmUser's: the bridge writes admin_comment
    lines = [f"export {name}={shlex.quote(str(value))}" for name, value in values.items()]
    lines.append(f'export PATH={shlex.quote(str(cluster.bin))}:"$PATH"')
    return "\n".join(lines)


def _text(value, unit=""):
    return "-" if value is None else f"{value}{unit}"
