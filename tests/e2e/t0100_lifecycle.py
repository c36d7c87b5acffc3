# SPDX-License-Identifier: Apache-2.0
"""The lifecycle of a pod, from creation to the released job."""

import json

from lib.bridge import SCHEDULER
from lib.here import TIMEOUT
from lib.pods import JOB_LABEL, NODE_ANNOTATION, has_finalizer, job_id_of


def a_pod_runs_on_the_node_of_its_job_and_releases_the_job(here):
    pod = here.run_pod("life", whole_node=True)
    job = pod.job

    seen = pod.now()
    assert has_finalizer(seen), f"{pod} runs without the finalizer"
    node = seen["spec"]["nodeName"]
    assert seen["metadata"]["annotations"][NODE_ANNOTATION] == node
    assert job.nodes == node, f"{job} is on {job.nodes}, {pod} on {node}"
    assert job.state == "RUNNING", f"{pod} runs while {job} is {job.state}"
    identity = json.loads(job.admin_comment)
    assert identity["pods"] == [pod.key] and identity["uids"] == [pod.uid] and identity["workload"] == pod.uid
    assert identity["scheduler"] == SCHEDULER and identity["cluster"] == here.cluster_id()

    pod.end().ended_within(TIMEOUT, phase="Succeeded")
    job.ended_within(TIMEOUT)
    pod.is_released_within(TIMEOUT)
    assert pod.phase == "Succeeded" and pod.job == job, "the ended pod is not changed"
    here.exactly_one_job(pod, job)
    here.the_record_names(pod, job)
    here.not_removed_by_the_bridge(pod)


def a_failed_pod_releases_its_job(here):
    pod = here.make_pod("fails", run_seconds=1, fails=True)
    job = pod.has_a_job_within(TIMEOUT)
    pod.ended_within(TIMEOUT, phase="Failed")
    job.ended_within(TIMEOUT)
    pod.is_released_within(TIMEOUT)
    here.exactly_one_job(pod, job)


def a_pod_that_ends_at_once_releases_its_job(here):
    pod = here.make_pod("instant", run_seconds=0)
    pod.ended_within(TIMEOUT)
    pod.is_released_within(TIMEOUT)
    job = pod.job
    job.ended_within(TIMEOUT)
    here.exactly_one_job(pod, job)


def pods_that_share_a_node_have_a_job_each(here):
    pods = here.make_pods("shares", 4, lambda number: {"ask": {"partition": "small"}})
    jobs = {pod.runs_within(TIMEOUT).job.id for pod in pods}
    assert len(jobs) == 4, f"4 pods have the jobs {jobs}"
    assert {pod.node for pod in pods} <= {"k001", "k002"}, "they run in the requested partition"


def slurm_reserves_the_requested_resources(here):
    pod = here.run_pod("asks", cpu="2500m", memory="3Gi", ask={"timelimit": "7", "account": "biology", "qos": "low"})
    facts = pod.job.facts()
    assert facts["name"] == pod.name
    assert facts["cpus"]["number"] == 3, "Slurm has whole CPUs: 2500m are 3"
    assert facts["memory_per_node"]["number"] == 3 * 1024
    assert facts["time_limit"]["number"] == 7
    assert (facts["account"], facts["qos"], facts["partition"]) == ("biology", "low", "slurm-bridge")


def requests_are_counted_as_kubernetes_counts_them(here):
    """Init containers one after the other, together with the sidecars before them; limits where there is no request; and
    the resources of the whole pod."""
    init = [_container("first", cpu="6"), {**_container("sidecar", cpu="2"), "restartPolicy": "Always"},
            _container("second", cpu="5")]
    main = [_container("main", cpu="1"), {"name": "limited", "image": "none",
                                          "resources": {"limits": {"cpu": "1", "memory": "1Gi", "nvidia.com/gpu": "2"}}}]
    by_parts = here.run_pod("by-parts", spec={"initContainers": init, "containers": main})
    as_a_whole = here.run_pod("as-a-whole", spec={"resources": {"requests": {"cpu": "9", "memory": "5Gi"}}})
    facts = by_parts.job.facts()
    assert facts["cpus"]["number"] == 7, "the second init container runs together with the sidecar"
    assert facts["memory_per_node"]["number"] == 3 * 1024, "sidecar, main and limited have 1Gi each"
    assert facts["tres_per_node"] == "gres/gpu=2", facts["tres_per_node"]
    facts = as_a_whole.job.facts()
    assert (facts["cpus"]["number"], facts["memory_per_node"]["number"]) == (9, 5 * 1024)


def _container(name, cpu):
    return {"name": name, "image": "none", "resources": {"requests": {"cpu": cpu, "memory": "1Gi"}}}


def pods_of_another_scheduler_are_not_changed(here):
    everywhere = {"tolerations": [{"operator": "Exists"}]}  # required because of our taint on Slurm's nodes
    pod = here.run_pod("foreign", scheduler="default-scheduler", namespace="default", spec=everywhere)
    ours = here.run_pod("ours")  # the bridge has processed later events
    seen = pod.now()
    assert job_id_of(seen) is None and not has_finalizer(seen)
    assert not pod.records(), f"{pod} has jobs: {pod.records()}"
    touched = [str(entry) for entry in here.audit.writes_of_the_bridge() if entry.name == pod.name]
    assert not touched, f"the bridge wrote to it: {touched}"
    assert JOB_LABEL in ours.now()["metadata"]["labels"]


def a_pod_behind_a_scheduling_gate_has_no_job_until_the_gate_opens(here):
    pod = here.make_pod("gated", gated=True)
    here.run_pod("later")  # created later and runs already
    assert pod.job is None and not pod.records(), f"{pod} has a job behind its gate"
    here.kubernetes.patch(pod.path, {"spec": {"schedulingGates": None}})
    pod.runs_within(TIMEOUT)
    here.exactly_one_job(pod, pod.job)
