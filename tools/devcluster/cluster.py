# SPDX-License-Identifier: Apache-2.0
"""One cluster: its name, folders, ports and options, kept as JSON in its state folder.

Guarantees  a port is reserved once and never given to a second cluster of the same state root; options survive
            between runs; only the process that holds lock() starts or stops components.
Does not    start anything.
"""

import contextlib
import fcntl
import json
import os
import random
import re
import shutil
import socket
from pathlib import Path

import real_node

# One node, the same in Kubernetes and in Slurm.
NODE_CPUS = 32
NODE_MEMORY_MIB = 131072
NODE_GPUS = 8
NODE_GPU_TYPE = "a100"

MAX_NODES = 500
DEFAULTS = {"nodes": 16, "profile": "fast", "dynamic": 0, "slurmd": 1, "gpus": NODE_GPUS, "real_nodes": 0, "halves": []}

# Below the kernel's range for outgoing connections (32768 and up), so that no client socket uses a port of a cluster.
PORTS = range(20000, 30000)


def state_root():
    """Folder with the state of all clusters."""
    return _folder("SLURM_BRIDGE_STATE", "XDG_STATE_HOME", ".local/state")


def cache_root():
    """Folder with fetched and built binaries, shared by all clusters."""
    return _folder("SLURM_BRIDGE_CACHE", "XDG_CACHE_HOME", ".cache")


def _folder(own, xdg, default):
    if os.environ.get(own):
        return Path(os.environ[own]).absolute()
    return Path(os.environ.get(xdg) or Path.home() / default).absolute() / "slurm-bridge"


def known_clusters():
    """Names of the clusters that have state on this machine."""
    root = state_root()
    if not root.is_dir():
        return []
    return sorted(entry.name for entry in root.iterdir() if entry.is_dir() and valid_name(entry.name))


def valid_name(name):
    return re.fullmatch(r"[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?", name) is not None


class Cluster:
    """Cluster(name) reads the recorded state; a cluster that was never saved has the default options."""

    def __init__(self, name):
        if not valid_name(name):
            raise ValueError(f"{name!r} is not a cluster name: use 1-32 of a-z, 0-9 and inner dashes")
        self.name = name
        self.folder = state_root() / name
        self.logs = self.folder / "logs"
        self.run = self.folder / "run"
        self.bin = self.folder / "bin"
        self.cache = cache_root()
        self.load()

    @property
    def node_names(self):
        """The nodes that run pods, the same in Kubernetes and Slurm."""
        if self.options["real_nodes"]:
            return real_node.worker_names(self.options["real_nodes"])
        return [f"k{number:03}" for number in range(1, self.options["nodes"] + 1)]

    @property
    def exists(self):
        return self.folder.is_dir()

    def create(self):
        """Create the folders (0700: they hold keys and tokens). An existing cluster is not changed."""
        for folder in (self.folder, self.logs, self.run, self.bin):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def remove(self):
        """Delete the state folder; the caller has stopped all components."""
        shutil.rmtree(self.folder, ignore_errors=False)
        with contextlib.suppress(OSError):  # another cluster uses the folder
            state_root().rmdir()

    def load(self):
        self.ports, self.options = {}, dict(DEFAULTS)
        with contextlib.suppress(FileNotFoundError):
            saved = json.loads(self._file().read_text())
            self.ports.update(saved["ports"])
            self.options.update(saved["options"])

    def save(self):
        draft = self._file().with_suffix(".draft")
        draft.write_text(json.dumps({"ports": self.ports, "options": self.options}, indent=1))
        os.replace(draft, self._file())

    def port(self, name, preferred=None):
        """The loopback port of that name, the preferred one if it is free; reserved and recorded at the first call."""
        with _locked(state_root()):
            if name not in self.ports:
                self.ports[name] = _free_port(self._ports_of_all(), preferred)
                self.save()
            return self.ports[name]

    @contextlib.contextmanager
    def lock(self, waiting=lambda: None):
        """Hold the cluster for starting and stopping. waiting() is called once if another process holds it."""
        self.create()
        with _locked(self.folder, waiting):
            self.create()  # the previous holder may have been `down`
            self.load()
            yield

    def _file(self):
        return self.folder / "cluster.json"

    def _ports_of_all(self):
        taken = set(self.ports.values())
        for name in known_clusters():
            if name != self.name:
                taken.update(Cluster(name).ports.values())
        return taken


def _free_port(taken, preferred=None):
    # At random: clusters of different state roots do not see each other's reservations.
    for port in ([preferred] if preferred else []) + random.sample(PORTS, len(PORTS)):
        if port not in taken and _can_bind(port):
            return port
    raise RuntimeError(f"no free port between {PORTS.start} and {PORTS.stop - 1}")


def _can_bind(port):
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
            return True
        except OSError:
            return False


@contextlib.contextmanager
def _locked(folder, waiting=lambda: None):
    """Exclusive lock on a folder itself: there is no lock file to leave behind, and a crash frees it."""
    while True:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                waiting()
                fcntl.flock(handle, fcntl.LOCK_EX)
            if _still_there(folder, handle):
                yield
                return
        finally:
            os.close(handle)


def _still_there(folder, handle):
    """Whether the locked folder is the one at that path: `down` may have removed it while we waited."""
    try:
        return os.path.samestat(os.stat(folder), os.fstat(handle))
    except FileNotFoundError:
        return False
