# SPDX-License-Identifier: Apache-2.0
"""kwok: simulates the kubelet of every node. The lifecycle of pods is in kwok.yaml."""

from pathlib import Path

import binaries
import pki

LIFE_OF_PODS = Path(__file__).resolve().parent / "kwok.yaml"


def command(cluster):
    return [binaries.kwok_binary(cluster.cache), f"--config={LIFE_OF_PODS}",
            f"--kubeconfig={pki.kubeconfig_path(cluster, 'kwok')}",
            f"--server-address=127.0.0.1:{cluster.port('kwok')}",
            "--manage-nodes-with-label-selector=type=kwok",
            "--v=WARN",  # at INFO it writes 50 lines a second about the leases of 500 nodes
            # Like a kubelet: a Lease of 40 s, renewed every 10 s.
            "--node-lease-duration-seconds=40", "--cidr=10.64.0.0/12"]
