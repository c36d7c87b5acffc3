# SPDX-License-Identifier: Apache-2.0
"""Common to both kinds of demo: the bridge as a recorded component, and one demo at a time."""

import contextlib
import fcntl
import os
import subprocess
from pathlib import Path

import process
from cluster import Cluster

TOP = Path(__file__).resolve().parents[2]
BRIDGE = "slurm-bridge"
EXAMPLES = tuple(f"examples/{name}.yaml" for name in ("pod", "gpu-pod", "job", "waiting"))
NO_PORTS = ["--metrics-bind-address=0", "--health-probe-bind-address=0"]  # 8080 is often in use


class CannotStart(Exception):
    """str() names what is missing and what to do; exit_code is the exit code of the demo."""

    def __init__(self, message, exit_code=1):
        super().__init__(message)
        self.exit_code = exit_code


class Busy(CannotStart):
    """Another demo is running: it must not be stopped."""


def built_program(name, variable=None):
    """The program of the environment variable, else of the release build, else of the dev build."""
    named = os.environ.get(variable) if variable else None
    candidates = [Path(named)] if named else [TOP / "build" / preset / "bin" / name for preset in ("release", "dev")]
    for path in candidates:
        if os.access(path, os.X_OK):
            return path.resolve()
    if named:
        raise CannotStart(f"{variable} is {named}, which is not a program")
    raise CannotStart(f"{name} is not built yet; build it with: tools/build release {name}")


def build(name):
    """Compile a program of the release build; its progress is shown."""
    if subprocess.run([TOP / "tools/build", "release", name]).returncode != 0:
        raise CannotStart(f"{name} cannot be built (see above)")


class BridgeProcess:
    """The bridge, recorded as a component of a cluster, and the workloads that the demo runs with it."""
    EXAMPLES = EXAMPLES

    def __init__(self, name):
        self.cluster = Cluster(name)
        self.log = self.cluster.logs / f"{BRIDGE}.log"
        self._lock = None

    @property
    def exists(self):
        return self.cluster.exists

    def hold(self):
        """One demo at a time: Busy if there is another. The kernel releases the lock when this process ends."""
        if self._lock is not None:
            return
        self._lock = os.open(self.cluster.run, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Busy("another demo is running on this machine; wait for it, or: tools/demo stop") from None

    def launch_bridge(self, program, config, environment):
        """Start a new one: a bridge that an earlier demo started may be an older build."""
        self.stop_bridge()
        self.log.unlink(missing_ok=True)
        self.start(BRIDGE, [program, "all", "--config", config, "-zap-encoder", "console", *NO_PORTS], env=environment,
                   ready=lambda: b" running " in self.log.read_bytes())

    def start(self, name, command, **options):
        try:
            process.start(self.cluster, name, command, **options)
        except process.ComponentFailed as error:
            raise CannotStart(str(error)) from error

    def outputs(self, _pods):
        """{name of a pod: output of its container}; None if nodes only simulate containers."""
        return None

    @property
    def bridge_runs(self):
        return process.pid(self.cluster, BRIDGE) is not None

    def bridge_log(self, lines):
        return process.last_lines(self.cluster, BRIDGE, lines)

    def stop_bridge(self):
        with contextlib.suppress(FileNotFoundError):
            process.stop(self.cluster, BRIDGE)
