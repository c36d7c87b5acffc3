# SPDX-License-Identifier: Apache-2.0
"""tests/probe/watch_probe: the bridge's list and watch without the rest of the bridge; prints the content of its store."""

import json
import signal
import subprocess

from lib.bridge import program
from lib.waiting import eventually


class WatchProbe:
    """Use as a context manager. Watches `resource` in a namespace through the server of the kubeconfig."""

    def __init__(self, kubeconfig, folder, namespace, resource, field_selector):
        self._command = [program("watch_probe", "SLURM_BRIDGE_WATCH_PROBE"), "--kubeconfig", kubeconfig, "--namespace",
                         namespace, "--resource", resource, "--field-selector", field_selector]
        self._reports = folder / "probe.out"
        self.log_path = folder / "probe.log"

    def __enter__(self):
        with open(self._reports, "wb") as reports, open(self.log_path, "wb") as log:
            self._process = subprocess.Popen(self._command, stdin=subprocess.DEVNULL, stdout=reports, stderr=log,
                                             start_new_session=True)
        # It handles signals only after its first request: a signal before would kill it.
        eventually(self._listens, 60, "the probe handles signals")
        return self

    def __exit__(self, *_):
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()

    def report(self):
        """{"synced", "lists", "gone", "watches", "objects": {name: resourceVersion}} of this moment."""
        assert self._process.poll() is None, f"the probe died with {self._process.returncode}: {self._last_lines()}"
        before = len(self._lines())
        self._process.send_signal(signal.SIGUSR1)
        eventually(lambda: len(self._lines()) > before, 60, "the probe answers")
        eventually(self._listens, 60, "the probe handles signals again")
        return json.loads(self._lines()[-1])

    def _lines(self):
        return self._reports.read_bytes().split(b"\n")[:-1]

    def _listens(self):
        with open(f"/proc/{self._process.pid}/status") as status:
            caught = next(int(line.split()[1], 16) for line in status if line.startswith("SigCgt:"))
        return caught >> (signal.SIGUSR1 - 1) & 1

    def _last_lines(self):
        return self.log_path.read_text(errors="replace")[-500:]
