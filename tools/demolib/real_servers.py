# SPDX-License-Identifier: Apache-2.0
"""The cluster and the bridge that the demo runs on.

Guarantees  the bridge runs with its own ServiceAccount, never as administrator; it is recorded as a component of the
            cluster, so that `devcluster down` stops it too, also after a crash of the demo.
"""

import json
import os
import re
import shlex
import signal
import subprocess
import sys

import observation
import screen
from bridge_process import BRIDGE, TOP, BridgeProcess, CannotStart

TOOL = TOP / "tools/devcluster/devcluster"
NOT_AVAILABLE = 3  # devcluster's exit code

CONFIG = """# Written by tools/demo.
schedulerName: slurm-bridge-scheduler
slurmRestApi: {slurm}
managedNamespaces: [slurm-bridge]
mcsLabel: kubernetes
partition: slurm-bridge
"""


def real_servers_available(*options):
    """Whether the real servers can run on this machine; fetches them if so. options: of `devcluster fetch`.

    Progress and errors go to stderr: the first line of stdout names what the demo runs on, which is not known yet.
    """
    fetch = subprocess.Popen([TOOL, "fetch", *options], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, start_new_session=True)
    try:
        for line in fetch.stdout:
            if "everything is in the cache" not in line:
                print(line, end="", file=sys.stderr, flush=True)
    except BaseException:
        fetch.send_signal(signal.SIGINT)
        raise
    finally:
        fetch.stdout.close()
        fetch.wait()
    return fetch.returncode != NOT_AVAILABLE


class RealServers(BridgeProcess):
    NAME = "demo"  # of the dev cluster
    up_options = ()  # of `devcluster up`
    WHERE = "REAL SERVERS"
    INTRODUCTION = """\
REAL SERVERS: a real kube-apiserver 1.36 and a real Slurm 26.05 on loopback.
This demo connects them with the bridge and shows {count} example workloads run as Slurm jobs.
Only the nodes are simulated (by kwok): no container is started.
"""
    GOOD_END = """
  According to Slurm's accounting every pod had exactly one job and ran on the
  node of that job; all jobs are released.
"""

    AFTERWORD = ""

    def __init__(self):
        super().__init__(self.NAME)
        self._exports = None

    @property
    def node_names(self):
        return self.cluster.node_names

    def observer(self):
        return observation.Observer(self.cluster)

    def up(self):
        """Start the components that do not run; the output of devcluster is shown."""
        # In its own session: this process handles Ctrl-C and forwards it once.
        tool = subprocess.Popen([TOOL, "up", "--name", self.NAME, *self.up_options], stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
        try:
            for line in tool.stdout:
                if "; use it with: " not in line:  # printed by the demo itself with KEEP=1
                    print(line, end="", flush=True)
        except BaseException:
            tool.send_signal(signal.SIGINT)
            raise
        finally:
            tool.stdout.close()
            tool.wait()
        if tool.returncode != 0:
            raise CannotStart("the real servers are not available on this machine" if tool.returncode == NOT_AVAILABLE else
                              "the dev cluster did not start",
                              NOT_AVAILABLE if tool.returncode == NOT_AVAILABLE else 1)
        self.cluster.load()
        self.hold()
        self._exports = _exports(self.NAME)

    def start_bridge(self, program):
        config = self.cluster.folder / f"{BRIDGE}.yaml"
        config.write_text(CONFIG.format(slurm=self._exports["SLURM_REST_API"]))
        self.launch_bridge(program, config, {"KUBECONFIG": self._exports["SLURM_BRIDGE_KUBECONFIG"],
                                             "SLURM_JWT_FILE": self._exports["SLURM_JWT_FILE"]})

    def apply(self, path):
        """The applied objects of the file."""
        applied = json.loads(self.kubectl("apply", "-f", TOP / path, "-o", "json"))
        screen.say(f"kubectl apply -f {path}")
        return applied

    def delete(self, paths):
        files = [word for path in paths for word in ("-f", str(TOP / path))]
        self.kubectl("delete", "--ignore-not-found", "--cascade=foreground", "--timeout=60s", *files)

    def kubectl(self, *arguments):
        """Its output; CannotStart with its message if it fails."""
        done = subprocess.run([self.cluster.bin / "kubectl", *arguments], stdin=subprocess.DEVNULL, cwd=TOP,
                              env={**os.environ, "KUBECONFIG": self._exports["KUBECONFIG"]},
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            raise CannotStart(f"kubectl {' '.join(map(str, arguments))}: {done.stderr.strip()}")
        return done.stdout

    def down(self):
        """Stop and remove everything. Returns whether there was a cluster and it is removed."""
        if self.exists:
            self.stop_bridge()
        # In its own session: a second Ctrl-C must not interrupt it.
        done = subprocess.run([TOOL, "down", "--name", self.NAME], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, start_new_session=True)
        if done.returncode != 0:
            screen.say(f"could not stop the cluster:\n{done.stdout.strip()}")
        return done.returncode == 0


def _exports(name):
    """The variables of `devcluster env`. PATH is the folder that it adds."""
    text = subprocess.run([TOOL, "env", "--name", name], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          text=True, check=True).stdout
    return {variable: shlex.split(value.replace(':"$PATH"', ""))[0]
            for variable, value in re.findall(r"(?m)^export (\w+)=(.*)$", text)}
