# SPDX-License-Identifier: Apache-2.0
"""A node is deleted while jobs run and wait: other jobs are not affected, also after a restart of slurmctld."""

import contextlib

from lib.here import TIMEOUT
from lib.nodes import EXTERNAL, Node
from lib.runner import alone
from lib.slurm import SlurmFailed
from lib.waiting import eventually


@alone
def jobs_that_run_and_wait_survive_a_deleted_node_and_a_restart_of_slurmctld(here):
    """SlinkyProject/slurm-bridge#43: slurmctld checks required nodes again when it starts, and fails every job that
    requires a missing one. A missing excluded node is no error."""
    node = Node.create(here, "brief-1", labels={EXTERNAL: ""})
    with contextlib.ExitStack() as in_the_end:
        in_the_end.callback(node.delete)
        eventually(lambda: node.facts() is not None, TIMEOUT, f"{node} is in Slurm")
        as_the_reference_did = _held(here, in_the_end, required_nodes=[node.slurm_name, "k001", "k002"])
        leaves_it_out = _held(here, in_the_end, excluded_nodes=[node.slurm_name])
        with here.full_partition() as full:  # first, so that the running pod is elsewhere
            running = here.run_pod("runs")
            waiting = here.make_pod("waits", ask=full)
            eventually(lambda: waiting.job, TIMEOUT, f"{waiting} has its job")
            jobs = {pod: pod.job for pod in (running, waiting)}
            for job in jobs.values():
                assert not job.facts()["required_nodes"], f"{job} requires {job.facts()['required_nodes']}"
            node.delete()
            eventually(lambda: node.facts() is None, TIMEOUT, f"{node} is removed from Slurm")
            here.cluster.stop("slurmctld")
            here.cluster.start("slurmctld")
            eventually(lambda: as_the_reference_did.state == "NODE_FAIL", 60, "slurmctld fails the job that requires the node")
            assert leaves_it_out.state == "PENDING"
            assert jobs[waiting].state == "PENDING" and jobs[running].state == "RUNNING"
        waiting.runs_within(TIMEOUT)
        for pod, job in jobs.items():
            assert pod.job == job and job.state == "RUNNING", f"{pod}: {job} is {job.state}"
        here.not_removed_by_the_bridge(running, waiting)


def _held(here, in_the_end, **nodes):
    """A held foreign job."""
    answer = here.slurm.call("POST", "/job/submit", {"job": {
        "name": "held", "partition": "slurm-bridge", "flags": ["EXTERNAL_JOB"], "hold": True, "nodes": "1",
        "current_working_directory": "/tmp", "mcs_label": "kubernetes", **nodes}})
    job = here.slurm.job(answer["job_id"])
    in_the_end.callback(_cancel, job)
    return job


def _cancel(job):
    with contextlib.suppress(SlurmFailed):
        job.cancel()
