# SPDX-License-Identifier: Apache-2.0
"""The Slurm half of a dev cluster: real daemons on loopback, with accounting, REST and external nodes.

Expects     root, and a cluster from cluster.py whose lock the caller holds.
Guarantees  start and stop may be interrupted and repeated; stop leaves no process; Slurm's state survives a stop
            and start of the same cluster.
Does not    change the host outside the cluster's folder and the cache.
"""

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor

import process
import procfs
import slurm_database
import slurm_daemons
import slurm_files
import slurm_rest
import slurm_root
from slurm_config import dynamic_node
from slurm_daemons import home, ready, slurmd_components  # ready: belongs to this module's contract

SERVICES = ("slurmctld", "slurmrestd")
STORES = ("mariadbd", "slurmdbd")
COMPONENTS = (*STORES, *SERVICES, "slurmd-r1")  # with default options; components() returns those of a given cluster


def components(cluster):
    """The names of this cluster's components, in start order."""
    return [*STORES, *SERVICES, *slurmd_components(cluster)]


def fetch(cache):
    """The unpacked root in the cache; it and the accounting template are created if they do not exist."""
    root = slurm_root.fetch(cache)
    slurm_database.fetch(cache, root)
    return root


def start(cluster):
    root = slurm_root.fetch(cluster.cache)
    slurm_root.make_home(home(cluster), root)
    slurm_root.write_wrappers(home(cluster), cluster.folder / "bin")
    slurm_files.write_configuration(cluster)
    slurm_files.write_tokens(cluster)
    slurm_database.copy(slurm_database.fetch(cluster.cache, root), cluster)
    chains = [(*STORES, "slurmctld"), ("slurmrestd",), *((component,) for component in slurmd_components(cluster))]
    _all_at_once(lambda chain: [slurm_daemons.start(cluster, component) for component in chain], chains)
    _wait_for_real_nodes(cluster)
    _add_dynamic_nodes(cluster)


def stop(cluster):
    _all_at_once(lambda component: process.stop(cluster, component), [*SERVICES, *slurmd_components(cluster)])
    for component in reversed(STORES):
        process.stop(cluster, component)
    _end_jobs(cluster)


def dynamic_node_names(cluster):
    return [f"d{number:03}" for number in range(1, cluster.options.get("dynamic", 0) + 1)]


def _wait_for_real_nodes(cluster, timeout=90):
    """Until each real node has registered; without one, until slurmctld answers over REST."""
    paths = [f"/node/{component[len('slurmd-'):]}" for component in slurmd_components(cluster)]
    deadline = time.monotonic() + timeout
    while True:
        try:
            _rest(cluster, "GET", "/ping/")
            states = [_rest(cluster, "GET", path)["nodes"][0]["state"] for path in paths]
            if not any({"UNKNOWN", "NOT_RESPONDING"} & set(state) for state in states):
                return
            why = f"the real nodes are {states}"
        except (OSError, LookupError, slurm_rest.Refused) as error:
            why = str(error)
        if time.monotonic() > deadline:
            raise process.ComponentFailed("slurmctld", f"not usable after {timeout} s: {why}",
                                     process.last_lines(cluster, "slurmctld"))
        time.sleep(0.05)


def _add_dynamic_nodes(cluster):
    """Slurm keeps them across restarts: only missing ones are created."""
    wanted = dynamic_node_names(cluster)
    if wanted:
        known = {node["name"] for node in _rest(cluster, "GET", "/nodes/")["nodes"]}
        for name in wanted:
            if name not in known:
                _rest(cluster, "POST", "/new/node/", {"node_conf": dynamic_node(slurm_files.settings(cluster), name)})


def _rest(cluster, method, path, body=None):
    token = (cluster.folder / "token.slurm").read_text()
    return slurm_rest.call(cluster.port("slurmrestd"), token, method, path, body)


def _end_jobs(cluster):
    """Job processes of a real node outlive its slurmd, in their own session; they are found by their root folder."""
    def left():
        return [number for number in procfs.living() if _stands_in(number, home(cluster))]

    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        found = left()
        if not found:
            return
        for number in found:
            try:
                os.kill(number, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.02)


def _stands_in(number, folder):
    try:
        return os.path.samefile(f"/proc/{number}/root/{slurm_root.HOME}", folder)
    except OSError:
        return False


def _all_at_once(function, values):
    """Call function for all values in threads; when all are done, raise the first error."""
    with ThreadPoolExecutor(max(1, len(values))) as pool:
        for result in [pool.submit(function, value) for value in values]:
            result.result()
