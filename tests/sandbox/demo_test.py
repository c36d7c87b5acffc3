# SPDX-License-Identifier: Apache-2.0
"""The demo in the sandbox, if requested or if the real servers are not available."""

import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from box import TOP, kubectl_program

DEMO_SECONDS = 120
FIRST = "SANDBOX: models of Kubernetes and Slurm on loopback, no real ones."
LAST = "SANDBOX: 4 of 4 workloads ran as Slurm jobs (of a model, not of a real Slurm)"


class Demo(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="slurm-bridge-demo-test-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.environment = {**os.environ, "SLURM_BRIDGE_STATE": str(self.folder / "state")}
        for name in ("KEEP", "SANDBOX", "KUBECTL"):
            self.environment.pop(name, None)

    def demo(self, *arguments, **environment):
        began = time.monotonic()
        done = subprocess.run([sys.executable, TOP / "tools/demo", *arguments], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=DEMO_SECONDS,
                              env={**self.environment, **environment})
        print(f"tools/demo {' '.join(arguments)} took {time.monotonic() - began:.1f} s")
        return done

    def assert_good(self, done):
        lines = done.stdout.splitlines()
        self.assertEqual((done.returncode, lines[0], lines[-1]), (0, FIRST, LAST), done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"film-\d-\w+ +waits in Slurm as job \d+: Resources - no room in partition small")

    def test_without_debian_and_kubectl_the_sandbox_is_used(self):
        bin_folder = self.folder / "bin"
        bin_folder.mkdir()
        (bin_folder / "python3").symlink_to(sys.executable)
        done = self.demo(PATH=str(bin_folder), SLURM_BRIDGE_CACHE=str(self.folder / "cache"))
        self.assert_good(done)
        self.assertIn("POST (no kubectl here) examples/pod.yaml", done.stdout)
        self.assertIn("is not available", done.stderr)  # the real servers, and why
        self.assertFalse((self.folder / "state/demo-sandbox").exists())

    def test_it_can_be_requested_and_left_running_and_stopped(self):
        self.addCleanup(self.demo, "stop")
        done = self.demo(SANDBOX="1", KEEP="1")
        self.assert_good(done)
        self.assertIn("kubectl create -f" if kubectl_program() else "POST (no kubectl here)", done.stdout)
        self.assertIn("/env\n", done.stdout)
        self.assertTrue((self.folder / "state/demo-sandbox/sandbox/kubeconfig").exists())
        self.assertEqual(self.demo("stop").stdout, "the demo is stopped\n")
        self.assertEqual(self.demo("stop").stdout, "no demo is running\n")


if __name__ == "__main__":
    unittest.main()
