# SPDX-License-Identifier: Apache-2.0
"""The parts of the operator's demo that need no cluster."""

import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import demo_operator
import install
import jobs
import lab
import login
from jobs import Record
from slurm_cluster import SlurmCluster
from steps import Steps


class FakeLogin:
    """Answers each command with the next text."""

    def __init__(self, *answers):
        self.answers, self.commands = list(answers), []

    def run(self, command, stdin=None, timeout=60):
        self.commands.append(command)
        return self.answers.pop(0)

    def try_run(self, command, stdin=None, timeout=60):
        return subprocess.CompletedProcess([], 0, self.run(command))


class Jobs(unittest.TestCase):
    LINE = "7_1|array|COMPLETED|0:0|1|worker-0|00:00:01"

    def test_a_record_is_read_from_sacct(self):
        self.assertEqual(jobs.record(self.LINE), Record("7_1", "array", "COMPLETED", "0:0", 1, "worker-0", "00:00:01"))
        self.assertEqual(jobs.record("7|a|CANCELLED by 1000|0:15|1|None assigned|00:00:00").state, "CANCELLED")

    def test_the_id_of_a_new_job_is_read_from_sbatch(self):
        self.assertEqual(jobs.submit(FakeLogin("12\n"), "#!/bin/sh\n", "--array=1-2"), 12)
        self.assertEqual(jobs.submit(FakeLogin("12;cluster\n"), ""), 12)
        with self.assertRaisesRegex(lab.Failed, "no job id: error"):
            jobs.submit(FakeLogin("error\n"), "")

    def test_a_job_has_ended_when_all_its_tasks_have(self):
        running = self.LINE.replace("COMPLETED", "RUNNING")
        fake = FakeLogin("", self.LINE, f"{self.LINE}\n{running.replace('7_1', '7_2')}", f"{self.LINE}\n{self.LINE.replace('7_1', '7_2')}\n")
        with mock.patch("time.sleep"):
            found = jobs.wait_until_finished(fake, 7, tasks=2)
        self.assertEqual([one.id for one in found], ["7_1", "7_2"])

    def test_restarts_are_read_from_scontrol(self):
        self.assertEqual(jobs.restarts(FakeLogin("JobId=7\n   Requeue=1 Restarts=2 BatchFlag=1\n"), 7), 2)

    def test_failed_jobs_are_named(self):
        good = jobs.record(self.LINE)
        demo_operator._expect_success([good], 1)
        with self.assertRaisesRegex(lab.Failed, "NODE_FAIL"):
            demo_operator._expect_success([jobs.record(self.LINE.replace("COMPLETED", "NODE_FAIL"))], 1)
        with self.assertRaisesRegex(lab.Failed, "1 of 2 jobs"):
            demo_operator._expect_success([good], 2)


class Waiting(unittest.TestCase):
    def test_a_condition_is_checked_once_more_after_the_deadline(self):
        with self.assertRaisesRegex(lab.Failed, "not within 0 s: the sun rises"):
            lab.wait_until(lambda: False, 0, "the sun rises")
        self.assertEqual(lab.wait_until(lambda: 7, 0, "x"), 7)


class StepsOfARun(unittest.TestCase):
    def setUp(self):
        self.now, self.lines = 0.0, []
        self.steps = Steps(clock=lambda: self.now, out=lambda text, flush: self.lines.append(text))

    def test_a_good_run(self):
        with self.steps.step("install") as step:
            self.now = 3.0
            step.detail = "two pods"
        self.assertEqual(self.lines, ["   3.0 s  install: two pods"])
        self.assertEqual(self.steps.table(), ["  ok    install     3.0 s  two pods"])
        self.assertEqual(self.steps.verdict(), "all 1 steps succeeded in 3 s")

    def test_a_failed_step_is_named(self):
        with self.assertRaises(lab.Failed), self.steps.step("install"):
            raise lab.Failed("no")
        self.assertEqual(self.steps.table(), ["  FAIL  install     0.0 s"])
        self.assertEqual(self.steps.verdict(), "failed after 0 s: install")

    def test_a_run_without_steps_is_no_success(self):
        self.assertFalse(self.steps.good)


class Terminals(unittest.TestCase):
    def test_lines_are_typed_on_a_terminal(self):
        code, output = login.type_lines(["sh", "-c", "tty; read a; echo got $a; exit 3"], ["hello"], timeout=20)
        self.assertEqual(code, 3)
        self.assertIn("/dev/pts/", output)
        self.assertIn("got hello", output)

    def test_a_program_that_does_not_end_is_killed(self):
        code, output = login.type_lines(["sh", "-c", "echo start; sleep 60"], [], timeout=1)
        self.assertEqual(code, 124)
        self.assertIn("no end within 1 s", output)


class Clusters(unittest.TestCase):
    RESOURCE = {"metadata": {"generation": 2}, "status": {
        "phase": "Available", "observedGeneration": 1, "readyWorkers": 2,
        "conditions": [{"type": "LoginAvailable", "status": "False", "reason": "Pending", "message": "pod login-0"},
                       {"type": "CommonAvailable", "status": "True"}]}}

    def test_a_status_of_an_older_generation_does_not_count(self):
        fake = mock.Mock()
        fake.get.return_value = self.RESOURCE
        cluster = SlurmCluster(fake, "space", "demo")
        self.assertFalse(cluster._is_current())
        fake.get.return_value = {**self.RESOURCE, "metadata": {"generation": 1}}
        self.assertTrue(cluster._is_current())

    def test_the_explanation_has_the_conditions_that_do_not_hold(self):
        fake = mock.Mock()
        fake.get.return_value = self.RESOURCE
        fake.try_kubectl.return_value = subprocess.CompletedProcess([], 0, "pods\n")
        text = SlurmCluster(fake, "space", "demo").explanation()
        self.assertIn("LoginAvailable: False Pending: pod login-0", text)
        self.assertNotIn("CommonAvailable", text)

    def test_values_reach_helm_in_a_file(self):
        fake, seen = mock.Mock(), {}
        fake.helm.side_effect = lambda *arguments: seen.update(text=Path(arguments[arguments.index("--values") + 1]).read_text())
        install.install_cluster(fake, "space", "demo", {"a": [1]}, "--set", "b=2")
        self.assertEqual(seen["text"], '{"a": [1]}')
        self.assertEqual(fake.helm.call_args.args[-2:], ("--set", "b=2"))


class Keys(unittest.TestCase):
    @unittest.skipUnless(login.shutil.which("ssh-keygen"), "ssh-keygen is not installed")
    def test_a_key_is_made_once(self):
        with tempfile.TemporaryDirectory() as folder:
            path, public = login.make_key(folder)
            self.assertTrue(public.startswith("ssh-ed25519 "))
            self.assertEqual(path.stat().st_mode & 0o777, 0o600)
            self.assertEqual(login.make_key(folder), (path, public))

    def test_the_configuration_of_the_user_is_not_used(self):
        argv = login.Login("/k/id", 30022, cluster="small").argv("hostname")
        self.assertEqual(argv[0], "ssh")
        self.assertIn("UserKnownHostsFile=/k/known_hosts.small", argv)
        self.assertEqual(argv[-3:], ["30022", "soperator@127.0.0.1", "hostname"])


if __name__ == "__main__":
    unittest.main()
