# SPDX-License-Identifier: Apache-2.0
"""The cost of waiting pods, and their effect on a runnable pod.

Waiting pods are in a partition that is DOWN; runnable ones in another. A window begins when the bridge has had no pod to
place for QUIET seconds, so that it shows the cost of waiting and not that of the submits. The pods are not deleted: the
next stage is not affected by them.
"""

import random
import re
import time

from lib.bridge import SCHEDULER
from lib.waiting import eventually
from stages.figures import percentile
from stages.ground import let_pass, rest_address, spent_between
from stages.latency import SlurmCalls, gone
from stages.relay import Relay

COUNTS = (0, 200, 2000)
QUIET = 12  # longer than the mirror polls quickly after a submit
WINDOW = 10
PROBES = 7
RUNNABLE = "slurmjob.slinky.slurm.net/partition=small"


def measure(ground, figures, _options):
    relay = Relay(*rest_address(ground.cluster))
    try:
        ground.start_bridge(SLURM_REST_API=f"http://127.0.0.1:{relay.port}")
        ground.slurm.run("scontrol", "update", "PartitionName=slurm-bridge", "State=DOWN")
        there, slurm, bound, quiet = 0, SlurmCalls(ground), {}, []
        for count in COUNTS:
            if count:
                began = time.monotonic()
                ground.load("create", scheduler=SCHEDULER, pods=count - there, prefix=f"waiting-{count}-",
                            until="explained")
                there = count
                eventually(lambda: _all_say_why(ground), 900, "every waiting pod shows Slurm's reason")
                figures[f"waiting_{count}_all_say_why_s"] = time.monotonic() - began
            _window(ground, relay, figures, f"waiting_{count}")
            if count:
                quiet += gone(ground, slurm, dict([bound.popitem()]))
            if count in (COUNTS[0], COUNTS[-1]):
                bound.update(_runnable(ground, figures, count))
        figures["waiting_2000_over_200_calls"] = (figures["waiting_2000_slurm_calls_per_s"] /
                                                  figures["waiting_200_slurm_calls_per_s"])
        figures["gone_quiet_max_ms"] = 1000 * max(quiet)
        figures["rss_2000_waiting_mb"] = ground.bridge_memory_mb()
        ground.stop_bridge()
        ground.slurm.run("scancel", "--quiet", "--user=slurm")
        ground.slurm.run("scontrol", "update", "PartitionName=slurm-bridge", "State=UP")
    finally:
        relay.close()


def _all_say_why(ground):
    """Slurm's reason follows the job's id: `Waiting in Slurm (job 7): PartitionDown ...`."""
    pods = [pod for pod in ground.api.get("/api/v1/pods?resourceVersion=0")["items"]
            if pod["metadata"]["name"].startswith("waiting-")]
    return pods and all(any("): " in condition.get("message", "") for condition in pod["status"].get("conditions", []))
                        for pod in pods)


def _window(ground, relay, figures, name):
    _quiet(ground)
    calls, bytes_, cpu, began = ground.bridge_calls("slurm"), relay.bytes, ground.cpu_seconds(), time.monotonic()
    let_pass(WINDOW)
    seconds = time.monotonic() - began
    spent = spent_between(cpu, ground.cpu_seconds())
    figures[f"{name}_slurm_calls_per_s"] = (ground.bridge_calls("slurm") - calls) / seconds
    figures[f"{name}_slurm_bytes_per_s"] = (relay.bytes - bytes_) / seconds
    figures[f"{name}_bridge_cpu"] = spent["bridge"] / seconds
    figures[f"{name}_slurm_cpu"] = (spent["slurmctld"] + spent["slurmrestd"]) / seconds


def _quiet(ground):
    """Until the bridge has submitted, labelled and bound nothing for QUIET seconds. It may still write reasons."""
    last = {"steps": -1.0, "since": 0.0}

    def is_quiet():
        steps = sum(value for series, value in ground.bridge.metrics().items()
                    if re.match(r'slurm_bridge_steps_total.*"(submit|label|bind)"', series))
        if steps != last["steps"]:
            last.update(steps=steps, since=time.monotonic())
        return time.monotonic() - last["since"] > QUIET

    eventually(is_quiet, 120, "the bridge has no pod to place any more")


def _runnable(ground, figures, behind):
    """From the answer to the create until bound, and of that until Slurm has accepted the job: the rest is mostly Slurm's
    own loop, which starts jobs once a second. Samples are not synchronized with it. Returns {pod: job}."""
    to_bound, to_submitted, log, jobs = [], [], ground.slurm_log(), {}
    for probe in range(PROBES):
        let_pass(random.random())
        name, seen = ground.load("create", scheduler=SCHEDULER, prefix=f"runnable-{behind}-{probe}-",
                                 annotation=[RUNNABLE], connections=1)["pods"].popitem()
        jobs[name] = seen["job"]
        to_bound.append(seen["bound"] - seen["created"])
        to_submitted.append(log.read().submitted[seen["job"]] - seen["created"])
    figures[f"runnable_behind_{behind}_ms"] = 1000 * percentile(to_bound, 0.5)
    figures[f"runnable_behind_{behind}_max_ms"] = 1000 * max(to_bound)
    figures[f"runnable_behind_{behind}_submitted_ms"] = 1000 * percentile(to_submitted, 0.5)
    return jobs
