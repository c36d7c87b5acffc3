# SPDX-License-Identifier: Apache-2.0
"""Tests of the dev cluster tool that start no cluster."""

import contextlib
import io
import json
import os
import shlex
import signal
import stat
import subprocess
import tempfile
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest import mock

import cli
import host
import kubernetes
import kwok_source
import lifecycle
import binaries
import pki
import process
import procfs
import report
import together
from cluster import Cluster, known_clusters
from debian import NotAvailable


class InTemporaryFolders(unittest.TestCase):
    """Each test has its own state and cache; processes that it starts end with it."""

    def setUp(self):
        self.root = Path(self.enter(tempfile.TemporaryDirectory()))
        self.enter(mock.patch.dict(os.environ, SLURM_BRIDGE_STATE=str(self.root / "state"),
                                   SLURM_BRIDGE_CACHE=str(self.root / "cache")))

    def enter(self, context):
        value = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        return value

    def cluster(self, name="test"):
        cluster = Cluster(name)
        cluster.create()
        self.addCleanup(process.kill_strays, cluster)
        return cluster


class Ports(InTemporaryFolders):
    def test_two_clusters_never_hold_the_same_port(self):
        clusters = [self.cluster("one"), self.cluster("two")]
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(lambda number: clusters[number % 2].port(f"component-{number}"), range(300)))
        self.assertEqual(len(set(found)), 300)

    def test_a_port_is_constant_while_the_cluster_exists(self):
        self.assertEqual(self.cluster().port("etcd"), Cluster("test").port("etcd"))


class States(InTemporaryFolders):
    def test_the_state_folder_is_for_its_owner_only(self):
        self.assertEqual(stat.S_IMODE(self.cluster().folder.stat().st_mode), 0o700)

    def test_nodes_are_named_with_three_digits(self):
        cluster = self.cluster()
        cluster.options["nodes"] = 500
        self.assertEqual((cluster.node_names[0], cluster.node_names[-1]), ("k001", "k500"))

    def test_a_process_that_waits_for_a_removed_cluster_gets_a_new_one(self):
        cluster, entered = self.cluster(), threading.Event()

        def wait_for_it():
            with Cluster("test").lock():
                entered.set()

        with cluster.lock():
            waiter = threading.Thread(target=wait_for_it)
            waiter.start()
            self.assertFalse(entered.wait(0.2))
            cluster.remove()
        waiter.join(5)
        self.assertTrue(entered.is_set() and cluster.folder.is_dir())

    def test_removing_the_last_cluster_leaves_nothing(self):
        self.cluster().remove()
        self.assertEqual((known_clusters(), (self.root / "state").exists()), ([], False))

    def test_options_of_an_existing_cluster_are_kept_and_not_changed_silently(self):
        lifecycle._settle_options(self.cluster(), {"nodes": 4}, ("slurm",))
        again = Cluster("test")
        lifecycle._settle_options(again, {}, ("kubernetes",))
        self.assertEqual((again.options["nodes"], again.options["halves"]), (4, ["kubernetes", "slurm"]))
        with self.assertRaisesRegex(lifecycle.UsageError, "exists with nodes=4"):
            lifecycle._settle_options(again, {"nodes": 5}, ("slurm",))

    def test_a_name_that_is_not_a_folder_name_is_refused(self):
        for name in ("", "../x", "A", "a" * 33, "-a"):
            with self.assertRaises(ValueError):
                Cluster(name)


class Processes(InTemporaryFolders):
    def setUp(self):
        super().setUp()
        self.dev = self.cluster()

    def start(self, script, **options):
        process.start(self.dev, "component", ["sh", "-c", script], **options)
        return process.pid(self.dev, "component")

    def log(self):
        return (self.dev.logs / "component.log").read_text()

    def test_the_error_of_an_exited_component_has_the_last_log_lines_of_this_start(self):
        (self.dev.logs / "component.log").write_text("a line of an earlier start\n")
        with self.assertRaises(process.ComponentFailed) as failed:
            self.start("seq 1 40; echo no such database; exit 7", ready=lambda: False)
        text = str(failed.exception)
        self.assertIn("component did not start: it exited with code 7", text)
        self.assertIn("no such database", text)
        self.assertEqual(len([line for line in text.splitlines() if line.startswith("  | ")]), 15)
        self.assertNotIn("earlier", text)
        self.assertIn("earlier", self.log())

    def test_a_missing_program_is_named(self):
        with self.assertRaisesRegex(process.ComponentFailed, "component did not start: cannot run /no/such: No such file"):
            process.start(self.dev, "component", ["/no/such"])

    def test_a_component_that_never_becomes_ready_fails_and_is_stopped(self):
        with self.assertRaisesRegex(process.ComponentFailed, "not ready after 0.2 s"):
            self.start("exec sleep 60", ready=lambda: False, timeout=0.2)
        self.assertIsNone(process.pid(self.dev, "component"))

    def test_an_error_of_the_readiness_check_means_not_ready(self):
        answers = iter([OSError(), ValueError(), True])

        def ready():
            answer = next(answers)
            if isinstance(answer, Exception):
                raise answer
            return answer

        self.assertIsNotNone(self.start("exec sleep 60", ready=ready))

    def test_an_interrupted_start_is_continued(self):
        first = self.start("exec sleep 60")
        asked = iter([False, False, True])
        self.assertEqual(self.start("exec sleep 60", ready=lambda: next(asked)), first)

    def test_an_unrecorded_process_of_a_dead_run_is_killed_before_the_next_start(self):
        first = self.start("exec sleep 60")
        path = self.dev.run / "component.json"
        path.write_text(json.dumps(dict(json.loads(path.read_text()), pid=None)))
        second = self.start("exec sleep 60")
        self.assertNotEqual(first, second)
        self.assertNotIn(first, procfs.living())

    def test_a_process_that_left_the_session_of_a_killed_component_survives_its_restart(self):
        self.start("setsid sh -c 'echo $$ > child; exec sleep 60' & exec sleep 60".replace("child", str(self.root / "child")),
                   ready=lambda: (self.root / "child").read_text().strip())
        child = int((self.root / "child").read_text())
        process.kill(self.dev, "component")
        process.start_again(self.dev, "component")
        self.assertIn(child, procfs.living())
        process.stop(self.dev, "component", grace=0.1)
        self.assertNotIn(child, procfs.living())

    def test_a_stopped_component_has_saved_its_state_and_can_be_started_again(self):
        kept = self.root / "kept"
        first = self.start(f"trap 'sleep 0.3; echo all > {kept}; exit' TERM; echo up; while :; do sleep 0.05; done",
                           ready=lambda: "up" in self.log())
        process.stop_for_a_while(self.dev, "component")
        self.assertEqual(kept.read_text(), "all\n")
        self.assertNotIn(first, procfs.living())
        process.start_again(self.dev, "component")
        self.assertNotIn(process.pid(self.dev, "component"), (None, first))

    def test_the_stop_signal_of_a_wrapped_component_reaches_the_program_and_not_its_wrapper(self):
        kept = self.root / "kept"
        inner = f"trap 'echo all > {kept}; exit' TERM; echo up; while :; do sleep 0.05; done"
        wrapper = self.start(f"trap 'echo wrapper > {kept}; exit' TERM; sh -c {shlex.quote(inner)}; true",
                             ready=lambda: "up" in self.log(), wrapped=True)
        process.stop_for_a_while(self.dev, "component", grace=5)
        self.assertEqual(kept.read_text(), "all\n")
        self.assertNotIn(wrapper, procfs.living())

    def test_a_component_that_does_not_terminate_is_reported(self):
        self.start("trap '' TERM; echo up; while :; do sleep 0.05; done", ready=lambda: "up" in self.log())
        with self.assertRaisesRegex(process.ComponentFailed, "component did not stop: it still runs 0.2 s after"):
            process.stop_for_a_while(self.dev, "component", grace=0.2)

    def test_a_recycled_pid_is_neither_running_nor_signalled(self):
        self.start("exec sleep 60")
        process.kill(self.dev, "component")
        path = self.dev.run / "component.json"
        record = json.loads(path.read_text())
        with self.stranger_started_later_than(record["started"]) as stranger:
            path.write_text(json.dumps(dict(record, pid=stranger.pid)))
            self.assertIsNone(process.pid(self.dev, "component"))
            process.kill(self.dev, "component")
            process.stop(self.dev, "component")
            self.assertIsNone(stranger.poll())
            stranger.kill()

    def stranger_started_later_than(self, tick):
        """The kernel counts start times in hundredths of a second; a pid is not used again within one."""
        while True:
            stranger = subprocess.Popen(["sleep", "60"], start_new_session=True)
            if procfs.stat(stranger.pid).started != tick:
                return stranger
            stranger.kill()
            stranger.wait()

    def test_stop_terminates_first_and_then_kills_remaining_children(self):
        leader = self.start("trap 'echo goodbye; exit' TERM; (trap '' TERM; sleep 61) & echo up; while :; do sleep 0.05; done",
                            ready=lambda: "up" in self.log())
        process.stop(self.dev, "component")
        self.assertIn("goodbye", self.log())
        self.assertEqual(procfs.session_members(leader), [])
        self.assertEqual(process.recorded(self.dev), [])
        process.stop(self.dev, "component")  # no error if nothing runs

    def test_a_killed_component_starts_again_with_the_same_command(self):
        first = self.start("echo started with $WORD; exec sleep 300", env={"WORD": "salt"},
                           ready=lambda: "started" in self.log())
        process.kill(self.dev, "component")
        self.assertIsNone(process.pid(self.dev, "component"))
        process.start_again(self.dev, "component", ready=lambda: self.log().count("started with salt") == 2)
        self.assertNotIn(process.pid(self.dev, "component"), (None, first))

    def test_a_component_does_not_inherit_the_callers_settings(self):
        with mock.patch.dict(os.environ, KUBECONFIG="/elsewhere", SLURM_CONF="/elsewhere"):
            self.start("env; echo done; exec sleep 60", ready=lambda: "done" in self.log())
        self.assertNotIn("elsewhere", self.log())

    def test_the_record_is_for_its_owner_only(self):
        self.start("exec sleep 60", env={"SECRET": "1"})
        self.assertEqual(stat.S_IMODE((self.dev.run / "component.json").stat().st_mode), 0o600)

    def test_stray_processes_of_another_cluster_are_not_killed(self):
        mine = self.start("exec sleep 60")
        process.kill_strays(self.cluster("other"))
        self.assertEqual(process.pid(self.dev, "component"), mine)


class Interruption(unittest.TestCase):
    def test_ctrl_c_does_not_wait_for_a_hanging_thread(self):
        threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
        began = time.monotonic()
        with self.assertRaises(together.Interrupted):
            together.run({"hangs": lambda: time.sleep(5)})
        self.assertLess(time.monotonic() - began, 2)

    def test_one_failure_does_not_hide_the_other(self):
        def fail(text):
            raise ValueError(text)
        failures = together.run({"a": lambda: fail("x"), "b": lambda: fail("y"), "c": lambda: None})
        self.assertEqual({name: str(error) for name, error in failures.items()}, {"a": "x", "b": "y"})

    def test_an_interrupted_fetch_is_repeated(self):
        with tempfile.TemporaryDirectory() as folder:
            wanted = Path(folder) / "component-1"
            with contextlib.suppress(KeyboardInterrupt), binaries._made_whole(wanted) as draft:
                (draft / "half").touch()
                raise KeyboardInterrupt
            self.assertFalse(wanted.exists())
            with binaries._made_whole(wanted) as draft:
                (draft / "whole").touch()
            self.assertEqual([path.name for path in wanted.iterdir()], ["whole"])


class Wrappers(InTemporaryFolders):
    def test_kubectl_runs_as_administrator_unless_kubeconfig_is_set(self):
        cluster = self.cluster()
        fake = binaries.debian_binary(cluster.cache, "kubectl")
        fake.parent.mkdir(parents=True)
        fake.write_text('#!/bin/sh\necho "$KUBECONFIG" "$@"\n')
        fake.chmod(0o755)
        kubernetes._write_wrapper(cluster)

        def call(**environment):
            return subprocess.run([cluster.bin / "kubectl", "get", "a b"], env=environment, text=True, check=True,
                                  stdout=subprocess.PIPE).stdout.strip()

        self.assertEqual(call(), f"{pki.kubeconfig_path(cluster, 'admin')} get a b")
        self.assertEqual(call(KUBECONFIG="/mine"), "/mine get a b")

    def test_env_can_be_evaluated_by_a_shell(self):
        cluster = self.cluster()
        cluster.options["halves"] = ["kubernetes", "slurm"]
        script = report.environment(cluster) + '\necho "$KUBECONFIG|$SLURM_BRIDGE_KUBECONFIG|$SLURM_REST_API|${PATH%%:*}"'
        shown = subprocess.run(["sh", "-c", script], text=True, check=True, stdout=subprocess.PIPE).stdout.strip()
        self.assertEqual(shown, f"{cluster.folder}/kubeconfig|{cluster.folder}/kubeconfig.slurm-bridge|"
                                f"http://127.0.0.1:{cluster.port('slurmrestd')}|{cluster.folder}/bin")


class Certificates(InTemporaryFolders):
    def test_keys_and_certificates_are_created_once(self):
        cluster = self.cluster()
        pki.create(cluster)
        before = {path.name: path.read_bytes() for path in pki.folder(cluster).glob("*.[ckp]*")}
        pki.create(cluster)
        self.assertEqual(before, {path.name: path.read_bytes() for path in pki.folder(cluster).glob("*.[ckp]*")})
        checked = subprocess.run(["openssl", "verify", "-CAfile", "ca.crt", "server.crt", "admin.crt", "kwok.crt"],
                                 cwd=pki.folder(cluster), stdout=subprocess.PIPE, text=True)
        self.assertEqual(checked.stdout.count(": OK"), 3)


class Source(InTemporaryFolders):
    def test_an_unexpected_version_of_kwok_is_refused(self):
        with self.assertRaises(kwok_source.UnexpectedSource):
            kwok_source.prepare({"Version": f"v{kwok_source.VERSION}", "Sum": "h1:other", "Dir": "/"}, self.root / "out")

    def test_a_change_that_does_not_match_the_source_is_refused(self):
        for file, _, _, _ in kwok_source.CHANGES:
            (self.root / "in" / file).parent.mkdir(parents=True, exist_ok=True)
            (self.root / "in" / file).write_text("package controllers\n")
        module = {"Version": f"v{kwok_source.VERSION}", "Sum": kwok_source.CHECKSUM, "Dir": str(self.root / "in")}
        with self.assertRaisesRegex(kwok_source.UnexpectedSource, "does not read as expected"):
            kwok_source.prepare(module, self.root / "out")


class CommandLine(InTemporaryFolders):
    def call(self, *arguments):
        """(exit code, what was printed) of a command."""
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            try:
                code = cli.main(arguments)
            except SystemExit as exit:
                code = exit.code
        return code, printed.getvalue()

    def test_the_error_of_an_unknown_verb_lists_the_known_ones(self):
        code, printed = self.call("fly")
        self.assertEqual(code, 2)
        for verb in ("up", "down", "status", "env", "fetch", "kill", "stop", "start", "logs"):
            self.assertIn(f"'{verb}'", printed)

    def test_the_error_of_an_unknown_component_lists_the_known_ones(self):
        lifecycle._settle_options(self.cluster("dev"), {}, ("kubernetes",))
        code, printed = self.call("kill", "kubelet")
        self.assertEqual(code, 2)
        self.assertIn("etcd, apiserver, controller-manager, scheduler, kwok", printed)

    def test_a_cluster_that_is_down_has_exit_code_1(self):
        self.assertEqual(self.call("status")[0], 1)
        lifecycle._settle_options(self.cluster("dev"), {}, ("kubernetes",))
        code, printed = self.call("status")
        self.assertEqual((code, printed.count(" down")), (1, 5))

    def test_down_without_a_cluster_is_no_error(self):
        self.assertEqual(self.call("down")[0], 0)

    def test_a_missing_prerequisite_has_exit_code_3_and_a_fix(self):
        with mock.patch("os.geteuid", return_value=1000):
            code, printed = self.call("up", "--only", "slurm")
        self.assertEqual(code, 3)
        self.assertIn("sudo", printed)
        with mock.patch("shutil.which", return_value=None), self.assertRaisesRegex(NotAvailable, "apt-get install openssl"):
            host.require(("kubernetes",))

    def test_too_many_nodes_are_refused(self):
        self.assertEqual(self.call("up", "--nodes", "501")[0], 2)


if __name__ == "__main__":
    unittest.main()
