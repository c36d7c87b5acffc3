# SPDX-License-Identifier: Apache-2.0
"""What must be true of all that happened before, read from the audit log and from Slurm."""

import datetime

from lib.bridge import SCHEDULER
from lib.bridge import USER as BRIDGE
from lib.here import PATIENCE
from lib.pods import FINALIZER, JOB_LABEL
from lib.runner import alone
from lib.waiting import eventually

_strangers = {}  # what they say in admin_comment -> the job


def before_the_bridge(world):
    """Jobs of others, in the way of nobody, from before the bridge's first start to the end of the last test."""
    others = '{"pods":["slurm-bridge/theirs"],"cluster":"%s","scheduler":"%s","workload":"u","uids":["u"]}'
    own_cluster = world.kubernetes.get("/api/v1/namespaces/kube-system")["metadata"]["uid"]
    for comment in (None, "", "{}", "null", "plain text", '{"pods":', '{"pods":[]}', '{"pods":["slurm-bridge/theirs"]}',
                    others % ("another-cluster", SCHEDULER), others % (own_cluster, "another-scheduler")):
        _strangers[comment] = world.slurm.submit("stranger", comment, node="k016")


@alone
def jobs_of_others_survive_everything(here):
    here.bridge.stop()
    here.bridge.start_and_wait()
    here.run_pod("witness")  # the new one has looked through all jobs before it made one for this pod
    for comment, job in _strangers.items():
        assert job.state == "RUNNING", f"{job} of somebody else, with admin_comment {comment}, is {job.state}"


@alone
def a_plain_pod_costs_two_writes_until_it_is_bound(here):
    pods = here.make_pods("plain", 20)
    for pod in pods:
        pod.runs_within(PATIENCE)
    clean = 0
    for pod in pods:
        eventually(lambda: _bind_of(here, pod), PATIENCE, f"the audit log has the bind of {pod}")
        entries = [entry for entry in here.audit.writes_of_the_bridge()
                   if entry.name == pod.name and entry.what != "status"]
        if any(entry.code >= 500 for entry in entries):
            continue  # a server that is overloaded: what failed has to be written again
        clean += 1
        writes = [f"{entry.verb} {entry.what} {entry.code}" for entry in entries]
        assert writes == ["patch pod 200", "create binding 201"], f"{pod} cost {writes}"
    assert clean > 0, "the API server failed on every pod: nothing is shown"


@alone
def no_pod_ever_cost_more_than_two_writes_until_it_was_bound(here):
    """Besides conditions and Events: label with finalizer, and the bind. A pod whose job is taken off it, because its
    node cannot take it or because the label lied, begins anew."""
    here.run_pod("latest")
    writes, binds, too_many = {}, 0, []
    for entry in sorted(here.audit.entries(), key=lambda entry: entry.received):
        if entry.what == "pod" and entry.verb == "create":
            writes[entry.key] = []
        elif entry.user.startswith(BRIDGE) and entry.what in ("pod", "binding") and entry.done:
            writes.setdefault(entry.key, []).append(f"{entry.verb} {entry.what}")
            if entry.what == "binding":
                binds += 1
                if len(writes[entry.key]) > 2:
                    too_many.append(f"{entry.key}: {writes[entry.key]}")
            elif _takes_the_job_off(entry.sent):
                writes[entry.key] = []
    assert binds > 0, "the audit log has no bind of the bridge"
    assert not too_many, f"{len(too_many)} of {binds} binds: {'; '.join(too_many[:3])}"


def _takes_the_job_off(sent):
    labels = sent.get("metadata", {}).get("labels") if isinstance(sent, dict) else None
    return labels is not None and JOB_LABEL in labels and labels[JOB_LABEL] is None


@alone
def no_pod_was_ever_bound_without_label_and_finalizer(here):
    here.run_pod("latest")
    carries, created, binds, unproven = {}, {}, 0, []
    for entry in sorted(here.audit.entries(), key=lambda entry: entry.received):
        if not entry.perhaps_done:
            continue
        if entry.what == "binding" and entry.user == BRIDGE:
            binds += 1
            if carries.get(entry.key) != {"label", "finalizer"} and not _line_may_be_lost(here, created, entry):
                unproven.append(f"{entry} with {carries.get(entry.key)}")
        elif entry.what == "pod" and entry.verb == "create":
            carries[entry.key], created[entry.key] = _given(set(), entry.sent), entry.received
        elif entry.what == "pod" and entry.verb == "patch":
            carries[entry.key] = _given(carries.get(entry.key, set()), entry.sent)
    assert binds > 0, "the audit log has no bind of the bridge"
    assert not unproven, f"{len(unproven)} of {binds} binds: {'; '.join(unproven[:3])}"


@alone
def no_node_was_ever_given_more_than_it_has(here):
    """At each bind of the bridge the requests of the pods on that node that have not ended fit its allocatable."""
    nodes = {node["metadata"]["name"]: _amounts(node["status"]["allocatable"])
             for node in here.kubernetes.get("/api/v1/nodes")["items"]}
    asks, on, binds, too_much = {}, {}, 0, []  # requests by pod; (node, since) by pod that has not ended
    for entry in sorted(here.audit.entries(), key=lambda entry: entry.received):
        if not entry.done:
            continue
        sent = entry.sent if isinstance(entry.sent, dict) else {}
        if entry.what == "pod" and entry.verb == "create":
            asks[entry.key] = _requests(sent)
            if sent.get("spec", {}).get("nodeName"):
                on[entry.key] = (sent["spec"]["nodeName"], entry.received)
        elif entry.what == "binding" and "target" in sent:
            name = sent["target"]["name"]
            on[entry.key] = (name, entry.received)
            if entry.user != BRIDGE or name not in nodes:
                continue
            binds += 1
            there = [key for key, (node, since) in on.items() if node == name and not _may_have_ended(here, since, entry)]
            there += [entry.key] if entry.key not in there else []
            for resource, has in nodes[name].items():
                used = sum(asks.get(key, {}).get(resource, 0) for key in there)
                if used > has:
                    too_much.append(f"{entry}: {used:g} of {has:g} {resource} on {name} by {len(there)} pods")
        elif _ends(entry, sent):
            on.pop(entry.key, None)
    assert binds > 0, "the audit log has no bind of the bridge"
    assert not too_much, f"{len(too_much)} of {binds} binds: {'; '.join(too_much[:3])}"


def _ends(entry, sent):
    """Whether the pod has ended with this write at the latest: its kubelet said so, the bridge let it go, which it
    does after the end, or somebody who may (a kubelet, the garbage collector) removed it for good."""
    if entry.what == "status":
        return sent.get("status", {}).get("phase") in ("Succeeded", "Failed")
    if entry.what == "pod" and entry.verb == "patch":
        return "finalizer" not in _given({"finalizer"}, entry.sent)
    return entry.what == "pod" and entry.verb.startswith("delete") and sent.get("gracePeriodSeconds") == 0


def _may_have_ended(here, since, bind):
    """The line that says so may have died with the API server."""
    return any(part == "apiserver" and since <= _stamp(after) and _stamp(before) <= bind.received
               for part, before, after in here.cluster.crashes)


def _requests(manifest):
    asked = [container.get("resources", {}).get("requests", {}) for container in manifest["spec"]["containers"]]
    return {name: sum(_amounts(one).get(name, 0) for one in asked) for name in ("cpu", "memory")}


def _amounts(quantities):
    return {name: _number(quantities[name]) for name in ("cpu", "memory") if name in quantities}


def _number(quantity):
    for suffix, factor in (("Ki", 2**10), ("Mi", 2**20), ("Gi", 2**30), ("Ti", 2**40), ("m", 0.001), ("k", 1e3),
                           ("M", 1e6), ("G", 1e9)):
        if quantity.endswith(suffix):
            return float(quantity[:-len(suffix)]) * factor
    return float(quantity)


@alone
def no_pod_was_ever_deleted_without_a_reason(here):
    unwanted = here.audit.pods_deleted_by_the_bridge() - here.wanted_gone
    assert not unwanted, f"the bridge deleted {sorted(unwanted)}"


def _bind_of(here, pod):
    return [entry for entry in here.audit.writes_of_the_bridge() if entry.name == pod.name and entry.what == "binding"]


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


def _line_may_be_lost(here, created, bind):
    """Whether the API server was killed since the pod was created: the line of the patch may have died with it."""
    return any(part == "apiserver" and created.get(bind.key, "") <= _stamp(after) and _stamp(before) <= bind.received
               for part, before, after in here.cluster.crashes)


def _stamp(wall_time):
    """As the audit log writes it."""
    moment = datetime.datetime.fromtimestamp(wall_time, datetime.timezone.utc)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
