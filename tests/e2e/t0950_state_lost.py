# SPDX-License-Identifier: Apache-2.0
"""slurmctld starts with an old state, or without any. This is the last file: all jobs are lost after it."""

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
        _has_the_condition_of_a_lost_job(pod)
    assert here.bridge.metrics()[IN_DOUBT] >= 5
    # Their ids are reused.
    newcomers = [here.run_pod("newcomer") for _ in range(3)]
    assert {pod.job for pod in newcomers} & set(lost.values()), "Slurm reused no id: the test proves less than it should"
    _accounting_is_asked_again(here, younger)
    # The next action of an administrator: they are completed in accounting then.
    here.slurm.run("sacctmgr", "-i", "show", "runawayjobs")
    here.bridge.stop()
    here.bridge.start_and_wait()
    _accounting_is_asked_again(here, younger)

    eventually(lambda: here.bridge.metrics()[IN_DOUBT] >= 5, TIMEOUT, "a new process counts all of them")
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
        _has_the_condition_of_a_lost_job(pod)
    assert here.bridge.metrics()[IN_DOUBT] >= 3
    eventually(lambda: any(event["involvedObject"]["name"] == pods[0].name for event in here.events("UnknownToSlurm")),
               TIMEOUT, "there is an Event")
    waiting.runs_within(60)
    assert waiting.uid in waiting.job.admin_comment, "it has a new job: no process ran"

    _accounting_is_asked_again(here, pods)
    assert all(pod.phase == "Running" for pod in pods), "nothing is deleted without proof"
    here.not_removed_by_the_bridge(*pods)

    _gets_its_node_reserved_again(here, pods[0], lost[0])
    for other in pods[1:]:
        assert other.now()["metadata"]["labels"][JOB_LABEL], "the others are unchanged"
    here.not_removed_by_the_bridge(*pods)


def _has_the_condition_of_a_lost_job(pod):
    eventually(lambda: pod.condition(KNOWN) and pod.condition(KNOWN)[:2] == LOST, 60,
               lambda: f"{pod} has the condition of a lost job; it has {pod.condition(KNOWN)}")


def _accounting_is_asked_again(here, pods):
    """For each pod's job, by the current process: the state of a lost job in slurmdbd may change later."""
    asked = {pod: f"asked accounting job={pod.job.id} " for pod in pods}

    def times(pod):
        return here.bridge.log_text().count(asked[pod])

    before = {pod: times(pod) for pod in pods}
    for pod in pods:
        eventually(lambda: times(pod) > before[pod], ASKED_AGAIN,
                   lambda: f"accounting is queried about {pod} again; {_records_of(pod)}")


def _records_of(pod):
    return ", ".join(f"job {record.id} {record.state}" for record in pod.records()) or "accounting has nothing"


def _gets_its_node_reserved_again(here, pod, lost):
    here.kubernetes.patch(pod.path, {"metadata": {"annotations": {"slinky.slurm.net/reserve-again": "true"}}})
    eventually(lambda: pod.job not in (None, lost) and pod.uid in pod.job.admin_comment, TIMEOUT, f"{pod} names a new job")
    assert pod.job.runs_within(TIMEOUT).nodes == pod.node, "the new job has the node that the pod runs on"
    eventually(lambda: pod.condition(KNOWN)[0] == "True", TIMEOUT, f"{pod} has the condition that its job is known again")
