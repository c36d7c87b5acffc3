# SPDX-License-Identifier: Apache-2.0
import unittest

from lib import checks
from lib.audit import Entry, NodeEntry
from lib.bridge import USER as BRIDGE
from lib.pods import FINALIZER, JOB_LABEL

KWOK = "system:node:kwok"
LABELLED = {"metadata": {"labels": {JOB_LABEL: "7"}, "finalizers": [FINALIZER]}}
TAKEN_OFF = {"metadata": {"labels": {JOB_LABEL: None}}}
EPOCH = "2026-01-01T00:00:%02d.000000Z"
CRASH_AT_5 = ("apiserver", 1767225605.2, 1767225605.4)


class Script:
    """An audit trail, one entry per second."""

    def __init__(self, cpu="4", crashes=(), expected_deletes=()):
        self._entries, self._nodes = [], [NodeEntry(EPOCH % 0, "k1", {"cpu": cpu, "pods": "10"})]
        self._crashes, self._wanted_gone, self._clock = crashes, expected_deletes, 0

    def _now(self):
        self._clock += 1
        return EPOCH % self._clock

    def write(self, user, verb, what, name, code=200, sent=None, made=None):
        self._entries.append(Entry(user, verb, what, "a", name, code, self._now(), sent or {}, made or {}))
        return self

    def creates(self, name, cpu="3", node=None, **spec):
        pod = {"metadata": {"name": name}, "spec": {"containers": [{"resources": {"requests": {"cpu": cpu}}}], **spec}}
        if node:
            pod["spec"]["nodeName"] = node
        return self.write("alice", "create", "pod", name, 201, pod, pod)

    def labels(self, name, by=BRIDGE, sent=None, code=200):
        return self.write(by, "patch", "pod", name, code, sent or LABELLED)

    def binds(self, name, by=BRIDGE, node="k1", code=201):
        return self.write(by, "create", "binding", name, code, {"target": {"name": node}})

    def ends(self, name):
        return self.write(KWOK, "patch", "status", name, sent={"status": {"phase": "Failed"}})

    def deletes(self, name, by=BRIDGE):
        return self.write(by, "delete", "pod", name)

    def node(self, name, **allocatable):
        self._nodes.append(NodeEntry(self._now(), name, allocatable))
        return self

    def trail(self):
        """In the order of the log: by answers, not by requests."""
        return checks.AuditTrail(self._entries[::-1], self._nodes, list(self._crashes), set(self._wanted_gone))


class NodesAreNotOverfilled(unittest.TestCase):
    CASES = (
        ("one fits", Script().creates("p").binds("p"), 0),
        ("two do not fit", Script().creates("p").binds("p").creates("q").binds("q"), 1),
        ("the second fits after the end of the first", Script().creates("p").binds("p").ends("p").creates("q").binds("q"), 0),
        ("a bind by the scheduler's own account counts",
         Script().creates("p").binds("p").creates("q").binds("q", by=f"{BRIDGE}-scheduler"), 1),
        ("a refused bind does not count", Script().creates("p").binds("p").creates("q").binds("q", code=409), 0),
        ("a bind of another scheduler is not checked",
         Script().creates("p").binds("p").creates("q").binds("q", by="kube-scheduler"), 0),
        ("but its pod is counted", Script().creates("p").binds("p", by="kube-scheduler").creates("q").binds("q"), 1),
        ("a pod that was created with a node is counted", Script().creates("p", node="k1").creates("q").binds("q"), 1),
        ("a name that is used again is another pod", Script().creates("p").binds("p").creates("p").binds("p"), 0),
        ("an init container is counted", Script().creates("p", cpu="1", initContainers=[
            {"resources": {"requests": {"cpu": "5"}}}]).binds("p"), 1),
        ("a resource that the node does not have is too much", Script().creates("p", overhead={"example.com/x": "1"}).binds("p"), 1),
        ("pods are counted", Script().node("k1", cpu="9", pods="1").creates("p").binds("p").creates("q").binds("q"), 1),
        ("a node that grew before the bind has more room",
         Script().creates("p").binds("p").node("k1", cpu="6", pods="9").creates("q").binds("q"), 0),
        ("later resources do not matter",
         Script().creates("p").binds("p").creates("q").binds("q").node("k1", cpu="6", pods="9"), 1),
        ("a node that was never created", Script().creates("p").binds("p", node="k2"), 1),
        ("the line with the end may be lost", Script(crashes=[CRASH_AT_5]).creates("p").binds("p").creates("q").creates("r")
         .creates("s").binds("q"), 0),
        ("with a crash before both nothing is lost", Script(crashes=[CRASH_AT_5]).creates("p").creates("q").creates("r")
         .creates("s").creates("t").binds("p").binds("q"), 1),
    )

    def test_at_each_bind_the_requests_of_pods_that_have_not_ended_fit(self):
        for name, script, complaints in self.CASES:
            with self.subTest(name):
                found = checks.no_node_was_ever_given_more_than_it_has(script.trail())
                self.assertEqual(len(found), complaints, found)


class WritesPerPod(unittest.TestCase):
    CASES = (
        ("two", Script().creates("p").labels("p").binds("p"), 0),
        ("three", Script().creates("p").labels("p").labels("p").binds("p"), 1),
        ("three, of which two by other roles",
         Script().creates("p").labels("p", f"{BRIDGE}-controllers").labels("p").binds("p", f"{BRIDGE}-scheduler"), 1),
        ("a refused write is not counted", Script().creates("p").labels("p", code=409).labels("p").binds("p"), 0),
        ("writes of other users are not counted", Script().creates("p").labels("p", "alice").labels("p").binds("p"), 0),
        ("conditions are not counted", Script().creates("p").write(BRIDGE, "patch", "status", "p").labels("p").binds("p"), 0),
        ("after the job is removed the count starts again",
         Script().creates("p").labels("p").labels("p", sent=TAKEN_OFF).labels("p").binds("p"), 0),
        ("writes after the bind are not counted", Script().creates("p").labels("p").binds("p").labels("p"), 0),
        ("a refused create does not restart the count", Script().creates("p").labels("p").labels("p")
         .write("alice", "create", "pod", "p", 409).binds("p"), 1),
        ("the line of the create may be lost in a crash", Script(crashes=[CRASH_AT_5]).creates("p").labels("p")
         .deletes("p", "alice").creates("x").labels("p").binds("p"), 0),
    )

    def test_at_most_two_until_it_is_bound(self):
        for name, script, complaints in self.CASES:
            with self.subTest(name):
                found = checks.no_pod_ever_cost_more_than_two_writes_until_it_was_bound(script.trail())
                self.assertEqual(len(found), complaints, found)


class LabelAndFinalizer(unittest.TestCase):
    UNBOUND_LABEL = {"metadata": {"labels": {JOB_LABEL: "7"}}}
    CASES = (
        ("both", Script().creates("p").labels("p").binds("p"), 0),
        ("neither", Script().creates("p").binds("p"), 1),
        ("neither, by the scheduler's own account", Script().creates("p").binds("p", f"{BRIDGE}-scheduler"), 1),
        ("no finalizer", Script().creates("p").labels("p", sent=UNBOUND_LABEL).binds("p"), 1),
        ("removed before", Script().creates("p").labels("p").labels("p", sent=TAKEN_OFF).binds("p"), 1),
        ("replaced by an update without them", Script().creates("p").labels("p")
         .write("alice", "update", "pod", "p", sent={"metadata": {}}).binds("p"), 1),
        ("a patch whose client died may have been executed", Script().creates("p").labels("p", code=504).binds("p"), 0),
        ("its line may be lost", Script(crashes=[CRASH_AT_5]).creates("p").creates("q").creates("r").creates("s")
         .creates("t").binds("p"), 0),
    )

    def test_no_bind_without_them(self):
        for name, script, complaints in self.CASES:
            with self.subTest(name):
                found = checks.no_pod_was_ever_bound_without_label_and_finalizer(script.trail())
                self.assertEqual(len(found), complaints, found)


class Deletes(unittest.TestCase):
    def test_only_with_a_reason(self):
        found = checks.no_pod_was_ever_deleted_without_a_reason(
            Script(expected_deletes=["a/p"]).deletes("p").deletes("q", f"{BRIDGE}-controllers").deletes("r", "alice").trail())
        self.assertEqual(found, ["the bridge deleted a/q"])


class Verdicts(unittest.TestCase):
    def test_each_check_has_its_line(self):
        lines = [verdict.line for verdict in checks.verdicts("c", Script().creates("p").labels("p").binds("p").trail())]
        self.assertEqual([line.split(" ")[0] for line in lines], ["ok"] * len(checks.ALL))
        self.assertIn("1 binds", lines[0])

    def test_a_violated_guarantee_is_not_ok(self):
        [line] = [verdict.line for verdict in checks.verdicts("c", Script().creates("p").binds("p").trail())
                  if not verdict.held]
        self.assertTrue(line.startswith("not ok audit_log.no_pod_was_ever_bound_without_label_and_finalizer: "), line)

    def test_a_run_without_a_bind_is_skipped(self):
        for verdict in checks.verdicts("c", Script().creates("p").trail()):
            self.assertTrue(verdict.held and verdict.line.startswith("skipped "), verdict.line)


if __name__ == "__main__":
    unittest.main()
