# SPDX-License-Identifier: Apache-2.0
"""helm of the dev cluster's cache, for tests: lint, and templates as Python values.

Expects     helm in the cache (`devcluster fetch --real-nodes`), or HELM in the environment.
Does not    connect to a cluster or read the user's helm configuration.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
CHARTS = TOP / "deploy/helm"
sys.path.append(str(TOP / "tools/devcluster"))

import cluster  # noqa: E402
import node_software  # noqa: E402

KUBE_VERSION = "1.36.0"  # without a cluster, helm assumes the version that it was built with
# A chart whose only template prints YAML documents as JSON: the tests need no YAML library.
READER = {
    "Chart.yaml": "apiVersion: v2\nname: reader\nversion: 0.0.0\n",
    "templates/all.yaml": '{"items": [{{ $first := true }}{{ range splitList "\\n---" (printf "\\n%s" .Values.text) }}'
                          "{{ with fromYaml . }}{{ if not $first }}, {{ end }}{{ $first = false }}{{ toJson . }}{{ end }}{{ end }}]}\n",
}


class HelmFailed(Exception):
    """str() is helm's message."""


def program():
    """Path of helm, or None."""
    named = os.environ.get("HELM")
    path = Path(named) if named else node_software.program(cluster.cache_root(), "helm")
    return path if path.is_file() else None


def lint(chart, *arguments):
    return _run("lint", "--strict", "--kube-version", KUBE_VERSION, CHARTS / chart, *arguments)


def template(chart, *arguments, release="demo", namespace="slurm"):
    """The rendered objects, in helm's order."""
    path = chart if isinstance(chart, Path) else CHARTS / chart
    return read(_run("template", release, path, "--namespace", namespace, "--kube-version", KUBE_VERSION, *arguments))


def notes(chart, *arguments):
    """What helm prints after an installation. helm shows it only with a cluster, so a copy of the chart prints it as an object."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / chart
        shutil.copytree(CHARTS / chart, copy)
        (copy / "templates/NOTES.txt").rename(copy / "notes")
        (copy / "templates/notes.yaml").write_text('{"kind": "Notes", "text": {{ tpl (.Files.Get "notes") . | toJson }}}\n')
        return next(one["text"] for one in template(copy, *arguments) if one.get("kind") == "Notes")


def read(text):
    """The YAML documents of a text."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in READER.items():
            path = Path(folder) / "reader" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        documents = Path(folder) / "documents"
        documents.write_text(text)
        found = _run("template", "reader", Path(folder) / "reader", "--set-file", f"text={documents}")
    return json.loads(found[found.index("{"):])["items"]


def _run(*arguments):
    with tempfile.TemporaryDirectory() as home:
        own = {name: f"{home}/{name}" for name in ("HELM_CACHE_HOME", "HELM_CONFIG_HOME", "HELM_DATA_HOME")}
        done = subprocess.run([program(), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, env={**os.environ, **own, "KUBECONFIG": "/dev/null"}, timeout=60)
    if done.returncode != 0:
        raise HelmFailed(f"helm {' '.join(map(str, arguments))}: {done.stderr.strip()}\n{done.stdout.strip()}")
    return done.stdout
