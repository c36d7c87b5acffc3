# SPDX-License-Identifier: Apache-2.0
"""containerd of one real node, and the import of image archives into it.

Guarantees  an archive is imported once per content; images are never pulled.
"""

import hashlib
import subprocess

import node_files
import node_namespace
import node_software
import process

SOCKET = "/run/containerd/containerd.sock"

# restrict_oom_score_adj: a machine may run without the capability SYS_RESOURCE.
# discard_unpacked_layers: half the disk space.
CONFIG = """version = 3
root = '/var/lib/containerd'
state = '/run/containerd'
disabled_plugins = ['io.containerd.snapshotter.v1.blockfile', 'io.containerd.snapshotter.v1.btrfs',
  'io.containerd.snapshotter.v1.devmapper', 'io.containerd.snapshotter.v1.erofs', 'io.containerd.snapshotter.v1.zfs',
  'io.containerd.nri.v1.nri', 'io.containerd.tracing.processor.v1.otlp']

[grpc]
  address = '{socket}'

[plugins.'io.containerd.cri.v1.images']
  snapshotter = 'overlayfs'
  discard_unpacked_layers = true
  [plugins.'io.containerd.cri.v1.images'.pinned_images]
    sandbox = '{sandbox}'

[plugins.'io.containerd.cri.v1.runtime']
  disable_apparmor = true
  restrict_oom_score_adj = true
  [plugins.'io.containerd.cri.v1.runtime'.containerd]
    default_runtime_name = 'runc'
    [plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc]
      runtime_type = 'io.containerd.runc.v2'
      [plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc.options]
        SystemdCgroup = false
  [plugins.'io.containerd.cri.v1.runtime'.cni]
    bin_dirs = ['/usr/lib/cni']
    conf_dir = '/etc/kubernetes/cni'
"""

NETWORK = """{{"cniVersion": "1.0.0", "name": "pods", "plugins": [
  {{"type": "bridge", "bridge": "cni0", "isGateway": true, "ipMasq": false, "hairpinMode": true,
    "ipam": {{"type": "host-local", "ranges": [[{{"subnet": "{subnet}"}}]], "routes": [{{"dst": "0.0.0.0/0"}}],
              "dataDir": "/run/cni"}}}},
  {{"type": "portmap", "capabilities": {{"portMappings": true}}}}]}}
"""


class ImportFailed(Exception):
    """An image archive could not be imported into a node."""


def component(node):
    return f"containerd-{node.name}"


def start(cluster, node):
    folder = node.folder / "kubernetes"
    (folder / "cni").mkdir(exist_ok=True)
    node_files.write(folder / "cni/10-pods.conflist", NETWORK.format(subnet=node.pod_subnet))
    node_files.write(folder / "containerd.toml", CONFIG.format(socket=SOCKET, sandbox=node_software.IMAGES["pause"]))
    argv = node_namespace.inside(cluster, node, ["containerd", "--config", "/etc/kubernetes/containerd.toml"])
    process.start(cluster, component(node), argv, env=node_namespace.ENVIRONMENT, ready=ready(cluster, node),
                  wrapped=True)


def ready(cluster, node):
    return lambda: _run(cluster, node, ["ctr", "version"]).returncode == 0


def import_images(cluster, node, archives):
    """Import the archives that this node does not have yet."""
    for archive in archives:
        imported = node.folder / "imported" / _identity(archive)
        if not imported.exists():
            with open(archive, "rb") as content:
                done = _run(cluster, node, ["ctr", "--namespace", "k8s.io", "images", "import", "--local", "-"], content)
            if done.returncode != 0:
                raise ImportFailed(f"{archive.name} could not be imported into {node.name}: {done.stderr.strip()}")
            imported.parent.mkdir(exist_ok=True)
            imported.touch()


def _identity(archive):
    status = archive.stat()
    return hashlib.sha256(f"{archive} {status.st_size} {status.st_mtime_ns}".encode()).hexdigest()[:16]


def _run(cluster, node, argv, stdin=subprocess.DEVNULL):
    return subprocess.run(node_namespace.inside(cluster, node, argv), stdin=stdin, env=node_namespace.ENVIRONMENT,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
