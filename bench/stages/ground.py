# SPDX-License-Identifier: Apache-2.0
"""Common to all stages of the benchmark: its own dev cluster, the bridge, the load driver."""

import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from lib.bridge import CONFIG, SCHEDULER, Bridge, program
from lib.cluster import Cluster
from lib.kubernetes import Kubernetes
from lib.slurm import Slurm
from lib.waiting import eventually
from stages.slurm_log import SlurmLog, utc

NODES = 64
CONNECTIONS = 16
NAMESPACE = "slurm-bridge"
PODS = f"/api/v1/namespaces/{NAMESPACE}/pods"
JOB_LABEL = "scheduler.slinky.slurm.net/slurm-jobid"
SHARED = "slurmjob.slinky.slurm.net/exclusive=false"
TICKS = os.sysconf("SC_CLK_TCK")


class LoadFailed(Exception):
    """The load driver failed; str() is its message."""


class Ground:
    """Guarantees  everything that was started is stopped after down(); the bridge's log is kept with the results."""

    def __init__(self, results):
        self._results = results
        self.cluster = Cluster(f"bench-{os.getpid()}")
        self.folder = Path(tempfile.mkdtemp(prefix="bench-"))
        self.bridge = None

    def up(self):
        self.cluster.up(NODES)
        self.api = Kubernetes(self.cluster.path("KUBECONFIG"))
        self.slurm = Slurm(self.cluster)
        rows = (line.split() for line in self.cluster._tool("status").splitlines()[1:])
        self._pids = {row[0]: int(row[1]) for row in rows}

    def down(self):
        if self.bridge is not None:
            self.bridge.end()
            shutil.copy(self.bridge.log_path, self._results)
        self.cluster.down()
        shutil.rmtree(self.folder, ignore_errors=True)

    # --- the bridge

    def start_bridge(self, scheduler=SCHEDULER, **variables):
        """A new process, and its metrics; the log level is the default one."""
        self.stop_bridge()
        self.bridge = Bridge(self.cluster, self.folder, flags=("-zap-log-level", "info"))
        (self.folder / "config.yaml").write_text(CONFIG.replace(SCHEDULER, scheduler))
        self.bridge.start_and_wait(**variables)
        eventually(lambda: self.bridge.probe("/readyz")[0] == 200, 30, "the bridge is ready")

    def stop_bridge(self):
        if self.bridge is not None and self.bridge.running:
            self.bridge.stop()

    @property
    def bridge_pid(self):
        return self.bridge._process.pid

    def bridge_memory_mb(self, line="VmRSS"):
        """A line of /proc/PID/status in 10^6 bytes: VmRSS is the current value, VmHWM the peak."""
        text = Path(f"/proc/{self.bridge_pid}/status").read_text()
        kib = next(each.split()[1] for each in text.splitlines() if each.startswith(line + ":"))
        return int(kib) * 1024 / 1e6

    def bridge_calls(self, whom):
        """Number of calls to "slurm" or "kube" so far."""
        return sum(value for series, value in self.bridge.metrics().items()
                   if series.startswith(f"slurm_bridge_{whom}_calls_total"))

    # --- the load

    def load(self, verb, **flags):
        """The report of the load driver. Underscores of a flag become dashes; each item of a list is a separate flag."""
        given = {"kubeconfig": self.cluster.path("KUBECONFIG"), "connections": CONNECTIONS, "nodes": NODES,
                 "job_label": JOB_LABEL, **flags, "annotation": [SHARED, *flags.get("annotation", ())]}
        arguments = [f"--{name.replace('_', '-')}={one}" for name, value in given.items()
                     for one in (value if isinstance(value, list) else [value])]
        done = subprocess.run([program("bench_load"), verb, *arguments], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            raise LoadFailed(f"{verb} {flags}: {done.stderr.strip()[-500:]}")
        return json.loads(done.stdout) if done.stdout else {}

    def clear_by_force(self):
        """Delete all pods of the namespace and all jobs; the bridge is stopped before."""
        self.stop_bridge()
        self.load("clear")
        self.slurm.run("scancel", "--quiet", "--user=slurm")
        eventually(lambda: not self.slurm.live_names(), 120, "no job is left")

    # --- other logs and counts

    def slurm_log(self):
        return SlurmLog(self.cluster.path("KUBECONFIG").parent / "logs/slurmctld.log")

    def start_times(self):
        """{job id: seconds since 1970} of running jobs, in whole seconds: for jobs that are not in the log."""
        lines = self.slurm.run("squeue", "--all", "-h", "-t", "running", "-o", "%A|%S").splitlines()
        return {job: utc(when) for job, when in (line.split("|") for line in lines)}

    def cpu_seconds(self):
        """{component: CPU seconds so far} of all components of the cluster, and of the bridge if it runs."""
        spent = {component: _cpu_of(pid) for component, pid in self._pids.items()}
        if self.bridge is not None and self.bridge.running:
            spent["bridge"] = _cpu_of(self.bridge_pid)
        return spent


def spent_between(before, after):
    return {component: after[component] - before.get(component, 0) for component in after}


def rest_address(cluster):
    """(host, port) of slurmrestd."""
    host, port = cluster.environment["SLURM_REST_API"].rsplit("/", 1)[1].rsplit(":", 1)
    return host, int(port)


def let_pass(seconds):
    """For a measurement window, or to measure a system after an idle time; not for waiting on a condition."""
    time.sleep(seconds)


def _cpu_of(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS
