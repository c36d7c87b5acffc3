# SPDX-License-Identifier: Apache-2.0
"""Slurm, as its administrator: the state of slurmctld and accounting, and foreign jobs.

The state is not read through slurmrestd, which tests kill, but with scontrol from slurmctld and with sacct from accounting.
"""

import contextlib
import http.client
import json
import subprocess
import time
import urllib.parse
from dataclasses import dataclass

from lib.waiting import eventually

API = "/slurm/v0.0.45"
REAL_NODE = "r1"  # has a slurmd, which also gets the RPCs of slurmctld to external nodes
LIVE = {"PENDING", "RUNNING", "SUSPENDED", "CONFIGURING", "COMPLETING", "STOPPED", "REQUEUED"}
SACCT = ("sacct", "-X", "-P", "-n", "-S", "now-1days", "--format=JobID,JobName,State,AdminComment")


class SlurmFailed(Exception):
    """A Slurm command or call failed; str() is its message."""


@dataclass(frozen=True)
class Record:
    """A job as accounting has it."""
    id: int
    name: str
    state: str
    admin_comment: str  # empty while the job runs


class Slurm:
    def __init__(self, cluster):
        self._cluster = cluster
        self._commands = cluster.path("PATH")
        self._configuration = cluster.slurm_folder("etc") / "slurm.conf"
        self._rest = urllib.parse.urlsplit(cluster.environment["SLURM_REST_API"])
        self._token = cluster.path("SLURM_JWT_FILE").read_text().strip()

    def job(self, job_id):
        return Job(self, int(job_id))

    def nodes_not_responding(self):
        """Nodes that slurmctld failed to reach: it starts no more jobs there."""
        nodes = json.loads(self.run("scontrol", "--json", "show", "nodes"))["nodes"]
        return [node["name"] for node in nodes if "NOT_RESPONDING" in node["state"]]

    def node(self, name):
        """A node as slurmctld has it: state, reason, ..."""
        return json.loads(self.run("scontrol", "--json", "show", "node", name))["nodes"][0]

    @contextlib.contextmanager
    def partition(self, name, node):
        """Inside this context there is a partition with one node."""
        self.run("scontrol", "create", f"PartitionName={name}", f"Nodes={node}", "State=UP")
        try:
            yield name
        finally:
            with contextlib.suppress(SlurmFailed):
                self.run("scontrol", "delete", f"PartitionName={name}")

    def configuration(self):
        return self._configuration.read_text()

    def configure(self, text):
        """Write slurm.conf and reconfigure all daemons. Also waits for slurmd, which slurmctld does not wait for: a slurmd
        that reads an incomplete file, or is reconfigured again meanwhile, would exit or hang."""
        draft = self._configuration.with_name(".slurm.conf.draft")
        draft.write_text(text)
        draft.chmod(0o644)
        draft.replace(self._configuration)
        before, began = self._last_start_of_slurmd(), int(time.time())
        self.run("scontrol", "reconfigure")
        eventually(lambda: self._last_start_of_slurmd() != before and self._slurmd_registered_since(began), 60,
                   f"slurmd {REAL_NODE} has read the new slurm.conf and registered")

    def _last_start_of_slurmd(self):
        """The log line of its last start."""
        return [line for line in self._cluster.log_tail(f"slurmd-{REAL_NODE}", 100) if "slurmd started on" in line][-1:]

    def _slurmd_registered_since(self, began):
        node = self.node(REAL_NODE)
        return not {"NOT_RESPONDING", "UNKNOWN"} & set(node["state"]) and node["slurmd_start_time"]["number"] >= began

    def records(self):
        """All jobs of this cluster in accounting, oldest first."""
        lines = self.run(*SACCT).splitlines()
        fields = [line.split("|", 3) for line in lines if line]
        return sorted((Record(int(one), name, state, comment) for one, name, state, comment in fields),
                      key=lambda record: record.id)

    def records_named(self, name):
        return [record for record in self.records() if record.name == name]

    def states(self):
        """{job id: state} of all jobs that slurmctld has in memory."""
        lines = self.run("squeue", "--all", "-h", "-t", "all", "-o", "%A|%T").splitlines()
        return {int(job): state for job, state in (line.split("|") for line in lines)}

    def jobs(self):
        """(job id, name) of all jobs that slurmctld has in memory: ended jobs stay for 5 minutes."""
        lines = self.run("squeue", "--all", "-h", "-t", "all", "-o", "%A|%j").splitlines()
        return [(int(job), name) for job, name in (line.split("|", 1) for line in lines)]

    def live_names(self):
        """Names of running and pending jobs."""
        lines = self.run("squeue", "--all", "-h", "-o", "%j").splitlines()
        return set(lines)

    def submit(self, name, admin_comment=None, partition="slurm-bridge", nodes=1, node=None, whole_nodes=False):
        """An external job that does not belong to the bridge, over REST as SlurmUser: only SlurmUser may set an
        admin_comment."""
        job = {"name": name, "partition": partition, "flags": ["EXTERNAL_JOB"], "current_working_directory": "/tmp",
               "nodes": str(nodes), "tasks_per_node": 1, "mcs_label": "kubernetes",
               "memory_per_node": {"set": True, "number": 64}, "shared": ["none"] if whole_nodes else []}
        if admin_comment is not None:
            job["admin_comment"] = admin_comment
        if node is not None:
            job["required_nodes"] = [node]
        answer = self.call("POST", "/job/submit", {"job": job})
        return self.job(answer["job_id"])

    def run(self, command, *arguments):
        done = subprocess.run([self._commands / command, *map(str, arguments)], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            message = done.stderr.strip() or done.stdout.strip()
            raise SlurmFailed(f"{command} {' '.join(map(str, arguments))}: {message}")
        return done.stdout

    def accepts(self, token):
        """Whether Slurm accepts this token."""
        try:
            self.call("GET", "/nodes/", token=token)
            return True
        except SlurmFailed:
            return False

    def call(self, method, path, body=None, token=None):
        connection = http.client.HTTPConnection(self._rest.hostname, self._rest.port, timeout=15)
        try:
            connection.request(method, API + path, None if body is None else json.dumps(body),
                               {"X-SLURM-USER-TOKEN": token or self._token, "Content-Type": "application/json"})
            answer = connection.getresponse()
            text = answer.read().decode(errors="replace")
        finally:
            connection.close()
        content = json.loads(text)
        if answer.status >= 300 or content.get("errors"):
            raise SlurmFailed(f"{method} {path}: {answer.status} {content.get('errors')}")
        return content


class Job:
    """One job, by its id. Its state is read from slurmctld each time."""

    def __init__(self, slurm, job_id):
        self._slurm = slurm
        self.id = job_id

    def __eq__(self, other):
        return isinstance(other, Job) and other.id == self.id

    def __hash__(self):
        return hash(self.id)

    def __repr__(self):
        return f"job {self.id}"

    @property
    def state(self):
        return self.facts()["job_state"][0]

    @property
    def live(self):
        return self.state in LIVE

    @property
    def nodes(self):
        """In Slurm's notation: k001, or k[001-002]."""
        return self.facts()["nodes"]

    @property
    def admin_comment(self):
        return self.facts()["admin_comment"]

    def facts(self):
        jobs = json.loads(self._slurm.run("scontrol", "--json", "show", "job", self.id))["jobs"]
        if not jobs:
            raise SlurmFailed(f"slurmctld does not know job {self.id}")
        return jobs[0]

    def cancel(self):
        self._slurm.run("scancel", self.id)

    def runs_within(self, seconds):
        eventually(lambda: self.state == "RUNNING", seconds, lambda: f"{self} runs; it is {self.state}")
        return self

    def waits_within(self, seconds):
        eventually(lambda: self.state == "PENDING", seconds, lambda: f"{self} waits; it is {self.state}")
        return self

    def ended_within(self, seconds):
        eventually(lambda: not self.live, seconds, lambda: f"{self} has ended; it is {self.state}")
        return self
