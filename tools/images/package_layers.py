# SPDX-License-Identifier: Apache-2.0
"""The package layers of all images, compressed, in the cache of the dev cluster.

Guarantees  a set of layers is complete in the cache or absent; its name changes with the package lists; all layers of a
            set come from one package index.
Does not    install anything on this machine, nor run a maintainer script: what such scripts derive from the files of a
            package is done here, users and configuration are in system_layer.py.
"""

import hashlib
import json
import shutil
from dataclasses import dataclass
from pathlib import Path

import debian
import images
import progress
from slurm_root import PINS, SUITES  # the same Slurm and MariaDB as in the dev cluster

CONTENT = 1  # to be increased when finish_root changes
# Alternatives of Debian: link and the file beside it. A link is made in the layer that has the file.
ALTERNATIVES = {
    "usr/bin/awk": "mawk",
    "usr/bin/pager": "less",
    "usr/sbin/slurmctld": "slurmctld-wlm",
    "usr/sbin/slurmd": "slurmd-wlm",
    "usr/sbin/slurmstepd": "slurmstepd-wlm",
}
# Folders of the package base-files that its script replaces by links.
REPLACED_FOLDERS = {"var/run": "/run", "var/lock": "/run/lock"}
CERTIFICATES = "etc/ssl/certs/ca-certificates.crt"


@dataclass(frozen=True)
class PackageLayer:
    """libraries: names of the libraries that the dynamic linker finds without a search path."""
    layer: images.Layer
    libraries: frozenset


def fetch(cache, packages):
    """{name: PackageLayer} of {name: packages}, lowest layer first; downloaded and packed if the cache does not have them."""
    key = hashlib.sha256(repr((SUITES, PINS, packages, images.FORMAT, CONTENT)).encode()).hexdigest()[:12]
    folder = cache / f"image-layers-{key}"
    if not folder.is_dir():
        progress.say("fetching and packing the packages of the images (Debian; about 2 minutes, once)")
        debian.unpack_layers(packages, folder, SUITES, PINS, _pack)
    return {name: _read(folder, name) for name in packages}


def _pack(folder):
    """Replace each unpacked root by NAME.tar.gz and NAME.json."""
    for root in sorted(path for path in folder.iterdir() if path.is_dir()):
        finish_root(root)
        layer = images.layer_of_folder(root)
        (folder / f"{root.name}.tar.gz").write_bytes(layer.data)
        (folder / f"{root.name}.json").write_text(json.dumps({"diff_id": layer.diff_id, "libraries": _libraries(root)}))
        shutil.rmtree(root)


def _read(folder, name):
    described = json.loads((folder / f"{name}.json").read_text())
    return PackageLayer(images.Layer(described["diff_id"], (folder / f"{name}.tar.gz").read_bytes()),
                        frozenset(described["libraries"]))


def finish_root(root):
    """Do what maintainer scripts do with the files of the packages in root."""
    for link, target in ALTERNATIVES.items():
        path = root / link
        if (path.parent / target).exists() and not path.exists():
            path.symlink_to(target)
    for path, target in REPLACED_FOLDERS.items():
        if (root / path).is_dir():
            (root / path).rmdir()
            (root / path).symlink_to(target)
    certificates = sorted((root / "usr/share/ca-certificates").rglob("*.crt"))
    if certificates:
        _write(root / CERTIFICATES, "".join(path.read_text() for path in certificates))
    profile = root / "usr/share/base-files/profile"
    if profile.exists():
        _write(root / "etc/profile", profile.read_text())
    # The list of packages, because the image has no package database.
    _write(root / "usr/share/packages" / root.name, (root / "debs.lock").read_text())
    (root / "debs.lock").unlink()


def _write(path, text):
    for parent in reversed([parent for parent in path.parents if not parent.exists()]):
        parent.mkdir()
        parent.chmod(0o755)  # independent of the umask
    path.write_text(text)
    path.chmod(0o644)


def _libraries(root):
    found = [*Path(root).glob("usr/lib/*-linux-gnu/*.so*"), *Path(root).glob("usr/lib/*.so*")]
    return sorted(path.name for path in found)
