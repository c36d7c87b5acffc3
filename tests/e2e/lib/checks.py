# SPDX-License-Identifier: Apache-2.0
"""What must be true of all that the bridge ever did to the pods of a cluster, read from the audit log of a whole run.

Expects     entries about pods, nodes as they were written, the moments at which the API server was killed (the lines of
            its last requests died with it), and the pods that the bridge had a reason to delete.
Guarantees  a complaint for each bind, write or delete that breaks a promise; what a lost line may explain is no
            complaint.
Does not    read files or ask anybody: the same story gives the same complaints.
"""

import collections
import datetime
import time
from dataclasses import dataclass, field

from lib.pods import FINALIZER, JOB_LABEL
from lib.requests import amounts, requests_of

WRITES_UNTIL_BOUND = 2  # label with finalizer, and the bind; conditions and Events are besides
SHOWN = 3


@dataclass(frozen=True)
class Story:
    """`entries` about pods and `nodes` (lib.audit.NodeEntry) in any order; `crashes` as Cluster.crashes."""
    entries: list
    nodes: list = field(default_factory=list)
    crashes: list = field(default_factory=list)
    wanted_gone: set = field(default_factory=set)

    def in_order(self):
        """As the server received them: whoever acted on a write came after it."""
        return sorted(self.entries, key=lambda entry: entry.received)

    def binds(self):
        return sum(_is_bind(entry) and entry.perhaps_done for entry in self.entries)

    def a_line_may_be_lost(self, since, until):
        """Whether the API server was killed between these moments."""
        return any(part == "apiserver" and since <= _stamp(after) and _stamp(before) <= until
                   for part, before, after in self.crashes)


def no_node_was_ever_given_more_than_it_has(story):
    """At each bind of the bridge the requests of the pods on that node that have not ended fit its allocatable."""
    nodes, on, complaints = _Nodes(story.nodes), {}, []  # by key: _There of each pod that is on a node
    asks = {}
    for entry in filter(lambda entry: entry.done, story.in_order()):
        if entry.what == "pod" and entry.verb == "create":
            asks[entry.key] = requests_of(entry.made or _body(entry))
            on.pop(entry.key, None)  # an older one of that name is gone
            name = (entry.made or _body(entry)).get("spec", {}).get("nodeName")
            if name:
                on[entry.key] = _There(name, entry.received)
        elif entry.what == "binding" and _body(entry).get("target", {}).get("name"):
            name = _body(entry)["target"]["name"]
            on[entry.key] = _There(name, entry.received)
            if entry.by_the_bridge:
                there = [key for key, one in on.items() if one.node == name and (
                    key == entry.key or not story.a_line_may_be_lost(one.since, entry.received))]
                has = nodes.has(name, entry.received)
                if has is not None or not story.a_line_may_be_lost("", entry.received):
                    complaints += _too_much(entry, name, has, [asks.get(key, {}) for key in there])
        elif _ends(entry):
            on.pop(entry.key, None)
    return complaints


def no_pod_ever_cost_more_than_two_writes_until_it_was_bound(story):
    """Besides conditions and Events. A pod whose job is taken off it, because its node cannot take it or because the
    label lied, begins anew."""
    costs, since, bound, complaints = {}, {}, set(), []
    for entry in story.in_order():
        if entry.what == "pod" and entry.verb == "create" and entry.perhaps_done:
            costs[entry.key], since[entry.key] = [], entry.received
            bound.discard(entry.key)
        elif entry.by_the_bridge and entry.what in ("pod", "binding") and entry.done and entry.key not in bound:
            cost = costs.setdefault(entry.key, [])
            cost.append(f"{entry.verb} {entry.what}")
            if entry.what == "binding":
                bound.add(entry.key)
                if len(cost) > WRITES_UNTIL_BOUND and not story.a_line_may_be_lost(since.get(entry.key, ""), entry.received):
                    complaints.append(f"{entry}: {', '.join(cost)}")
            elif _takes_the_job_off(_body(entry)):
                costs[entry.key] = []
    return complaints


def no_pod_was_ever_bound_without_label_and_finalizer(story):
    carries, since, complaints = {}, {}, []
    for entry in filter(lambda entry: entry.perhaps_done, story.in_order()):
        if _is_bind(entry):
            has = carries.get(entry.key, set())
            if has != {"label", "finalizer"} and not story.a_line_may_be_lost(since.get(entry.key, ""), entry.received):
                complaints.append(f"{entry} with {' and '.join(sorted(has)) or 'neither'}")
        elif entry.what == "pod" and entry.verb == "create":
            carries[entry.key], since[entry.key] = _given(set(), entry.made or entry.sent), entry.received
        elif entry.what == "pod" and entry.verb == "patch":
            carries[entry.key] = _given(carries.get(entry.key, set()), entry.sent)
        elif entry.what == "pod" and entry.verb == "update":  # the whole pod is sent
            carries[entry.key] = _given(set(), entry.sent)
    return complaints


def no_pod_was_ever_deleted_without_a_reason(story):
    asked = {entry.key for entry in story.entries if entry.by_the_bridge and entry.verb.startswith("delete")}
    return [f"the bridge deleted {key}" for key in sorted(asked - story.wanted_gone)]


ALL = (no_node_was_ever_given_more_than_it_has, no_pod_ever_cost_more_than_two_writes_until_it_was_bound,
       no_pod_was_ever_bound_without_label_and_finalizer, no_pod_was_ever_deleted_without_a_reason)


@dataclass(frozen=True)
class Verdict:
    line: str  # as of a test: ok NAME, not ok NAME, skipped NAME
    details: tuple = ()

    @property
    def held(self):
        return not self.line.startswith("not ok")


def verdicts(cluster_name, story):
    """One per check. Without a bind there was nothing to see, which is neither good nor bad."""
    return [_verdict(check, cluster_name, story) for check in ALL]


def _verdict(check, cluster_name, story):
    began, binds, complaints = time.monotonic(), story.binds(), check(story)
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
    """What each node had at each moment. One that was deleted keeps what it had: a bind may still be on its way."""

    def __init__(self, entries):
        self._of = collections.defaultdict(list)
        for entry in sorted(entries, key=lambda entry: entry.received):
            self._of[entry.name].append((entry.received, amounts(entry.allocatable)))

    def has(self, name, moment):
        """None if nobody wrote that node before."""
        return next((has for received, has in reversed(self._of[name]) if received <= moment), None)


def _too_much(bind, node, has, asked):
    if has is None:
        return [f"{bind}: onto {node}, which nobody ever created"]
    used = collections.Counter()
    for one in asked:
        used.update(one)
    return [f"{bind}: {float(amount):g} of {float(has[name]):g} {name} on {node} by {len(asked)} pods"
            for name, amount in used.items() if amount > has[name]]


def _is_bind(entry):
    return entry.what == "binding" and entry.by_the_bridge


def _ends(entry):
    """Whether the pod has ended with this write at the latest: its kubelet said so, the bridge let it go, which it
    does after the end, or somebody who may (a kubelet, the garbage collector) removed it for good."""
    if entry.what == "status":
        return _body(entry).get("status", {}).get("phase") in ("Succeeded", "Failed")
    if entry.what == "pod" and entry.verb == "patch":
        return "finalizer" not in _given({"finalizer"}, entry.sent)
    return entry.what == "pod" and entry.verb.startswith("delete") and _body(entry).get("gracePeriodSeconds") == 0


def _takes_the_job_off(sent):
    labels = sent.get("metadata", {}).get("labels")
    return labels is not None and JOB_LABEL in labels and labels[JOB_LABEL] is None


def _given(carried, sent):
    """What of label and finalizer a pod carries after this create, merge patch or JSON patch."""
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
    """Of a JSON patch nothing."""
    return entry.sent if isinstance(entry.sent, dict) else {}


def _stamp(wall_time):
    """As the audit log writes it."""
    moment = datetime.datetime.fromtimestamp(wall_time, datetime.timezone.utc)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
