# SPDX-License-Identifier: Apache-2.0
"""Drains and cordons follow each other, and those of administrators are never removed."""

import contextlib

from lib.bridge import CONFIG
from lib.here import TIMEOUT
from lib.nodes import EXTERNAL, TAINT, Node
from lib.runner import alone
from lib.waiting import eventually, throughout

A_WHILE = 5  # longer than two polls of Slurm's nodes
STEADY = TIMEOUT + 10  # a node must be Ready for ten seconds before it is undrained


@contextlib.contextmanager
def _node(here, name):
    """A node of slurm.conf, restored after the test."""
    node = Node(here, name)
    node.is_open_in_slurm_within(TIMEOUT)
    node.is_open_in_kubernetes_within(TIMEOUT)
    try:
        yield node
    finally:
        with contextlib.suppress(Exception):
            node.admin("RESUME")
        node.cordon(False)
        node.is_open_in_slurm_within(STEADY)
        node.is_open_in_kubernetes_within(TIMEOUT)


def _unschedulable(node):
    return f"slurm-bridge: Corresponding Kubernetes node ({node}) is unschedulable"


def a_cordoned_node_is_drained_and_undrained_when_it_is_uncordoned(here):
    with _node(here, "k003") as node:
        node.cordon()
        node.is_drained_within(TIMEOUT, _unschedulable(node))
        assert node.noted_reason is None, "our own drain caused a cordon"
        node.cordon(False)
        node.is_open_in_slurm_within(TIMEOUT)
        drained = ("DrainedInSlurm", f"Drained k003 in Slurm: {_unschedulable(node)}")
        eventually(lambda: drained in node.events(), TIMEOUT, lambda: f"an Event reports the drain; there are {node.events()}")


def a_node_drained_in_slurm_is_cordoned_with_slurms_reason_until_it_is_resumed(here):
    with _node(here, "k004") as node:
        node.admin("DRAIN", "fan")
        node.is_cordoned_within(TIMEOUT, "fan")
        throughout(A_WHILE, lambda: node.reason == "fan", "our cordon does not cause a drain")
        node.admin("RESUME")
        node.is_open_in_kubernetes_within(TIMEOUT)
        assert not node.drained


def a_node_that_is_down_is_cordoned_too(here):
    with _node(here, "k005") as node:
        node.admin("DOWN", "dead")
        node.is_cordoned_within(TIMEOUT, "dead")
        node.admin("RESUME")
        node.is_open_in_kubernetes_within(TIMEOUT)


def an_administrators_cordon_survives_slurms_drain_and_resume(here):
    with _node(here, "k006") as node:
        node.cordon()
        node.is_drained_within(TIMEOUT, _unschedulable(node))
        node.admin("DRAIN", "fan")
        throughout(A_WHILE, lambda: node.cordoned and node.noted_reason is None, "the cordon is the administrator's")
        node.admin("RESUME")
        node.is_drained_within(TIMEOUT, _unschedulable(node))
        assert node.cordoned and node.noted_reason is None


def an_administrators_drain_survives_cordon_and_uncordon(here):
    with _node(here, "k007") as node:
        node.cordon()
        node.is_drained_within(TIMEOUT, _unschedulable(node))
        node.admin("DRAIN", "fan")
        eventually(lambda: node.reason == "fan", TIMEOUT, "the drain is the administrator's now")
        node.cordon(False)
        node.is_cordoned_within(TIMEOUT, "fan")
        throughout(A_WHILE, lambda: node.drained and node.reason == "fan", "the drain is the administrator's")


def a_cordon_that_an_administrator_removed_is_not_set_again(here):
    with _node(here, "k008") as node:
        node.admin("DRAIN", "fan")
        node.is_cordoned_within(TIMEOUT, "fan")
        node.cordon(False)
        throughout(A_WHILE, lambda: not node.cordoned, "it is not cordoned again")
        node.admin("RESUME")
        eventually(lambda: node.noted_reason is None and node.lifted_reason is None, TIMEOUT, "our annotation is removed")


def _keeps_the_administrators_cordon(node):
    """Slurm resumes a node that an administrator cordoned after removing our cordon."""
    node.admin("RESUME")
    node.is_drained_within(TIMEOUT, _unschedulable(node))
    eventually(lambda: node.noted_reason is None and node.lifted_reason is None, TIMEOUT, "our annotation is removed")
    assert node.cordoned, "an administrator's cordon was removed"
    node.cordon(False)
    node.is_open_in_slurm_within(TIMEOUT)


def a_cordon_that_an_administrator_sets_after_removing_ours_is_kept(here):
    with _node(here, "k009") as node:
        node.admin("DRAIN", "fan")
        node.is_cordoned_within(TIMEOUT, "fan")
        node.cordon(False)
        eventually(lambda: node.lifted_reason == "fan" and node.noted_reason is None, TIMEOUT, "the annotation shows it")
        node.cordon()
        throughout(A_WHILE, lambda: node.cordoned and node.reason == "fan", "both are unchanged")
        _keeps_the_administrators_cordon(node)


@alone
def a_cordon_that_replaced_ours_while_no_controllers_ran_is_kept(here):
    with _node(here, "k009") as node:
        node.admin("DRAIN", "fan")
        node.is_cordoned_within(TIMEOUT, "fan")
        here.bridge.stop()
        try:
            node.cordon(False)
            node.cordon()
        finally:
            here.bridge.start_and_wait()
        _keeps_the_administrators_cordon(node)


@alone
def drains_are_set_again_after_a_restart_of_slurmctld(here):
    with _node(here, "k003") as ours, _node(here, "k004") as others, _node(here, "k005") as down:
        ours.cordon()
        others.admin("DRAIN", "fan")
        down.admin("DOWN", "dead")
        ours.is_drained_within(TIMEOUT, _unschedulable(ours))
        others.is_cordoned_within(TIMEOUT, "fan")
        down.is_cordoned_within(TIMEOUT, "dead")
        here.cluster.stop("slurmctld")  # cleanly: its state is saved
        here.cluster.start("slurmctld")
        ours.is_drained_within(TIMEOUT, _unschedulable(ours))
        others.is_drained_within(TIMEOUT, "fan")
        down.is_drained_within(TIMEOUT, "dead")  # the lost state was DOWN: the reason is the same
        for node, reason in ((others, "fan"), (down, "dead")):
            assert node.cordoned and node.noted_reason == reason
            node.admin("RESUME")
            node.is_open_in_kubernetes_within(TIMEOUT)


@alone
def a_node_of_slurm_conf_whose_kubernetes_node_is_deleted_is_drained_until_it_exists_again(here):
    with _node(here, "k010") as node:
        with node.deleted():
            node.is_drained_within(TIMEOUT, "slurm-bridge: Kubernetes node (k010) is gone")
            throughout(A_WHILE, lambda: node.drained, "it stays drained and is not removed")
        node.is_open_in_slurm_within(STEADY)
        assert node.noted_reason is None, "our own drain caused a cordon"
        eventually(lambda: node.taints, TIMEOUT, "it has its taint again")


def slurms_nodes_have_the_taint(here):
    taint = {"key": TAINT, "value": "slurm-bridge-scheduler", "effect": "NoExecute"}
    eventually(lambda: Node(here, "k009").taints == [taint], TIMEOUT, "k009 has the taint")


@alone
def without_the_option_our_taints_are_removed_and_a_plan_lists_the_pods_they_would_evict(here):
    node = Node(here, "k009")
    here.bridge.stop()
    try:
        here.bridge.configure(CONFIG + "nodes: {taint: false}\n")
        here.bridge.start_and_wait()
        eventually(lambda: not node.taints, TIMEOUT, "the taint is removed")
        here.bridge.stop()
    finally:
        here.bridge.configure(CONFIG)
    with _stranger(here, node) as stranger:
        plan = here.bridge.output("plan-taints")
        assert "k009: evicts default/stranger\n" in plan and "k010: evicts no pod\n" in plan, plan
        assert not node.taints, "a plan changes nothing"
        here.bridge.start_and_wait()
        eventually(lambda: node.taints, TIMEOUT, "the taint is set again")
        eventually(lambda: here.kubernetes.find(stranger) is None, TIMEOUT, "a pod that does not tolerate it is evicted")
        eventually(lambda: any(reason == "EvictedForSlurm" and "default/stranger" in message
                               for reason, message in node.events()), TIMEOUT, lambda: f"an Event; there are {node.events()}")


ELECTION = ("--leader-elect", "--leader-election-namespace", "slurm")


@alone
def release_nodes_removes_everything_of_the_bridge_when_no_controllers_run(here):
    with _elected(here), _node(here, "k003") as ours, _node(here, "k004") as others, \
            _registered(here, "leaves-1") as registered:
        ours.cordon()
        ours.is_drained_within(TIMEOUT, _unschedulable(ours))
        others.admin("DRAIN", "fan")
        others.is_cordoned_within(TIMEOUT, "fan")
        refused = here.bridge.command("release-nodes", *ELECTION, "--yes")
        assert refused.returncode == 1 and "the controllers still run" in refused.stderr, refused
        refused = here.bridge.command("release-nodes", "--yes")
        assert refused.returncode == 1 and "--controllers-are-stopped" in refused.stderr, refused
        refused = here.bridge.command("release-nodes", "--leader-elect", "--leader-election-namespace", "default", "--yes")
        assert refused.returncode == 1 and "there is no Lease default/" in refused.stderr, refused
        assert "--controllers-are-stopped" in refused.stderr, refused
        assert ours.drained and others.cordoned, "it was refused"

        here.bridge.stop()
        try:
            wanted = [f"k003: undrain in Slurm ({_unschedulable(ours)})", "k003: untaint", "k004: uncordon",
                      "k004: untaint", "k009: untaint", "leaves-1: stays registered in Slurm; --unregister removes it"]
            plan = here.bridge.output("release-nodes", *ELECTION).splitlines()
            assert set(wanted) <= set(plan) and plan[-1] == "nothing was changed: --yes does it", plan
            assert ours.drained and others.cordoned and ours.taints, "a plan changes nothing"

            done = here.bridge.output("release-nodes", *ELECTION, "--yes").splitlines()
            assert set(wanted) <= set(done), done
            assert not ours.drained and ours.cordoned, "the cordon is the administrator's"
            assert others.drained and others.reason == "fan" and not others.cordoned and others.noted_reason is None
            assert not ours.taints and not others.taints and not Node(here, "k009").taints
            removed = here.bridge.output("release-nodes", *ELECTION, "--yes", "--unregister")
            assert "leaves-1: remove node in Slurm" in removed, removed
            assert registered.facts() is None
            again = here.bridge.output("release-nodes", "--controllers-are-stopped", "--yes", "--unregister")
            assert again == "", f"nothing of the bridge is left: {again}"
        finally:
            here.bridge.start_and_wait(flags=ELECTION)
        ours.is_drained_within(TIMEOUT, _unschedulable(ours))
        eventually(lambda: registered.facts(), TIMEOUT, "the bridge registers the node again")


@contextlib.contextmanager
def _elected(here):
    """The bridge holds its Leases."""
    here.bridge.stop()
    try:
        here.bridge.start_and_wait(flags=ELECTION)
        yield
        here.bridge.stop()
    finally:
        here.bridge.end()
        here.bridge.start_and_wait()


@contextlib.contextmanager
def _registered(here, name):
    """A node that the bridge registered in Slurm."""
    node = Node.create(here, name, labels={EXTERNAL: ""})
    try:
        eventually(lambda: node.facts(), TIMEOUT, f"{node} is in Slurm")
        yield node
    finally:
        node.delete()
        eventually(lambda: node.facts() is None, TIMEOUT, f"{node} is removed from Slurm")


@contextlib.contextmanager
def _stranger(here, node):
    """The path of a foreign pod that does not tolerate our taint."""
    path = "/api/v1/namespaces/default/pods"
    here.kubernetes.create(path, {"metadata": {"name": "stranger"}, "spec": {
        "nodeName": node.name, "containers": [{"name": "main", "image": "none"}]}})
    try:
        yield f"{path}/stranger"
    finally:
        if here.kubernetes.find(f"{path}/stranger"):
            here.kubernetes.delete(f"{path}/stranger", {"gracePeriodSeconds": 0})
