# SPDX-License-Identifier: Apache-2.0
"""The bridge under test: one process with its own ServiceAccount."""

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
# Any free ports: several bridges run on this machine. The log has the port numbers.
PORTS = ("--metrics-bind-address=127.0.0.1:0", "--health-probe-bind-address=127.0.0.1:0")
INHERITED = ("PATH", "HOME", "TZ", "LANG", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS")


class NotBuilt(Exception):
    """A program of the project is missing; str() names the build command."""


def program(name, override=""):
    """Path of a program of the project: of the release build if it exists, else of the last build with tests."""
    if os.environ.get(override):
        path = Path(os.environ[override]).absolute()
        if not path.exists():
            raise NotBuilt(f"{override} is {path}, which does not exist")
        return path
    built = {preset: TOP / "build" / preset / "bin" / name for preset in ("release", "dev", "asan")}
    there = {preset: path for preset, path in built.items() if path.exists()}
    if not there:
        raise NotBuilt(f"there is no build/release/bin/{name} nor build/dev/bin/{name}; build it with: make build")
    return there.get("release") or max(there.values(), key=lambda path: path.stat().st_mtime)


class Bridge:
    """Guarantees  at most one process at a time; all of them write to one log, in order."""

    def __init__(self, cluster, folder, role="all", flags=(), by_name=False, log_level="debug"):
        """Without a log_level the one of the configuration is used."""
        self._role, self._flags = role, (*(("-zap-log-level", log_level) if log_level else ()), *flags)
        self._command = [program("slurm-bridge", "SLURM_BRIDGE_BIN"), role]
        if by_name:  # a link with the name of the role
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
        """How it exited unexpectedly; empty if it runs or was stopped by the test."""
        code = None if self._process is None else self._process.poll()
        if code is None:
            return ""
        return f"the bridge died: {signal.Signals(-code).name if code < 0 else f'exit code {code}'}"

    def start(self, flags=(), **variables):
        """Start it without waiting. `variables` override its environment."""
        assert not self.running, "the bridge runs already"
        self._started_at = self.log_path.stat().st_size
        environment = {**self._environment(), **variables}
        with open(self.log_path, "ab") as log:
            self._process = subprocess.Popen(
                [*self._command, "--config", self._config, "-zap-encoder", "console", *PORTS, *self._flags, *flags],
                env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)

    def output(self, command, *flags):
        """The output of another command of the program, with the same configuration."""
        done = self.command(command, *flags)
        assert done.returncode == 0, f"{command}: exit code {done.returncode}: {done.stderr}"
        return done.stdout

    def command(self, command, *flags):
        """The completed process of another command of the program."""
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
        """Write its configuration file."""
        self._config.write_text(text)

    def start_and_wait(self, within=60, **how):
        self.start(**how)
        eventually(lambda: self.died or " running " in self.log_text(), within, "the bridge reports that it runs")
        assert self.running, self.died

    def log_text(self):
        """Its log since the last start."""
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
        port = re.search(rf"listening for={what} port=(\d+)", self.log_text())
        assert port, f"the log has no port for {what}"
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
        """SIGTERM; returns its exit code."""
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
        """SIGSTOP: the process is suspended."""
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self):
        self._process.send_signal(signal.SIGCONT)

    def ended_by_itself_within(self, seconds):
        """Its exit code."""
        assert self._process is not None, "the bridge was not started"
        code = eventually(lambda: (self._process.poll(),) if not self.running else None, seconds,
                          "the bridge exits")[0]
        self._process = None
        return code

    def end(self):
        """Stop it in any state."""
        if self.running:
            self._process.kill()
            self._process.wait()
        self._process = None

    def log_lines(self, text):
        """The lines of its log that contain this text."""
        return [line for line in self._log_from(0).decode(errors="replace").splitlines() if text in line]

    def log_tail(self, lines=12, about=()):
        """Its last lines, and before them the last ones that mention one of `about`."""
        everything = self._log_from(0).decode(errors="replace").splitlines()
        earlier = [line for line in everything[:-lines] if any(name in line for name in about)]
        return earlier[-2 * lines:] + everything[-lines:]

    def _log_from(self, offset):
        with open(self.log_path, "rb") as log:
            log.seek(offset)
            return log.read()
