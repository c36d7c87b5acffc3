# SPDX-License-Identifier: Apache-2.0
"""Pods of controllers: one job each, with the annotations of their owners."""

from lib.bridge import SCHEDULER
from lib.here import TIMEOUT
from lib.pods import ASK, NAMESPACE, TEST_LABEL, Pod
from lib.waiting import eventually

CONTAINER = {"name": "main", "image": "none", "resources": {"requests": {"cpu": "1", "memory": "1Gi"}}}


def the_pods_of_a_job_have_a_slurm_job_each_with_the_jobs_annotations_and_time_limit(here):
    with _made(here, "/apis/batch/v1", "jobs", "batch", {
            "metadata": {"annotations": {ASK + "account": "biology", ASK + "exclusive": "false"}},
            "spec": {"parallelism": 2, "completions": 2, "activeDeadlineSeconds": 301,
                     "template": _template(here, "Never")}}):
        pods = _pods_within(here, 2)
        jobs = {pod.runs_within(TIMEOUT).job for pod in pods}
        assert len(jobs) == 2, f"two pods have {jobs}"
        for job in jobs:
            facts = job.facts()
            assert facts["account"] == "biology", f"{job} is {facts['account']}'s"
            assert facts["time_limit"]["number"] == 6, f"{job} has {facts['time_limit']}: 301 s are six minutes"


def a_jobs_pod_failure_policy_can_distinguish_a_disruption_from_a_time_limit(here):
    """A disruption by Slurm does not fail the Job; a time limit does."""
    policy = {"rules": [{"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]}]}
    with _made(here, "/apis/batch/v1", "jobs", "policy", {
            "metadata": {"annotations": {ASK + "exclusive": "false", ASK + "timelimit": "5"}},
            "spec": {"backoffLimit": 0, "podFailurePolicy": policy, "template": _template(here, "Never")}}) as job:
        [first] = _pods_within(here, 1)
        here.expected_deletes.add(first.key)
        here.slurm.run("scontrol", "suspend", first.runs_within(TIMEOUT).job.id)
        first.gone_within(TIMEOUT)
        [second] = _pods_within(here, 1)
        here.expected_deletes.add(second.key)
        slurm_job = second.runs_within(TIMEOUT).job
        assert not _failure(job), f"the Job failed by a disruption: {_failure(job)}"
        here.slurm.run("scontrol", "update", f"JobId={slurm_job.id}", "EndTime=now+1")
        eventually(lambda: _failure(job), 90, "the Job failed by its pod's time limit")
        assert _failure(job) == "BackoffLimitExceeded", _failure(job)


def _failure(job):
    """The reason of the failed Job; empty if it has not failed."""
    conditions = job.now()["status"].get("conditions", [])
    return next((one["reason"] for one in conditions if one["type"] == "Failed" and one["status"] == "True"), "")


def an_invalid_annotation_of_the_owner_is_reported_on_the_pod_until_it_is_fixed(here):
    """Admission checks only pods: annotations of their Job are checked by the scheduler."""
    with _made(here, "/apis/batch/v1", "jobs", "wrong", {
            "metadata": {"annotations": {ASK + "timelimit": "2h"}},
            "spec": {"template": _template(here, "Never")}}) as job:
        [pod] = _pods_within(here, 1)
        message = pod.has_reason_within(TIMEOUT, "InvalidRequest")
        for word in (f"{ASK}timelimit", '"2h"', '"120"'):
            assert word in message, f"{word} is missing: {message}"
        assert not pod.records(), "no job was submitted"
        here.kubernetes.patch(job.path, {"metadata": {"annotations": {ASK + "timelimit": "120"}}})
        assert pod.runs_within(130).job.facts()["time_limit"]["number"] == 120


def each_pod_of_a_deployment_and_of_a_statefulset_has_its_own_job(here):
    for plural in ("deployments", "statefulsets"):
        selector = {"matchLabels": {"app": f"{here.test.label[:40]}-{plural}"}}
        template = _template(here, "Always")
        template["metadata"]["labels"].update(selector["matchLabels"])
        with _made(here, "/apis/apps/v1", plural, plural[:5], {
                "metadata": {"annotations": {ASK + "qos": "low"}},
                "spec": {"replicas": 1, "selector": selector, "template": template}}):
            [pod] = _pods_within(here, 1)
            assert pod.runs_within(TIMEOUT).job.facts()["qos"] == "low"


def _template(here, restart):
    return {"metadata": {"labels": {TEST_LABEL: here.test.label}, "annotations": {ASK + "exclusive": "false"}},
            "spec": {"schedulerName": SCHEDULER, "restartPolicy": restart, "containers": [CONTAINER]}}


class _made:
    """An object of a controller inside a `with` block; its pods are deleted with it."""

    def __init__(self, here, api, plural, name, manifest):
        self._here, self._path = here, f"{api}/namespaces/{NAMESPACE}/{plural}"
        self._name = f"{name}-{len(here.pods)}-{plural}"
        manifest["metadata"]["name"] = self._name
        here.kubernetes.create(self._path, manifest)

    @property
    def path(self):
        return f"{self._path}/{self._name}"

    def now(self):
        return self._here.kubernetes.get(self.path)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._here.kubernetes.delete(self.path, {"propagationPolicy": "Background"})
        eventually(lambda: not self._here.pods_now(), 60, f"the pods of {self._name} are deleted with it")


def _pods_within(here, count):
    found = eventually(lambda: found if len(found := here.pods_now()) == count else None, TIMEOUT,
                       f"{count} pods are created")
    return [Pod(here.kubernetes, here.slurm, item, NAMESPACE) for item in found.values()]
