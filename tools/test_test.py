# SPDX-License-Identifier: Apache-2.0
"""tools/test must not report a failure as passed."""

import contextlib
import importlib.machinery
import importlib.util
import io
import os
import sys
import tempfile
import threading
import time
import unittest
import xml.etree.ElementTree as ElementTree
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


program = load("test_program", Path(__file__).resolve().parent / "test")
Done, Outcome, Stage = program.Done, program.Outcome, program.Stage


def counts(outcome):
    return outcome.passed, outcome.failed, outcome.skipped


class Ran:
    """A Program that has ended."""

    def __init__(self, code, *lines):
        self.done = Done(code, list(lines))

    def wait(self, **_):
        return self.done


class EndToEnd(unittest.TestCase):
    def outcome(self, code, *lines, fetched=Ran(0), ci="", other_shares=()):
        """Of a run with one share of the tests, or with several."""
        parts = [Ran(code, *lines), *other_shares]
        with mock.patch.object(program, "CLUSTERS", len(parts)), \
                mock.patch.object(program, "Program", mock.Mock(side_effect=parts)), \
                mock.patch.dict(os.environ, {"CI": ci}):
            return program.end_to_end(fetched)

    def test_a_failure_of_one_share_is_not_hidden_by_the_others(self):
        good = Ran(0, "ok b (1 s)", "ok c (1 s)")
        self.assertEqual(counts(self.outcome(0, "ok a (1 s)", other_shares=[good])), (3, 0, 0))
        self.assertEqual(counts(self.outcome(1, "ok a (1 s)", other_shares=[good])), (3, 1, 0))
        self.assertEqual(counts(self.outcome(0, "ok a (1 s)", other_shares=[good, Ran(0)])), (3, 1, 0))

    def test_counts_one_verdict_per_test(self):
        lines = ["ok a (1.2 s)", "noise", "not ok b: the pod is still there", "skipped c: needs 500 nodes"]
        self.assertEqual(counts(self.outcome(1, *lines)), (1, 1, 1))

    def test_an_exit_code_without_a_failed_test_is_a_failure(self):
        self.assertEqual(counts(self.outcome(1, "ok a (1 s)")), (1, 1, 0))

    def test_a_failed_test_is_a_failure_with_any_exit_code(self):
        self.assertEqual(counts(self.outcome(0, "ok a (1 s)", "not ok b")), (1, 1, 0))

    def test_no_test_at_all_is_a_failure(self):
        self.assertEqual(counts(self.outcome(0)), (0, 1, 0))

    def test_without_real_servers_it_is_skipped_with_a_warning(self):
        missing = Ran(3, "Slurm is not available: not root")
        for outcome in (self.outcome(0, "ok a (1 s)", fetched=missing), self.outcome(3, "Slurm is not available: not root")):
            self.assertEqual(counts(outcome), (0, 0, 1))
            self.assertIn("Slurm is not available: not root", outcome.warning)

    def test_without_real_servers_it_fails_in_ci(self):
        self.assertEqual(counts(self.outcome(0, fetched=Ran(3, "no Slurm"), ci="true")), (0, 1, 0))
        self.assertEqual(counts(self.outcome(3, ci="1")), (0, 1, 0))

    def test_servers_that_do_not_build_are_a_failure(self):
        self.assertEqual(counts(self.outcome(0, "ok a (1 s)", fetched=Ran(1, "go build failed"))), (0, 1, 0))


class Fuzzing(unittest.TestCase):
    def outcome(self, code, *lines):
        with mock.patch.object(program, "run", lambda *_, **__: Done(code, list(lines))):
            return program.fuzzing()

    def test_counts_one_verdict_per_target_and_shows_the_findings(self):
        outcome = self.outcome(1, "ok json (3 inputs replayed)", "not ok configs (found)", "    input:  x")
        self.assertEqual(counts(outcome), (1, 1, 0))
        self.assertEqual(outcome.shown, ["not ok configs (found)", "    input:  x"])

    def test_a_run_without_a_verdict_is_a_failure(self):
        self.assertEqual(counts(self.outcome(0)), (0, 1, 0))
        self.assertEqual(counts(self.outcome(2, "the targets could not be built")), (0, 1, 0))


class UnitTests(unittest.TestCase):
    def test_reads_each_result_of_ctest(self):
        suite = ElementTree.fromstring("""
            <testsuite>
              <testcase name="good" time="0.1" status="run"/>
              <testcase name="bad" time="1.5" status="fail"><failure message=""/><system-out>want 1</system-out></testcase>
              <testcase name="gone" time="0" status="notrun"><skipped message="Unable to find executable"/></testcase>
              <testcase name="left" time="0" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/></testcase>
              <testcase name="off" time="0" status="disabled"/>
            </testsuite>""")
        outcome = program.ctest_outcome(suite)
        self.assertEqual(counts(outcome), (1, 2, 2))
        self.assertEqual(outcome.shown, ["--- bad: failed after 1.5 s", "want 1", "--- gone: Unable to find executable"])

    def test_reads_the_results_of_unittest(self):
        rows = [
            (0, ["Ran 3 tests in 0.1s", "", "OK"], (3, 0, 0)),
            (0, ["Ran 3 tests in 0.1s", "", "OK (skipped=1)"], (2, 0, 1)),
            (1, ["Ran 5 tests in 0.1s", "", "FAILED (failures=1, errors=2, skipped=1)"], (1, 3, 1)),
            (1, ["Ran 2 tests in 0.1s", "", "FAILED (unexpected successes=1)"], (1, 1, 0)),
            (1, ["Traceback ..."], (0, 1, 0)),
            (0, ["Ran 0 tests in 0.0s", "", "OK"], (0, 1, 0)),
        ]
        for code, lines, want in rows:
            with self.subTest(lines=lines):
                self.assertEqual(counts(program.python_outcome(Done(code, lines))), want)


class Build(unittest.TestCase):
    def test_shows_the_first_error_without_progress_and_command_lines(self):
        lines = ["[1/9] Building a.o", "FAILED: b.o", "/usr/bin/ccache /usr/bin/clang++-19 -c b.cpp", "b.cpp:1: error: no",
                 "[2/9] Building c.o", "ninja: build stopped"]
        self.assertEqual(program.build_errors(lines), ["FAILED: b.o", "b.cpp:1: error: no", "ninja: build stopped"])


class Whole(unittest.TestCase):
    def run_stages(self, *stages, arguments=()):
        """(exit code, last line) of a run of these."""
        printed = io.StringIO()
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(printed), \
                mock.patch.object(program, "STAGES", list(stages)), mock.patch.object(program, "TOP", Path(folder)), \
                mock.patch.object(program, "LOGS", Path(folder) / "logs"), mock.patch.object(sys, "argv", ["test", *arguments]):
            code = program.main()
        return code, printed.getvalue().splitlines()[-1]

    def test_the_last_line_sums_up(self):
        stages = Stage("a", "", lambda: Outcome(passed=2)), Stage("b", "", lambda: Outcome(passed=1))
        self.assertEqual(self.run_stages(*stages), (0, "3 passed, 0 failed"))

    def test_a_skip_is_reported_and_is_no_failure(self):
        stages = Stage("a", "", lambda: Outcome(passed=2, skipped=1, warning="no Slurm")),
        self.assertEqual(self.run_stages(*stages), (0, "2 passed, 0 failed, 1 skipped"))

    def test_other_stages_continue_after_a_failed_build(self):
        stages = (Stage("build", "", lambda: Outcome(failed=1, shown=["error"])),
                  Stage("unit", "", lambda: self.fail("must not run"), needs=("build",)),
                  Stage("other", "", lambda: Outcome(passed=1)))
        self.assertEqual(self.run_stages(*stages), (1, "1 passed, 1 failed, 1 skipped"))

    def test_stages_run_in_parallel_with_a_background_stage_at_lower_priority(self):
        others_ran = threading.Event()
        room = {}

        def long():
            room["long"] = getattr(program.LOCAL, "leaves_room", False)
            return Outcome(passed=int(others_ran.wait(30)))

        def short():
            room["short"] = getattr(program.LOCAL, "leaves_room", False)
            others_ran.set()
            return Outcome(passed=1)

        stages = Stage("long", "", long, in_background=True), Stage("short", "", short)
        self.assertEqual(self.run_stages(*stages), (0, "2 passed, 0 failed"))
        self.assertEqual(room, {"long": False, "short": True})

    def test_a_failure_in_the_background_is_a_failure(self):
        stages = Stage("long", "", lambda: Outcome(failed=1), in_background=True), Stage("short", "", lambda: Outcome(passed=1))
        self.assertEqual(self.run_stages(*stages), (1, "1 passed, 1 failed"))

    def test_a_stage_that_must_be_alone_waits_for_the_background(self):
        ended = []
        release = threading.Event()

        def long():
            release.wait(5)
            ended.append("long")
            return Outcome(passed=1)

        def short():
            release.set()
            return Outcome(passed=1)

        stages = (Stage("long", "", long, in_background=True), Stage("short", "", short),
                  Stage("last", "", lambda: Outcome(passed=len(ended)), alone=True))
        self.assertEqual(self.run_stages(*stages), (0, "3 passed, 0 failed"))

    def test_a_stage_that_runs_by_name_only_is_not_in_the_complete_run(self):
        stages = Stage("quick", "", lambda: self.fail("must not run"), by_name=True), Stage("a", "", lambda: Outcome(passed=1))
        self.assertEqual(self.run_stages(*stages), (0, "1 passed, 0 failed"))
        quick = Stage("quick", "", lambda: Outcome(passed=2), by_name=True)
        self.assertEqual(self.run_stages(quick, stages[1], arguments=["--only", "quick"]), (0, "2 passed, 0 failed"))

    def test_a_background_stage_is_not_started_if_its_build_failed(self):
        stages = (Stage("build", "", lambda: Outcome(failed=1)),
                  Stage("long", "", lambda: self.fail("must not run"), ("build",), in_background=True))
        self.assertEqual(self.run_stages(*stages), (1, "0 passed, 1 failed, 1 skipped"))

    def test_an_interrupt_is_a_failure(self):
        def interrupted():
            raise KeyboardInterrupt
        self.assertEqual(self.run_stages(Stage("a", "", interrupted)), (1, "0 passed, 1 failed"))


class Progress(unittest.TestCase):
    def test_shows_the_completed_share_and_the_remaining_time(self):
        stages = [Stage("build-a", "", None, seconds=100), Stage("build-b", "", None, seconds=50),
                  Stage("long", "", None, seconds=600, in_background=True), Stage("unit", "", None, seconds=120)]
        now = [1000.0]
        with mock.patch.object(time, "monotonic", lambda: now[0]):
            progress = program.Progress()
            self.assertEqual(str(progress), "")
            progress.begin(stages)
            progress.enter(stages[0])
            self.assertEqual(str(progress), ", 0 %, about 13 min left")  # the builds, then the long one
            now[0] += 150
            progress.heard("[5/10] Building x.o")  # three times as long as expected, and so will be the next
            self.assertEqual(str(progress), ", 14 %, about 15 min left")
            for stage in stages[:2]:
                progress.leave(stage)
            progress.enter(stages[2])
            progress.enter(stages[3])
            now[0] += 450
            self.assertEqual(str(progress), ", 80 %, about 3 min left")
            progress.leave(stages[3])
            progress.leave(stages[2])
            self.assertEqual(str(progress), "")


class Programs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for patch in (mock.patch.object(program, "LOGS", Path(folder.name)),
                      mock.patch.object(program, "say", lambda text: None)):
            patch.start()
            self.addCleanup(patch.stop)
        self.log = Path(folder.name) / "x.log"

    def test_lines_and_exit_code_are_returned_and_logged(self):
        done = program.run("x", ["sh", "-c", "echo a; echo b >&2; printf c; exit 5"])
        self.assertEqual((done.code, done.lines), (5, ["a", "b", "c"]))
        self.assertEqual(self.log.read_text(), "a\nb\nc")

    def test_a_second_command_appends_to_the_log_and_returns_only_its_own_lines(self):
        program.run("x", ["echo", "a"])
        self.assertEqual(program.run("x", ["echo", "b"], append=True).lines, ["b"])
        self.assertEqual(self.log.read_text(), "a\nb\n")

    def test_a_missing_program_is_distinguished_from_a_failing_one(self):
        done = program.run("x", ["/does/not/exist"])
        self.assertEqual(done.code, 127)
        self.assertIn("/does/not/exist", done.lines[0])

    def test_a_process_that_a_program_leaves_running_does_not_block(self):
        began = time.monotonic()
        done = program.run("x", ["sh", "-c", "sleep 20 & echo $!"])
        os.kill(int(done.lines[0]), 9)
        self.assertLess(time.monotonic() - began, 10)

    def test_a_program_that_takes_too_long_may_clean_up_and_is_a_failure(self):
        script = "trap 'echo cleaned up; exit' TERM; while true; do sleep 0.1; done"
        done = program.run("x", ["sh", "-c", script], seconds=1)
        self.assertEqual((done.code, done.lines[-2:]), (124, ["cleaned up", "stopped after 1 s"]))


if __name__ == "__main__":
    unittest.main()
