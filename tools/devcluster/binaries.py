# SPDX-License-Identifier: Apache-2.0
"""The binaries of a cluster: their versions, their paths in the cache, and how they are fetched.

Guarantees  a binary is complete in the cache or absent: an interrupted fetch can be repeated; two fetches at
            the same time share the work.
Does not    write outside the cache (and Go's own caches).
"""

import contextlib
import fcntl
import functools
import json
import shutil
import threading
from pathlib import Path

import debian
import golang
import kwok_source
import node_software
import progress
import slurm
import together

KUBERNETES_VERSION = node_software.KUBERNETES_VERSION

_HERE = Path(__file__).resolve().parent
_COMMANDS = ("kube-apiserver", "kube-controller-manager", "kube-scheduler")


def kubernetes_binary(cache, name):
    return cache / f"kubernetes-{KUBERNETES_VERSION}" / name


def kwok_binary(cache):
    return cache / f"kwok-{kwok_source.BUILD}" / "kwok"


def debian_binary(cache, name):
    """etcd or kubectl. They are Go programs and do not need the unpacked C library."""
    return cache / "etcd-kubectl-forky" / "usr/bin" / name


def fetch(cache, halves, real_nodes=False):
    """Fill the cache for the named halves ("kubernetes", "slurm") and for real nodes; returns at once if it is complete."""
    cache.mkdir(parents=True, exist_ok=True)
    work = {}  # downloads continue while the compiler uses the processors
    if "kubernetes" in halves:
        work["etcd"] = functools.partial(_fetch_etcd_and_kubectl, cache)
        work["Kubernetes"] = functools.partial(_build_with_go, cache, real_nodes)
    if "slurm" in halves:
        work["Slurm"] = functools.partial(_fetch_slurm, cache)
    for error in together.run(work, stop_at_first=True).values():
        raise error


def _fetch_etcd_and_kubectl(cache):
    folder = debian_binary(cache, "").parents[1]
    if not folder.is_dir():
        progress.say("fetching etcd and kubectl (Debian)")
        debian.unpack(["etcd-server", "kubectl"], folder)


def _fetch_slurm(cache):
    slow = threading.Timer(1, progress.say, ["fetching Slurm and MariaDB (Debian)"])  # not shown if it is complete
    slow.start()
    try:
        slurm.fetch(cache)
    finally:
        slow.cancel()


def _build_with_go(cache, real_nodes):
    wanted = ((kubernetes_binary(cache, ""), _build_kubernetes), (kwok_binary(cache).parent, _build_kwok))
    missing = [(folder, build) for folder, build in wanted if not folder.is_dir()]
    if missing:
        go = golang.find(cache)
        for folder, build in missing:
            with _made_whole(folder) as draft:
                if draft is not None:
                    build(go, draft)
    if real_nodes:
        node_software.fetch(cache)  # after the control plane: most packages are then compiled


def _build_kubernetes(go, draft):
    major, minor, _ = KUBERNETES_VERSION.split(".")
    stamp = "-X k8s.io/component-base/version."
    go.build(_HERE / "go/kubernetes", ".", draft / "kubernetes",
             f"building Kubernetes {KUBERNETES_VERSION} (about 5 minutes on 2 cores, once)",
             ldflags=f"-s -w {stamp}gitVersion=v{KUBERNETES_VERSION} {stamp}gitMajor={major} {stamp}gitMinor={minor}")
    for name in _COMMANDS:
        (draft / name).symlink_to("kubernetes")


def _build_kwok(go, draft):
    module = json.loads(go.output(draft, "mod", "download", "-json", f"{kwok_source.MODULE}@v{kwok_source.VERSION}"))
    source = draft / "source"
    kwok_source.prepare(module, source)
    go.build(source, "./cmd/kwok", draft / "kwok", f"building kwok {kwok_source.VERSION} (about a minute, once)")
    shutil.rmtree(source)


@contextlib.contextmanager
def _made_whole(folder):
    """A draft folder that becomes `folder` when the block succeeds; None if another process has just created it."""
    with open(folder.parent / f".{folder.name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if folder.is_dir():
            yield None
            return
        draft = folder.parent / f".{folder.name}.partial"
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir()
        yield draft
        draft.rename(folder)
