# SPDX-License-Identifier: Apache-2.0
"""A group of pods that the reference runs as one job and the bridge adopts: no pod ends because another one ends."""

import json
import uuid

from lib.bridge import SCHEDULER
from lib.here import TIMEOUT, Here
from lib.pods import FINALIZER, JOB_LABEL, NAMESPACE, NODE_ANNOTATION
from lib.runner import Test
from lib.waiting import eventually

SIZE = 3
TOLERATION = {"key": "slinky.slurm.net/managed-node", "operator": "Equal", "value": SCHEDULER, "effect": "NoExecute"}

_prepared = {}


def before_the_bridge(world):
    """A group as the reference leaves it, whose last pod has a node but is not bound yet."""
    here = Here(world, Test("prepared", None, "t0135-prepared"))
    names = [f"gang-{number}-{uuid.uuid4().hex[:6]}" for number in range(SIZE)]
    comment = json.dumps({"pods": [f"{NAMESPACE}/{name}" for name in names]})
    job = world.slurm.submit("gang", comment, nodes=SIZE).runs_within(TIMEOUT)
    nodes = world.slurm.run("scontrol", "show", "hostnames", job.nodes).split()
    # Not in the order of the nodes: the reference assigns them at random.
    places = dict(zip(names, reversed(nodes)))
    pods = [here.make_pod(name, exact_name=True, labels={JOB_LABEL: str(job.id)}, spec={"tolerations": [TOLERATION]})
            for name in names]
    for pod in pods:
        world.kubernetes.patch(pod.path, {"metadata": {"finalizers": [FINALIZER],
                                                       "annotations": {NODE_ANNOTATION: places[pod.name]}}})
    for pod in pods[:-1]:
        world.kubernetes.create(f"{pod.path}/binding", {"metadata": {"name": pod.name},
                                                        "target": {"kind": "Node", "name": places[pod.name]}})
    _prepared.update(job=job, pods=pods, places=places)


def when_one_pod_of_an_adopted_group_ends_the_others_keep_running(here):
    job, pods, places = _prepared["job"], _prepared["pods"], _prepared["places"]
    here.pods.extend(pods)
    for pod in pods:
        pod.runs_within(TIMEOUT)
        assert pod.job == job, f"{pod} has {pod.job}, not the {job} of the reference"
        assert pod.node == places[pod.name], f"{pod} is on {pod.node}, its annotation is {places[pod.name]}"

    first, second, last = pods
    first.delete().gone_within(TIMEOUT)
    assert job.state == "RUNNING", f"{job} is {job.state}: it was ended for one of its pods"
    # The next action of the bridge comes after it has processed the end of other pods.
    witness = here.run_pod("witness")
    witness.delete().gone_within(TIMEOUT)
    for pod in (second, last):
        assert pod.phase == "Running", f"{pod} is {pod.phase}"
    assert job.state == "RUNNING"

    second.end().ended_within(TIMEOUT).is_released_within(TIMEOUT)
    assert job.state == "RUNNING" and last.phase == "Running"
    recreated = here.make_pod(first.name, exact_name=True).runs_within(TIMEOUT)
    assert recreated.job != job, f"{recreated} got the job of the group"

    last.delete().gone_within(TIMEOUT)
    job.ended_within(TIMEOUT)
    eventually(lambda: recreated.phase == "Running" and recreated.job.state == "RUNNING", TIMEOUT, f"{recreated} keeps running")
    here.not_removed_by_the_bridge(*pods, recreated)
    for pod in (second, last):
        assert not pod.records(), f"another job was submitted for {pod}: {pod.records()}"
