# SPDX-License-Identifier: Apache-2.0
"""slurmctld starts without its state. The last of all: everybody's jobs are gone after it."""

from lib.here import PATIENCE
from lib.pods import JOB_LABEL
from lib.runner import alone
from lib.waiting import eventually, throughout

KNOWN = "slinky.slurm.net/SlurmJobKnown"


@alone
def after_slurm_lost_its_state_nothing_is_deleted_and_nodes_can_be_reserved_again(here):
    pods = [here.run_pod("survivor") for _ in range(3)]
    lost = [pod.job for pod in pods]
    here.cluster.kill("slurmctld")
    here.lose_slurm_state()
    here.cluster.start("slurmctld")
    for pod in pods:
        eventually(lambda: pod.condition(KNOWN) and pod.condition(KNOWN)[:2] == ("False", "UnknownToSlurm"), 60,
                   f"{pod} says that Slurm does not know its job")
    throughout(10, lambda: all(pod.phase == "Running" for pod in pods), "nothing is deleted on a doubt")
    here.not_removed_by_the_bridge(*pods)
    assert here.bridge.metrics()["slurm_bridge_pods_in_doubt"] >= 3
    assert any(event["involvedObject"]["name"] == pods[0].name for event in here.events("UnknownToSlurm"))

    pod = pods[0]
    here.kubernetes.patch(pod.path, {"metadata": {"annotations": {"slinky.slurm.net/reserve-again": "true"}}})
    uid = pod.uid
    eventually(lambda: pod.job not in (None, lost[0]) and uid in pod.job.admin_comment, PATIENCE, f"{pod} names a new job")
    assert pod.job.runs_within(PATIENCE).nodes == pod.node, "the new job has the node that the pod runs on"
    eventually(lambda: pod.condition(KNOWN)[0] == "True", PATIENCE, f"{pod} says that its job is known again")
    for other in pods[1:]:
        assert other.now()["metadata"]["labels"][JOB_LABEL], "the others are as they were"
