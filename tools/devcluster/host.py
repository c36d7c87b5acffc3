# SPDX-License-Identifier: Apache-2.0
"""Checks whether a dev cluster can run on this machine; if not, names what is missing and the command that installs it."""

import os
import platform
import shutil
import subprocess
from pathlib import Path

from debian import NotAvailable


def require(halves, real_nodes=False):
    """Raise NotAvailable for the first missing prerequisite. The content of the cache is checked by fetch."""
    if platform.system() != "Linux":
        raise NotAvailable("a dev cluster", f"this is {platform.system()}, the components are Linux programs",
                          "Run in a Debian container: docker run --privileged -it -v $PWD:/src -w /src debian:12")
    if "kubernetes" in halves:
        _need_command("openssl", "openssl", "Kubernetes' certificates")
    if real_nodes:
        _require_for_real_nodes()
    if "slurm" in halves:
        _need_command("unshare", "util-linux", "Slurm's private root")
        if os.geteuid() != 0:
            raise NotAvailable("Slurm", "its root folder needs mounts and chroot, which need root",
                              "Run the same command with: sudo -E; or without Slurm: devcluster up --only kubernetes")
        _need_private_mounts()


def _require_for_real_nodes():
    what = "a cluster with real nodes"
    for command in ("unshare", "nsenter", "pivot_root"):
        _need_command(command, "util-linux", what)
    _need_command("ip", "iproute2", what)
    if os.geteuid() != 0:
        raise NotAvailable(what, "namespaces, mounts and control groups need root", "Run the same command with: sudo -E")
    probe = ["ip", "link", "add", "probe", "type", "bridge"]  # ends with its namespace
    tried = subprocess.run(["unshare", "--mount", "--net", "--pid", "--fork", "--uts", "--ipc", *probe],
                           stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if tried.returncode != 0:
        raise NotAvailable(what, f"namespaces or network bridges are not allowed here ({tried.stderr.strip()})",
                          "In a container, start it with: docker run --privileged")
    if "overlay" not in Path("/proc/filesystems").read_text().split():
        raise NotAvailable(what, "the kernel has no overlayfs", "Load it with: modprobe overlay")
    groups = Path("/sys/fs/cgroup")
    if not (groups / "memory").is_dir() and not (groups / "cgroup.controllers").exists():  # v1, v2
        raise NotAvailable(what, "no control groups are mounted at /sys/fs/cgroup", "Mount them as systemd does")


def _need_command(command, package, what):
    if shutil.which(command) is None:
        raise NotAvailable(what, f"the command {command} is missing", f"Install it with: apt-get install {package}")


def _need_private_mounts():
    tried = subprocess.run(["unshare", "--mount", "--uts", "--propagation", "private", "true"],
                           stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if tried.returncode != 0:
        raise NotAvailable("Slurm's private root", f"mount namespaces are not allowed here ({tried.stderr.strip()})",
                          "In a container, start it with: docker run --privileged")
