#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks what Kubernetes knows of the cluster: namespace, resource, pods, Services and storage.
cd "$(dirname "$0")" && . ./common.sh
title "Kubernetes objects"

is_available() { [ "$(field .status.phase)" = Available ]; }
has_pods() { [ -n "$(pods "$1")" ]; }
all_ready() {
  local not_ready
  not_ready=$(k get pods --selector "app.kubernetes.io/instance=$CLUSTER" --no-headers |
    awk '{ split($2, ready, "/"); if (ready[1] != ready[2] || $3 != "Running") print }')
  [ -z "$not_ready" ] || { printf '%s\n' "$not_ready"; return 1; }
}
all_bound() {
  local unbound
  unbound=$(k get persistentvolumeclaims --no-headers | awk '$2 != "Bound"')
  [ -z "$unbound" ] || { printf '%s\n' "$unbound"; return 1; }
}
control_plane_is_free() {
  local node found=0
  for node in $(kubectl get nodes --selector node-role.kubernetes.io/control-plane --output name); do
    k get pods --selector "app.kubernetes.io/instance=$CLUSTER" --field-selector "spec.nodeName=${node#node/}" --no-headers 2>/dev/null |
      grep . && found=1
  done
  [ "$found" = 0 ]
}

check "namespace $NAMESPACE exists" kubectl get namespace "$NAMESPACE"
check "SlurmCluster $CLUSTER exists" k get slurmcluster "$CLUSTER"
check "SlurmCluster $CLUSTER is Available" is_available
for component in controller worker login; do
  check "there are pods of the component $component" has_pods "$component"
done
check "all pods of the cluster run and are ready" all_ready
check "Service $CLUSTER-controller-svc exists" k get service "$CLUSTER-controller-svc"
check "Service $CLUSTER-login-svc exists" k get service "$CLUSTER-login-svc"
check "all volume claims are bound" all_bound
check "no pod of the cluster runs on the control plane" control_plane_is_free

k get pods --selector "app.kubernetes.io/instance=$CLUSTER" --output wide
verdict
