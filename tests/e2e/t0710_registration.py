# SPDX-License-Identifier: Apache-2.0
"""Kubernetes nodes are registered in Slurm, and removed."""

import contextlib

from lib.bridge import CONFIG
from lib.here import TIMEOUT
from lib.nodes import EXTERNAL, PARTITIONS, TOPOLOGY, Node
from lib.runner import alone
from lib.waiting import eventually, throughout

A_WHILE = 5
STEADY = TIMEOUT + 10


@contextlib.contextmanager
def _new_node(here, name, **how):
    """A Kubernetes node of this test; it is removed from both systems at the end."""
    node = Node.create(here, name, **how)
    try:
        yield node
    finally:
        node.delete()
        eventually(lambda: node.facts() is None, TIMEOUT, lambda: f"{node} is removed from Slurm; it is {node.facts()}")


def _is_registered(node, seconds=TIMEOUT):
    eventually(lambda: node.facts() is not None, seconds, f"{node} is in Slurm")


def a_labelled_node_is_registered_runs_a_pod_and_is_removed_when_idle(here):
    with _new_node(here, "reg-1", slurm_name="slurm-reg-1", labels={EXTERNAL: "true"}) as node:
        _is_registered(node)
        facts = node.facts()
        assert (facts["cpus"], facts["real_memory"]) == (4, 8192), facts
        assert {"EXTERNAL", "DYNAMIC_NORM"} <= set(facts["state"]), facts["state"]
        with here.slurm.partition("reg1", node.slurm_name) as partition:
            pod = here.run_pod("on-registered", ask={"partition": partition})
            assert pod.now()["spec"]["nodeName"] == node.name
            node.label(EXTERNAL, None)
            node.is_drained_within(TIMEOUT, "slurm-bridge: slurm-bridge: removing external node slurm-reg-1")
            throughout(A_WHILE, lambda: node.facts() and node.drained, "it stays while its pod runs")
            here.not_removed_by_the_bridge(pod)
            pod.delete().gone_within(TIMEOUT)
            eventually(lambda: node.facts() is None, TIMEOUT, "it is removed from Slurm")


def different_node_names_are_translated_in_both_directions(here):
    with _new_node(here, "odd-1", slurm_name="slurm-odd-1", labels={EXTERNAL: ""}) as node:
        _is_registered(node)
        node.cordon()
        node.is_drained_within(TIMEOUT, "slurm-bridge: Corresponding Kubernetes node (odd-1) is unschedulable")
        node.cordon(False)
        node.is_open_in_slurm_within(TIMEOUT)
        node.admin("DRAIN", "fan")
        node.is_cordoned_within(TIMEOUT, "fan")
        node.admin("RESUME")
        node.is_open_in_kubernetes_within(TIMEOUT)


def a_node_that_is_not_ready_is_drained_until_it_is_stable(here):
    with _new_node(here, "faint-1", labels={EXTERNAL: ""}, alive=False) as node:
        _is_registered(node)
        node.set_ready("False")
        node.is_drained_within(TIMEOUT, "slurm-bridge: Kubernetes node (faint-1) is NotReady")
        assert not node.cordoned
        node.set_ready("True")
        node.is_open_in_slurm_within(STEADY)


def an_unreachable_node_and_one_that_is_out_of_service_are_drained(here):
    with _new_node(here, "lost-1", labels={EXTERNAL: ""}, alive=False) as lost, \
            _new_node(here, "out-1", labels={EXTERNAL: ""}) as out:
        _is_registered(lost)
        _is_registered(out)
        lost.set_ready("Unknown")
        out.patch(spec={"taints": [
            {"key": "node.kubernetes.io/out-of-service", "value": "nodeshutdown", "effect": "NoExecute"}]})
        lost.is_drained_within(TIMEOUT, "slurm-bridge: Kubernetes node (lost-1) is unreachable")
        out.is_drained_within(TIMEOUT, "slurm-bridge: Kubernetes node (out-1) is out of service")
        out.patch(spec={"taints": []})
        out.is_open_in_slurm_within(STEADY)


def a_deleted_node_is_removed_from_slurm(here):
    with _new_node(here, "short-1", labels={EXTERNAL: ""}) as node:
        _is_registered(node)
        node.delete()
        eventually(lambda: node.facts() is None, TIMEOUT, "it is removed from Slurm")


def a_node_with_a_changed_capacity_is_registered_again_when_idle(here):
    with _new_node(here, "grows-1", labels={EXTERNAL: ""}, alive=False) as node:
        _is_registered(node)
        here.kubernetes.patch(node.path + "/status", {"status": {"capacity": {"cpu": "6"}}})
        eventually(lambda: (node.facts() or {}).get("cpus") == 6, TIMEOUT, "Slurm has its new size")
        eventually(lambda: not node.drained, TIMEOUT, "it is not drained any more")


def partitions_become_features_and_an_unknown_one_is_reported(here):
    with _new_node(here, "part-1", labels={EXTERNAL: ""}, annotations={PARTITIONS: "shrot"}) as node:
        reported = ("RefusedBySlurm", f'annotation {PARTITIONS}: Slurm has no partition "shrot"; did you mean short?')
        eventually(lambda: reported in node.events(), TIMEOUT, lambda: f"an Event reports it; there are {node.events()}")
        assert node.facts() is None
        node.annotate(PARTITIONS, "short, small")
        _is_registered(node)
        assert sorted(node.facts()["features"]) == ["short", "small"], node.facts()["features"]
        node.annotate(PARTITIONS, "short")
        eventually(lambda: node.facts()["features"] == ["short"], TIMEOUT, "the features are updated")


# --- devices ---


GPUS = {"gpu-1": {}, "gpu-0": {}}
# Two cores of two threads each, and an efficiency core that is not registered.
CPUS = {f"cpudev{cpu:03}": {"dra.cpu/cpuID": cpu, "dra.cpu/coreID": core, "dra.cpu/socketID": 0,
                            "dra.cpu/coreType": kind}
        for cpu, core, kind in ((0, 0, "p-core"), (1, 0, "p-core"), (2, 1, "p-core"), (3, 1, "p-core"), (4, 2, "e-core"))}


@contextlib.contextmanager
def _node_with_devices(here, name):
    with _new_node(here, name, labels={EXTERNAL: ""}, cpus=5, alive=False) as node:
        try:
            yield node
        finally:
            node.withdraw()


def _has_gres(node, gres):
    eventually(lambda: (node.open_in_slurm() or {}).get("gres") == gres, STEADY,
               lambda: f"{node} has {gres!r} in Slurm; it is {node.facts()}")


def published_devices_are_registered_and_slurm_allocates_them_by_number(here):
    with _node_with_devices(here, "dra-1") as node:
        node.publish("dra.cpu", CPUS)
        node.publish("gpu.nvidia.com", GPUS)
        _has_gres(node, "gpu:gpu.nvidia.com:2")
        facts = node.facts()
        assert (facts["cpus"], facts["cores"], facts["threads"]) == (4, 2, 2), facts
        with here.slurm.partition("dra1", node.slurm_name) as partition:
            job = here.slurm.call("POST", "/job/submit", {"job": {
                "name": "takes-a-gpu", "partition": partition, "flags": ["EXTERNAL_JOB"], "mcs_label": "kubernetes",
                "current_working_directory": "/tmp", "nodes": "1", "tres_per_node": "gres/gpu:gpu.nvidia.com=1"}})
            job = here.slurm.job(job["job_id"])
            try:
                job.runs_within(TIMEOUT)
                assert node.facts()["gres_used"] == "gpu:gpu.nvidia.com:1(IDX:0)", node.facts()["gres_used"]
            finally:
                job.cancel()


def a_node_whose_devices_changed_is_registered_again_once_when_idle(here):
    other_resources = "slurm-bridge: Kubernetes node (dra-2) has other resources now, to be registered again"
    with _node_with_devices(here, "dra-2") as node:
        def drains():
            return [message for reason, message in node.events() if reason == "DrainedInSlurm"]

        _is_registered(node)
        with here.slurm.partition("dra2", node.slurm_name) as partition:
            job = here.submit("keeps-it-busy", partition=partition).runs_within(TIMEOUT)
            node.publish("gpu.example.com", {"gpu-0": {"index": 0}})
            node.is_drained_within(TIMEOUT, other_resources)
            eventually(drains, TIMEOUT, lambda: f"an Event reports it; there are {node.events()}")
            throughout(A_WHILE, lambda: node.drained, "it stays while a job runs there")
            assert len(drains()) == 1, f"it was drained repeatedly: {drains()}"
            job.cancel()
            _has_gres(node, "gpu:gpu.example.com:1")
        node.publish("gpu.example.com", {f"gpu-{index}": {"index": index} for index in range(3)}, generation=2)
        _has_gres(node, "gpu:gpu.example.com:3")
        # The driver may be absent temporarily: only unit tests cover an absence of minutes.
        node.withdraw()
        node.is_drained_within(TIMEOUT, other_resources)
        throughout(A_WHILE + 10, lambda: node.drained, "it is not removed yet")
        node.publish("gpu.example.com", {f"gpu-{index}": {"index": index} for index in range(3)}, generation=3)
        _has_gres(node, "gpu:gpu.example.com:3")


# --- topology ---


def the_place_in_the_topology_follows_the_annotation(here):
    with _new_node(here, "place-1", labels={EXTERNAL: ""}, annotations={TOPOLOGY: "topo-switch:s2"}) as node:
        _is_registered(node)
        assert node.facts()["topology"] == "topo-switch:s2", node.facts()["topology"]
        node.annotate(TOPOLOGY, "topo-switch:s1")
        eventually(lambda: node.facts()["topology"] == "topo-switch:s1", TIMEOUT, "it follows")
        node.annotate(TOPOLOGY, "topo-switch:s9")
        reported = ("RefusedBySlurm", f'annotation {TOPOLOGY}: Slurm has no place "topo-switch:s9"; name a topology of its '
                                  "topology.yaml and a switch or block of that, as in topo-switch:s2")
        eventually(lambda: reported in node.events(), TIMEOUT, lambda: f"an Event reports it; there are {node.events()}")
        assert node.facts()["topology"] == "topo-switch:s1"
        node.annotate(TOPOLOGY, "")
        eventually(lambda: node.facts()["topology"] == "", TIMEOUT, "an empty one clears it")


# --- NOT_RESPONDING ---


@alone
def a_node_that_does_not_respond_is_reported_and_if_configured_registered_again_when_idle(here):
    def not_responding():
        return here.bridge.metrics().get("slurm_bridge_slurm_nodes_not_responding")

    def reported(text):
        return any(reason == "NotRespondingInSlurm" and text in message for reason, message in node.events())

    with _new_node(here, "mute-1", labels={EXTERNAL: ""}) as node:
        _is_registered(node)
        others = not_responding()
        with here.slurm.partition("mute1", node.slurm_name) as partition:
            pod = here.run_pod("on-mute", ask={"partition": partition})
            # slurmctld sends a signal to the node's slurmd. There is none, so the node becomes NOT_RESPONDING.
            here.slurm.run("scancel", "--signal=USR1", pod.job.id)
            eventually(lambda: "NOT_RESPONDING" in node.facts()["state"], 60, lambda: f"{node}: {node.facts()['state']}")
            eventually(lambda: reported("scontrol reconfigure"), TIMEOUT, lambda: f"an Event; there are {node.events()}")
            eventually(lambda: not_responding() == others + 1, TIMEOUT, "the metric counts it")
            try:
                here.bridge.configure(CONFIG + "nodes: {healNotResponding: true}\n")
                eventually(lambda: reported("it is idle and created again"), TIMEOUT, lambda: f"an Event; there are {node.events()}")
                assert node.facts(), "it stays while its pod runs"
                here.not_removed_by_the_bridge(pod)
                pod.delete().gone_within(TIMEOUT)
                eventually(lambda: "NOT_RESPONDING" not in (node.facts() or {"state": ["NOT_RESPONDING"]})["state"],
                           TIMEOUT, lambda: f"it is registered again; it is {node.facts()}")
                eventually(lambda: not_responding() == others, TIMEOUT, "the metric does not count it any more")
            finally:
                here.bridge.configure(CONFIG)


def a_node_of_slurm_conf_without_the_label_is_not_removed(here):
    node = Node(here, "k010")
    node.label(EXTERNAL, None)
    try:
        throughout(A_WHILE, lambda: node.facts() and not node.drained, "it stays and is not drained")
    finally:
        node.label(EXTERNAL, "true")


@alone
def kubernetes_nodes_unknown_to_slurm_cause_no_calls(here):
    def asked():
        numbers = here.bridge.metrics()
        return sum(value for series, value in numbers.items()
                   if series.startswith("slurm_bridge_slurm_calls_total") and "node/" in series)

    with _new_node(here, "foreign-1") as node:
        before = asked()
        node.cordon()
        node.set_ready("False")
        node.cordon(False)
        throughout(A_WHILE, lambda: not node.taints and node.noted_reason is None, "it is not changed")
        assert asked() == before, "there was a request to Slurm about an unknown node"
