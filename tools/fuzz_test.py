# SPDX-License-Identifier: Apache-2.0
"""tools/fuzz must report every finding of a target."""

import contextlib
import importlib.machinery
import importlib.util
import io
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock


def load(name, path):
    """A program without .py in its name, as a module."""
    loader = importlib.machinery.SourceFileLoader(name, str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    sys.modules[name] = module
    with mock.patch.object(sys, "dont_write_bytecode", True):
        loader.exec_module(module)
    return module


program = load("fuzz_program", Path(__file__).resolve().parent / "fuzz")


class Runs(unittest.TestCase):
    """With a shell script in place of a target."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = Path(folder.name)
        self.sources, self.build = self.top / "tests/fuzz", self.top / "build/asan"
        (self.sources / "corpus/x").mkdir(parents=True)
        (self.sources / "corpus/x/seed").write_text("A")
        (self.sources / "x.cpp").touch()
        (self.build / "bin").mkdir(parents=True)
        for name, value in {"TOP": self.top, "SOURCES": self.sources, "BUILD": self.build,
                            "KEPT": self.top / "build/fuzz", "FINDINGS": self.top / "build/fuzz/findings"}.items():
            patch = mock.patch.object(program, name, value)
            patch.start()
            self.addCleanup(patch.stop)

    def fuzz(self, script, *arguments):
        """(exit code, lines)"""
        target = self.build / "bin/fuzz_x"
        target.write_text(f"#!/bin/sh\n{script}\n")
        target.chmod(0o755)
        output = io.StringIO()
        with mock.patch.object(sys, "argv", ["fuzz", "--no-build", *arguments]), contextlib.redirect_stdout(output):
            code = program.main()
        return code, output.getvalue().splitlines()

    def test_a_passed_target_is_one_line(self):
        code, lines = self.fuzz("echo 'stat::number_of_executed_units: 42'; echo 'stat::average_exec_per_sec: 21'")
        self.assertEqual((code, lines), (0, ["ok x (1 inputs replayed, 42 run in 60 s, 21/s)"]))

    def test_a_committed_input_that_fails_is_a_finding_and_named(self):
        seed = self.sources / "corpus/x/seed"
        code, lines = self.fuzz(f"echo 'Running: {seed}'; echo 'x.cpp:1: does not hold: y'; exit 1", "--seconds", "0")
        self.assertEqual((code, lines[0]), (1, "not ok x (a committed input fails, of 1)"))
        self.assertIn("    x.cpp:1: does not hold: y", lines)
        self.assertIn("    replay: build/asan/bin/fuzz_x tests/fuzz/corpus/x/seed", lines)

    def test_a_new_finding_has_its_replay_command(self):
        kept = self.top / "build/fuzz/findings/x-crash-1"
        code, lines = self.fuzz(f'case "$*" in *max_total_time*) echo "Test unit written to {kept}"; exit 77;; esac')
        self.assertEqual((code, lines[0]), (1, "not ok x (found)"))
        self.assertIn("    replay: build/asan/bin/fuzz_x build/fuzz/findings/x-crash-1", lines)

    def test_past_findings_are_replayed(self):
        (self.sources / "findings/x").mkdir(parents=True)
        (self.sources / "findings/x/old").write_text("B")
        code, lines = self.fuzz('case "$*" in *findings/x/old*) exit 1;; esac', "--seconds", "0")
        self.assertEqual((code, lines[0]), (1, "not ok x (a committed input fails, of 2)"))

    def test_a_target_without_any_input_is_a_failure(self):
        (self.sources / "corpus/x/seed").unlink()
        self.assertEqual(self.fuzz("true")[0], 1)


if __name__ == "__main__":
    unittest.main()
