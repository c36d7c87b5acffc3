# SPDX-License-Identifier: Apache-2.0
"""kubelet of one real node."""

import node_cgroups
import node_files
import node_namespace
import node_sockets
import pki
import process
import real_node
from containerd import SOCKET

HEALTH_PORT = 10248

# JSON is YAML: the values below are written as they are read by a kubelet.
CONFIG = """apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
address: {address}
port: 10250
readOnlyPort: 0
healthzBindAddress: 127.0.0.1
healthzPort: {health_port}
authentication: {{anonymous: {{enabled: false}}, webhook: {{enabled: true}}, x509: {{clientCAFile: /etc/kubernetes/ca.crt}}}}
authorization: {{mode: Webhook}}
tlsCertFile: /etc/kubernetes/kubelet.crt
tlsPrivateKeyFile: /etc/kubernetes/kubelet.key
containerRuntimeEndpoint: unix://{socket}
cgroupDriver: cgroupfs
cgroupRoot: /{cgroup}
cgroupsPerQOS: true
enforceNodeAllocatable: [pods]
failCgroupV1: false
failSwapOn: false
clusterDNS: [{dns}]
clusterDomain: {domain}
resolvConf: /etc/kubernetes/resolv.conf
# All nodes share one disk and one memory: a full machine must not evict the pods of every node at once.
evictionHard: {{memory.available: {reserved}Mi, nodefs.available: 1%, imagefs.available: 1%, nodefs.inodesFree: 1%}}
imageGCHighThresholdPercent: 100
makeIPTablesUtilChains: false
nodeStatusUpdateFrequency: 5s
syncFrequency: 10s
configMapAndSecretChangeDetectionStrategy: Watch
volumePluginDir: /var/lib/kubelet/volume-plugins
"""


def component(node):
    return f"kubelet-{node.name}"


def start(cluster, node):
    folder = node.folder / "kubernetes"
    pki.write_node_files(cluster, node, folder)
    node_files.write(folder / "resolv.conf", f"nameserver {real_node.DNS_ADDRESS}\n")
    node_files.write(folder / "kubelet.yaml", CONFIG.format(
        address=node.address, socket=SOCKET, cgroup=node_cgroups.name(cluster, node), dns=real_node.DNS_ADDRESS,
        domain=real_node.DNS_DOMAIN, health_port=HEALTH_PORT,
        reserved=real_node.RESERVED_MEMORY_MIB))
    argv = ["kubelet", "--config=/etc/kubernetes/kubelet.yaml", "--kubeconfig=/etc/kubernetes/kubelet.kubeconfig",
            f"--hostname-override={node.name}", f"--node-ip={node.address}", "--cert-dir=/var/lib/kubelet/pki"]
    process.start(cluster, component(node), node_namespace.inside(cluster, node, argv), env=node_namespace.ENVIRONMENT,
                  ready=ready(cluster, node), timeout=120, wrapped=True)


def ready(cluster, node):
    return lambda: node_sockets.http_body(node_namespace.first_process(cluster, node), HEALTH_PORT, "/healthz") == "ok"
