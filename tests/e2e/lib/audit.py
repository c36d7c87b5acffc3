# SPDX-License-Identifier: Apache-2.0
"""Writes to pods with their users, and the resources of nodes, from the audit log of the API server.

A line is written when the answer is sent: if the server is killed with SIGKILL, the lines of its last requests are lost.
"""

import json
import threading
from dataclasses import dataclass, field

from lib.bridge import USER as BRIDGE

BEGINS = b'{"kind":"Event","apiVersion":"audit.k8s.io/'
WRITES = ("create", "update", "patch", "delete", "deletecollection")


@dataclass(frozen=True)
class Entry:
    user: str
    verb: str
    what: str  # "pod", or a subresource: "binding", "status"
    namespace: str
    name: str
    code: int
    received: str  # RFC 3339, comparable as text
    sent: dict = field(repr=False, compare=False)  # the request's body; {} where the policy omits it
    made: dict = field(default_factory=dict, repr=False, compare=False)  # the pod that a create returned

    @property
    def key(self):
        return f"{self.namespace}/{self.name}"

    @property
    def by_the_bridge(self):
        """By any role of the bridge: each may have its own account."""
        return self.user == BRIDGE or self.user.startswith(f"{BRIDGE}-")

    @property
    def done(self):
        return 200 <= self.code < 300

    @property
    def perhaps_done(self):
        """Done, or unknown: 504 is also the code of a write that was executed while its client died."""
        return self.done or self.code in (0, 504)

    def __str__(self):
        return f"{self.received} {self.user.split(':')[-1]} {self.verb} {self.what} {self.key}: {self.code}"


@dataclass(frozen=True)
class NodeEntry:
    """The resources of a node after a write."""
    received: str
    name: str
    allocatable: dict = field(compare=False)


class Audit:
    """All entries about pods and nodes so far, in the order of the log."""

    def __init__(self, path):
        self._path = path
        self._read_to = 0
        self._entries, self._nodes = [], []
        self._lock = threading.Lock()

    def entries(self, since=0):
        """Those after the mark `since`."""
        with self._lock:
            self._read()
            return self._entries[since:]

    def nodes(self):
        """A NodeEntry for each write that created or changed a node."""
        with self._lock:
            self._read()
            return list(self._nodes)

    def mark(self):
        return len(self.entries())

    def writes_of_the_bridge(self, since=0):
        return [entry for entry in self.entries(since) if entry.by_the_bridge and entry.verb in WRITES]

    def pods_deleted_by_the_bridge(self, since=0):
        """Keys of the pods that the bridge tried to delete, with any answer."""
        return {entry.key for entry in self.writes_of_the_bridge(since) if entry.verb.startswith("delete")}

    def _read(self):
        with open(self._path, "rb") as log:
            log.seek(self._read_to)
            for line in log:
                if not line.endswith(b"\n"):
                    break  # still being written
                self._read_to += len(line)
                if b'"resource":"pods"' in line or b'"resource":"nodes"' in line:
                    self._take(line)

    def _take(self, line):
        try:
            event = json.loads(line[line.rfind(BEGINS):])  # before it there may be an incomplete line of a server that was killed
        except ValueError:
            return
        what, made = event.get("objectRef", {}), event.get("responseObject") or {}
        if event["verb"] not in WRITES or "dryRun=" in event.get("requestURI", ""):
            return
        if what.get("resource") == "pods":
            self._entries.append(_of_a_pod(event, what, made))
        elif what.get("resource") == "nodes" and made.get("kind") == "Node":
            self._nodes.append(NodeEntry(event["requestReceivedTimestamp"], made["metadata"]["name"],
                                         made.get("status", {}).get("allocatable", {})))


def _of_a_pod(event, what, made):
    return Entry(
        user=event["user"].get("username", ""), verb=event["verb"], what=what.get("subresource") or "pod",
        namespace=what.get("namespace", ""), name=what.get("name") or made.get("metadata", {}).get("name", ""),
        code=event.get("responseStatus", {}).get("code", 0), received=event["requestReceivedTimestamp"],
        sent=event.get("requestObject") or {}, made=made if made.get("kind") == "Pod" else {})
