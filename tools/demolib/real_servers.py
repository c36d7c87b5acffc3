# SPDX-License-Identifier: Apache-2.0
"""The cluster and the bridge that the demo runs on.

Guarantees  the bridge runs as it would in a pod of its own ServiceAccount, never as administrator; it is recorded as a
            part of the cluster, so that `devcluster down` ends it too, whatever became of the demo.
"""

import json
import os
import re
import shlex
import signal
import subprocess
import sys

import looking
import screen
from bridge_process import BRIDGE, TOP, BridgePart, CannotStart

TOOL = TOP / "tools/devcluster/devcluster"
NAME = "demo"
NOT_AVAILABLE = 3  # devcluster's exit code

CONFIG = """# Written by tools/demo.
schedulerName: slurm-bridge-scheduler
slurmRestApi: {slurm}
managedNamespaces: [slurm-bridge]
mcsLabel: kubernetes
partition: slurm-bridge
"""


def can_be_had():
    """Whether this machine can have the real parts; fetches them if so. Why not, and progress, goes to stderr: the
    first line of stdout says what the demo runs on, and that is not known yet."""
    fetch = subprocess.Popen([TOOL, "fetch"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
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


class RealServers(BridgePart):
    WHERE = "REAL PARTS"
    INTRODUCTION = """\
REAL PARTS: a real kube-apiserver 1.36 and a real Slurm 26.05 on loopback.
This demo puts the bridge between them and shows {count} example workloads run as Slurm jobs.
Only the nodes are played (by kwok): no container is started.
"""
    GOOD_END = """
  By Slurm's accounting every pod had exactly one job, and ran where that job
  was placed; all jobs are released.
"""

    AFTERWORD = ""

    def __init__(self):
        super().__init__(NAME)
        self._exports = None

    @property
    def node_names(self):
        return self.cluster.node_names

    def observer(self):
        return looking.Observer(self.cluster)

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
            raise CannotStart("the real parts cannot be had on this machine" if tool.returncode == NOT_AVAILABLE else
                              "the dev cluster did not start",
                              NOT_AVAILABLE if tool.returncode == NOT_AVAILABLE else 1)
        self.cluster.load()
        self.hold()
        self._exports = _exports()

    def start_bridge(self, program):
        config = self.cluster.folder / f"{BRIDGE}.yaml"
        config.write_text(CONFIG.format(slurm=self._exports["SLURM_REST_API"]))
        self.launch_bridge(program, config, {"KUBECONFIG": self._exports["SLURM_BRIDGE_KUBECONFIG"],
                                             "SLURM_JWT_FILE": self._exports["SLURM_JWT_FILE"]})

    def apply(self, path):
        """The objects of the file as they are then."""
        applied = json.loads(self.kubectl("apply", "-f", TOP / path, "-o", "json"))
        screen.say(f"kubectl apply -f {path}")
        return applied

    def delete(self, paths):
        files = [word for path in paths for word in ("-f", str(TOP / path))]
        self.kubectl("delete", "--ignore-not-found", "--cascade=foreground", "--timeout=60s", *files)

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
            self.stop_bridge()
        # In its own session: a second Ctrl-C must not leave half of it behind.
        done = subprocess.run([TOOL, "down", "--name", NAME], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, start_new_session=True)
        if done.returncode != 0:
            screen.say(f"could not take everything down:\n{done.stdout.strip()}")
        return done.returncode == 0


def _exports():
    """What `devcluster env` exports. PATH is the folder that it adds."""
    text = subprocess.run([TOOL, "env", "--name", NAME], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          text=True, check=True).stdout
    return {name: shlex.split(value.replace(':"$PATH"', ""))[0]
            for name, value in re.findall(r"(?m)^export (\w+)=(.*)$", text)}
