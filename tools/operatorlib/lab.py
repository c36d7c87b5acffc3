# SPDX-License-Identifier: Apache-2.0
"""A dev cluster with real nodes, and kubectl, helm and crictl for it.

Expects     root on a machine that can run real nodes; Failed with NOT_AVAILABLE otherwise.
Guarantees  only this cluster is used, through its own kubeconfig; down() removes all of it, also after an interrupt.
"""

import fcntl
import json
import os
import re
import shlex
import subprocess
import time
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
TOOL = TOP / "tools/devcluster/devcluster"
FAILED, NOT_AVAILABLE = 1, 3
COMMAND_SECONDS = 300


class Failed(Exception):
    """str() names the failed step, the reason and, if known, the remedy."""

    def __init__(self, message, exit_code=FAILED):
        super().__init__(message)
        self.exit_code = exit_code


class Busy(Failed):
    """Another process uses the cluster: it must not be stopped."""


class Lab:
    def __init__(self, name, show=None):
        """show(line) is called with each line of progress of the dev cluster."""
        self.name = name
        self._lock = None
        self._show = show or (lambda line: None)
        self._exports = {}

    def up(self, workers=3):
        """Start what does not run: the Kubernetes half with real nodes."""
        self._stream("up", "--real-nodes", str(workers), "--only", "kubernetes")
        self.attach()

    def attach(self):
        """Use a cluster that runs."""
        done = self._call("env")
        if done.returncode != 0:
            raise Failed(f"there is no cluster {self.name}: {done.stdout.strip()}")
        self._exports = {name: shlex.split(value.replace(':"$PATH"', ""))[0]
                         for name, value in re.findall(r"(?m)^export (\w+)=(.*)$", done.stdout)}

    @property
    def exists(self):
        return self._call("env").returncode == 0

    def hold(self):
        """One user at a time: Busy if there is another. The kernel releases the lock when this process ends."""
        self._lock = os.open(self.bin.parent / "run", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Busy(f"another process uses the cluster {self.name}; wait for it") from None

    def down(self):
        """Whether everything is removed. A Ctrl-C does not interrupt it."""
        done = self._call("down", start_new_session=True)
        if done.returncode != 0:
            self._show(f"could not remove the cluster {self.name}: {done.stdout.strip()}")
        return done.returncode == 0

    def import_images(self, archives):
        self._stream("import", *map(str, archives))

    @property
    def login_port(self):
        """The port of this machine that leads to node port 30022."""
        return int(self._exports["LOGIN_PORT"])

    @property
    def bin(self):
        """The folder with kubectl, helm and crictl of this cluster."""
        return Path(self._exports["PATH"])

    @property
    def environment(self):
        """For programs that use the cluster."""
        return {**os.environ, **self._exports, "PATH": f"{self._exports['PATH']}:{os.environ.get('PATH', os.defpath)}"}

    # --- commands ---

    def kubectl(self, *arguments, stdin=None, timeout=COMMAND_SECONDS):
        """Its output."""
        return self._checked("kubectl", arguments, stdin, timeout)

    def try_kubectl(self, *arguments, stdin=None, timeout=COMMAND_SECONDS):
        """subprocess.CompletedProcess with output and errors in stdout."""
        return self.run([self.bin / "kubectl", *arguments], stdin=stdin, timeout=timeout)

    def get(self, *arguments):
        """The object of `kubectl get ... -o json`; None if it does not exist."""
        done = subprocess.run([self.bin / "kubectl", "get", *arguments, "-o", "json", "--ignore-not-found"], env=self.environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)
        if done.returncode != 0:
            raise Failed(f"kubectl get {' '.join(arguments)}: {done.stderr.strip()}")
        return json.loads(done.stdout) if done.stdout.strip() else None

    def list(self, *arguments):
        """The objects of `kubectl get`, which prints nothing if there are none."""
        found = self.get(*arguments)
        return found["items"] if found else []

    def helm(self, *arguments, timeout=COMMAND_SECONDS):
        return self._checked("helm", arguments, None, timeout)

    def in_node(self, node, *command):
        """The output of a command inside a node."""
        done = self.run([TOOL, "exec", "--name", self.name, node, *command])
        if done.returncode != 0:
            raise Failed(f"in node {node}: {' '.join(command)}: {done.stdout.strip()}")
        return done.stdout

    def run(self, argv, stdin=None, timeout=COMMAND_SECONDS, **options):
        """One command with the environment of the cluster."""
        given = {"input": stdin} if stdin is not None else {"stdin": subprocess.DEVNULL}
        try:
            return subprocess.run([str(word) for word in argv], env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True, errors="replace", timeout=timeout, cwd=TOP, **given, **options)
        except subprocess.TimeoutExpired as error:
            raise Failed(f"{Path(argv[0]).name} {' '.join(map(str, argv[1:4]))}: no result within {timeout} s") from error

    def _checked(self, name, arguments, stdin, timeout):
        done = self.run([self.bin / name, *arguments], stdin=stdin, timeout=timeout)
        if done.returncode != 0:
            raise Failed(f"{name} {' '.join(map(str, arguments))}: {done.stdout.strip()}")
        return done.stdout

    # --- devcluster ---

    def _stream(self, verb, *arguments):
        """A verb that takes long: its lines are shown. In its own session: the caller handles Ctrl-C and forwards it."""
        child = subprocess.Popen([TOOL, verb, "--name", self.name, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, text=True, start_new_session=True)
        lines = []
        try:
            for line in child.stdout:
                text = re.sub(r"^\s*[\d.]+ s\s+", "", line.rstrip())
                lines.append(text)
                if "; use it with: " not in text:
                    self._show(text)
        except BaseException:
            child.send_signal(2)
            raise
        finally:
            child.stdout.close()
            child.wait()
        if child.returncode == NOT_AVAILABLE:
            raise Failed("real nodes are not available on this machine: " + " ".join(lines[-3:]), NOT_AVAILABLE)
        if child.returncode != 0:
            raise Failed(f"devcluster {verb} failed: {' '.join(lines[-3:])}")

    def _call(self, verb, *arguments, **options):
        return subprocess.run([TOOL, verb, "--name", self.name, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, **options)


def wait_until(condition, within, what, poll=0.5):
    """The first true value of condition(). Failed after `within` seconds; `what` is a text, or a callable that describes the state."""
    deadline = time.monotonic() + within
    while True:
        is_last = time.monotonic() >= deadline
        value = condition()
        if value:
            return value
        if is_last:
            raise Failed(f"not within {within:.0f} s: {what() if callable(what) else what}")
        time.sleep(poll)
