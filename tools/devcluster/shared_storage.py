# SPDX-License-Identifier: Apache-2.0
"""Storage for claims in a cluster with real nodes: a default StorageClass, and volumes below the folder that all nodes share.

Expects     the API server answers; the caller holds the cluster's lock.
Guarantees  start may be repeated; it also empties each volume whose claim was deleted, so that it can be claimed again. The
            data is removed with the cluster.
Does not    provision: when all volumes are bound, a further claim stays Pending.
"""

import shutil

import api
import node_namespace

CLASS = "shared"
COUNT, SIZE = 16, "20Gi"
CLASSES, VOLUMES = "/apis/storage.k8s.io/v1/storageclasses", "/api/v1/persistentvolumes"


def start(cluster):
    names = [f"{CLASS}-{number:02}" for number in range(1, COUNT + 1)]
    for name in names:
        _folder(cluster, name).mkdir(mode=0o755, parents=True, exist_ok=True)
    with api.Api(cluster) as server:
        server.create(CLASSES, storage_class())
        for name in names:
            server.create(VOLUMES, volume(name))
        for name in released(server.get(VOLUMES)["items"]):
            _empty(_folder(cluster, name))
            server.patch(f"{VOLUMES}/{name}", {"spec": {"claimRef": None}})


def storage_class():
    return {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "provisioner": "kubernetes.io/no-provisioner",
            "metadata": {"name": CLASS, "annotations": {"storageclass.kubernetes.io/is-default-class": "true"}},
            "reclaimPolicy": "Retain", "volumeBindingMode": "Immediate"}


def volume(name):
    return {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": name, "labels": {"storage": CLASS}},
            "spec": {"storageClassName": CLASS, "capacity": {"storage": SIZE}, "persistentVolumeReclaimPolicy": "Retain",
                     "accessModes": ["ReadWriteOnce", "ReadWriteMany"],
                     "hostPath": {"path": f"/shared/volumes/{name}", "type": "Directory"}}}


def released(volumes):
    """Names of our volumes whose claim was deleted."""
    return [one["metadata"]["name"] for one in volumes
            if one["spec"].get("storageClassName") == CLASS and one.get("status", {}).get("phase") == "Released"]


def _folder(cluster, name):
    return node_namespace.shared_folder(cluster) / "volumes" / name


def _empty(folder):
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
