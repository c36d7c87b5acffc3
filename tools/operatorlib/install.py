# SPDX-License-Identifier: Apache-2.0
"""Installs the operator and Slurm clusters with the charts of deploy/helm, and removes them."""

import json
import subprocess
import tempfile
from pathlib import Path

from lab import NOT_AVAILABLE, TOP, Failed, wait_until

CHARTS = TOP / "deploy/helm"
OPERATOR_NAMESPACE = "soperator"
OPERATOR = "soperator-manager"
POD_SECURITY = "pod-security.kubernetes.io/"


def build_images(show=lambda line: None):
    """The paths of the image archives; the operator's program must be built."""
    child = subprocess.Popen([TOP / "tools/images/build"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             text=True)
    try:
        lines = []
        for line in child.stderr:
            lines.append(line.rstrip())
            show(line.strip().split(" s  ", 1)[-1])
        archives = child.stdout.read().split()
    except BaseException:
        child.terminate()
        raise
    finally:
        child.stderr.close()
        child.wait()
    if child.returncode != 0:
        raise Failed(f"the images cannot be built: {' '.join(lines[-3:])}",
                     NOT_AVAILABLE if child.returncode == NOT_AVAILABLE else 1)
    return [Path(archive) for archive in archives]


def install_crds(lab):
    lab.helm("upgrade", "--install", "soperator-crds", CHARTS / "soperator-crds", "--namespace", OPERATOR_NAMESPACE, "--create-namespace")


def install_operator(lab, *arguments, timeout=120):
    """Returns when the operator is ready. arguments: of helm, such as --set."""
    lab.helm("upgrade", "--install", "soperator", CHARTS / "soperator", "--namespace", OPERATOR_NAMESPACE, "--create-namespace",
             *arguments)
    done = lab.try_kubectl("rollout", "status", f"deployment/{OPERATOR}", "--namespace", OPERATOR_NAMESPACE, f"--timeout={timeout}s")
    if done.returncode != 0:
        raise Failed(f"the operator does not become ready: {done.stdout.strip()}\n{operator_log(lab)}")


def operator_log(lab, lines=20):
    """The last lines of its log, and why its pods do not run."""
    log = lab.try_kubectl("logs", "--namespace", OPERATOR_NAMESPACE, f"deployment/{OPERATOR}", "-c", "manager", f"--tail={lines}").stdout
    pods = lab.try_kubectl("get", "pods", "--namespace", OPERATOR_NAMESPACE, "-o", "wide").stdout
    return f"{pods}{log}".strip()


def operator_pod(lab):
    """The name of a running pod of the operator."""
    found = lab.list("pods", "--namespace", OPERATOR_NAMESPACE, "--selector", "app.kubernetes.io/name=soperator")
    names = [pod["metadata"]["name"] for pod in found if pod["status"].get("phase") == "Running"]
    if not names:
        raise Failed(f"no pod of the operator runs\n{operator_log(lab)}")
    return names[0]


def create_namespace(lab, name, pod_security="baseline"):
    """A namespace in which Kubernetes refuses pods that violate this level."""
    labels = {POD_SECURITY + mode: pod_security for mode in ("enforce", "warn")}
    lab.kubectl("apply", "-f", "-", stdin=json.dumps({"apiVersion": "v1", "kind": "Namespace",
                                                      "metadata": {"name": name, "labels": labels}}))


def install_cluster(lab, namespace, name, values, *arguments):
    """Install or upgrade the release; returns at once. values: a mapping of the chart slurm-cluster."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(values, file)
        file.flush()
        return lab.helm("upgrade", "--install", name, CHARTS / "slurm-cluster", "--namespace", namespace, "--values", file.name, *arguments)


def remove_cluster(lab, namespace, name, timeout=120):
    """Uninstall the release and wait until nothing of it runs; claims stay."""
    lab.helm("uninstall", name, "--namespace", namespace, "--ignore-not-found")
    wait_until(lambda: lab.get("slurmcluster", name, "--namespace", namespace) is None, timeout,
               lambda: f"SlurmCluster {name} is deleted; its state: {lab.try_kubectl('describe', 'slurmcluster', name, '-n', namespace).stdout}")
    selector = f"app.kubernetes.io/instance={name}"
    wait_until(lambda: not lab.list("pods", "--namespace", namespace, "--selector", selector), timeout,
               lambda: "all pods are gone; left: " + lab.try_kubectl("get", "pods", "-n", namespace).stdout)


def remove_namespace(lab, name, timeout=120):
    lab.kubectl("delete", "namespace", name, "--ignore-not-found", f"--timeout={timeout}s", timeout=timeout + 30)
