# SPDX-License-Identifier: Apache-2.0
"""The nightly soak (.ci/soak), with a script in place of the simulation."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

SOAK = Path(__file__).resolve().parents[1] / ".ci/soak"
SIM = """#!/bin/sh
echo "$@" > "$SOAK_OUT/asked.txt"
cat "$SOAK_OUT/answer.txt"
exit $(cat "$SOAK_OUT/code.txt")
"""


class Soak(unittest.TestCase):
    def soak(self, answer, code, *words):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = Path(folder.name)
        (self.out / "answer.txt").write_text(answer, encoding="utf-8")
        (self.out / "code.txt").write_text(str(code), encoding="utf-8")
        sim = self.out / "sim"
        sim.write_text(SIM, encoding="utf-8")
        sim.chmod(0o755)
        environment = os.environ | {"SOAK_OUT": str(self.out), "SOAK_SIM": str(sim), "SOAK_SECONDS": "7"}
        return subprocess.run([SOAK, *words], env=environment, capture_output=True, text=True, check=False)

    def text(self, name):
        return (self.out / name).read_text(encoding="utf-8")

    def test_derives_the_seeds_from_the_date(self):
        done = self.soak("5 histories, 0 failed\n", 0, "20270102")
        self.assertEqual(done.returncode, 0)
        self.assertIn("--from 20270102000000 --seconds 7", self.text("asked.txt"))
        self.assertIn("from 20270102000000", self.text("range.txt"))
        self.assertFalse((self.out / "failing-seeds.txt").exists())

    def test_records_the_failing_seeds(self):
        log = "seed 12, shrunk\nreplay: sim --seed 12\n\nseed 9, shrunk\nreplay: sim --seed 9\n\n5 histories, 2 failed\n"
        done = self.soak(log, 1, "20270102")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(self.text("failing-seeds.txt"), "9\n12\n")
        self.assertIn("2 failed", done.stdout)

    def test_refuses_an_invalid_date(self):
        self.assertEqual(self.soak("", 0, "tomorrow").returncode, 2)


if __name__ == "__main__":
    unittest.main()
