# SPDX-License-Identifier: Apache-2.0
"""The bridge under test: one process, as it would run in a pod of its own ServiceAccount."""

import os
import re
import signal
import subprocess
import urllib.error
import urllib.request
from pathlib import Path

from lib.cluster import TOP
from lib.waiting import eventually

USER = "system:serviceaccount:slurm:slurm-bridge"
SCHEDULER = "slurm-bridge-scheduler"
CONFIG = f"""schedulerName: {SCHEDULER}
managedNamespaces: [slurm-bridge]
mcsLabel: kubernetes
partition: slurm-bridge
"""
# Any ports that are free: several bridges run on this machine. The log says which.
PORTS = ("--metrics-bind-address=127.0.0.1:0", "--health-probe-bind-address=127.0.0.1:0")
INHERITED = ("PATH", "HOME", "TZ", "LANG", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS")


class NotBuilt(Exception):
    """A program of ours is missing; str() says how to get it."""


def program(name, override=""):
    """Path of one of our programs: the release build's if there is one, else that of the last build with tests."""
    if os.environ.get(override):
        path = Path(os.environ[override]).absolute()
        if not path.exists():
            raise NotBuilt(f"{override} says {path}, and there is no such file")
        return path
    built = {preset: TOP / "build" / preset / "bin" / name for preset in ("release", "dev", "asan")}
    there = {preset: path for preset, path in built.items() if path.exists()}
    if not there:
        raise NotBuilt(f"there is no build/release/bin/{name} nor build/dev/bin/{name}; build it with: make build")
    return there.get("release") or max(there.values(), key=lambda path: path.stat().st_mtime)


class Bridge:
    """Guarantees  at most one process at a time; all of them write to one log, in order."""

    def __init__(self, cluster, folder, role="all", flags=(), by_name=False, log_level="debug"):
        """Without a log_level it is the configuration's."""
        self._role, self._flags = role, (*(("-zap-log-level", log_level) if log_level else ()), *flags)
        self._command = [program("slurm-bridge", "SLURM_BRIDGE_BIN"), role]
        if by_name:  # a link that is called as the role
            link = folder / role
            link.symlink_to(self._command[0])
            self._command = [link]
        self._cluster = cluster
        self._config = folder / "config.yaml"
        self._config.write_text(CONFIG)
        self.log_path = folder / "bridge.log"
        self.log_path.touch()
        self._process = None
        self._started_at = 0

    @property
    def running(self):
        return self._process is not None and self._process.poll() is None

    @property
    def died(self):
        """How it ended by itself; empty if it runs or was ended by us."""
        code = None if self._process is None else self._process.poll()
        if code is None:
            return ""
        return f"the bridge died: {signal.Signals(-code).name if code < 0 else f'exit code {code}'}"

    def start(self, flags=(), **variables):
        """Start it without waiting for anything. `variables` replace those of its environment."""
        assert not self.running, "the bridge runs already"
        self._started_at = self.log_path.stat().st_size
        environment = {**self._environment(), **variables}
        with open(self.log_path, "ab") as log:
            self._process = subprocess.Popen(
                [*self._command, "--config", self._config, "-zap-encoder", "console", *PORTS, *self._flags, *flags],
                env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)

    def output(self, command, *flags):
        """What another command of the program prints, with the same configuration."""
        done = self.command(command, *flags)
        assert done.returncode == 0, f"{command}: exit code {done.returncode}: {done.stderr}"
        return done.stdout

    def command(self, command, *flags):
        """How another command of the program ended."""
        return subprocess.run([program("slurm-bridge", "SLURM_BRIDGE_BIN"), command, "--config", self._config, *flags],
                              env=self._environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=60)

    def _environment(self):
        environment = {name: os.environ[name] for name in INHERITED if name in os.environ}
        environment.update({name: self._cluster.environment[name] for name in ("SLURM_REST_API", "SLURM_JWT_FILE")})
        environment["KUBECONFIG"] = self._cluster.environment["SLURM_BRIDGE_KUBECONFIG"]
        if self._role != "all":
            environment["KUBECONFIG"] += f"-{self._role}"  # of the role's own ServiceAccount
        return environment

    def configure(self, text):
        """Its file from now on."""
        self._config.write_text(text)

    def start_and_wait(self, within=60, **how):
        self.start(**how)
        eventually(lambda: self.died or " running " in self.words(), within, "the bridge says that it runs")
        assert self.running, self.died

    def words(self):
        """What it has said since it was started."""
        return self._log_from(self._started_at).decode(errors="replace")

    def probe(self, path):
        """(status, text) of GET /healthz or /readyz."""
        return self._get("probes", path)

    def metrics(self):
        """{series: value}, such as {'slurm_bridge_slurm_up': 1.0}."""
        status, text = self._get("metrics", "/metrics")
        assert status == 200, f"/metrics: {status} {text}"
        lines = (line.rsplit(" ", 1) for line in text.splitlines() if line and not line.startswith("#"))
        return {series: float(value) for series, value in lines}

    def _get(self, what, path):
        port = re.search(rf"listening for={what} port=(\d+)", self.words())
        assert port, f"the bridge does not say where it listens for {what}"
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port[1]}{path}", timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def kill(self):
        """kill -9."""
        assert self.running, self.died or "the bridge does not run"
        self._process.kill()
        self._process.wait()
        self._process = None

    def stop(self, within=60):
        """SIGTERM; its exit code."""
        assert self.running, self.died or "the bridge does not run"
        process, self._process = self._process, None
        process.terminate()
        try:
            return process.wait(within)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise AssertionError(f"the bridge did not stop within {within} s of SIGTERM") from None

    def freeze(self):
        """SIGSTOP: it does nothing, and does not know it."""
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self):
        self._process.send_signal(signal.SIGCONT)

    def ended_by_itself_within(self, seconds):
        """Its exit code."""
        assert self._process is not None, "the bridge was not started"
        code = eventually(lambda: (self._process.poll(),) if not self.running else None, seconds,
                          "the bridge ends by itself")[0]
        self._process = None
        return code

    def end(self):
        """By whatever means, for good."""
        if self.running:
            self._process.kill()
            self._process.wait()
        self._process = None

    def said(self, words):
        """The lines of its log that have these words."""
        return [line for line in self._log_from(0).decode(errors="replace").splitlines() if words in line]

    def log_tail(self, lines=12, about=()):
        """Its last lines, and before them the last ones that mention one of `about`."""
        everything = self._log_from(0).decode(errors="replace").splitlines()
        earlier = [line for line in everything[:-lines] if any(name in line for name in about)]
        return earlier[-2 * lines:] + everything[-lines:]

    def _log_from(self, offset):
        with open(self.log_path, "rb") as log:
            log.seek(offset)
            return log.read()
