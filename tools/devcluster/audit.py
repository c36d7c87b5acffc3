# SPDX-License-Identifier: Apache-2.0
"""What the API server writes to cluster.folder/audit.log, one JSON object per line.

Guarantees  every write of every user is logged, with user, verb, object and answer code; creates, deletes and patches of
            pods, their status and bindings with the request body, and with the resulting object where the request
            alone does not identify the pod (generated name, uid); writes of nodes with the resulting node;
            every read of pods and nodes is logged, so that lists can be counted.
Does not    rotate: a test reads one file.
"""

import json

POLICY = {
    "apiVersion": "audit.k8s.io/v1",
    "kind": "Policy",
    "omitStages": ["RequestReceived"],
    "omitManagedFields": True,
    "rules": [  # the first matching rule applies
        # kwok's heartbeats: 50 a second with 500 nodes
        {"level": "None", "namespaces": ["kube-node-lease"]},
        {"level": "RequestResponse", "verbs": ["create", "delete", "deletecollection"],
         "resources": [{"group": "", "resources": ["pods"]}]},
        {"level": "RequestResponse", "verbs": ["create", "update", "patch"],
         "resources": [{"group": "", "resources": ["nodes", "nodes/status"]}]},
        {"level": "Request", "verbs": ["create", "update", "patch", "delete"],
         "resources": [{"group": "", "resources": ["pods", "pods/binding", "pods/status"]}]},
        {"level": "Metadata", "verbs": ["get", "list", "watch"],
         "resources": [{"group": "", "resources": ["pods", "nodes"]}]},
        {"level": "None", "verbs": ["get", "list", "watch", "head"]},
        {"level": "Metadata"},
    ],
}


def log_path(cluster):
    return cluster.folder / "audit.log"


def write_policy(cluster):
    _policy_path(cluster).write_text(json.dumps(POLICY, indent=1))
    log_path(cluster).touch(mode=0o600)  # with rotation off the API server opens it, but does not create it


def flags(cluster):
    return [f"--audit-policy-file={_policy_path(cluster)}", f"--audit-log-path={log_path(cluster)}",
            "--audit-log-maxsize=0"]


def _policy_path(cluster):
    return cluster.folder / "audit-policy.json"
