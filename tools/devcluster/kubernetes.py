# SPDX-License-Identifier: Apache-2.0
"""The Kubernetes half: etcd, API server, controller manager and scheduler, with nodes that kwok simulates or real ones.

With simulated nodes everything listens on loopback; with real nodes the control plane runs in their closed network and a
forwarder listens on the same ports of loopback.

Expects     a filled cache (binaries.py) and that the caller holds the cluster's lock.
Guarantees  start may be interrupted and repeated; when it returns, all nodes are ready and untainted, the accounts'
            kubeconfigs are written, and pods can be created in the namespaces.
Does not    depend on Slurm.
"""

import functools
import http.client
import ssl
from concurrent.futures import ThreadPoolExecutor

import access
import api
import audit
import kwok
import node_commands
import node_network
import nodes
import binaries
import pki
import process
import progress
import real_node
import real_nodes
import shared_storage
import system_pods

CONTROL_PLANE = ("etcd", "apiserver", "controller-manager", "scheduler")

# DRAExtendedResource is on by default in 1.36; set explicitly because tests and benchmarks rely on it.
FEATURES = "--feature-gates=DRAExtendedResource=true,GenericWorkload=true,WorkloadWithJob=true"
APIS = "--runtime-config=scheduling.k8s.io/v1alpha2=true"

# Far above what two cores can process: with the defaults (20-50 requests/s) a benchmark would measure the limit.
CLIENT_QPS, CLIENT_BURST = 5000, 5000


def components(cluster):
    """Component names in start order."""
    if not real_nodes.requested(cluster):
        return [*CONTROL_PLANE, "kwok"]
    before, of_nodes = real_nodes.components(cluster)
    return [*before, *CONTROL_PLANE, *of_nodes]


def start(cluster):
    pki.create(cluster)
    audit.write_policy(cluster)
    _write_wrapper(cluster)
    if real_nodes.requested(cluster):
        node_commands.write(cluster)
        real_nodes.start_network(cluster)
    _start_component(cluster, "etcd")
    _start_component(cluster, "apiserver", timeout=120)
    with ThreadPoolExecutor() as pool:
        waiting = [pool.submit(_start_component, cluster, name) for name in ("controller-manager", "scheduler")]
        waiting += [pool.submit(step, cluster) for step in (access.create, *_node_steps(cluster))]
        for one in waiting:
            one.result()
    access.wait_until_usable(cluster)
    nodes.wait_until_ready(cluster, _node_names(cluster))
    if real_nodes.requested(cluster):
        shared_storage.start(cluster)
        system_pods.start(cluster)


def _node_steps(cluster):
    if real_nodes.requested(cluster):
        return [real_nodes.start_nodes]
    return [nodes.create, functools.partial(_start_component, name="kwok")]


def _node_names(cluster):
    if real_nodes.requested(cluster):
        return [node.name for node in real_node.all_of(cluster)]
    return cluster.node_names


def stop(cluster):
    """Kill all components at once: their state is deleted with the cluster."""
    real_nodes.stop(cluster)
    for name in reversed(components(cluster)):
        process.kill(cluster, name)
        process.stop(cluster, name, grace=0)


def ready(cluster, name):
    """A callable that is true once the component is ready."""
    if name == "etcd":
        return lambda: '"true"' in _http(cluster.port("etcd"), "/health")
    if name == "apiserver":
        return functools.partial(_api_server_is_ready, cluster)
    if name == "kwok":
        return lambda: _http(cluster.port("kwok"), "/healthz") == "ok"
    if name not in CONTROL_PLANE:
        return real_nodes.ready(cluster, name)
    return lambda: _https(cluster, cluster.port(name), "/healthz") == "ok"


def _start_component(cluster, name, timeout=90):
    argv = {"etcd": _etcd, "apiserver": _apiserver, "controller-manager": _controller_manager,
            "scheduler": _scheduler, "kwok": kwok.command}[name](cluster)
    if real_nodes.requested(cluster):
        argv = node_network.inside(cluster, argv)
    process.start(cluster, name, argv, ready=ready(cluster, name), timeout=timeout)
    progress.say(f"{name} is up")


# --- flags ------------------------------------------------------------------------------------------------------


def _etcd(cluster):
    client, peer = (f"http://127.0.0.1:{cluster.port(name)}" for name in ("etcd", "etcd-peer"))
    return [binaries.debian_binary(cluster.cache, "etcd"), "--name=dev", f"--data-dir={cluster.folder / 'etcd'}",
            f"--listen-client-urls={client}", f"--advertise-client-urls={client}",
            f"--listen-peer-urls={peer}", f"--initial-advertise-peer-urls={peer}", f"--initial-cluster=dev={peer}",
            # Without fsync only a crash of the machine loses data, not a crash of the process.
            "--unsafe-no-fsync", "--quota-backend-bytes=4294967296", "--log-level=warn"]


def _apiserver(cluster):
    keys = pki.folder(cluster)
    return [binaries.kubernetes_binary(cluster.cache, "kube-apiserver"),
            f"--etcd-servers=http://127.0.0.1:{cluster.port('etcd')}",
            f"--secure-port={cluster.port('apiserver')}", *_reachable_by_pods(cluster),
            f"--service-cluster-ip-range={real_node.SERVICE_NETWORK}",
            f"--tls-cert-file={keys / 'server.crt'}", f"--tls-private-key-file={keys / 'server.key'}",
            f"--client-ca-file={keys / 'ca.crt'}", "--authorization-mode=Node,RBAC", "--allow-privileged=true",
            "--service-account-issuer=https://kubernetes.default.svc",
            f"--service-account-key-file={keys / 'service-accounts.pub'}",
            f"--service-account-signing-key-file={keys / 'service-accounts.key'}",
            *audit.flags(cluster), FEATURES, APIS, "--profiling=false"]


def _reachable_by_pods(cluster):
    """Flags of the API server: with simulated nodes, nothing but loopback; with real ones, pods and kubelets."""
    if not real_nodes.requested(cluster):
        # No client uses the service address, and a killed API server must leave no stale Lease.
        return ["--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", "--endpoint-reconciler-type=none"]
    keys = pki.folder(cluster)
    return ["--bind-address=0.0.0.0", f"--advertise-address={real_node.CONTROL_PLANE_ADDRESS}",  # of the closed network
            "--enable-admission-plugins=NodeRestriction", "--kubelet-preferred-address-types=InternalIP",
            f"--kubelet-certificate-authority={keys / 'ca.crt'}",
            f"--kubelet-client-certificate={keys / pki.KUBELET_CLIENT}.crt",
            f"--kubelet-client-key={keys / pki.KUBELET_CLIENT}.key",
            # Aggregated APIs: metrics-server.
            "--enable-aggregator-routing=true", f"--requestheader-client-ca-file={keys / 'ca.crt'}",
            f"--requestheader-allowed-names={pki.AGGREGATOR}", "--requestheader-username-headers=X-Remote-User",
            "--requestheader-group-headers=X-Remote-Group", "--requestheader-extra-headers-prefix=X-Remote-Extra-",
            f"--proxy-client-cert-file={keys / pki.AGGREGATOR}.crt", f"--proxy-client-key-file={keys / pki.AGGREGATOR}.key"]


def _controller_manager(cluster):
    keys = pki.folder(cluster)
    own = pki.kubeconfig_path(cluster, "controller-manager")
    return [binaries.kubernetes_binary(cluster.cache, "kube-controller-manager"), *_component(cluster, "controller-manager"),
            f"--kubeconfig={own}", "--leader-elect=false",
            # Claims are bound at once, and no simulated node becomes NotReady because a busy machine delayed its heartbeat.
            "--pvclaimbinder-sync-period=2s",
            f"--node-monitor-grace-period={'40s' if real_nodes.requested(cluster) else '10m'}",
            # A hint for kubelets about the size of the cluster: one write per node that is not used here.
            "--controllers=*,-ttl-controller", "--use-service-account-credentials=true",
            f"--service-account-private-key-file={keys / 'service-accounts.key'}", f"--root-ca-file={keys / 'ca.crt'}",
            f"--cluster-signing-cert-file={keys / 'ca.crt'}", f"--cluster-signing-key-file={keys / 'ca.key'}",
            f"--kube-api-qps={CLIENT_QPS}", f"--kube-api-burst={CLIENT_BURST}", FEATURES]


def _scheduler(cluster):
    path = cluster.folder / "scheduler.yaml"
    path.write_text(f"""apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
leaderElection: {{leaderElect: false}}
clientConnection:
  kubeconfig: {pki.kubeconfig_path(cluster, "scheduler")}
  qps: {CLIENT_QPS}
  burst: {CLIENT_BURST}
""")
    return [binaries.kubernetes_binary(cluster.cache, "kube-scheduler"), *_component(cluster, "scheduler"),
            f"--config={path}", FEATURES]


def _component(cluster, name):
    """Flags of controller manager and scheduler for health checks, authentication and authorization."""
    keys, own = pki.folder(cluster), pki.kubeconfig_path(cluster, name)
    return ["--bind-address=127.0.0.1", f"--secure-port={cluster.port(name)}",
            f"--tls-cert-file={keys / 'server.crt'}", f"--tls-private-key-file={keys / 'server.key'}",
            f"--authentication-kubeconfig={own}", f"--authorization-kubeconfig={own}",
            # Without it both read a config map that the API server may not have written yet.
            "--authentication-skip-lookup=true", "--profiling=false"]


def _write_wrapper(cluster):
    path = cluster.bin / "kubectl"
    path.write_text(f"""#!/bin/sh
# kubectl of the dev cluster {cluster.name}; as its administrator unless KUBECONFIG is set.
export KUBECONFIG="${{KUBECONFIG:-{pki.kubeconfig_path(cluster, "admin")}}}"
export KUBECACHEDIR="{cluster.folder / 'kubectl-cache'}" # not in the home folder, so that it is removed with the cluster
exec "{binaries.debian_binary(cluster.cache, "kubectl")}" "$@"
""")
    path.chmod(0o700)


# --- readiness --------------------------------------------------------------------------------------------------


def _api_server_is_ready(cluster):
    with api.Api(cluster, timeout=2) as server:
        return server.text("/readyz") == "ok"


def _http(port, path):
    return _body(http.client.HTTPConnection("127.0.0.1", port, timeout=2), path)


def _https(cluster, port, path):
    trust = ssl.create_default_context(cafile=pki.folder(cluster) / "ca.crt")
    return _body(http.client.HTTPSConnection("127.0.0.1", port, timeout=2, context=trust), path)


def _body(connection, path):
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.read().decode() if answer.status == 200 else ""
    finally:
        connection.close()
