# SPDX-License-Identifier: Apache-2.0
"""Checks over all tests of a run. The audit log is checked separately after every run: lib/checks.py."""

from lib.bridge import SCHEDULER
from lib.here import TIMEOUT
from lib.runner import alone
from lib.waiting import eventually

IN_EVERY_PART = True  # of a run that is split

_foreign_jobs = {}  # admin_comment -> job


def before_the_bridge(world):
    """Foreign jobs that run from before the bridge's first start to the end of the last test."""
    others = '{"pods":["slurm-bridge/theirs"],"cluster":"%s","scheduler":"%s","workload":"u","uids":["u"]}'
    own_cluster = world.kubernetes.get("/api/v1/namespaces/kube-system")["metadata"]["uid"]
    for comment in (None, "", "{}", "null", "plain text", '{"pods":', '{"pods":[]}', '{"pods":["slurm-bridge/theirs"]}',
                    others % ("another-cluster", SCHEDULER), others % (own_cluster, "another-scheduler")):
        _foreign_jobs[comment] = world.slurm.submit("stranger", comment, node="k016")


@alone
def foreign_jobs_are_not_affected_by_any_test(here):
    here.bridge.stop()
    here.bridge.start_and_wait()
    here.run_pod("witness")  # the new process has scanned all jobs before it submitted one for this pod
    for comment, job in _foreign_jobs.items():
        assert job.state == "RUNNING", f"foreign {job} with admin_comment {comment}, is {job.state}"


@alone
def a_plain_pod_costs_two_writes_until_it_is_bound(here):
    pods = here.make_pods("plain", 20)
    for pod in pods:
        pod.runs_within(TIMEOUT)
    clean = 0
    for pod in pods:
        eventually(lambda: _bind_of(here, pod), TIMEOUT, f"the audit log has the bind of {pod}")
        entries = [entry for entry in here.audit.writes_of_the_bridge()
                   if entry.name == pod.name and entry.what != "status"]
        if any(entry.code >= 500 for entry in entries):
            continue  # a server that is overloaded: what failed has to be written again
        clean += 1
        writes = [f"{entry.verb} {entry.what} {entry.code}" for entry in entries]
        assert writes == ["patch pod 200", "create binding 201"], f"{pod} cost {writes}"
    assert clean > 0, "the API server failed on every pod: nothing is shown"


def _bind_of(here, pod):
    return [entry for entry in here.audit.writes_of_the_bridge() if entry.name == pod.name and entry.what == "binding"]
