# SPDX-License-Identifier: Apache-2.0
"""1000 small pods at once, first create to last bound, between two runs of a plain client that makes the same writes.

The plain client is the load driver itself: one process, no Slurm and no watch; it is limited by the API server. It
runs before with as many connections as the bridge has and after with twice as many; the better run is used.
"""

import re
import subprocess
from pathlib import Path

from lib.bridge import SCHEDULER
from stages.figures import percentile
from stages.ground import CONNECTIONS, spent_between


def measure(ground, figures, options):
    pods = options.pods
    ceilings = [_ceiling(ground, pods, "before-", CONNECTIONS)]
    ground.start_bridge()
    log, before = ground.slurm_log(), ground.cpu_seconds()
    with _profile(ground, options):
        seen = ground.load("create", scheduler=SCHEDULER, pods=pods, prefix="burst-")
    spent = spent_between(before, ground.cpu_seconds())
    whole_seconds = ground.start_times()
    steps, rss = _steps(ground), ground.bridge_memory_mb()
    calls = {whom: ground.bridge_calls(whom) / pods for whom in ("kube", "slurm")}
    ground.clear_by_force()
    ceilings.append(_ceiling(ground, pods, "after-", 2 * CONNECTIONS))

    figures["api_ceiling_pods_per_s"] = max(ceilings)
    figures["burst_pods_per_s"] = pods / seen["seconds"]
    figures["burst_of_ceiling"] = figures["burst_pods_per_s"] / figures["api_ceiling_pods_per_s"]
    figures["burst_seconds"] = seen["seconds"]
    _stages(figures, seen["pods"].values(), log.read(), whole_seconds)
    for whom, count in calls.items():
        figures[f"burst_{whom}_calls_per_pod"] = count
    figures["rss_after_burst_mb"] = rss
    for step, count in steps.items():
        figures[f"burst_{step}_steps"] = count
    for process in ("bridge", "apiserver", "etcd", "kwok", "slurmctld", "slurmrestd"):
        figures[f"burst_{process}_cpu_s"] = spent[process]


def _ceiling(ground, pods, prefix, connections):
    """In another namespace, where its pods may stay: no scheduler serves them."""
    return pods / ground.load("bare", namespace="default", pods=pods, prefix=prefix, connections=connections)["seconds"]


def _steps(ground):
    """{step and result: count} of the bridge so far: more than one of each per pod is unnecessary."""
    found = {}
    for series, count in ground.bridge.metrics().items():
        named = re.match(r'slurm_bridge_steps_total\{.*?"(.+?)".*?"(.+?)"', series)
        if named:
            found["_".join(named.groups()).replace(" ", "_")] = count
    return found


def _stages(figures, pods, log, whole_seconds):
    """How long pods were in each stage, and when the last one left it: this shows where the time is spent.

    The start by backfill is known only in whole seconds, so up to 1 s too early: `running` and `ready` use that; the time
    from submitted to running uses only jobs whose start is in the log (burst_running_logged of them).
    """
    submitted, logged = log.submitted, log.started
    started = {**whole_seconds, **logged}
    moments = [(pod["created"], submitted.get(pod["job"]), pod["labelled"], started.get(pod["job"]),
                pod["bound"]) for pod in pods]
    whole = [times for times in moments if None not in times]
    began = min(pod["sent"] for pod in pods)
    figures["burst_all_created_s"] = max(pod["created"] for pod in pods) - began
    for index, name in enumerate(("submitted", "labelled", "running", "bound"), 1):
        figures[f"burst_all_{name}_s"] = max(times[index] for times in whole) - began
    # Slurm may start a job before its label is written: then the pod is ready since the later of the two.
    stages = {"created_to_submitted": [times[1] - times[0] for times in whole],
              "submitted_to_labelled": [times[2] - times[1] for times in whole],
              "submitted_to_running": [logged[pod["job"]] - submitted[pod["job"]] for pod in pods
                                       if pod["job"] in logged and pod["job"] in submitted],
              "ready_to_bound": [times[4] - max(times[2], times[3]) for times in whole]}
    figures["burst_running_logged"] = len(stages["submitted_to_running"])
    for name, seconds in stages.items():
        for share in (50, 99) if seconds else ():
            figures[f"burst_{name}_p{share}_ms"] = 1000 * percentile(seconds, share / 100)


class _profile:
    """With --profile: perf on the bridge during the burst; the hottest functions go to build/bench/profile.txt."""

    def __init__(self, ground, options):
        self._data = options.folder / "perf.data" if options.profile else None
        self._pid = ground.bridge_pid

    def __enter__(self):
        if self._data:
            self._perf = subprocess.Popen(["perf", "record", "-q", "-g", "-F", "499", "-p", str(self._pid), "-o",
                                           self._data], stdin=subprocess.DEVNULL)

    def __exit__(self, *_):
        if self._data:
            self._perf.terminate()
            self._perf.wait()
            with open(Path(self._data).with_name("profile.txt"), "w") as out:
                subprocess.run(["perf", "report", "-i", self._data, "--stdio", "--no-children", "-g", "none",
                                "--percent-limit", "0.5"], stdin=subprocess.DEVNULL, stdout=out,
                               stderr=subprocess.DEVNULL)
