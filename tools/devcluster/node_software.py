# SPDX-License-Identifier: Apache-2.0
"""The software of real nodes in the cache: a Debian root folder, programs built from Go modules, image archives.

Guarantees  every folder is complete in the cache or absent; its name changes with its content; Go modules are accepted
            only with the checksums below.
Does not    install anything on this machine.
"""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

import debian
import golang
import images

KUBERNETES_VERSION = "1.36.4"

_HERE = Path(__file__).resolve().parent

SUITE = "forky"
# What kubelet, kube-proxy and containerd call, and a shell for the administrator of a node.
ROOT_PACKAGES = ("containerd", "runc", "containernetworking-plugins", "nftables", "iptables", "conntrack", "mount",
                 "util-linux", "bash", "coreutils", "findutils", "grep", "procps", "iproute2", "libc-bin")
ROOT_ETC = {
    "passwd": "root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65534::/nonexistent:/bin/sh\n",
    "group": "root:x:0:\nnogroup:x:65534:\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
    # crictl reads this file by default.
    "crictl.yaml": "runtime-endpoint: unix:///run/containerd/containerd.sock\n"
                   "image-endpoint: unix:///run/containerd/containerd.sock\ntimeout: 10\n",
}
# Mount points of a node (node_namespace.py).
ROOT_FOLDERS = ("proc", "sys", "dev", "run", "tmp", "root", "mnt", "shared", "etc/kubernetes", "etc/cni", "var/log",
                "var/lib/kubelet", "var/lib/containerd", "opt/kubernetes", "opt/crictl", "opt/pause")


class UnexpectedModule(Exception):
    """A Go module has another checksum than expected."""


@dataclass(frozen=True)
class GoModule:
    """A program that is built from the unchanged source of a Go module."""
    module: str
    version: str
    checksum: str
    package: str


MODULES = {
    "crictl": GoModule("sigs.k8s.io/cri-tools", "1.36.0",
        "h1:Xt+LLvBVH1Fnp/AR2EyHApyWS/88y2KlWjlDc2HR+aw=", "./cmd/crictl"),
    "metrics-server": GoModule("sigs.k8s.io/metrics-server", "0.9.0",
        "h1:nlqqZ2H0Xfko8eJC/1qaNVVT17hu4rxndkOi22KTZ4w=", "./cmd/metrics-server"),
    "helm": GoModule("helm.sh/helm/v3", "3.22.0",
        "h1:n1if5iQgHYsujPAcO5oonH/KiSNUmqmUF0iGVjSF3AU=", "./cmd/helm"),
}
# Programs with a main package of ours, and the folder below go/.
OWN = {"coredns": "coredns", "pause": "pause"}


def root(cache):
    """Root folder of every node, read-only."""
    return cache / f"node-root-{SUITE}-{_key(ROOT_PACKAGES, ROOT_ETC, ROOT_FOLDERS)}"


def kubernetes_folder(cache):
    """Folder with kubelet and kube-proxy."""
    return cache / f"kubernetes-node-{KUBERNETES_VERSION}"


def program(cache, name):
    """crictl, metrics-server, helm, coredns or pause."""
    if name in MODULES:
        return cache / f"{name}-{MODULES[name].version}" / name
    folder = _HERE / "go" / OWN[name]
    return cache / f"{name}-{_key(*(path.read_bytes() for path in sorted(folder.iterdir())))}" / name


def image_archives(cache):
    """{reference: archive} of the images that every node has."""
    folder = _images_folder(cache)
    return {reference: folder / f"{name}.tar" for name, reference in IMAGES.items()}


# The versions are part of the contract with manifests: they are never pulled, so a tag must name one content.
IMAGES = {
    "pause": "localhost/pause:1",
    "busybox": "localhost/busybox:1",
    "coredns": "localhost/coredns:1.15.0",
    "metrics-server": f"localhost/metrics-server:{MODULES['metrics-server'].version}",
}


def fetch(cache):
    """Fill the cache; returns at once if it is complete."""
    debian.unpack(ROOT_PACKAGES, root(cache), (SUITE,), finish=_finish_root)
    missing = [name for name in (*MODULES, *OWN) if not program(cache, name).exists()]
    if missing or not kubernetes_folder(cache).is_dir():
        go = golang.find(cache)
        debian.made_once(kubernetes_folder(cache), lambda folder: _build_kubernetes(go, folder))
        for name in missing:
            build = _build_module if name in MODULES else _build_own
            debian.made_once(program(cache, name).parent, lambda folder, name=name, build=build: build(go, name, folder))
    busybox = debian.unpack(("busybox-static",), cache / f"busybox-static-{SUITE}", (SUITE,))
    debian.made_once(_images_folder(cache), lambda folder: _pack_images(cache, busybox, folder))


def _finish_root(folder):
    for path in ROOT_FOLDERS:
        (folder / path).mkdir(mode=0o755, parents=True, exist_ok=True)
    (folder / "tmp").chmod(0o1777)
    for name, text in ROOT_ETC.items():
        (folder / "etc" / name).write_text(text)
    for name in ("iptables", "ip6tables"):  # made by a maintainer script in an installed Debian
        for suffix in ("", "-save", "-restore"):
            link = folder / "usr/sbin" / f"{name}{suffix}"
            if not link.is_symlink():
                link.symlink_to("xtables-nft-multi")


def _build_kubernetes(go, folder):
    major, minor, _ = KUBERNETES_VERSION.split(".")
    stamp = "-X k8s.io/component-base/version."
    go.build(_HERE / "go/kubernetes", "./node", folder / "node",
             f"building kubelet and kube-proxy {KUBERNETES_VERSION} (about 30 s after the control plane, once)",
             ldflags=f"-s -w {stamp}gitVersion=v{KUBERNETES_VERSION} {stamp}gitMajor={major} {stamp}gitMinor={minor}")
    for name in ("kubelet", "kube-proxy"):
        (folder / name).symlink_to("node")


def _build_module(go, name, folder):
    wanted = MODULES[name]
    found = json.loads(go.output(folder, "mod", "download", "-json", f"{wanted.module}@v{wanted.version}"))
    if found.get("Sum") != wanted.checksum:
        raise UnexpectedModule(f"{wanted.module} v{wanted.version} has checksum {found.get('Sum')}, "
                               f"expected {wanted.checksum}")
    go.build(found["Dir"], wanted.package, folder / name, f"building {name} {wanted.version} (about a minute, once)")


def _build_own(go, name, folder):
    go.build(_HERE / "go" / OWN[name], ".", folder / name, f"building {name}")


def _images_folder(cache):
    programs = [str(program(cache, name).parent.name) for name in ("pause", "coredns", "metrics-server")]
    return cache / f"node-images-{_key(IMAGES, programs, images.FORMAT)}"


def _pack_images(cache, busybox, folder):
    files = {"pause": {"pause": program(cache, "pause")}, "coredns": {"coredns": program(cache, "coredns")},
             "metrics-server": {"metrics-server": program(cache, "metrics-server")},
             "busybox": {"bin/busybox": busybox / "usr/bin/busybox"}}
    for name, reference in IMAGES.items():
        links = {f"bin/{applet}": "busybox" for applet in BUSYBOX_APPLETS} if name == "busybox" else {}
        command = ["/bin/sh"] if name == "busybox" else [f"/{name}"]
        layer = images.layer_of_files(files[name], links)
        images.write_archive(folder / f"{name}.tar", images.Image(reference, (layer,), entrypoint=tuple(command)))


BUSYBOX_APPLETS = """sh ash awk cat cut date df echo env false find grep head hostname httpd id ip kill ls mkdir mount nc nslookup
ping printf ps rm sed seq sleep sort stat tail tar telnet test timeout touch tr true uname vi wc wget""".split()


def _key(*parts):
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:12]
