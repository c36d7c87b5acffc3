# SPDX-License-Identifier: Apache-2.0
"""The dev cluster that the tests run on: their own, made for one run."""

import re
import shlex
import subprocess
import threading
import time
from pathlib import Path

TOP = Path(__file__).resolve().parents[3]
TOOL = TOP / "tools/devcluster/devcluster"
NOT_AVAILABLE = 3  # devcluster's exit code


class NotAvailable(Exception):
    """The real parts are not to be had on this machine; str() says which and how to get them."""


class ClusterFailed(Exception):
    """The dev cluster did not do what it was asked for; str() is what it said."""


class Cluster:
    """Guarantees  only parts of this cluster are ever touched, by devcluster itself."""

    def __init__(self, name):
        self.name = name
        self.environment = {}
        self.crashes = []  # (part, wall time before, wall time after) of each kill
        self._one_at_a_time = threading.Lock()

    def up(self, nodes, only=None):
        """All of it, or only "kubernetes" or "slurm"."""
        self._tool("up", "--nodes", str(nodes), *(("--only", only) if only else ()))
        self.environment = dict(_exports(self._tool("env")))

    def dead_parts(self):
        """The names of the parts that do not run, or do not do their work."""
        rows = [line.split() for line in self._call("status").stdout.splitlines()[1:]]
        return [row[0] for row in rows if row[-1] != "up"]

    def down(self):
        # Its own session: a Ctrl-C that ends us must not end this.
        self._tool("down", start_new_session=True)

    def kill(self, part):
        """Crash it, as kill -9 does."""
        before = time.time()
        self._tool("kill", part)
        self.crashes.append((part, before, time.time()))

    def stop(self, part):
        """Let it end in good order: what it keeps, it has kept then."""
        self._tool("stop", part)

    def start(self, part):
        """Start it again and wait until it works."""
        self._tool("start", part)

    def restart(self, part):
        self.kill(part)
        self.start(part)

    def path(self, variable):
        return Path(self.environment[variable])

    def slurm_folder(self, name):
        """One of Slurm's folders: "etc", "var/slurmctld"."""
        return self.path("SLURM_JWT_FILE").parent.joinpath("slurm", name)

    def log_tail(self, part, lines=10):
        return self._tool("logs", part, "--lines", str(lines)).splitlines()

    def _tool(self, verb, *arguments, **options):
        done = self._call(verb, *arguments, **options)
        if done.returncode == NOT_AVAILABLE:
            raise NotAvailable(done.stdout.strip())
        if done.returncode != 0:
            raise ClusterFailed(f"devcluster {verb} {' '.join(arguments)}: {done.stdout.strip()}")
        return done.stdout

    def _call(self, verb, *arguments, **options):
        with self._one_at_a_time:
            return subprocess.run([TOOL, verb, *arguments, "--name", self.name], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)


def _exports(text):
    """The variables of `devcluster env`. PATH is left as the folder that it adds."""
    for name, value in re.findall(r"(?m)^export (\w+)=(.*)$", text):
        yield (name, shlex.split(value.replace(':"$PATH"', ""))[0])
