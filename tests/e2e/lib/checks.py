# SPDX-License-Identifier: Apache-2.0
"""Checks of everything that the bridge did to the pods of a cluster, from the audit log of a whole run.

Expects     entries about pods, nodes as they were written, the times at which the API server was killed (the lines of
            its last requests are lost), and the pods that the bridge had a reason to delete.
Guarantees  a complaint for each bind, write or delete that violates a guarantee; there is no complaint if a lost line
            may explain it.
Does not    do I/O: the same trail gives the same complaints.
"""

import collections
import datetime
import time
from dataclasses import dataclass, field

from lib.pods import FINALIZER, JOB_LABEL
from lib.requests import amounts, requests_of

WRITES_UNTIL_BOUND = 2  # label with finalizer, and the bind; conditions and Events are not counted
SHOWN = 3


@dataclass(frozen=True)
class AuditTrail:
    """`entries` about pods and `nodes` (lib.audit.NodeEntry) in any order; `crashes` as Cluster.crashes."""
    entries: list
    nodes: list = field(default_factory=list)
    crashes: list = field(default_factory=list)
    expected_deletes: set = field(default_factory=set)

    def in_order(self):
        """In the order in which the server received them: a reaction to a write comes after it."""
        return sorted(self.entries, key=lambda entry: entry.received)

    def binds(self):
        return sum(_is_bind(entry) and entry.perhaps_done for entry in self.entries)

    def a_line_may_be_lost(self, since, until):
        """Whether the API server was killed between these times."""
        return any(part == "apiserver" and since <= _stamp(after) and _stamp(before) <= until
                   for part, before, after in self.crashes)


def no_node_was_ever_given_more_than_it_has(trail):
    """At each bind of the bridge the requests of the running pods on that node fit its allocatable resources."""
    nodes, on, complaints = _Nodes(trail.nodes), {}, []  # by key: _There of each pod on a node
    asks = {}
    for entry in filter(lambda entry: entry.done, trail.in_order()):
        if entry.what == "pod" and entry.verb == "create":
            asks[entry.key] = requests_of(entry.made or _body(entry))
            on.pop(entry.key, None)  # an older pod of that name no longer exists
            name = (entry.made or _body(entry)).get("spec", {}).get("nodeName")
            if name:
                on[entry.key] = _There(name, entry.received)
        elif entry.what == "binding" and _body(entry).get("target", {}).get("name"):
            name = _body(entry)["target"]["name"]
            on[entry.key] = _There(name, entry.received)
            if entry.by_the_bridge:
                there = [key for key, one in on.items() if one.node == name and (
                    key == entry.key or not trail.a_line_may_be_lost(one.since, entry.received))]
                has = nodes.has(name, entry.received)
                if has is not None or not trail.a_line_may_be_lost("", entry.received):
                    complaints += _too_much(entry, name, has, [asks.get(key, {}) for key in there])
        elif _ends(entry):
            on.pop(entry.key, None)
    return complaints


def no_pod_ever_cost_more_than_two_writes_until_it_was_bound(trail):
    """Without conditions and Events. For a pod whose job is removed, because its node cannot run it or because the
    label was wrong, the count starts again."""
    costs, since, bound, complaints = {}, {}, set(), []
    for entry in trail.in_order():
        if entry.what == "pod" and entry.verb == "create" and entry.perhaps_done:
            costs[entry.key], since[entry.key] = [], entry.received
            bound.discard(entry.key)
        elif entry.by_the_bridge and entry.what in ("pod", "binding") and entry.done and entry.key not in bound:
            cost = costs.setdefault(entry.key, [])
            cost.append(f"{entry.verb} {entry.what}")
            if entry.what == "binding":
                bound.add(entry.key)
                if len(cost) > WRITES_UNTIL_BOUND and not trail.a_line_may_be_lost(since.get(entry.key, ""), entry.received):
                    complaints.append(f"{entry}: {', '.join(cost)}")
            elif _removes_the_job(_body(entry)):
                costs[entry.key] = []
    return complaints


def no_pod_was_ever_bound_without_label_and_finalizer(trail):
    carries, since, complaints = {}, {}, []
    for entry in filter(lambda entry: entry.perhaps_done, trail.in_order()):
        if _is_bind(entry):
            has = carries.get(entry.key, set())
            if has != {"label", "finalizer"} and not trail.a_line_may_be_lost(since.get(entry.key, ""), entry.received):
                complaints.append(f"{entry} with {' and '.join(sorted(has)) or 'neither'}")
        elif entry.what == "pod" and entry.verb == "create":
            carries[entry.key], since[entry.key] = _given(set(), entry.made or entry.sent), entry.received
        elif entry.what == "pod" and entry.verb == "patch":
            carries[entry.key] = _given(carries.get(entry.key, set()), entry.sent)
        elif entry.what == "pod" and entry.verb == "update":  # the whole pod is sent
            carries[entry.key] = _given(set(), entry.sent)
    return complaints


def no_pod_was_ever_deleted_without_a_reason(trail):
    asked = {entry.key for entry in trail.entries if entry.by_the_bridge and entry.verb.startswith("delete")}
    return [f"the bridge deleted {key}" for key in sorted(asked - trail.expected_deletes)]


ALL = (no_node_was_ever_given_more_than_it_has, no_pod_ever_cost_more_than_two_writes_until_it_was_bound,
       no_pod_was_ever_bound_without_label_and_finalizer, no_pod_was_ever_deleted_without_a_reason)


@dataclass(frozen=True)
class Verdict:
    line: str  # as for a test: ok NAME, not ok NAME, skipped NAME
    details: tuple = ()

    @property
    def held(self):
        return not self.line.startswith("not ok")


def verdicts(cluster_name, trail):
    """One per check. Without a bind the check is skipped."""
    return [_verdict(check, cluster_name, trail) for check in ALL]


def _verdict(check, cluster_name, trail):
    began, binds, complaints = time.monotonic(), trail.binds(), check(trail)
    name = f"audit_log.{check.__name__}"
    seen = f"cluster {cluster_name}, {binds} binds, {time.monotonic() - began:.1f} s"
    if complaints:
        return Verdict(f"not ok {name}: {len(complaints)} times: {complaints[0]} ({seen})", tuple(complaints[1:SHOWN]))
    if binds == 0:
        return Verdict(f"skipped {name}: the bridge bound no pod of cluster {cluster_name}")
    return Verdict(f"ok {name} ({seen})")


@dataclass(frozen=True)
class _There:
    node: str
    since: str


class _Nodes:
    """The resources of each node at each time. A deleted node keeps its last value: a bind may still be in transit."""

    def __init__(self, entries):
        self._of = collections.defaultdict(list)
        for entry in sorted(entries, key=lambda entry: entry.received):
            self._of[entry.name].append((entry.received, amounts(entry.allocatable)))

    def has(self, name, moment):
        """None if there was no write of that node before."""
        return next((has for received, has in reversed(self._of[name]) if received <= moment), None)


def _too_much(bind, node, has, asked):
    if has is None:
        return [f"{bind}: to {node}, which was never created"]
    used = collections.Counter()
    for one in asked:
        used.update(one)
    return [f"{bind}: {float(amount):g} of {float(has[name]):g} {name} on {node} by {len(asked)} pods"
            for name, amount in used.items() if amount > has[name]]


def _is_bind(entry):
    return entry.what == "binding" and entry.by_the_bridge


def _ends(entry):
    """Whether the pod has ended with this write at the latest: its kubelet reported the end, the bridge removed its
    finalizer, which it does after the end, or a kubelet or the garbage collector removed the pod."""
    if entry.what == "status":
        return _body(entry).get("status", {}).get("phase") in ("Succeeded", "Failed")
    if entry.what == "pod" and entry.verb == "patch":
        return "finalizer" not in _given({"finalizer"}, entry.sent)
    return entry.what == "pod" and entry.verb.startswith("delete") and _body(entry).get("gracePeriodSeconds") == 0


def _removes_the_job(sent):
    labels = sent.get("metadata", {}).get("labels")
    return labels is not None and JOB_LABEL in labels and labels[JOB_LABEL] is None


def _given(carried, sent):
    """Which of label and finalizer a pod has after this create, merge patch or JSON patch."""
    if isinstance(sent, list):
        removed = any(step["op"] == "remove" and "finalizers" in step["path"] for step in sent)
        return carried - {"finalizer"} if removed else carried
    given, metadata = set(carried), sent.get("metadata", {})
    if JOB_LABEL in (metadata.get("labels") or {}):
        given = given | {"label"} if metadata["labels"][JOB_LABEL] else given - {"label"}
    if "finalizers" in metadata:
        given = given | {"finalizer"} if FINALIZER in (metadata["finalizers"] or ()) else given - {"finalizer"}
    return given


def _body(entry):
    """Empty for a JSON patch."""
    return entry.sent if isinstance(entry.sent, dict) else {}


def _stamp(wall_time):
    """In the format of the audit log."""
    moment = datetime.datetime.fromtimestamp(wall_time, datetime.timezone.utc)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
