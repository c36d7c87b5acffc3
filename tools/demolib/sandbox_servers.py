# SPDX-License-Identifier: Apache-2.0
"""The models and the bridge that the demo runs on where there are no real parts.

Guarantees  needs only what was built, and Python: kubectl is used if it is there. Models and bridge are recorded parts,
            so that a later run finds and ends them whatever became of this one.
"""

import http.client
import json
import os
import re
import shutil

import facts
import looking
import binaries as real
import process
import screen
from bridge_process import BRIDGE, TOP, BridgePart, CannotStart, build, built_program
from kubectl_or_http import WithHttp, WithKubectl
from model_api import ModelApi, Refused

NAME = "demo-sandbox"
SANDBOX = "slurm-bridge-sandbox"
NODES = 8


class SandboxServers(BridgePart):
    WHERE = "SANDBOX"
    INTRODUCTION = """\
SANDBOX: models of Kubernetes and Slurm on loopback, no real ones.
This demo puts the real bridge between them and shows {count} example workloads run as jobs.
"""
    GOOD_END = """
  By the model of Slurm every pod had exactly one job, and ran where that job
  was placed; all jobs are released.
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
        except CannotStart:  # only the bridge is built where the real parts were expected
            build(SANDBOX)
            program = built_program(SANDBOX)
        self.cluster.create()
        self.cluster.options["nodes"] = NODES
        self.cluster.save()
        self.hold()
        process.stop(self.cluster, SANDBOX)  # it keeps nothing: a new one has no leftovers
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
        """The objects of the file as they are then."""
        try:
            applied, how = self._client.create(TOP / path)
        except Refused as error:
            raise CannotStart(f"{path}: {error}") from error
        screen.say(f"{how} {path}")
        return applied

    def delete(self, paths):
        """Nothing to do: up() began with an empty model."""

    def down(self):
        """Stop and remove everything. Returns whether it is gone."""
        if not self.exists:
            return True
        try:
            self.stop_bridge()
            process.stop(self.cluster, SANDBOX)
            process.kill_strays(self.cluster)
            self.cluster.remove()
        except OSError as error:
            screen.say(f"could not take everything down: {error}")
        return not self.exists


class Observer:
    """The truth from both models, as looking.Observer has it from the real systems."""

    def __init__(self, kube, slurm):
        self._kube, self._slurm = ModelApi(kube), ModelApi(slurm, {"X-SLURM-USER-TOKEN": "sandbox"})

    def pods(self, workloads):
        answer = self._get(self._kube, f"/api/v1/namespaces/{looking.NAMESPACE}/pods")
        found = map(facts.pod, answer["items"])
        return sorted((pod for pod in found if any(one.has(pod) for one in workloads)), key=lambda pod: pod.name)

    def jobs(self):
        return [facts.rest_job(one) for one in self._rest_jobs()]

    def records(self):
        """The model has no accounting; it keeps an ended job for minutes, and the demo is over by then."""
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
            raise looking.CannotSee(f"no answer from the sandbox, was it taken down? {error}") from error


def _find_kubectl(cache):
    """The machine's, else the dev cluster's from the cache, else None. KUBECTL names one, or with "" none."""
    named = os.environ.get("KUBECTL")
    if named is not None:
        return named or None
    cached = real.debian_binary(cache, "kubectl")
    return shutil.which("kubectl") or (str(cached) if os.access(cached, os.X_OK) else None)
