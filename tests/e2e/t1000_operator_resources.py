# SPDX-License-Identifier: Apache-2.0
"""deploy/operator/crds on the real API server: defaults, rules with their messages, scaling. No operator runs."""

import contextlib
import json
import subprocess
from pathlib import Path

from lib.cluster import TOP
from lib.here import TIMEOUT
from lib.kubernetes import Refused
from lib.waiting import eventually

CRDS = TOP / "deploy/operator/crds"
FIXTURES = TOP / "tests/fixtures/operator"
GROUP = "/apis/slurm.nebius.ai"


def before_the_bridge(world):
    """The definitions stay until the cluster is stopped: several tests use them at the same time."""
    done = _kubectl(world, "apply", "-f", CRDS)
    assert done.returncode == 0, done.stdout
    for path in (f"{GROUP}/v1/slurmclusters", f"{GROUP}/v1alpha1/nodesets"):
        eventually(lambda path=path: _is_served(world, path), TIMEOUT, f"{path} is served")


def the_yaml_of_the_requirements_applies_unchanged(here):
    with _namespace(here, "operator-seed") as space:
        for file in ("seed_worker_form.yaml", "seed_node_filters.yaml"):
            done = _kubectl(here, "apply", "--namespace", space, "-f", FIXTURES / file)
            assert done.returncode == 0 and "Warning" not in done.stdout, done.stdout
        worker = _cluster(here, space, "correct-cpu-cluster")["spec"]["slurmNodes"]["worker"]
        assert worker["size"] == 2 and worker["maxUnavailable"] == "20%", worker
        assert worker["volumes"]["sharedMemorySize"] == "64Gi", worker


def absent_fields_have_their_defaults(here):
    with _namespace(here, "operator-defaults") as space:
        here.kubernetes.create(_clusters(space), _object("small", {}))
        spec = _cluster(here, space, "small")["spec"]
        assert spec["cgroupVersion"] == "v2" and spec["slurmConfig"]["maxJobCount"] == 20000, spec
        assert spec["k8sNodeFilters"] == [{"name": "cpu"}], spec
        assert spec["slurmNodes"]["accounting"]["slurmdbdConfig"]["purgeJobAfter"] == "12month", spec
        assert spec["plugStackConfig"]["pyxis"]["required"] is True, spec
        assert "worker" not in spec["slurmNodes"] and "munge" not in spec["slurmNodes"]["controller"], spec


def resources_of_the_reference_apply(here):
    with _namespace(here, "operator-reference") as space:
        for file in ("reference_cluster.json", "reference_node_sets.json"):
            done = _kubectl(here, "apply", "--namespace", space, "-f", FIXTURES / file)
            assert done.returncode == 0 and "Warning" not in done.stdout, done.stdout
        spec = _cluster(here, space, "demo")["spec"]
        assert spec["volumeSources"][0]["persistentVolumeClaim"] == {"claimName": "jail-pvc"}, "core/v1 objects are kept"
        cpu = here.kubernetes.get(f"{_node_sets(space)}/cpu")["spec"]
        assert cpu["replicas"] == 1 and cpu["slurmd"]["port"] == 6818 and cpu["maxUnavailable"] == "50%", cpu


# (spec, field, a part of the message)
INVALID = (
    ({"slurmNodes": {"login": {"k8sNodeFilterName": "cup"}}}, "spec", "slurmNodes.login.k8sNodeFilterName: there is no such filter"),
    ({"slurmNodes": {"controller": {"volumes": {"spool": {"volumeSourceName": "x"}}}}}, "spec",
     "slurmNodes.controller.volumes.spool.volumeSourceName: there is no such volume source"),
    ({"slurmNodes": {"login": {"volumes": {"customMounts": [{"name": "m", "mountPath": "/m", "volumeSourceName": "x"}]}}}}, "spec",
     "there is no such volume source"),
    ({"home": {}}, "spec.home", "set exactly one of volumeSourceName and volumeClaimTemplateSpec"),
    ({"home": {"volumeSourceName": "x", "volumeClaimTemplateSpec": {"accessModes": []}}, "volumeSources": [{"name": "x"}]}, "spec.home",
     "set exactly one of"),
    ({"slurmConfig": {"prolog": "/a\nSlurmUser=root"}}, "spec.slurmConfig.prolog", "a configuration value is one word"),
    ({"slurmConfig": {"epilog": "/a SlurmUser=root"}}, "spec.slurmConfig.epilog", "a configuration value is one word"),
    ({"customSlurmConfig": "A=1\rB=2"}, "spec.customSlurmConfig", "remove control characters"),
    ({"slurmNodes": {"accounting": {"externalDB": {"storageParameters": {"a": "b\nc"}}}}},
     "spec.slurmNodes.accounting.externalDB.storageParameters", "one word"),
    ({"partitionConfiguration": {"configType": "structured"}}, "spec.partitionConfiguration", "needs at least one partition"),
    ({"partitionConfiguration": {"configType": "structured", "partitions": [{"name": "p"}]}},
     "spec.partitionConfiguration.partitions[0]", "nodeSetRefs: the partition has no NodeSet"),
    ({"partitionConfiguration": {"partitions": [{"name": "Default", "isAll": True}]}},
     "spec.partitionConfiguration.partitions[0]", "choose another name"),
    ({"partitionConfiguration": {"rawConfig": ["NodeName=a"]}}, "spec.partitionConfiguration.rawConfig[0]", "begins with PartitionName="),
    ({"maintenance": "downscale"}, "spec", "maintenance: maintenance modes are not supported; write none"),
    ({"slurmNodes": {"accounting": {"mariadbOperator": {"replication": {"enabled": True}}}}}, "spec", "use externalDB"),
    ({"slurmNodes": {"accounting": {"externalDB": {"enabled": True}}}}, "spec.slurmNodes.accounting.externalDB", "needs host, user"),
    ({"slurmNodes": {"login": {"sshdServiceNodePort": 32768}}}, "spec.slurmNodes.login", "outside of 30000-32767"),
    ({"slurmNodes": {"login": {"userIsolation": {"memoryHigh": "2Gi", "memoryMax": "1Gi"}}}}, "spec.slurmNodes.login.userIsolation",
     "memoryHigh: it exceeds memoryMax"),
    ({"slurmNodes": {"controller": {"size": 2}}}, "spec.slurmNodes.controller", "one slurmctld is supported"),
    ({"slurmNodes": {"worker": {"maxUnavailable": "120%"}}}, "spec.slurmNodes.worker.maxUnavailable", "a percentage such as 20%"),
    ({"slurmNodes": {"worker": {"size": 10001}}}, "spec.slurmNodes.worker.size", "10000"),
    ({"sConfigController": {"reconfigureWaitTimeout": "5s"}}, "spec.sConfigController", "longer than reconfigurePollInterval"),
    ({"k8sNodeFilters": [{"name": "a"}, {"name": "a"}]}, "spec.k8sNodeFilters[1]", "Duplicate value"),
    ({"cgroupVersion": "v3"}, "spec.cgroupVersion", 'supported values: "v1", "v2"'),
    ({"users": [{"name": "a:0"}]}, "spec.users[0].name", "use lower-case letters"),
)


def invalid_clusters_are_refused_with_field_and_remedy(here):
    with _namespace(here, "operator-invalid") as space:
        for spec, field, message in INVALID:
            _is_refused(here, _clusters(space), _object("a", spec), field, message)
        for name in ("a" * 41, "1a", "a.b"):
            _is_refused(here, _clusters(space), _object(name, {}), "", "metadata.name: pod names, labels, Services")


def invalid_node_sets_are_refused_with_field_and_remedy(here):
    with _namespace(here, "operator-sets") as space:
        for spec, field, message in (
                ({"ephemeralNodes": True}, "spec", "ephemeralNodes: power saving of workers is not supported"),
                ({"replicas": 1000, "maxUnavailable": "60%"}, "spec", "resolves to more than 500 workers"),
                ({"maxUnavailable": 501}, "spec.maxUnavailable", "write a number from 0 to 500"),
                ({"nodeConfig": {"static": "CPUs=1\nNodeName=x"}}, "spec.nodeConfig.static", "one line of Key=Value"),
                ({"nodeConfig": {"features": ["a,b"]}}, "spec.nodeConfig.features[0]", "use only letters"),
                ({"updateStrategy": "never"}, "spec.updateStrategy", "supported values")):
            _is_refused(here, _node_sets(space), _node_set("a", spec), field, message)
        _is_refused(here, _node_sets(space), _node_set("all", {}), "", "choose another name")
        _is_refused(here, _node_sets(space), _node_set("eleven-char", {"clusterName": "c" * 40}), "", "at most 50 characters")


def kubectl_scales_and_patches_both_kinds(here):
    with _namespace(here, "operator-scale") as space:
        here.kubernetes.create(_clusters(space), _object("ml", {"slurmNodes": {"worker": {"size": 2}}}))
        here.kubernetes.create(_node_sets(space), _node_set("gpu", {}))
        for resource in ("slc/ml", "nset/gpu"):
            done = _kubectl(here, "scale", "--namespace", space, "--replicas=4", resource)
            assert done.returncode == 0, done.stdout
        assert _cluster(here, space, "ml")["spec"]["slurmNodes"]["worker"]["size"] == 4
        assert here.kubernetes.get(f"{_node_sets(space)}/gpu")["spec"]["replicas"] == 4
        done = _kubectl(here, "patch", "slurmcluster", "ml", "--namespace", space, "--type=merge",
                        '-p={"spec":{"slurmNodes":{"worker":{"size":15}}}}')
        assert done.returncode == 0, done.stdout
        here.kubernetes.patch(f"{_clusters(space)}/ml/status", {"status": {
            "phase": "Available", "workers": 15, "readyWorkers": 14, "labelSelector": "app.kubernetes.io/component=worker"}})
        scale = here.kubernetes.get(f"{_clusters(space)}/ml/scale")
        assert scale["spec"]["replicas"] == 15 and scale["status"] == {
            "replicas": 15, "selector": "app.kubernetes.io/component=worker"}, scale  # what an autoscaler reads
        done = _kubectl(here, "get", "slurmclusters", "--namespace", space)
        assert done.stdout.split()[:7] == ["NAME", "STATUS", "CONTROLLERS", "WORKERS", "LOGIN", "SCONFIGCTRL", "ACCOUNTING"], done.stdout
        assert "Available" in done.stdout, done.stdout


def kubectl_explains_fields(here):
    def explained():
        return "Desired number of workers." in _kubectl(here, "explain", "slurmcluster.spec.slurmNodes.worker.size").stdout

    eventually(explained, TIMEOUT, "the server publishes the schema")


def _is_refused(here, path, manifest, field, message):
    try:
        here.kubernetes.create(path + "?dryRun=All", manifest)
    except Refused as refused:
        text = str(refused)
        assert refused.status == 422 and field in text and message in text, f"{json.dumps(manifest)}: {text}"
    else:
        raise AssertionError(f"{json.dumps(manifest)} was not refused; expected {message!r}")


def _object(name, spec):
    return {"apiVersion": "slurm.nebius.ai/v1", "kind": "SlurmCluster", "metadata": {"name": name}, "spec": spec}


def _node_set(name, spec):
    return {"apiVersion": "slurm.nebius.ai/v1alpha1", "kind": "NodeSet", "metadata": {"name": name}, "spec": spec}


def _clusters(space):
    return f"{GROUP}/v1/namespaces/{space}/slurmclusters"


def _node_sets(space):
    return f"{GROUP}/v1alpha1/namespaces/{space}/nodesets"


def _cluster(here, space, name):
    return here.kubernetes.get(f"{_clusters(space)}/{name}")


@contextlib.contextmanager
def _namespace(here, name):
    here.kubernetes.create("/api/v1/namespaces", {"metadata": {"name": name}})
    try:
        yield name
    finally:
        here.kubernetes.delete(f"/api/v1/namespaces/{name}")


def _is_served(world, path):
    try:
        world.kubernetes.get(path)
        return True
    except Refused as refused:
        if refused.status in (404, 429):
            return False
        raise


def _kubectl(here, *arguments):
    kubectl = Path(here.cluster.environment["PATH"].split(":")[0]) / "kubectl"
    return subprocess.run([kubectl, "--kubeconfig", here.cluster.path("KUBECONFIG"), *arguments], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
