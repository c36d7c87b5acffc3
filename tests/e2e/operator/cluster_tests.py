# SPDX-License-Identifier: Apache-2.0
"""What a cluster that the operator runs must survive. Each function is one test; its name is the statement that it proves.

Expects     a Fixture: a cluster with two workers, Available, and a login.
Guarantees  after each test the cluster is Available again, with two workers.
"""

import json
import re

import install
import jobs
from lab import Failed, wait_until

SLEEP = """#!/bin/bash
#SBATCH --output={name}.out --mem=50M
for i in $(seq {seconds}); do echo "tick $i"; sleep 1; done
"""


def check(holds, message):
    if not holds:
        raise Failed(message() if callable(message) else message)


def _start_job(here, seconds, *options):
    """(id, nodes) of a running job that prints one line per second."""
    script = SLEEP.format(name="ticks_%j", seconds=seconds)
    job = jobs.submit(here.login, script, *options)
    return job, jobs.wait_until_running(here.login, job)


def _has_run_undisturbed(here, job, seconds):
    found = jobs.wait_until_finished(here.login, job, timeout=seconds + 120)
    check([one.state for one in found] == ["COMPLETED"], f"job {job}: {found}")
    lines = here.login.run(f"cat ticks_{job}.out").splitlines()
    check(lines == [f"tick {i + 1}" for i in range(seconds)], f"the output of job {job} has gaps: {lines}")
    check(jobs.restarts(here.login, job) == 0, f"job {job} was requeued")


def _uid(here, pod):
    found = here.cluster.pods().get(pod)
    return found["metadata"]["uid"] if found else None


def _is_ready(pod):
    return any(one["type"] == "Ready" and one["status"] == "True" for one in pod["status"].get("conditions", ()))


def _wait_for_new(here, pod, uid, timeout=120):
    def is_new():
        found = here.cluster.pods().get(pod)
        return found and found["metadata"]["uid"] != uid and _is_ready(found)

    wait_until(is_new, timeout, lambda: f"a new pod {pod} is ready\n{here.cluster.explanation()}")


def _node(here, name):
    """State and reason of a Slurm node; None if Slurm does not know it."""
    found = here.login.try_run(f"scontrol --json show node {name}")
    try:
        node = json.loads(found.stdout)["nodes"][0]
    except (ValueError, LookupError):
        return None
    return {"state": set(node["state"]), "reason": node.get("reason", "")}


def a_job_survives_a_killed_slurmctld(here):
    job, _ = _start_job(here, 20)
    uid = _uid(here, here.controller)
    here.delete_pod(here.controller, force=True)
    _wait_for_new(here, here.controller, uid)
    _has_run_undisturbed(here, job, 20)


def a_job_survives_a_killed_operator(here):
    job, _ = _start_job(here, 10)
    here.lab.kubectl("delete", "pod", "--namespace", install.OPERATOR_NAMESPACE, "--selector", "app.kubernetes.io/name=soperator",
                     "--grace-period=0", "--force")
    _has_run_undisturbed(here, job, 10)
    wait_until(lambda: install.operator_pod(here.lab), 60, "the operator runs again")


def idle_workers_are_removed_first_and_busy_ones_wait_for_their_job(here):
    here.cluster.set_workers(3)
    here.cluster.wait_for_workers(3)
    job, node = _start_job(here, 25)
    here.cluster.set_workers(1)
    here.cluster.wait_for_workers(1)
    check(list(here.cluster.workers()) == [node], lambda: f"the job runs on {node}, workers: {list(here.cluster.workers())}")
    second, _ = _start_job(here, 15)  # both jobs share the worker, or the second waits
    here.cluster.set_workers(0)
    wait_until(lambda: _node(here, node) and "DRAIN" in _node(here, node)["state"], 60, f"{node} is drained")
    check(_node(here, node)["reason"].startswith("slurm-operator: "), "the drain has our reason")
    check(node in here.cluster.workers(), f"{node} was deleted while it was busy")
    here.cluster.set_workers(2)
    here.cluster.wait_for_workers(2)
    check(node in here.cluster.workers(), f"scaling up again must keep {node}")
    _has_run_undisturbed(here, job, 25)
    _has_run_undisturbed(here, second, 15)


def a_replaced_worker_leaves_no_ghost_job_and_returns_to_service(here):
    job, node = _start_job(here, 300)
    uid = _uid(here, node)
    here.delete_pod(node, force=True)
    _wait_for_new(here, node, uid)
    here.cluster.wait_for_workers(2)
    wait_until(lambda: here.login.try_run(f"squeue --noheader --jobs={job} --states=RUNNING").stdout.strip() == ""
               or jobs.restarts(here.login, job) > 0, 60, f"job {job} does not run as a ghost: {jobs.queue(here.login)}")
    here.login.run(f"scancel {job}")
    wait_until(lambda: here.login.try_run(f"srun --nodelist={node} --mem=50M hostname").stdout.strip() == node, 60, f"{node} runs jobs")


def a_drain_of_an_administrator_is_kept(here):
    node = sorted(here.cluster.workers())[0]
    here.slurm("scontrol", "update", f"nodename={node}", "state=drain", "reason=disk")
    here.cluster.set_workers(3)
    wait_until(lambda: len(here.cluster.workers()) == 3, 60, "a third worker")
    expected = f'Slurm can use 2 of 3 workers; {node} is drained by root: "disk"'
    wait_until(lambda: here.condition("WorkersAvailable")["message"] == expected, 60, here.cluster.explanation)
    found = _node(here, node)
    check("DRAIN" in found["state"] and found["reason"] == "disk", f"{node}: {found}")
    here.slurm("scontrol", "update", f"nodename={node}", "state=resume")
    here.cluster.wait_for_workers(3)
    here.cluster.set_workers(2)
    here.cluster.wait_for_workers(2)


def a_new_configuration_becomes_active_without_a_restart(here):
    uid = _uid(here, here.controller)
    here.patch({"spec": {"customSlurmConfig": "KillWait=37"}})
    wait_until(lambda: re.search(r"(?m)^KillWait\s+= 37 ", here.login.try_run("scontrol show config").stdout), 150, "KillWait is 37")
    wait_until(lambda: here.condition("ConfigurationActive")["status"] == "True", 30, here.cluster.explanation)
    check(_uid(here, here.controller) == uid, "the controller pod was replaced")


def an_invalid_configuration_leaves_the_running_cluster_unchanged(here):
    done = here.lab.try_kubectl("patch", "slurmcluster", here.cluster.name, "--namespace", here.cluster.namespace, "--type=merge",
                                '-p={"spec":{"customSlurmConfig":"KilWait=30"}}')
    rejected = done.returncode != 0
    if not rejected:  # without the webhook
        wait_until(lambda: here.condition("Valid")["status"] == "False", 60, here.cluster.explanation)
    message = done.stdout if rejected else here.condition("Valid")["message"]
    check("customSlurmConfig" in message and "KillWait" in message, message)
    # Only Slurm itself can find this one: the program does not exist in the image.
    here.patch({"spec": {"customSlurmConfig": "PrologSlurmctld=/no/such/program"}})
    wait_until(lambda: here.condition("ConfigurationActive")["reason"] == "Rejected", 150, here.cluster.explanation)
    check("PrologSlurmctld" in here.condition("ConfigurationActive")["message"], lambda: here.cluster.explanation())
    check(here.login.run("srun --mem=50M hostname").strip() in here.cluster.workers(), "jobs run")
    uid = _uid(here, here.controller)
    here.delete_pod(here.controller, force=True)  # the saved configuration is used again
    _wait_for_new(here, here.controller, uid)
    wait_until(lambda: here.login.try_run("srun --mem=50M hostname").returncode == 0, 60, "jobs run after a restart of slurmctld")
    here.patch({"spec": {"customSlurmConfig": "KillWait=30"}})
    wait_until(lambda: here.condition("ConfigurationActive")["status"] == "True", 150, here.cluster.explanation)


def users_can_be_added_at_run_time(here):
    pods = {name: pod["metadata"]["uid"] for name, pod in here.cluster.pods().items()}
    here.patch({"spec": {"users": [{"name": "alice", "sshPublicKeys": [here.public_key]}]}})
    alice = here.login_as("alice")
    wait_until(lambda: alice.try_run("true").returncode == 0, 150, "alice can log in")
    wait_until(lambda: alice.try_run("srun -N2 --mem=50M id -un").stdout.split() == ["alice", "alice"], 90, "alice runs a job on two nodes")
    check({name: pod["metadata"]["uid"] for name, pod in here.cluster.pods().items()} == pods, "a pod was replaced")


def bare_commands_find_slurmctld_through_dns(here):
    """The SRV record `_slurmctld._tcp` resolves in the search domains of the pods."""
    pod = sorted(here.cluster.workers())[0]
    domains = here.execute(pod, "slurmd", "cat", "/etc/resolv.conf")
    service = f"{here.cluster.name}-controller-svc.{here.cluster.namespace}.svc"
    check(service in domains, domains)
    text = here.execute(pod, "slurmd", "env", "-u", "SLURM_CONF", "sinfo", "--noheader")
    check("main" in text, text)


def control_plane_nodes_stay_free(here):
    nodes = {pod["spec"].get("nodeName") for pod in here.cluster.pods().values()}
    check(nodes and not any("control-plane" in (node or "") for node in nodes), f"pods run on {nodes}")


def secrets_are_created_once(here):
    def versions():
        found = here.lab.get("secrets", "--namespace", here.cluster.namespace, "--selector", "app.kubernetes.io/managed-by=slurm-operator")
        return {one["metadata"]["name"]: one["metadata"]["resourceVersion"] for one in found["items"]}

    before = versions()
    check(f"{here.cluster.name}-rest-jwt-key" in before, f"Secrets: {list(before)}")
    here.lab.kubectl("rollout", "restart", "--namespace", install.OPERATOR_NAMESPACE, "deployment/soperator-manager")
    here.lab.kubectl("rollout", "status", "--namespace", install.OPERATOR_NAMESPACE, "deployment/soperator-manager", "--timeout=90s")
    check(versions() == before, "a Secret was written again")
    log = install.operator_log(here.lab, lines=10000)
    check(not re.search(r"BEGIN OPENSSH|eyJ[A-Za-z0-9_-]{20,}", log), "the log contains a secret")


def nothing_is_written_while_nothing_changes(here):
    def versions():
        found = here.lab.get("slurmclusters,statefulsets,deployments,services,configmaps,serviceaccounts,networkpolicies,poddisruptionbudgets",
                             "--namespace", here.cluster.namespace)
        return {(one["kind"], one["metadata"]["name"]): one["metadata"]["resourceVersion"] for one in found["items"]}

    seen = [versions()]

    def is_quiet():
        """Whether nothing has changed for ten looks."""
        seen.append(versions())
        return len(seen) > 10 and all(one == seen[-1] for one in seen[-10:])

    wait_until(is_quiet, 180, lambda: f"ten equal looks; the last change: {set(seen[-1].items()) ^ set(seen[-2].items())}", poll=2)


def the_whole_cluster_restarts(here):
    pods = {name: pod["metadata"]["uid"] for name, pod in here.cluster.pods().items()}
    before = here.login.run("sacct --noheader --allocations --format=JobID | wc -l")
    here.lab.kubectl("delete", "pods", "--namespace", here.cluster.namespace, "--all", "--grace-period=1", "--wait=false")
    wait_until(lambda: not set(pods.values()) & {pod["metadata"]["uid"] for pod in here.cluster.pods().values()}, 120, "all pods are new")
    here.cluster.wait_until_available()
    here.cluster.wait_for_workers(2)
    here.login.wait(120)
    wait_until(lambda: here.login.try_run("srun -N2 --mem=50M hostname").returncode == 0, 120, "a job runs on both workers")
    after = here.login.run("sacct --noheader --allocations --format=JobID | wc -l")
    check(int(after) >= int(before), f"accounting had {before} jobs and has {after}")


TESTS = (
    control_plane_nodes_stay_free,
    bare_commands_find_slurmctld_through_dns,
    idle_workers_are_removed_first_and_busy_ones_wait_for_their_job,
    a_job_survives_a_killed_slurmctld,
    a_job_survives_a_killed_operator,
    a_replaced_worker_leaves_no_ghost_job_and_returns_to_service,
    a_drain_of_an_administrator_is_kept,
    users_can_be_added_at_run_time,
    a_new_configuration_becomes_active_without_a_restart,
    an_invalid_configuration_leaves_the_running_cluster_unchanged,
    secrets_are_created_once,
    nothing_is_written_while_nothing_changes,
    the_whole_cluster_restarts,
)
