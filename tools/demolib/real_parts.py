# SPDX-License-Identifier: Apache-2.0
"""The cluster and the bridge that the demo runs on.

Guarantees  the bridge runs as it would in a pod of its own ServiceAccount, never as administrator; it is recorded as a
            part of the cluster, so that `devcluster down` ends it too, whatever became of the demo.
"""

import contextlib
import fcntl
import os
import re
import shlex
import signal
import subprocess
from pathlib import Path

import process
import screen
from cluster import Cluster

TOP = Path(__file__).resolve().parents[2]
TOOL = TOP / "tools/devcluster/devcluster"
NAME = "demo"
BRIDGE = "slurm-bridge"
NO_PORTS = ["--metrics-bind-address=0", "--health-probe-bind-address=0"]  # 8080 is often taken
CANNOT_BE_HAD = 3  # devcluster's exit code

CONFIG = """# Written by tools/demo.
schedulerName: slurm-bridge-scheduler
slurmRestApi: {slurm}
managedNamespaces: [slurm-bridge]
mcsLabel: kubernetes
partition: slurm-bridge
"""


class CannotStart(Exception):
    """str() says what is missing and what to do; exit_code is for our caller."""

    def __init__(self, message, exit_code=1):
        super().__init__(message)
        self.exit_code = exit_code


class Busy(CannotStart):
    """Somebody else's demo: nothing of it may be taken down."""


def bridge_program():
    named = os.environ.get("SLURM_BRIDGE_BIN")
    candidates = [Path(named)] if named else [TOP / "build" / preset / "bin" / BRIDGE for preset in ("release", "dev")]
    for path in candidates:
        if os.access(path, os.X_OK):
            return path.resolve()
    if named:
        raise CannotStart(f"SLURM_BRIDGE_BIN is {named}, which is no program")
    raise CannotStart("the bridge is not built yet; build it with: make build")


class RealParts:
    def __init__(self):
        self.cluster = Cluster(NAME)
        self.log = self.cluster.logs / f"{BRIDGE}.log"
        self._lock = None
        self._exports = None

    @property
    def exists(self):
        return self.cluster.exists

    def up(self):
        """Start what is not running; devcluster's own lines are shown."""
        # In its own session: Ctrl-C is for us, and it hears of it from us, once.
        tool = subprocess.Popen([TOOL, "up", "--name", NAME], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, start_new_session=True)
        try:
            for line in tool.stdout:
                if "; use it with: " not in line:  # we say it ourselves, if it stays
                    print(line, end="", flush=True)
        except BaseException:
            tool.send_signal(signal.SIGINT)
            raise
        finally:
            tool.stdout.close()
            tool.wait()
        if tool.returncode != 0:
            raise CannotStart("the real parts cannot be had on this machine" if tool.returncode == CANNOT_BE_HAD else
                              "the dev cluster did not start",
                              CANNOT_BE_HAD if tool.returncode == CANNOT_BE_HAD else 1)
        self.cluster.load()
        self.hold()
        self._exports = _exports()

    def hold(self):
        """One demo at a time: Busy if there is another. The kernel lets go when we end, and no lock file stays."""
        if self._lock is not None:
            return
        self._lock = os.open(self.cluster.run, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Busy("another demo is running on this machine; wait for it, or: tools/demo stop") from None

    def start_bridge(self, program):
        """A new one: what runs from an earlier demo may be an older build."""
        self._stop_bridge()
        config = self.cluster.folder / f"{BRIDGE}.yaml"
        config.write_text(CONFIG.format(slurm=self._exports["SLURM_REST_API"]))
        self.log.unlink(missing_ok=True)
        try:
            process.start(self.cluster, BRIDGE, [program, "all", "--config", config, "-zap-encoder", "console", *NO_PORTS],
                          env={"KUBECONFIG": self._exports["SLURM_BRIDGE_KUBECONFIG"],
                               "SLURM_JWT_FILE": self._exports["SLURM_JWT_FILE"]},
                          ready=lambda: b" running " in self.log.read_bytes())
        except process.PartFailed as error:
            raise CannotStart(str(error)) from error

    @property
    def bridge_runs(self):
        return process.pid(self.cluster, BRIDGE) is not None

    def bridge_log(self, lines):
        return process.last_lines(self.cluster, BRIDGE, lines)

    def kubectl(self, *arguments):
        """Its output; CannotStart with its words if it fails."""
        done = subprocess.run([self.cluster.bin / "kubectl", *arguments], stdin=subprocess.DEVNULL, cwd=TOP,
                              env={**os.environ, "KUBECONFIG": self._exports["KUBECONFIG"]},
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            raise CannotStart(f"kubectl {' '.join(map(str, arguments))}: {done.stderr.strip()}")
        return done.stdout

    def down(self):
        """Stop and remove everything. Returns whether there was something and it is gone."""
        if self.exists:
            self._stop_bridge()
        # In its own session: a second Ctrl-C must not leave half of it behind.
        done = subprocess.run([TOOL, "down", "--name", NAME], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, start_new_session=True)
        if done.returncode != 0:
            screen.say(f"could not take everything down:\n{done.stdout.strip()}")
        return done.returncode == 0

    def _stop_bridge(self):
        with contextlib.suppress(FileNotFoundError):
            process.stop(self.cluster, BRIDGE)


def _exports():
    """What `devcluster env` exports. PATH is the folder that it adds."""
    text = subprocess.run([TOOL, "env", "--name", NAME], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          text=True, check=True).stdout
    return {name: shlex.split(value.replace(':"$PATH"', ""))[0]
            for name, value in re.findall(r"(?m)^export (\w+)=(.*)$", text)}
