# SPDX-License-Identifier: Apache-2.0
"""Container images without a container engine: OCI archives that `ctr images import` and `docker load` read.

Guarantees  equal files give equal archives: owners are root, times are zero, entries are sorted; equal layers of two
            images have equal digests, so a node stores them once.
Does not    pull, push or run anything.
"""

import gzip
import hashlib
import io
import json
import os
import stat
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path

FORMAT = 1  # to be increased when the content of archives changes
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
DEFAULT_PATH = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


@dataclass(frozen=True)
class Layer:
    """One compressed file system layer. diff_id is the digest of the uncompressed tar."""
    diff_id: str
    data: bytes


@dataclass(frozen=True)
class Image:
    """layers: lowest first. user: "uid:gid"; empty means root."""
    reference: str
    layers: tuple
    entrypoint: tuple = ()
    environment: tuple = (DEFAULT_PATH,)
    working_folder: str = "/"
    user: str = ""


def layer_of_files(files, links=None):
    """A layer of {path in the image: file on this machine} and symbolic links {path: target}."""
    links = links or {}
    entries = {}
    for path in (*files, *links):
        for parent in Path(path).parents:
            if str(parent) != ".":
                entries[str(parent)] = _folder(str(parent))
    for path, source in files.items():
        entries[path] = _file(path, Path(source))
    for path, target in links.items():
        entries[path] = _link(path, target)
    return _layer(entries[path] for path in sorted(entries))


def layer_of_folder(root):
    """A layer with the content of a folder on this machine."""
    root = Path(root)
    paths = sorted(path for path in root.rglob("*"))
    return _layer(_entry(path, str(path.relative_to(root))) for path in paths)


def write_archive(path, image):
    """Write an OCI archive of one image; complete or absent."""
    blobs = {}
    layers = [_add(blobs, layer.data, "application/vnd.oci.image.layer.v1.tar+gzip") for layer in image.layers]
    config = _add(blobs, _json(_config(image)), "application/vnd.oci.image.config.v1+json")
    manifest = _add(blobs, _json({"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
                                  "config": config, "layers": layers}), "application/vnd.oci.image.manifest.v1+json")
    index = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [
        {**manifest, "platform": {"architecture": _architecture(), "os": "linux"}, "annotations": {
            "io.containerd.image.name": image.reference,
            "org.opencontainers.image.ref.name": image.reference.rsplit(":", 1)[-1]}}]}
    contents = {"oci-layout": _json({"imageLayoutVersion": "1.0.0"}), "index.json": _json(index)}
    contents.update({f"blobs/sha256/{digest}": data for digest, data in sorted(blobs.items())})
    draft = path.with_name(f".{path.name}.draft")
    with tarfile.open(draft, "w") as archive:
        for name, data in contents.items():
            entry = _clean(tarfile.TarInfo(name), 0o644)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    os.replace(draft, path)


def _config(image):
    settings = {"Env": list(image.environment), "Entrypoint": list(image.entrypoint), "WorkingDir": image.working_folder}
    if image.user:
        settings["User"] = image.user
    return {"architecture": _architecture(), "os": "linux", "config": settings,
            "rootfs": {"type": "layers", "diff_ids": [f"sha256:{layer.diff_id}" for layer in image.layers]},
            "history": [{"created_by": "tools/devcluster/images.py"} for _ in image.layers]}


def _add(blobs, data, media_type):
    digest = hashlib.sha256(data).hexdigest()
    blobs[digest] = data
    return {"mediaType": media_type, "digest": f"sha256:{digest}", "size": len(data)}


def _layer(entries):
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for entry, source in entries:
            if source is None:
                archive.addfile(entry)
            else:
                with open(source, "rb") as content:
                    archive.addfile(entry, content)
    data = raw.getvalue()
    return Layer(hashlib.sha256(data).hexdigest(), gzip.compress(data, 1, mtime=0))


def _entry(path, name):
    """(TarInfo, file with its content or None) of one path of a folder; sockets and devices are refused."""
    mode = path.lstat().st_mode
    if stat.S_ISLNK(mode):
        return _link(name, os.readlink(path))
    if stat.S_ISDIR(mode):
        return _folder(name, stat.S_IMODE(mode))
    if stat.S_ISREG(mode):
        return _file(name, path)
    raise ValueError(f"{path} is neither a file, a folder nor a link")


def _folder(name, mode=0o755):
    entry = _clean(tarfile.TarInfo(name), mode)
    entry.type = tarfile.DIRTYPE
    return entry, None


def _link(name, target):
    entry = _clean(tarfile.TarInfo(name), 0o777)
    entry.type, entry.linkname = tarfile.SYMTYPE, target
    return entry, None


def _file(name, source):
    status = source.stat()
    entry = _clean(tarfile.TarInfo(name), stat.S_IMODE(status.st_mode))
    entry.size = status.st_size
    return entry, source


def _clean(entry, mode):
    entry.uid = entry.gid = entry.mtime = 0
    entry.uname = entry.gname = "root"
    entry.mode = mode
    return entry


def _architecture():
    return ARCHITECTURES.get(os.uname().machine, os.uname().machine)


def _json(value):
    return json.dumps(value, separators=(",", ":"), sort_keys=True).encode()


def main(arguments):
    """images.py ARCHIVE REFERENCE FOLDER...: one layer per folder, lowest first."""
    if len(arguments) < 3:
        sys.exit(main.__doc__)
    archive, reference, *folders = arguments
    write_archive(Path(archive), Image(reference, tuple(layer_of_folder(folder) for folder in folders)))


if __name__ == "__main__":
    main(sys.argv[1:])
