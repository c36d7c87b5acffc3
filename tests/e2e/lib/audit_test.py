# SPDX-License-Identifier: Apache-2.0
import json
import tempfile
import unittest
from pathlib import Path

from lib.audit import Audit
from lib.bridge import USER as BRIDGE


def line(user, verb, resource, name="p", subresource=None, code=200, made=None):
    return json.dumps({
        "kind": "Event", "apiVersion": "audit.k8s.io/v1",
        "user": {"username": user}, "verb": verb, "requestReceivedTimestamp": "2026-01-01T00:00:01.000000Z",
        "objectRef": {"resource": resource, "namespace": "a", "name": name, "subresource": subresource},
        "responseStatus": {"code": code}, "responseObject": made}, separators=(",", ":")) + "\n"


class Reading(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self._path = Path(folder.name) / "audit.log"
        self._path.touch()
        self.audit = Audit(self._path)

    def say(self, *texts):
        with open(self._path, "a") as log:
            log.writelines(texts)

    def test_exactly_the_roles_of_the_bridge_count_as_the_bridge(self):
        for user in (BRIDGE, f"{BRIDGE}-scheduler", f"{BRIDGE}-controllers", f"{BRIDGE}s", "alice"):
            self.say(line(user, "create", "pods", subresource="binding"))
        self.assertEqual([entry.user for entry in self.audit.writes_of_the_bridge()],
                         [BRIDGE, f"{BRIDGE}-scheduler", f"{BRIDGE}-controllers"])

    def test_a_pod_with_a_generated_name_is_identified_by_the_created_object(self):
        pod = {"kind": "Pod", "metadata": {"name": "p-x7k2"}, "spec": {"nodeName": "k1"}}
        self.say(line("alice", "create", "pods", name=None, code=201, made=pod))
        [entry] = self.audit.entries()
        self.assertEqual((entry.key, entry.made), ("a/p-x7k2", pod))

    def test_a_refused_write_changes_nothing(self):
        tried = json.loads(line("alice", "patch", "pods"))
        tried["requestURI"] = "/api/v1/namespaces/a/pods/p?dryRun=All"
        self.say(json.dumps(tried, separators=(",", ":")) + "\n")
        self.assertEqual(self.audit.entries(), [])

    def test_the_resources_of_a_node_are_read_from_each_write(self):
        for cpu in ("4", "6"):
            node = {"kind": "Node", "metadata": {"name": "k1"}, "status": {"allocatable": {"cpu": cpu}}}
            self.say(line("admin", "patch", "nodes", name="k1", subresource="status", made=node))
        self.say(line("admin", "patch", "nodes", name="k1", code=409, made={"kind": "Status"}),
                 line("admin", "list", "nodes", name=None))
        self.assertEqual([(one.name, one.allocatable) for one in self.audit.nodes()], [("k1", {"cpu": "4"}), ("k1", {"cpu": "6"})])
        self.assertEqual(self.audit.entries(), [], "nodes are not pods")

    def test_an_incomplete_line_is_read_when_it_is_complete(self):
        text = line(BRIDGE, "delete", "pods")
        self.say(text[:40])
        self.assertEqual(self.audit.entries(), [])
        self.say(text[40:])
        self.assertEqual(self.audit.pods_deleted_by_the_bridge(), {"a/p"})

    def test_an_incomplete_line_of_a_killed_server_does_not_hide_the_next_one(self):
        self.say(line(BRIDGE, "delete", "pods")[:-20], line(BRIDGE, "delete", "pods", name="q"),
                 line(BRIDGE, "delete", "pods", name="r"))
        self.assertEqual(self.audit.pods_deleted_by_the_bridge(), {"a/q", "a/r"})


if __name__ == "__main__":
    unittest.main()
