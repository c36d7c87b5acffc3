# SPDX-License-Identifier: Apache-2.0
"""The format of seed004.list, and how its commands are run. No cluster is needed."""

import re
import subprocess
import unittest
from pathlib import Path
from unittest import mock

import seed_commands
from seed_commands import Entry, Runner, read

ENTRIES = read(seed_commands.LIST.read_text(encoding="utf-8"))


class TheList(unittest.TestCase):
    def test_it_has_the_commands_that_the_issue_names(self):
        text = "\n".join(entry.seed for entry in ENTRIES)
        for command in ("kubectl top", "helm upgrade", "slurmNodes.controller.resources.memory=", "kubectl patch slurmcluster",
                        "ssh -p 30022 soperator@localhost", "scp ", "srun --pty", "sbatch --array=1-100%10", "--partition=batch", "sstat",
                        "crictl", "./05-final-status.sh"):
            self.assertIn(command, text)

    def test_no_docker_command_runs(self):
        for entry in ENTRIES:
            self.assertNotIn("docker", entry.command, f"line {entry.line}")

    def test_every_command_has_an_expected_result(self):
        for entry in ENTRIES:
            if entry.seed and "cat >" not in entry.seed:
                self.assertTrue(entry.expect, f"line {entry.line}")

    def test_every_saved_value_is_saved_before_it_is_used(self):
        known = set()
        for entry in ENTRIES:
            used = set(re.findall(r"<([a-z_-]+)>", entry.command + " ".join(entry.expect))) - {"none"}
            self.assertLessEqual(used, known, f"line {entry.line}")
            known |= set(entry.save[:1])

    def test_a_program_that_reads_a_terminal_gets_one(self):
        for entry in ENTRIES:
            interactive = re.search(r"-it |--pty|--tty|\bwatch\b|soperator@localhost$", entry.command)
            if interactive and not re.search(r"\bscp\b", entry.command):
                self.assertEqual(entry.on, "terminal", f"line {entry.line}")

    def test_the_demo_scripts_exist(self):
        for name in set(re.findall(r"\./(0\d-\S+\.sh)", "\n".join(entry.seed for entry in ENTRIES))):
            self.assertTrue((seed_commands.DEMO / name).is_file(), name)


class Reading(unittest.TestCase):
    def test_an_entry(self):
        [entry] = read("# comment\nseed: a\nseed:  b\nrun: c\non: terminal\ntype: x\ntype: y\nexpect: ^z$\nexit: 3\nwithin: 5\nsave: id (\\d+) x\n"
                       "note: n\npart: 2\n\n")
        self.assertEqual(entry, Entry(2, "a\n b", "c", "n", "terminal", ["x", "y"], ["^z$"], 3, 5.0, ("id", "(\\d+) x"), 2))

    def test_mistakes_are_reported_with_their_line(self):
        for text, message in (("seed a", "line 1"), ("seed: a\n\nsed: b", "line 3"), ("seed: a\nexit: 1\nexit: 2", "line 3: exit appears twice"),
                              ("note: a", "line 1: an entry needs"), ("seed: a\non: moon", "line 1"), ("seed: a\nexpect: (", "regular expression")):
            with self.subTest(text), self.assertRaisesRegex(ValueError, re.escape(message)):
                read(text)


class Running(unittest.TestCase):
    def setUp(self):
        lab = mock.Mock()
        lab.name, lab.environment = "dev", {"PATH": "/usr/bin:/bin"}
        self.login = mock.Mock(options=["-i", "key"], port=30022, key=Path("key"))
        self.runner = Runner(lab, "space", "small", self.login)
        self.addCleanup(self.runner.close)

    def entry(self, text):
        return read(text)[0]

    def test_names_of_the_cluster_under_test_are_used(self):
        self.assertEqual(self.runner.fill("kubectl describe slurmcluster correct-cpu-cluster -n correct-cpu-cluster"),
                         "kubectl describe slurmcluster small -n space")
        self.assertEqual(self.runner.fill("helm upgrade my-cluster x -n my-namespace"), "helm upgrade small x -n space")

    def test_the_pod_of_the_operator_is_looked_up(self):
        with mock.patch.object(seed_commands.install, "operator_pod", return_value="soperator-manager-1-a"):
            self.assertEqual(self.runner.fill("kubectl logs soperator-manager-xxx"), "kubectl logs soperator-manager-1-a")

    def test_a_saved_value_is_used_later(self):
        self.assertTrue(self.runner.run(self.entry("run: echo job 42\nsave: job_id job (\\d+)")).good)
        self.assertEqual(self.runner.fill("echo <job_id> <other>"), "echo 42 <other>")
        self.assertTrue(self.runner.run(self.entry("seed: echo <job_id>\nexpect: ^<job_id>$")).good)

    def test_exit_code_and_output_are_compared(self):
        self.assertEqual(self.runner.run(self.entry("seed: false")).reason, "exit code 1, expected 0")
        self.assertTrue(self.runner.run(self.entry("seed: exit 4\nexit: 4")).good)
        self.assertIn("does not match b", self.runner.run(self.entry("seed: echo a\nexpect: a\nexpect: b")).reason)

    def test_a_command_is_repeated_until_its_result_is_the_expected_one(self):
        with mock.patch.object(seed_commands, "POLL_SECONDS", 0.01):
            outcome = self.runner.run(self.entry('seed: echo x >> "$WORK/n"; wc -l < "$WORK/n"\nwithin: 20\nexpect: ^3$'))
        self.assertTrue(outcome.good)

    def test_a_command_at_the_login_node_runs_there(self):
        self.login.try_run.return_value = subprocess.CompletedProcess([], 0, "JOBID\n")
        self.assertTrue(self.runner.run(self.entry("seed: squeue\non: login\nexpect: JOBID")).good)

    def test_lines_are_typed_into_a_terminal(self):
        outcome = self.runner.run(self.entry("seed: tty && read line && echo got $line\non: terminal\ntype: hello\nexpect: got hello"))
        self.assertTrue(outcome.good, outcome)

    def test_devcluster_is_that_of_the_cluster_under_test(self):
        outcome = self.runner.run(self.entry('seed: cat "$(command -v devcluster)"\nexpect: --name dev "\\$@"'))
        self.assertTrue(outcome.good, outcome)

    def test_the_report_has_one_line_per_command(self):
        lines = []
        entries = read("seed: true\n\nrun: true\n\nseed: echo why; false\n\nseed: later\npart: 2\n")
        self.assertFalse(seed_commands.run_all(self.runner, entries, out=lambda text, flush=False: lines.append(text)))
        self.assertEqual([line.split(" (")[0] for line in lines],
                         ["ok true", "not ok echo why; false: exit code 1, expected 0", "    why", "part 2 later"])


if __name__ == "__main__":
    unittest.main()
