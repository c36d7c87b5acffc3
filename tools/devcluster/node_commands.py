# SPDX-License-Identifier: Apache-2.0
"""Commands for users of real nodes, in the cluster's bin folder: helm, and crictl inside a node."""

import shlex
from pathlib import Path

import node_software
import pki

HELM = """#!/bin/sh
# helm of the dev cluster {name}; as its administrator unless KUBECONFIG is set. Its files are removed with the cluster.
export KUBECONFIG="${{KUBECONFIG:-{kubeconfig}}}"
export HELM_CACHE_HOME={folder}/helm/cache HELM_CONFIG_HOME={folder}/helm/config HELM_DATA_HOME={folder}/helm/data
exec {program} "$@"
"""

CRICTL = """#!/bin/sh
# crictl inside the node $NODE of the dev cluster {name}; by default inside the first worker.
exec {tool} exec --name {name} "${{NODE:-{worker}}}" crictl "$@"
"""


def write(cluster):
    tool = Path(__file__).resolve().parent / "devcluster"
    _script(cluster.bin / "helm", HELM.format(
        name=cluster.name, kubeconfig=pki.kubeconfig_path(cluster, "admin"), folder=shlex.quote(str(cluster.folder)),
        program=shlex.quote(str(node_software.program(cluster.cache, "helm")))))
    _script(cluster.bin / "crictl", CRICTL.format(
        name=cluster.name, tool=shlex.quote(str(tool)), worker=cluster.node_names[0]))


def _script(path, text):
    path.write_text(text)
    path.chmod(0o700)
