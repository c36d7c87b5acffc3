# SPDX-License-Identifier: Apache-2.0
"""Drains and cordons follow each other, and nobody else's is undone."""

import contextlib

from lib.here import PATIENCE
from lib.nodes import TAINT, Node
from lib.runner import alone
from lib.waiting import eventually, throughout

A_WHILE = 5  # longer than the bridge takes to look at Slurm's nodes twice
STEADY = PATIENCE + 10  # a node is Ready for ten seconds before it gets work again


@contextlib.contextmanager
def _node(here, name):
    """One of slurm.conf's nodes, left as it was found."""
    node = Node(here, name)
    node.is_open_in_slurm_within(PATIENCE)
    node.is_open_in_kubernetes_within(PATIENCE)
    try:
        yield node
    finally:
        with contextlib.suppress(Exception):
            node.admin("RESUME")
        node.cordon(False)
        node.is_open_in_slurm_within(STEADY)
        node.is_open_in_kubernetes_within(PATIENCE)


def _unschedulable(node):
    return f"slurm-bridge: Corresponding Kubernetes node ({node}) is unschedulable"


def a_cordoned_node_is_drained_and_undrained_when_it_is_uncordoned(here):
    with _node(here, "k003") as node:
        node.cordon()
        node.is_drained_within(PATIENCE, _unschedulable(node))
        assert node.noted_reason is None, "our own drain came back as a cordon"
        node.cordon(False)
        node.is_open_in_slurm_within(PATIENCE)
        assert ("DrainedInSlurm", f"Drained k003 in Slurm: {_unschedulable(node)}") in node.events()


def a_node_drained_in_slurm_is_cordoned_with_slurms_reason_until_it_is_resumed(here):
    with _node(here, "k004") as node:
        node.admin("DRAIN", "fan")
        node.is_cordoned_within(PATIENCE, "fan")
        throughout(A_WHILE, lambda: node.reason == "fan", "our cordon does not come back as a drain")
        node.admin("RESUME")
        node.is_open_in_kubernetes_within(PATIENCE)
        assert not node.drained


def a_node_that_is_down_is_cordoned_too(here):
    with _node(here, "k005") as node:
        node.admin("DOWN", "dead")
        node.is_cordoned_within(PATIENCE, "dead")
        node.admin("RESUME")
        node.is_open_in_kubernetes_within(PATIENCE)


def a_humans_cordon_survives_slurms_drain_and_resume(here):
    with _node(here, "k006") as node:
        node.cordon()
        node.is_drained_within(PATIENCE, _unschedulable(node))
        node.admin("DRAIN", "fan")
        throughout(A_WHILE, lambda: node.cordoned and node.noted_reason is None, "the cordon is a human's")
        node.admin("RESUME")
        node.is_drained_within(PATIENCE, _unschedulable(node))
        assert node.cordoned and node.noted_reason is None


def a_humans_drain_survives_cordon_and_uncordon(here):
    with _node(here, "k007") as node:
        node.cordon()
        node.is_drained_within(PATIENCE, _unschedulable(node))
        node.admin("DRAIN", "fan")
        eventually(lambda: node.reason == "fan", PATIENCE, "it is the human's drain now")
        node.cordon(False)
        node.is_cordoned_within(PATIENCE, "fan")
        throughout(A_WHILE, lambda: node.drained and node.reason == "fan", "the drain is a human's")


def a_human_who_lifts_our_cordon_has_the_last_word(here):
    with _node(here, "k008") as node:
        node.admin("DRAIN", "fan")
        node.is_cordoned_within(PATIENCE, "fan")
        node.cordon(False)
        throughout(A_WHILE, lambda: not node.cordoned, "it stays open")
        node.admin("RESUME")
        eventually(lambda: node.noted_reason is None, PATIENCE, "our note goes")


@alone
def drains_are_asserted_again_after_a_restart_of_slurmctld(here):
    with _node(here, "k003") as ours, _node(here, "k004") as humans:
        ours.cordon()
        humans.admin("DRAIN", "fan")
        ours.is_drained_within(PATIENCE, _unschedulable(ours))
        humans.is_cordoned_within(PATIENCE, "fan")
        here.slurm.run("scontrol", "shutdown", "slurmctld")  # in good order: what it keeps, it has kept
        here.cluster.restart("slurmctld")
        ours.is_drained_within(PATIENCE, _unschedulable(ours))
        humans.is_drained_within(PATIENCE, "fan")
        assert humans.cordoned and humans.noted_reason == "fan"
        humans.admin("RESUME")
        humans.is_open_in_kubernetes_within(PATIENCE)


def slurms_nodes_have_the_taint(here):
    taint = {"key": TAINT, "value": "slurm-bridge-scheduler", "effect": "NoExecute"}
    eventually(lambda: Node(here, "k009").taints == [taint], PATIENCE, "k009 has the taint")


@alone
def without_the_option_our_taints_are_taken_off(here):
    node = Node(here, "k009")
    config = here.folder / "config.yaml"
    text = config.read_text()
    here.bridge.stop()
    try:
        config.write_text(text + "nodes: {taint: false}\n")
        here.bridge.start_and_wait()
        eventually(lambda: not node.taints, PATIENCE, "the taint is gone")
        here.bridge.stop()
    finally:
        config.write_text(text)
    here.bridge.start_and_wait()
    eventually(lambda: node.taints, PATIENCE, "the taint is back")
