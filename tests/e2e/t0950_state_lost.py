# SPDX-License-Identifier: Apache-2.0
"""slurmctld starts with an old state, or without any. The last of all: everybody's jobs are gone after it."""

from lib.here import TIMEOUT
from lib.pods import JOB_LABEL
from lib.runner import alone
from lib.waiting import eventually

KNOWN = "slinky.slurm.net/SlurmJobKnown"
LOST = ("False", "LostBySlurm")
ASKED_AGAIN = 150  # seconds; accounting is asked once a minute
IN_DOUBT = "slurm_bridge_pods_in_doubt"


@alone
def after_slurm_came_back_with_an_old_state_nothing_is_deleted(here):
    older = [here.run_pod("older") for _ in range(2)]
    here.cluster.stop("slurmctld")
    copy = here.copy_slurm_state()
    here.cluster.start("slurmctld")
    younger = [here.run_pod("younger") for _ in range(5)]
    lost = {pod: pod.job for pod in younger}
    here.cluster.stop("slurmctld")
    here.restore_slurm_state(copy)
    here.cluster.start("slurmctld")

    for pod in younger:
        _says_that_its_job_is_lost(pod)
    assert here.bridge.metrics()[IN_DOUBT] >= 5
    # Their ids are given again.
    newcomers = [here.run_pod("newcomer") for _ in range(3)]
    assert {pod.job for pod in newcomers} & set(lost.values()), "Slurm gave no id again: this shows less than it should"
    _accounting_is_asked_again(here, younger)
    # What an administrator does next: accounting calls them completed then.
    here.slurm.run("sacctmgr", "-i", "show", "runawayjobs")
    here.bridge.stop()
    here.bridge.start_and_wait()
    _accounting_is_asked_again(here, younger)

    eventually(lambda: here.bridge.metrics()[IN_DOUBT] >= 5, TIMEOUT, "a new process knows of all of them")
    for pod in younger:
        assert pod.phase == "Running" and pod.condition(KNOWN)[:2] == LOST, f"{pod}: {pod.phase}, {pod.condition(KNOWN)}"
    for pod in older + newcomers:
        assert pod.phase == "Running" and pod.condition(KNOWN) is None, f"{pod}: {pod.phase}, {pod.condition(KNOWN)}"
    here.not_removed_by_the_bridge(*older, *younger, *newcomers)

    replaced = next(pod for pod in younger if lost[pod] in [newcomer.job for newcomer in newcomers])
    _gets_its_node_reserved_again(here, replaced, lost[replaced])
    here.not_removed_by_the_bridge(*older, *younger, *newcomers)


@alone
def after_slurm_lost_its_state_nothing_is_deleted_and_nodes_can_be_reserved_again(here):
    here.submit("filler", partition="small", nodes=2, whole_nodes=True).runs_within(TIMEOUT)
    waiting = here.make_pod("waits", ask={"partition": "small"})
    waiting.has_a_job_within(TIMEOUT)
    pods = [here.run_pod("survivor") for _ in range(3)]
    lost = [pod.job for pod in pods]
    here.cluster.kill("slurmctld")
    here.delete_slurm_state()
    here.cluster.start("slurmctld")
    for pod in pods:
        _says_that_its_job_is_lost(pod)
    assert here.bridge.metrics()[IN_DOUBT] >= 3
    eventually(lambda: any(event["involvedObject"]["name"] == pods[0].name for event in here.events("UnknownToSlurm")),
               TIMEOUT, "an Event says so too")
    waiting.runs_within(60)
    assert waiting.uid in waiting.job.admin_comment, "it has a new job: nothing ran that could have been lost"

    _accounting_is_asked_again(here, pods)
    assert all(pod.phase == "Running" for pod in pods), "nothing is deleted on a doubt"
    here.not_removed_by_the_bridge(*pods)

    _gets_its_node_reserved_again(here, pods[0], lost[0])
    for other in pods[1:]:
        assert other.now()["metadata"]["labels"][JOB_LABEL], "the others are as they were"
    here.not_removed_by_the_bridge(*pods)


def _says_that_its_job_is_lost(pod):
    eventually(lambda: pod.condition(KNOWN) and pod.condition(KNOWN)[:2] == LOST, 60,
               lambda: f"{pod} says that Slurm lost its job; it says {pod.condition(KNOWN)}")


def _accounting_is_asked_again(here, pods):
    """Of each pod's job, by the process that runs now: what slurmdbd thinks of a lost job it may not think at once."""
    asked = {pod: f"asked accounting job={pod.job.id} " for pod in pods}

    def times(pod):
        return here.bridge.log_text().count(asked[pod])

    before = {pod: times(pod) for pod in pods}
    for pod in pods:
        eventually(lambda: times(pod) > before[pod], ASKED_AGAIN,
                   lambda: f"accounting is asked of {pod} again; {_records_of(pod)}")


def _records_of(pod):
    return ", ".join(f"job {record.id} {record.state}" for record in pod.records()) or "accounting has nothing"


def _gets_its_node_reserved_again(here, pod, lost):
    here.kubernetes.patch(pod.path, {"metadata": {"annotations": {"slinky.slurm.net/reserve-again": "true"}}})
    eventually(lambda: pod.job not in (None, lost) and pod.uid in pod.job.admin_comment, TIMEOUT, f"{pod} names a new job")
    assert pod.job.runs_within(TIMEOUT).nodes == pod.node, "the new job has the node that the pod runs on"
    eventually(lambda: pod.condition(KNOWN)[0] == "True", TIMEOUT, f"{pod} says that its job is known again")
