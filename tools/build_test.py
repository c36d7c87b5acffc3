# SPDX-License-Identifier: Apache-2.0
"""tools/build must show its progress, and fail if the build fails."""

import contextlib
import importlib.machinery
import importlib.util
import io
import sys
import unittest
from pathlib import Path
from unittest import mock


def load(name, path):
    """A program without .py in its name, as a module."""
    loader = importlib.machinery.SourceFileLoader(name, str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    with mock.patch.object(sys, "dont_write_bytecode", True):
        loader.exec_module(module)
    return module


program = load("build_program", Path(__file__).resolve().parent / "build")


class Meter(unittest.TestCase):
    def test_shows_what_is_done_and_what_is_left(self):
        self.assertEqual(program.Meter.state(0, 200, 60), "0 of 200, 0 %")
        self.assertEqual(program.Meter.state(50, 200, 60), "50 of 200, 25 %, about 3 min left")
        self.assertEqual(program.Meter.state(190, 200, 200), "190 of 200, 95 %, less than a minute left")

    def test_prints_only_at_intervals(self):
        now = [100.0]
        meter = program.Meter("compiling x", clock=lambda: now[0])
        said = []
        with mock.patch.object(program, "say", said.append):
            for second in range(40):
                now[0] = 100.0 + second
                meter.heard(f"[{second}/40] Building x.o")
                meter.heard("a warning")
        self.assertEqual(len(said), 4)


class Run(unittest.TestCase):
    def run_command(self, script):
        """(exit code, what was shown)"""
        shown = io.StringIO()
        with contextlib.redirect_stderr(shown):
            return program.run(["sh", "-c", script], lambda line: None), shown.getvalue()

    def test_a_failure_is_shown_without_progress(self):
        self.assertEqual(self.run_command("echo '[1/2] Building'; echo 'x.cpp:1: error: no'; exit 1"),
                         (1, "x.cpp:1: error: no\n"))

    def test_success_is_silent(self):
        self.assertEqual(self.run_command("echo '[1/2] Building'; echo something"), (0, ""))


if __name__ == "__main__":
    unittest.main()
