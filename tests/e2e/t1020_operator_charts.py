# SPDX-License-Identifier: Apache-2.0
"""deploy/helm and examples/operator on the real API server: every object is valid, CRDs are upgraded and kept. No operator runs."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from lib.cluster import TOP
from lib.here import TIMEOUT
from lib.kubernetes import Refused
from lib.runner import Skip, alone
from lib.waiting import eventually
from t1000_operator_resources import _is_served, _kubectl, _namespace

sys.path.append(str(TOP / "tools/charts"))
import helm as charts  # noqa: E402

CHARTS = TOP / "deploy/helm"
CRDS = TOP / "deploy/operator/crds"
CLUSTERS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/slurmclusters.slurm.nebius.ai"
RESTRICTED = {"pod-security.kubernetes.io/enforce": "restricted"}


def before_the_bridge(world):
    """The definitions stay until the cluster is stopped; t1000 applies the same."""
    if _kubectl(world, "get", "-f", CRDS).returncode != 0:
        done = _kubectl(world, "apply", "-f", CRDS)
        assert done.returncode == 0, done.stdout
        for path in ("/apis/slurm.nebius.ai/v1/slurmclusters", "/apis/slurm.nebius.ai/v1alpha1/nodesets"):
            eventually(lambda path=path: _is_served(world, path), TIMEOUT, f"{path} is served")


def the_api_server_accepts_every_object_of_the_charts(here):
    _need_helm()
    with _namespace(here, "operator-charts") as space:
        _is_accepted(here, space, "soperator-crds")
        _is_accepted(here, space, "soperator", "--set", "controllerManager.replicas=2")
        _is_accepted(here, space, "slurm-cluster")
        _is_accepted(here, space, "slurm-cluster", "--set", "slurmNodes.worker.size=10,slurmNodes.controller.resources.memory=2Gi",
                     "--set", "volumeSources[0].name=data,volumeSources[0].createPVC=true,volumeSources[0].size=1Gi,"
                              "volumeSources[0].persistentVolumeClaim.claimName=data",
                     "--set", "nodesets[0].name=large,nodesets[0].slurmd.resources.cpu=8")


def the_examples_apply_without_a_warning(here):
    with _namespace(here, "operator-examples") as space:
        for name in ("cluster", "nodesets"):
            done = _kubectl(here, "apply", "--dry-run=server", "--validate=strict", "--namespace", space,
                            "-f", TOP / f"examples/operator/{name}.yaml")
            assert done.returncode == 0 and "Warning" not in done.stdout, done.stdout


def the_operator_pod_is_valid_under_pod_security_restricted(here):
    _need_helm()
    with _namespace(here, "operator-restricted") as space:
        here.kubernetes.patch(f"/api/v1/namespaces/{space}", {"metadata": {"labels": RESTRICTED}})
        [deployment] = [one for one in charts.template("soperator", namespace=space) if one["kind"] == "Deployment"]
        template = deployment["spec"]["template"]
        template["spec"].pop("serviceAccountName")  # it does not exist in this namespace
        pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "manager", "labels": template["metadata"]["labels"]},
               "spec": template["spec"]}
        eventually(lambda: here.kubernetes.find(f"/api/v1/namespaces/{space}/serviceaccounts/default"), TIMEOUT, "the default account exists")
        here.kubernetes.create(f"/api/v1/namespaces/{space}/pods?dryRun=All", pod)
        pod["spec"]["containers"][0]["securityContext"].pop("capabilities")  # the namespace does enforce it
        try:
            here.kubernetes.create(f"/api/v1/namespaces/{space}/pods?dryRun=All", pod)
        except Refused as refused:
            assert "unrestricted capabilities" in str(refused), refused
        else:
            raise AssertionError("Pod Security does not check pods of the namespace")


@alone
def helm_upgrades_the_definitions_and_keeps_them(here):
    _need_helm()
    with tempfile.TemporaryDirectory() as folder, _namespace(here, "operator-crds-chart") as space:
        newer = Path(folder) / "soperator-crds"
        shutil.copytree(CHARTS / "soperator-crds", newer)
        path = newer / "files/slurm.nebius.ai_slurmclusters.yaml"
        text = path.read_text()
        path.write_text(text.replace('description: "Desired number of workers."', 'description: "Wanted workers."'))
        assert path.read_text() != text
        _helm(here, space, "install", "soperator-crds", CHARTS / "soperator-crds", "--take-ownership")
        try:
            assert "Wanted workers." not in json.dumps(here.kubernetes.get(CLUSTERS))
            _helm(here, space, "upgrade", "soperator-crds", newer)
            assert "Wanted workers." in json.dumps(here.kubernetes.get(CLUSTERS)), "helm changed the definition"
        finally:
            _helm(here, space, "uninstall", "soperator-crds")
            with contextlib.suppress(AssertionError):
                _kubectl(here, "apply", "-f", CRDS)
        assert here.kubernetes.find(CLUSTERS) is not None, "the definition stays"


def _is_accepted(here, space, chart, *arguments):
    objects = charts.template(chart, *arguments, release="demo", namespace=space)
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump({"apiVersion": "v1", "kind": "List", "items": objects}, file)
        file.flush()
        done = _kubectl(here, "apply", "--dry-run=server", "--validate=strict", "--namespace", space, "-f", file.name)
    assert done.returncode == 0, f"{chart}: {done.stdout}"
    assert done.stdout.count("server dry run") == len(objects), f"{chart}: {done.stdout}"


def _need_helm():
    if charts.program() is None:
        raise Skip("helm is not in the cache; fetch it with: tools/devcluster/devcluster fetch --real-nodes")


def _helm(here, space, *arguments):
    with tempfile.TemporaryDirectory() as home:
        own = {name: f"{home}/{name}" for name in ("HELM_CACHE_HOME", "HELM_CONFIG_HOME", "HELM_DATA_HOME")}
        done = subprocess.run([charts.program(), *arguments, "--namespace", space], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=120,
                              env={**os.environ, **own, "KUBECONFIG": str(here.cluster.path("KUBECONFIG"))})
    assert done.returncode == 0, f"helm {arguments[0]}: {done.stdout}"
    return done.stdout
