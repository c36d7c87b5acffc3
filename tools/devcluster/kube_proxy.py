# SPDX-License-Identifier: Apache-2.0
"""kube-proxy of one real node: the addresses of Services and node ports."""

import node_files
import node_namespace
import node_sockets
import process
import real_node

HEALTH_PORT = 10256

# conntrack: 0 leaves the kernel's settings, which all nodes share, unchanged.
CONFIG = """apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
mode: nftables
clusterCIDR: {pods}
hostnameOverride: {name}
bindAddress: {address}
healthzBindAddress: 127.0.0.1:{health_port}
metricsBindAddress: 127.0.0.1:10249
clientConnection: {{kubeconfig: /etc/kubernetes/kube-proxy.kubeconfig}}
conntrack: {{maxPerCore: 0, min: 0, tcpEstablishedTimeout: 0s, tcpCloseWaitTimeout: 0s}}
"""


def component(node):
    return f"kube-proxy-{node.name}"


def start(cluster, node):
    node_files.write(node.folder / "kubernetes/kube-proxy.yaml", CONFIG.format(
        pods=real_node.POD_NETWORK, name=node.name, address=node.address, health_port=HEALTH_PORT))
    argv = node_namespace.inside(cluster, node, ["kube-proxy", "--config=/etc/kubernetes/kube-proxy.yaml"])
    process.start(cluster, component(node), argv, env=node_namespace.ENVIRONMENT, ready=ready(cluster, node),
                  wrapped=True)


def ready(cluster, node):
    return lambda: node_sockets.http_body(node_namespace.first_process(cluster, node), HEALTH_PORT, "/livez") != ""
