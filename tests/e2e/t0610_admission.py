# SPDX-License-Identifier: Apache-2.0
"""Pods get defaults, are refused or cause warnings at creation; only the bridge may change its fields."""

import contextlib

from lib.bridge import CONFIG, SCHEDULER
from lib.here import TIMEOUT
from lib.kubernetes import Refused
from lib.pods import ASK, FINALIZER, JOB_LABEL, NAMESPACE, NODE_ANNOTATION
from lib.runner import alone
from lib.waiting import eventually
from lib.webhook import Webhook

TOLERATION = {"key": "slinky.slurm.net/managed-node", "operator": "Equal", "value": SCHEDULER, "effect": "NoExecute"}
DEVICES = "deviceclass.resource.kubernetes.io/"
DAEMON_SET = {"apiVersion": "apps/v1", "kind": "DaemonSet", "name": "d", "uid": "u", "controller": True}
COSTS = {"memory": "no memory is requested", "time": "no time limit"}


@alone
def new_pods_get_defaults_and_warnings(here):
    with _webhook(here):
        pod = _dry_run(here, scheduler="default-scheduler", nodeName="k001")
        assert pod["spec"]["schedulerName"] == SCHEDULER and "nodeName" not in pod["spec"], pod["spec"]
        assert TOLERATION in pod["spec"]["tolerations"]
        warnings = here.kubernetes.warnings
        assert len(warnings) == 2, warnings
        assert COSTS["memory"] in warnings[0] and COSTS["time"] in warnings[1], warnings
        _dry_run(here, annotations={ASK + "mem-per-node": "1Gi", ASK + "time-limit": "5", "slinky.slurm.net/qos": "q"})
        warnings = here.kubernetes.warnings
        assert any(f"did you mean {ASK}timelimit?" in one for one in warnings), warnings
        assert any(f"its new name is {ASK}qos" in one for one in warnings), warnings

        kept = _dry_run(here, scheduler="volcano")
        assert kept["spec"]["schedulerName"] == "volcano" and TOLERATION not in kept["spec"].get("tolerations", [])
        assert not here.kubernetes.warnings, here.kubernetes.warnings
        elsewhere = _dry_run(here, namespace="default", scheduler="default-scheduler")
        assert elsewhere["spec"]["schedulerName"] == "default-scheduler"
        by_name = _dry_run(here, namespace="default", scheduler=SCHEDULER)
        assert TOLERATION in by_name["spec"]["tolerations"]


@alone
def a_daemonset_pod_needs_a_job_unless_its_namespace_is_trusted(here):
    def daemon():
        return _dry_run(here, scheduler="default-scheduler", owner=DAEMON_SET, nodeName="k001")

    with _webhook(here) as webhook:
        refused = _refusal(daemon)
        assert refused.status == 403 and "daemonSetNamespaces" in str(refused), refused
        ours = _dry_run(here, scheduler=SCHEDULER, owner=DAEMON_SET, nodeName="k001")
        assert "nodeName" not in ours["spec"], ours["spec"]
        webhook.process.configure(CONFIG + f"daemonSetNamespaces: [{NAMESPACE}]\n")
        eventually(lambda: _accepts_call(daemon), TIMEOUT, "the changed file exempts the namespace")
        assert daemon()["spec"]["nodeName"] == "k001" and daemon()["spec"]["schedulerName"] == "default-scheduler"
        webhook.register("--managed", NAMESPACE, "--daemonset-namespace", NAMESPACE)
        webhook.process.stop()
        eventually(lambda: _accepts_call(daemon), TIMEOUT, "a DaemonSet pod of a trusted namespace does not wait for the webhook")


@alone
def unsupported_requests_are_refused_with_the_fix(here):
    def container(**resources):
        return {"containers": [{"name": "main", "image": "none", "resources": {"limits": resources}}]}

    refusals = {
        f"label {JOB_LABEL}": {"labels": {JOB_LABEL: "7"}},
        f"annotation {NODE_ANNOTATION}": {"annotations": {NODE_ANNOTATION: "k001"}},
        "spec.resourceClaims": {"resourceClaims": [{"name": "a", "resourceClaimName": "a"}]},
        "spec.topologySpreadConstraints": {"topologySpreadConstraints": [
            {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "ScheduleAnyway"}]},
        "keep one of the two": container(**{"cpu": "1", DEVICES + "dra.cpu": "1"}),
        'device class "fpga"': container(**{DEVICES + "fpga": "1"}),
        f"annotation {ASK}gres": {"annotations": {ASK + "gres": "gres/gpu:1"}, **container(**{DEVICES + "gpu.nvidia.com": "1"})},
        'write "120"': {"annotations": {ASK + "timelimit": "2h"}},
        'neither "true" nor "false"': {"annotations": {ASK + "exclusive": "maybe"}},
        "through DRA": container(**{DEVICES + "gpu.nvidia.com": "1"}),
        "spec.affinity.podAntiAffinity": {"affinity": {"podAntiAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "kubernetes.io/hostname"}]}}},
        "label scheduling.x-k8s.io/pod-group": {"labels": {"scheduling.x-k8s.io/pod-group": "gang"}},
        "label leaderworkerset.sigs.k8s.io/name": {"labels": {"leaderworkerset.sigs.k8s.io/name": "llm"}},
    }
    with _webhook(here):
        for text, pod in refusals.items():
            for namespace in (NAMESPACE, "default"):
                refused = _refusal(lambda: _dry_run(here, namespace=namespace, **pod))
                assert text in str(refused) and refused.status in (403, 422), f"{text}: {refused}"
        _dry_run(here, namespace="default", scheduler="volcano", **refusals[f"label {JOB_LABEL}"])


@alone
def only_the_bridge_can_change_job_label_and_node_annotation(here):
    # The webhook is registered with another bridge user, so that this bridge's writes are checked like all others.
    with _webhook(here, "--bridge-user", "somebody-else"), here.full_partition() as small:
        waits = here.make_pod("waits", ask=small)
        waits.has_a_job_within(TIMEOUT)
        runs = here.run_pod("runs")
        ended = [here.make_pod("succeeds", run_seconds=1), here.make_pod("fails", run_seconds=1, fails=True)]
        for pod, phase in zip(ended, ("Succeeded", "Failed")):
            pod.ended_within(TIMEOUT, phase)
        for pod in (waits, runs, *ended):
            for metadata in ({"labels": {JOB_LABEL: "4711"}}, {"labels": {JOB_LABEL: None}},
                             {"annotations": {NODE_ANNOTATION: "k009"}}):
                for path in (pod.path, f"{pod.path}/status"):
                    refused = _refusal(lambda: here.kubernetes.patch(path, {"metadata": metadata}))
                    assert refused.status == 403 and "only the bridge may change it" in str(refused), refused
            here.kubernetes.patch(pod.path, {"metadata": {"annotations": {"example.com/mine": "yes"}}})
        assert [pod.phase for pod in (waits, runs, *ended)] == ["Pending", "Running", "Succeeded", "Failed"]
        for pod in (waits, runs):
            assert FINALIZER in pod.now()["metadata"]["finalizers"]
            here.kubernetes.patch(f"{pod.path}?dryRun=All", {"metadata": {"finalizers": None}})
        wrong = _refusal(lambda: waits.ask(timelimit="2h"))
        assert wrong.status == 422 and 'write "120"' in str(wrong), wrong
        waits.ask(timelimit="7")
        resize = {"spec": {"containers": [{"name": "main", "resources": {"requests": {"cpu": "2"}}}]}}
        refused = _refusal(lambda: here.kubernetes.patch(f"{waits.path}/resize", resize, "strategic"))
        assert "has the size with which it was created" in str(refused), refused
        job = runs.job
        runs.delete().gone_within(TIMEOUT)
        job.ended_within(TIMEOUT)


@alone
def when_the_webhook_is_down_only_pods_of_our_scheduler_are_affected(here):
    before = here.make_pod("bypassed", gated=True)  # created before the webhook was registered
    assert TOLERATION not in before.now()["spec"]["tolerations"]
    with _webhook(here) as webhook:
        runs = here.run_pod("survives")
        webhook.process.stop()
        _dry_run(here, namespace="default", scheduler="default-scheduler")
        _dry_run(here, namespace="default", scheduler="volcano")
        for namespace in (NAMESPACE, "default"):
            refused = _refusal(lambda: _dry_run(here, namespace=namespace))
            assert "slinky.slurm.net" in str(refused) and refused.status == 500, refused
        # A DaemonSet pod of a managed namespace that is not trusted waits like any other pod.
        assert _refusal(lambda: _dry_run(here, scheduler="default-scheduler", owner=DAEMON_SET)).status == 500
        assert _refusal(lambda: _dry_run(here, owner=DAEMON_SET)).status == 500
        of_a_job = {**DAEMON_SET, "apiVersion": "batch/v1", "kind": "Job"}
        assert _refusal(lambda: _dry_run(here, scheduler="default-scheduler", owner=of_a_job)).status == 500
        # Existing pods can still be changed by the bridge and by users.
        here.kubernetes.patch(before.path, {"spec": {"schedulingGates": None}})
        before.runs_within(TIMEOUT)
        assert TOLERATION in before.now()["spec"]["tolerations"], "the scheduler adds the toleration to pods that bypassed admission"
        here.kubernetes.patch(runs.path, {"metadata": {"annotations": {"example.com/mine": "yes"}}})
        runs.delete().gone_within(TIMEOUT)
        webhook.start().serves_within(TIMEOUT)
        here.run_pod("again")


@alone
def the_webhook_waits_for_a_missing_certificate(here):
    with Webhook(here) as webhook:
        webhook.start()
        status, said = webhook.process.probe("/readyz?verbose")
        assert status == 500 and "tls.crt" in said, said
        webhook.make_certificate().serves_within(TIMEOUT)
        webhook.register("--managed", NAMESPACE)
        _works_within(here, TIMEOUT)
        webhook.make_certificate()  # another authority, as after a helm upgrade
        eventually(lambda: "using the new server certificate" in webhook.process.log_text(), TIMEOUT, "it is used")
        webhook.register("--managed", NAMESPACE)
        eventually(lambda: _accepts(here), TIMEOUT, "the API server trusts the new certificate")
        assert webhook.process.stop() == 0


@alone
def namespaces_can_be_managed_by_their_labels(here):
    selector = '{"matchLabels": {"e2e/managed": "yes"}}'
    with contextlib.ExitStack() as stack:
        for name, value in (("adm-yes", "yes"), ("adm-no", "no")):
            here.kubernetes.create("/api/v1/namespaces", {"metadata": {"name": name, "labels": {"e2e/managed": value}}})
            stack.callback(here.kubernetes.delete, f"/api/v1/namespaces/{name}")
            eventually(lambda: here.kubernetes.find(f"/api/v1/namespaces/{name}/serviceaccounts/default"), TIMEOUT, name)
        config = CONFIG + f"managedNamespaceSelector: {selector}\n"
        webhook = stack.enter_context(Webhook(here, config)).make_certificate()
        webhook.start().serves_within(TIMEOUT).register("--managed-selector", selector)
        eventually(lambda: _scheduler_given(here, "adm-yes") == SCHEDULER, TIMEOUT, "pods of adm-yes get our scheduler")
        assert _scheduler_given(here, "adm-no") == "default-scheduler"
        assert _scheduler_given(here, NAMESPACE) == "default-scheduler", "the list is ignored if there is a selector"


@alone
def changed_managed_namespaces_take_effect_and_the_log_names_the_next_step(here):
    """The webhook is registered for both namespaces; the file selects which of them is managed."""
    here.kubernetes.create("/api/v1/namespaces", {"metadata": {"name": "adm-live"}})
    with contextlib.ExitStack() as stack:
        stack.callback(here.kubernetes.delete, "/api/v1/namespaces/adm-live")
        eventually(lambda: here.kubernetes.find("/api/v1/namespaces/adm-live/serviceaccounts/default"), TIMEOUT, "account")
        webhook = stack.enter_context(Webhook(here)).make_certificate()
        webhook.start().serves_within(TIMEOUT).register("--managed", NAMESPACE, "--managed", "adm-live")
        _works_within(here, TIMEOUT)
        assert _scheduler_given(here, "adm-live") == "default-scheduler"
        webhook.process.configure(CONFIG.replace(f"[{NAMESPACE}]", "[adm-live]"))
        eventually(lambda: _scheduler_given(here, "adm-live") == SCHEDULER, TIMEOUT, "pods of adm-live get our scheduler")
        assert _scheduler_given(here, NAMESPACE) == "default-scheduler"
        [line] = webhook.process.log_lines("is in force keys=managedNamespaces")
        assert "deploy/webhook/render" in line, line


@contextlib.contextmanager
def _webhook(here, *flags):
    with Webhook(here) as webhook:
        webhook.make_certificate().start().serves_within(TIMEOUT).register("--managed", NAMESPACE, *flags)
        _works_within(here, TIMEOUT)
        yield webhook


def _dry_run(here, namespace=NAMESPACE, scheduler=SCHEDULER, labels=None, annotations=None, owner=None, **spec):
    """The pod that the API server returns in a dry run."""
    metadata = {"generateName": "tried-", "labels": labels or {}, "annotations": annotations or {},
                "ownerReferences": [owner] if owner else []}
    containers = [{"name": "main", "image": "none"}]
    body = {"metadata": metadata, "spec": {"schedulerName": scheduler, "containers": containers, **spec}}
    return here.kubernetes.create(f"/api/v1/namespaces/{namespace}/pods?dryRun=All", body)


def _scheduler_given(here, namespace):
    return _dry_run(here, namespace=namespace, scheduler="default-scheduler")["spec"]["schedulerName"]


def _works_within(here, seconds):
    """Both webhook configurations are in effect: the API server watches them."""
    def both():
        with contextlib.suppress(Refused):
            return _scheduler_given(here, NAMESPACE) == SCHEDULER and here.kubernetes.warnings
        return False

    eventually(both, seconds, "the API server calls the webhook")


def _accepts(here):
    return _accepts_call(lambda: _dry_run(here))


def _accepts_call(call):
    with contextlib.suppress(Refused):
        return call()
    return None


def _refusal(call):
    try:
        call()
    except Refused as refused:
        return refused
    raise AssertionError("it was not refused")
