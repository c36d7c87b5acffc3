# SPDX-License-Identifier: Apache-2.0
"""Kubernetes nodes become Slurm's, and cease to be."""

import contextlib

from lib.here import PATIENCE
from lib.nodes import EXTERNAL, PARTITIONS, Node
from lib.runner import alone
from lib.slurm import SlurmFailed
from lib.waiting import eventually, throughout

A_WHILE = 5
STEADY = PATIENCE + 10


@contextlib.contextmanager
def _new_node(here, name, **how):
    """A Kubernetes node of this test; in the end it is gone from both systems."""
    node = Node.create(here, name, **how)
    try:
        yield node
    finally:
        node.delete()
        eventually(lambda: node.facts() is None, PATIENCE, lambda: f"{node} is gone from Slurm; it is {node.facts()}")


def _is_registered(node, seconds=PATIENCE):
    eventually(lambda: node.facts() is not None, seconds, f"{node} is in Slurm")


def a_labelled_node_is_registered_takes_a_pod_and_leaves_when_it_is_idle(here):
    with _new_node(here, "reg-1", slurm_name="slurm-reg-1", labels={EXTERNAL: "true"}) as node:
        _is_registered(node)
        facts = node.facts()
        assert (facts["cpus"], facts["real_memory"]) == (4, 8192), facts
        assert {"EXTERNAL", "DYNAMIC_NORM"} <= set(facts["state"]), facts["state"]
        partition = "reg1"
        here.slurm.run("scontrol", "create", f"PartitionName={partition}", f"Nodes={node.slurm_name}", "State=UP")
        try:
            pod = here.run_pod("on-registered", ask={"partition": partition})
            assert pod.now()["spec"]["nodeName"] == node.name
            node.label(EXTERNAL, None)
            node.is_drained_within(PATIENCE, "slurm-bridge: slurm-bridge: removing external node slurm-reg-1")
            throughout(A_WHILE, lambda: node.facts() and node.drained, "it stays while its pod runs")
            here.not_removed_by_the_bridge(pod)
            pod.delete().gone_within(PATIENCE)
            eventually(lambda: node.facts() is None, PATIENCE, "it is gone from Slurm")
        finally:
            with contextlib.suppress(SlurmFailed):
                here.slurm.run("scontrol", "delete", f"PartitionName={partition}")


def names_that_differ_are_followed_both_ways(here):
    with _new_node(here, "odd-1", slurm_name="slurm-odd-1", labels={EXTERNAL: ""}) as node:
        _is_registered(node)
        node.cordon()
        node.is_drained_within(PATIENCE, "slurm-bridge: Corresponding Kubernetes node (odd-1) is unschedulable")
        node.cordon(False)
        node.is_open_in_slurm_within(PATIENCE)
        node.admin("DRAIN", "fan")
        node.is_cordoned_within(PATIENCE, "fan")
        node.admin("RESUME")
        node.is_open_in_kubernetes_within(PATIENCE)


def a_node_that_is_not_ready_is_drained_until_it_is_steady_again(here):
    with _new_node(here, "faint-1", labels={EXTERNAL: ""}, alive=False) as node:
        _is_registered(node)
        node.set_ready("False")
        node.is_drained_within(PATIENCE, "slurm-bridge: Kubernetes node (faint-1) is NotReady")
        assert not node.cordoned
        node.set_ready("True")
        node.is_open_in_slurm_within(STEADY)


def a_deleted_node_leaves_slurm(here):
    with _new_node(here, "short-1", labels={EXTERNAL: ""}) as node:
        _is_registered(node)
        node.delete()
        eventually(lambda: node.facts() is None, PATIENCE, "it is gone from Slurm")


def a_node_that_grew_is_made_anew_once_it_is_idle(here):
    with _new_node(here, "grows-1", labels={EXTERNAL: ""}, alive=False) as node:
        _is_registered(node)
        here.kubernetes.patch(node.path + "/status", {"status": {"capacity": {"cpu": "6"}}})
        eventually(lambda: (node.facts() or {}).get("cpus") == 6, PATIENCE, "Slurm knows its new size")
        eventually(lambda: not node.drained, PATIENCE, "it may be used")


def partitions_become_features_and_an_unknown_one_is_told(here):
    with _new_node(here, "part-1", labels={EXTERNAL: ""}, annotations={PARTITIONS: "shrot"}) as node:
        told = ("RefusedBySlurm", f'annotation {PARTITIONS}: Slurm has no partition "shrot"; did you mean short?')
        eventually(lambda: told in node.events(), PATIENCE, lambda: f"an Event says so; there are {node.events()}")
        assert node.facts() is None
        node.annotate(PARTITIONS, "short, small")
        _is_registered(node)
        assert sorted(node.facts()["features"]) == ["short", "small"], node.facts()["features"]
        node.annotate(PARTITIONS, "short")
        eventually(lambda: node.facts()["features"] == ["short"], PATIENCE, "the features follow")


def a_node_of_slurm_conf_without_the_label_is_not_removed(here):
    node = Node(here, "k010")
    node.label(EXTERNAL, None)
    try:
        throughout(A_WHILE, lambda: node.facts() and not node.drained, "it stays, and in use")
    finally:
        node.label(EXTERNAL, "true")


@alone
def kubernetes_nodes_that_slurm_does_not_know_cost_no_calls(here):
    def asked():
        numbers = here.bridge.metrics()
        return sum(value for series, value in numbers.items()
                   if series.startswith("slurm_bridge_slurm_calls_total") and "node/" in series)

    with _new_node(here, "foreign-1") as node:
        before = asked()
        node.cordon()
        node.set_ready("False")
        node.cordon(False)
        throughout(A_WHILE, lambda: not node.taints and node.noted_reason is None, "nobody touches it")
        assert asked() == before, "Slurm was asked about a node that it does not know"
