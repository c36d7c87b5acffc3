# SPDX-License-Identifier: Apache-2.0
"""The dev cluster that the tests run on, started for one run."""

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
    """The real servers are not available on this machine; str() has the reason and the fix."""


class ClusterFailed(Exception):
    """A command of the dev cluster failed; str() is its output."""


class Cluster:
    """Guarantees  only components of this cluster are affected, through devcluster."""

    def __init__(self, name):
        self.name = name
        self.environment = {}
        self.crashes = []  # (component, wall time before, wall time after) of each kill
        self._one_at_a_time = threading.Lock()

    def up(self, nodes, only=None):
        """All of it, or only "kubernetes" or "slurm"."""
        self._tool("up", "--nodes", str(nodes), *(("--only", only) if only else ()))
        self.environment = dict(_exports(self._tool("env")))

    def dead_components(self):
        """The names of the components that do not run or are not ready."""
        rows = [line.split() for line in self._call("status").stdout.splitlines()[1:]]
        return [row[0] for row in rows if row[-1] != "up"]

    def down(self):
        # Its own session: a Ctrl-C that stops the tests must not interrupt this.
        self._tool("down", start_new_session=True)

    def kill(self, component):
        """SIGKILL it."""
        before = time.time()
        self._tool("kill", component)
        self.crashes.append((component, before, time.time()))

    def stop(self, component):
        """Terminate it cleanly, so that its state is saved."""
        self._tool("stop", component)

    def start(self, component):
        """Start it again and wait until it is ready."""
        self._tool("start", component)

    def restart(self, component):
        self.kill(component)
        self.start(component)

    def path(self, variable):
        return Path(self.environment[variable])

    def slurm_folder(self, name):
        """One of Slurm's folders: "etc", "var/slurmctld"."""
        return self.path("SLURM_JWT_FILE").parent.joinpath("slurm", name)

    def log_tail(self, component, lines=10):
        return self._tool("logs", component, "--lines", str(lines)).splitlines()

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
    """The variables of `devcluster env`. PATH is only the folder that it adds."""
    for name, value in re.findall(r"(?m)^export (\w+)=(.*)$", text):
        yield (name, shlex.split(value.replace(':"$PATH"', ""))[0])
