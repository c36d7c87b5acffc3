# SPDX-License-Identifier: Apache-2.0
"""A sandbox with the real bridge, for one test class."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TOP / "tools/demolib"), str(TOP / "tools/devcluster")]

import cluster  # noqa: E402 (of the dev cluster; after the path)
import binaries  # noqa: E402
from model_api import ModelApi, Refused  # noqa: E402

PODS = "/api/v1/namespaces/slurm-bridge/pods"
DEADLINE_SECONDS = 30  # for actions that take a moment; only a failure waits this long


def program(name):
    """Of the release build, else of the dev build."""
    for preset in ("release", "dev"):
        path = TOP / "build" / preset / "bin" / name
        if os.access(path, os.X_OK):
            return path
    raise AssertionError(f"{name} is not built: make build")


def kubectl_program():
    """kubectl of the machine or of the cache; None if there is none."""
    cached = binaries.debian_binary(cluster.cache_root(), "kubectl")
    return shutil.which("kubectl") or (str(cached) if os.access(cached, os.X_OK) else None)


def eventually(condition, what):
    """The first true value of condition()."""
    deadline = time.monotonic() + DEADLINE_SECONDS
    while True:
        value = condition()
        if value:
            return value
        assert time.monotonic() < deadline, what() if callable(what) else what
        time.sleep(0.05)


class Box:
    def __init__(self, *flags):
        self.folder = Path(tempfile.mkdtemp(prefix="slurm-bridge-sandbox-"))
        self.process = self.bridge = None
        self.kubectl_path = kubectl_program()
        self._flags = flags

    def start(self):
        self.process = self._start("sandbox", [program("slurm-bridge-sandbox"), "--dir", self.folder, *self._flags])
        kubeconfig = self.folder / "kubeconfig"
        eventually(lambda: kubeconfig.exists() or self.process.poll() is not None, "there is no kubeconfig")
        assert self.process.poll() is None, self.log("sandbox")
        self.kube = ModelApi(_address(kubeconfig))
        self.slurm = ModelApi(_address(self.folder / "slurm-bridge.yaml"), {"X-SLURM-USER-TOKEN": "x"})

    def start_bridge(self):
        self.bridge = self._start("bridge", [program("slurm-bridge"), "all", "--metrics-bind-address=0", "--health-probe-bind-address=0", "--config",
                                             self.folder / "slurm-bridge.yaml", "-zap-encoder", "console"])

    def stop(self):
        for process in (self.bridge, self.process):
            if process is not None and process.poll() is None:
                process.terminate()
                try:
                    process.wait(10)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def log(self, name):
        return (self.folder / f"{name}.log").read_text()

    def kubectl(self, *arguments):
        done = subprocess.run([self.kubectl_path, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=60, cwd=TOP,
                              env={**os.environ, "KUBECONFIG": str(self.folder / "kubeconfig")})
        assert done.returncode == 0, f"kubectl {' '.join(arguments)}: {done.stderr}"
        return done.stdout

    # --- pods and jobs ---

    def create_pod(self, name, example="pod.yaml", seconds=None, **annotations):
        """The pod of the example with another name; runs until it is deleted unless seconds are given."""
        text = (TOP / "examples" / example).read_text()
        text = re.sub(r"(?m)^  name: \S+", f"  name: {name}", text, count=1)
        run = f'slurm-bridge.dev/run-seconds: "{seconds}"' if seconds else 'sandbox.test/runs: "forever"'
        more = "".join(f'\n    slurmjob.slinky.slurm.net/{key}: "{value}"' for key, value in annotations.items())
        text = re.sub(r'slurm-bridge.dev/run-seconds: "\d+"', run + more, text)
        return json.loads(self.kube.ask("POST", PODS, text, "application/yaml"))

    def pod(self, name):
        try:
            return json.loads(self.kube.ask("GET", f"{PODS}/{name}"))
        except Refused as refused:
            if refused.status == 404:
                return None
            raise

    def delete_pod(self, name):
        self.kube.ask("DELETE", f"{PODS}/{name}")

    def pod_in(self, name, phase):
        return eventually(lambda: (pod := self.pod(name)) and pod["status"]["phase"] == phase and pod,
                          lambda: f"{name} did not become {phase}: {self.pod(name)}\n{self.log('bridge')[-2000:]}")

    def jobs(self):
        return json.loads(self.slurm.ask("GET", "/slurm/v0.0.45/jobs"))["jobs"]

    def jobs_of(self, pod):
        return [job for job in self.jobs() if pod["metadata"]["uid"] in job["admin_comment"]]

    def job_in(self, pod, state):
        return eventually(lambda: next((job for job in self.jobs_of(pod) if job["job_state"] == [state]), None),
                          lambda: f"no job of {pod['metadata']['name']} became {state}: "
                                  f"{[(job['job_id'], job['job_state']) for job in self.jobs_of(pod)]}")

    def _start(self, name, command):
        with open(self.folder / f"{name}.log", "w") as log:
            return subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=log,
                                    stderr=subprocess.STDOUT,
                                    env={"PATH": os.defpath, "KUBECONFIG": str(self.folder / "kubeconfig"),
                                         "SLURM_JWT_FILE": str(self.folder / "slurm.jwt")})


def _address(file):
    return re.search(r"http://[\d.:]+", file.read_text())[0]
