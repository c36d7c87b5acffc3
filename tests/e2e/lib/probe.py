# SPDX-License-Identifier: Apache-2.0
"""tests/probe/watch_probe: the bridge's own list + watch, alone, telling what its store holds."""

import json
import signal
import subprocess

from lib.bridge import program
from lib.waiting import eventually


class WatchProbe:
    """Use as a context manager. Follows `resource` in a namespace through whatever the kubeconfig points at."""

    def __init__(self, kubeconfig, folder, namespace, resource, field_selector):
        self._command = [program("watch_probe", "SLURM_BRIDGE_WATCH_PROBE"), "--kubeconfig", kubeconfig, "--namespace",
                         namespace, "--resource", resource, "--field-selector", field_selector]
        self._reports = folder / "probe.out"
        self.log_path = folder / "probe.log"

    def __enter__(self):
        with open(self._reports, "wb") as reports, open(self.log_path, "wb") as log:
            self._process = subprocess.Popen(self._command, stdin=subprocess.DEVNULL, stdout=reports, stderr=log,
                                             start_new_session=True)
        # It is deaf until it has begun to talk to somebody: a signal before would end it.
        eventually(self._listens, 60, "the probe listens to signals")
        return self

    def __exit__(self, *_):
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()

    def report(self):
        """{"synced", "lists", "gone", "watches", "objects": {name: resourceVersion}} of this moment."""
        assert self._process.poll() is None, f"the probe died with {self._process.returncode}: {self._stderr_tail()}"
        told = len(self._lines())
        self._process.send_signal(signal.SIGUSR1)
        eventually(lambda: len(self._lines()) > told, 60, "the probe answers")
        eventually(self._listens, 60, "the probe listens to signals again")
        return json.loads(self._lines()[-1])

    def _lines(self):
        return self._reports.read_bytes().split(b"\n")[:-1]

    def _listens(self):
        with open(f"/proc/{self._process.pid}/status") as status:
            caught = next(int(line.split()[1], 16) for line in status if line.startswith("SigCgt:"))
        return caught >> (signal.SIGUSR1 - 1) & 1

    def _stderr_tail(self):
        return self.log_path.read_text(errors="replace")[-500:]
