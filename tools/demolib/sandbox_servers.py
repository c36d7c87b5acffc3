# SPDX-License-Identifier: Apache-2.0
"""The models and the bridge that the demo runs on where the real servers are not available.

Guarantees  needs only the built programs and Python: kubectl is used if it exists. Models and bridge are recorded
            components, so that a later run finds and stops them, also after a crash of this one.
"""

import http.client
import json
import os
import re
import shutil

import facts
import observation
import binaries as real
import process
import screen
from bridge_process import BRIDGE, TOP, BridgeProcess, CannotStart, build, built_program
from kubectl_or_http import WithHttp, WithKubectl
from model_api import ModelApi, Refused

NAME = "demo-sandbox"
SANDBOX = "slurm-bridge-sandbox"
NODES = 8


class SandboxServers(BridgeProcess):
    WHERE = "SANDBOX"
    INTRODUCTION = """\
SANDBOX: models of Kubernetes and Slurm on loopback, no real ones.
This demo connects them with the real bridge and shows {count} example workloads run as jobs.
"""
    GOOD_END = """
  According to the model of Slurm every pod had exactly one job and ran on the
  node of that job; all jobs are released.
"""

    AFTERWORD = " (of a model, not of a real Slurm)"

    def __init__(self):
        super().__init__(NAME)
        self.folder = self.cluster.folder / "sandbox"
        self.kubectl = _find_kubectl(self.cluster.cache)
        self.kube = self.slurm = None
        self._client = None

    def up(self):
        try:
            program = built_program(SANDBOX)
        except CannotStart:  # only the bridge was built, because the real servers were expected
            build(SANDBOX)
            program = built_program(SANDBOX)
        self.cluster.create()
        self.cluster.options["nodes"] = NODES
        self.cluster.save()
        self.hold()
        process.stop(self.cluster, SANDBOX)  # it stores nothing: a new one starts empty
        kubeconfig = self.folder / "kubeconfig"
        kubeconfig.unlink(missing_ok=True)
        self.start(SANDBOX, [program, "--dir", self.folder, "--nodes", str(NODES)], ready=kubeconfig.exists)
        self.kube = re.search(r"http://[\d.:]+", kubeconfig.read_text())[0]
        self.slurm = re.search(r"http://[\d.:]+", (self.folder / f"{BRIDGE}.yaml").read_text())[0]
        self._client = WithKubectl(self.kubectl, kubeconfig) if self.kubectl else WithHttp(self.kube)

    @property
    def node_names(self):
        return [f"sandbox-{number:03}" for number in range(1, NODES + 1)]

    def observer(self):
        return Observer(self.kube, self.slurm)

    def start_bridge(self, program):
        self.launch_bridge(program, self.folder / f"{BRIDGE}.yaml",
                           {"KUBECONFIG": self.folder / "kubeconfig", "SLURM_JWT_FILE": self.folder / "slurm.jwt"})

    def apply(self, path):
        """The created objects of the file."""
        try:
            applied, how = self._client.create(TOP / path)
        except Refused as error:
            raise CannotStart(f"{path}: {error}") from error
        screen.say(f"{how} {path}")
        return applied

    def delete(self, paths):
        """Nothing to do: up() started an empty model."""

    def down(self):
        """Stop and remove everything. Returns whether it is removed."""
        if not self.exists:
            return True
        try:
            self.stop_bridge()
            process.stop(self.cluster, SANDBOX)
            process.kill_strays(self.cluster)
            self.cluster.remove()
        except OSError as error:
            screen.say(f"could not stop the sandbox: {error}")
        return not self.exists


class Observer:
    """The state of both models, as observation.Observer for the real systems."""

    def __init__(self, kube, slurm):
        self._kube, self._slurm = ModelApi(kube), ModelApi(slurm, {"X-SLURM-USER-TOKEN": "sandbox"})

    def pods(self, workloads):
        answer = self._get(self._kube, f"/api/v1/namespaces/{observation.NAMESPACE}/pods")
        found = map(facts.pod, answer["items"])
        return sorted((pod for pod in found if any(one.has(pod) for one in workloads)), key=lambda pod: pod.name)

    def jobs(self):
        return [facts.rest_job(one) for one in self._rest_jobs()]

    def records(self):
        """The model has no accounting; it keeps ended jobs for minutes, longer than the demo runs."""
        return [facts.rest_record(one) for one in self._rest_jobs()]

    def versions(self):
        release = self._get(self._slurm, "/slurm/v0.0.45/ping")["meta"]["slurm"]["release"]
        return self._get(self._kube, "/version")["gitVersion"].lstrip("v"), release

    def _rest_jobs(self):
        return self._get(self._slurm, "/slurm/v0.0.45/jobs")["jobs"]

    @staticmethod
    def _get(server, path):
        try:
            return json.loads(server.ask("GET", path))
        except (OSError, http.client.HTTPException, Refused, ValueError) as error:
            raise observation.NoAnswer(f"no answer from the sandbox, was it stopped? {error}") from error


def _find_kubectl(cache):
    """kubectl of the machine, else of the dev cluster's cache, else None. KUBECTL overrides it; "" means none."""
    named = os.environ.get("KUBECTL")
    if named is not None:
        return named or None
    cached = real.debian_binary(cache, "kubectl")
    return shutil.which("kubectl") or (str(cached) if os.access(cached, os.X_OK) else None)
