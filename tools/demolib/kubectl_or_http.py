# SPDX-License-Identifier: Apache-2.0
"""How a file of examples/ reaches an API server: by kubectl, or without it as the YAML that it is."""

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
        """The object as it is then, and the words for what was done."""
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
