# SPDX-License-Identifier: Apache-2.0
"""Slurm's daemons: their commands and readiness checks.

Expects     a home with its configuration files in place (slurm.py, slurm_accounting.py).
"""

import socket

import process
import slurm_rest
from slurm_root import inside

# The data is deleted with the cluster: no flush at every commit, no doublewrite, little memory.
MARIADB = ("mariadbd", "--no-defaults", "--datadir=/var/lib/slurm/mysql", "--socket=/run/mysqld/mysqld.sock",
           "--pid-file=/run/mysqld/mysqld.pid", "--skip-networking", "--skip-log-bin", "--performance-schema=OFF",
           "--innodb-buffer-pool-size=64M", "--innodb-log-file-size=16M", "--innodb-flush-log-at-trx-commit=0",
           "--innodb-doublewrite=OFF", "--innodb-lock-wait-timeout=900", "--max-allowed-packet=64M",
           "--innodb-snapshot-isolation=OFF")  # with it slurmdbd exits when two transactions conflict


def home(cluster):
    """The target of the root's links, one folder for each cluster."""
    return cluster.folder / "slurm"


def slurmd_components(cluster):
    return [f"slurmd-r{number}" for number in range(1, cluster.options["slurmd"] + 1)]


def start(cluster, component, timeout=90):
    """Start one daemon and wait until it is ready."""
    user, command, environment = _call(cluster, component)
    process.start(cluster, component, inside(home(cluster), user, *command), env=environment, ready=ready(cluster, component),
                  timeout=timeout)


def ready(cluster, component):
    """A callable that is true once the component is ready, independent of other components."""
    if component == "mariadbd":
        path = str(home(cluster) / "run/mysqld/mysqld.sock")
        return lambda: _answers(socket.AF_UNIX, path)
    port = cluster.port(component)
    if component == "slurmctld":
        return lambda: slurm_rest.status(port, "/readyz") == 204
    if component == "slurmrestd":
        return lambda: slurm_rest.status(port, "/") > 0
    return lambda: _answers(socket.AF_INET, ("127.0.0.1", port))


def _call(cluster, component):
    """(user, command, environment) of a component."""
    if component == "mariadbd":
        return "mysql", MARIADB, {}
    if component == "slurmdbd":
        return "slurm", ("slurmdbd", "-D"), {}
    if component == "slurmctld":
        # -i: after kill -9 some state files may not have been written yet, which would otherwise be fatal.
        return "slurm", ("slurmctld-wlm", "-D", "-i"), {}
    if component == "slurmrestd":  # refuses to run as root or as SlurmUser
        listen = f"127.0.0.1:{cluster.port(component)}"
        return "slurmrest", ("slurmrestd", "-a", "rest_auth/jwt", "-s", "openapi/slurmctld,openapi/slurmdbd", listen), \
            {"SLURM_JWT": "daemon"}
    if component in slurmd_components(cluster):
        node = component[len("slurmd-"):]
        return "root", ("slurmd-wlm", "-D", "-N", node, "-d", "/usr/sbin/slurmstepd-wlm"), {}
    raise ValueError(f"Slurm has no component {component!r}")


def _answers(family, address):
    with socket.socket(family) as probe:
        probe.settimeout(1)
        probe.connect(address)
        return True
