# SPDX-License-Identifier: Apache-2.0
"""Reads the state of both systems: pods from the API server, jobs from slurmctld, ended jobs from accounting.

Guarantees  every missing answer raises NoAnswer; nothing is cached.
Does not    query the bridge, or read its log.
"""

import http.client
import subprocess

import api
import facts

NAMESPACE = "slurm-bridge"
COMMAND_SECONDS = 20


class NoAnswer(Exception):
    """One of the systems gave no answer; str() has the system and the reason."""


class Observer:
    def __init__(self, cluster):
        self._cluster = cluster
        self._server = None

    def pods(self, workloads):
        """The pods of these workloads that exist now, by name."""
        found = [facts.pod(item) for item in self._get(f"/api/v1/namespaces/{NAMESPACE}/pods")["items"]]
        return sorted((pod for pod in found if any(one.has(pod) for one in workloads)), key=lambda pod: pod.name)

    def jobs(self):
        """All jobs that slurmctld has in memory: live ones and those that ended in the last minutes."""
        lines = self._slurm("scontrol", "--oneliner", "show", "job").splitlines()
        return [job for job in map(facts.job, lines) if job is not None]

    def records(self):
        lines = self._slurm("sacct", "--allocations", "--parsable2", "--noheader", "--starttime=now-1days",
                            f"--format={facts.RECORD_FIELDS}").splitlines()
        return [facts.record(line) for line in lines if line]

    def versions(self):
        """Of Kubernetes and Slurm."""
        return self._get("/version")["gitVersion"].lstrip("v"), self._slurm("scontrol", "version").split()[-1]

    def _get(self, path):
        self._server = self._server or api.Api(self._cluster)
        try:
            return self._server.get(path)
        except (OSError, http.client.HTTPException, api.Refused, ValueError) as error:
            self._server = None
            raise NoAnswer(f"no answer from the API server, was the cluster stopped? {error}") from error

    def _slurm(self, command, *arguments):
        try:
            done = subprocess.run([self._cluster.bin / command, *arguments], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=COMMAND_SECONDS)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise NoAnswer(f"no answer from {command}, was the cluster stopped? {error}") from error
        if done.returncode != 0:
            message = done.stderr.strip() or done.stdout.strip() or f"exit code {done.returncode}"
            raise NoAnswer(f"no answer from {command}, was the cluster stopped? {message}")
        return done.stdout
