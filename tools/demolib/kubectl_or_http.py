# SPDX-License-Identifier: Apache-2.0
"""Sends a file of examples/ to an API server: with kubectl, or without it as YAML over HTTP."""

import json
import os
import re
import subprocess

from model_api import ModelApi, Refused

COLLECTIONS = {"Pod": "/api/v1/namespaces/{}/pods", "Job": "/apis/batch/v1/namespaces/{}/jobs"}
KUBECTL_SECONDS = 60


class WithKubectl:
    def __init__(self, program, kubeconfig):
        self._program, self._kubeconfig = program, kubeconfig

    def create(self, file):
        """The created object, and a description of the command."""
        done = subprocess.run([self._program, "create", "-f", str(file), "-o", "json"], stdin=subprocess.DEVNULL,
                              env={**os.environ, "KUBECONFIG": str(self._kubeconfig)}, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=KUBECTL_SECONDS)
        if done.returncode != 0:
            raise Refused(done.returncode, done.stderr.strip())
        return json.loads(done.stdout), "kubectl create -f"


class WithHttp:
    def __init__(self, address):
        self._api = ModelApi(address)

    def create(self, file):
        text = file.read_text()
        path = COLLECTIONS[_field(text, "kind")].format(_field(text, "  namespace"))
        return json.loads(self._api.ask("POST", path, text, "application/yaml")), "POST (no kubectl here)"


def _field(text, name):
    return re.search(rf"(?m)^{name}: (\S+)", text)[1]
