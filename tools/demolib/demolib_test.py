# SPDX-License-Identifier: Apache-2.0
"""What the demo prints about pods and jobs, and when a workload counts as run."""

import contextlib
import io
import os
import re
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.append(str(Path(__file__).resolve().parents[1] / "devcluster"))

import facts
import demo_run
import node_software
import verdict
from bridge_process import TOP, Busy
from facts import Job, Pod, Record, Workload
from pod_state import PodState, Stage, job_of, pod_states
from real_nodes_servers import RealNodeServers

COMMENT = '{"pods":["slurm-bridge/a"],"workload":"u1","uids":["u1"]}'


def pod(phase="Succeeded", node="k001", **more):
    return Pod(uid="u1", name="a", phase=phase, node=node, job=7, **more)


def job(state="CANCELLED", node="k001", **more):
    return Job(id=7, state=state, uids=("u1",), node=node, **more)


class Reading(unittest.TestCase):
    def test_a_job_is_read_from_scontrol(self):
        line = ("JobId=7 JobName=a Account=biology QOS=low JobState=RUNNING Reason=None Partition=small "
                "ReqNodeList=(null) ExcNodeList=(null) NodeList=k002 ReqTRES=cpu=8,gres/gpu=2 "
                f"AllocTRES=cpu=8,gres/gpu=2,gres/gpu:a100=2 WorkDir=/tmp AdminComment={COMMENT} OOMKillStep=0")
        self.assertEqual(facts.job(line), Job(7, "RUNNING", ("u1",), "None", "k002", "small", "biology", "low", 2))

    def test_a_waiting_job_has_no_node(self):
        self.assertEqual(facts.job("JobId=7 JobState=PENDING Reason=Resources NodeList=(null)"),
                         Job(7, "PENDING", reason="Resources"))

    def test_other_lines_of_scontrol_are_not_jobs(self):
        self.assertIsNone(facts.job("No jobs in the system"))

    def test_gpus_of_a_whole_node_are_not_shown(self):
        self.assertEqual(facts.job("JobId=7 JobState=RUNNING ReqTRES=cpu=4 AllocTRES=cpu=32,gres/gpu=8").gpus, 0)

    REST = {"job_id": 7, "job_state": ["RUNNING"], "state_reason": "None", "nodes": "k002", "partition": "small",
            "account": "biology", "qos": "low", "admin_comment": COMMENT, "tres_req_str": "cpu=8,gres/gpu=2",
            "tres_alloc_str": "cpu=8,gres/gpu=2,gres/gpu:a100=2", "submit_time": {"number": 100},
            "start_time": {"number": 112}}

    def test_a_job_and_its_record_are_read_from_rest(self):
        self.assertEqual(facts.rest_job(self.REST), Job(7, "RUNNING", ("u1",), "None", "k002", "small", "biology", "low", 2))
        self.assertEqual(facts.rest_record(self.REST), Record(7, "RUNNING", "k002", 12, ("u1",)))

    def test_a_job_that_only_expects_to_start_has_not_waited_yet(self):
        waiting = {**self.REST, "job_state": ["PENDING"], "nodes": ""}
        self.assertEqual(facts.rest_record(waiting), Record(7, "PENDING", "", 0, ("u1",)))

    def test_a_record_is_read_from_sacct(self):
        line = f"7|CANCELLED by 64030|k001|2026-01-01T10:00:00|2026-01-01T10:00:12|{COMMENT}"
        self.assertEqual(facts.record(line), Record(7, "CANCELLED", "k001", 12, ("u1",)))

    def test_a_record_of_a_job_that_never_started(self):
        self.assertEqual(facts.record("7|PENDING|None assigned|2026-01-01T10:00:00|Unknown|"),
                         Record(7, "PENDING", "None assigned", 0, ()))

    def test_a_pod_is_read_from_the_api_server(self):
        found = facts.pod({
            "metadata": {"uid": "u1", "name": "a", "labels": {facts.JOB_LABEL: "7"}, "finalizers": [facts.FINALIZER],
                         "ownerReferences": [{"uid": "o1"}], "annotations": {"slurmjob.slinky.slurm.net/qos": "low"}},
            "spec": {},
            "status": {"conditions": [{"type": "PodScheduled", "status": "False", "message": "why"}]}})
        self.assertEqual(found, Pod("u1", "a", ("o1",), "Pending", "", 7, True, "why", ("qos",)))


class Sentences(unittest.TestCase):
    ROWS = [
        (Pod("u1", "a"), None, Stage.COMING, "has no Slurm job yet"),
        (Pod("u1", "a", message="no such account"), None, Stage.REFUSED, "has no Slurm job yet: no such account"),
        (pod("Pending", ""), job("PENDING", ""), Stage.COMING, "waits in Slurm as job 7"),
        (pod("Pending", ""), job("PENDING", "", reason="Resources", partition="small"), Stage.WAITING,
         "waits in Slurm as job 7: Resources - no room in partition small"),
        (pod("Pending", ""), job("PENDING", "", reason="QOSMaxJobsPerUserLimit"), Stage.WAITING,
         "waits in Slurm as job 7: QOSMaxJobsPerUserLimit"),
        (pod("Pending", ""), job("RUNNING"), Stage.COMING, "Pending, job 7 is RUNNING on k001"),
        (pod("Running"), job("RUNNING"), Stage.RUNNING, "Running on k001, where Slurm placed job 7"),
        (pod("Running", asks=("qos",)), job("RUNNING", qos="low", gpus=2), Stage.RUNNING,
         "Running on k001, where Slurm placed job 7 (low, 2 GPUs)"),
        (pod("Running", "k009"), job("RUNNING"), Stage.FAILED, "is on k009, but Slurm placed job 7 on k001"),
        (pod(held=True), job("RUNNING"), Stage.ENDING, "Succeeded on k001, job 7 is RUNNING"),
        (pod(), job(), Stage.DONE, "Succeeded on k001, job 7 released"),
        (pod("Failed"), job(), Stage.FAILED, "Failed on k001, job 7 released"),
    ]

    def test_stages_and_sentences(self):
        for one_pod, one_job, stage, sentence in self.ROWS:
            with self.subTest(sentence):
                state = PodState(one_pod, one_job)
                self.assertEqual((state.stage, state.sentence), (stage, sentence))

    def test_a_deleted_pod_is_still_shown(self):
        [state] = pod_states([], [job()], seen_before=[pod("Running")])
        self.assertEqual(state.stage, Stage.FAILED)
        self.assertEqual(state.sentence, "was deleted before it ended (job 7: CANCELLED)")

    def test_of_two_jobs_the_live_one_is_shown(self):
        live = Job(5, "RUNNING", ("u1",))
        self.assertEqual(job_of(pod(), [live, job()]), live)


class Judging(unittest.TestCase):
    GOOD = Record(7, "CANCELLED", "k001", 12, ("u1",))
    ROWS = [
        ("it ran", pod(), [job()], [GOOD], ""),
        ("slurmctld has forgotten the job", pod(), [], [GOOD], ""),
        ("still waiting", pod("Pending", ""), [job("PENDING", "")], [], "a did not end: waits in Slurm as job 7"),
        ("failed", pod("Failed"), [job()], [GOOD], "a Failed on k001, job 7 released"),
        ("no job", pod(), [], [], "a never had a Slurm job"),
        ("two jobs by accounting", pod(), [job()], [GOOD, Record(8, "CANCELLED", "k002", 0, ("u1",))],
         "a had 2 Slurm jobs: 7, 8"),
        ("a second job that still runs", pod(), [job(), Job(8, "RUNNING", ("u1",), node="k001")], [GOOD],
         "a had 2 Slurm jobs: 7, 8"),
        ("on another node", pod(node="k002"), [], [GOOD], "a ran on k002, but Slurm had placed job 7 on k001"),
        ("not released", pod(), [job("RUNNING")], [], "a ended, but job 7 is not released yet: it is RUNNING"),
        ("finalizer", pod(held=True), [job()], [GOOD], "a ended, but job 7 is not released yet: it is CANCELLED"),
        ("accounting missed it", pod(), [job()], [], "a ended, but accounting does not know job 7 as its job"),
        ("ended by the time limit", pod(), [], [Record(7, "TIMEOUT", "k001", 0, ("u1",))],
         "a ended, but job 7 is TIMEOUT in accounting"),
    ]

    def test_when_a_workload_counts(self):
        for name, one_pod, jobs, records, problem in self.ROWS:
            with self.subTest(name):
                found = verdict.judge(Workload("pod.yaml", ("u1",), 1), pod_states([one_pod], jobs, []), records, jobs)
                self.assertEqual(found.problems, (problem,) if problem else ())

    def test_a_pod_that_was_never_created(self):
        found = verdict.judge(Workload("job.yaml", ("o1",), 4), pod_states([pod()], [job()], []), [self.GOOD], [job()])
        self.assertEqual(found.problems, ("only 1 of its 4 pods were created",))

    def test_result_lines(self):
        good = verdict.judge(Workload("pod.yaml", ("u1",), 1), pod_states([pod()], [job()], []), [self.GOOD], [job()])
        bad = verdict.Verdict("job.yaml", 4, ("x",))
        self.assertEqual(good.lines(), ["pod.yaml      1 pod   ran as job 7 on k001; queued up to 12 s"])
        self.assertEqual(bad.lines()[1].strip(), "x")
        self.assertEqual(verdict.last_line([good] * 4), "4 of 4 workloads ran as Slurm jobs")
        self.assertEqual(verdict.last_line([good, bad]), "1 of 2 workloads ran as Slurm jobs; not: job.yaml")

    def test_a_container_without_output_is_a_problem(self):
        states = pod_states([pod()], [job()], [])
        good = verdict.judge(Workload("pod.yaml", ("u1",), 1), states, [self.GOOD], [job()])
        self.assertTrue(verdict.with_outputs(good, states, {"a": "text\n"}).good)
        self.assertEqual(verdict.with_outputs(good, states, {"a": ""}).problems, ("a ended, but its container has no output",))

    def test_the_demo_waits_for_accounting(self):
        done = pod_states([pod()], [job()], [])
        self.assertFalse(verdict.accounting_knows(done, []))
        self.assertTrue(verdict.accounting_knows(done, [self.GOOD]))
        self.assertTrue(verdict.accounting_knows(pod_states([pod("Running")], [job("RUNNING")], []), []))


class Choosing(unittest.TestCase):
    """The choice between real servers and sandbox."""

    def chosen(self, real, sandbox_asked="", codes=(0,), real_nodes=""):
        codes, places = list(codes), []

        def run_on(servers):
            places.append(servers.WHERE)
            return codes.pop(0)
        with mock.patch.object(demo_run, "real_servers_available", lambda *_: real), \
                mock.patch.object(demo_run, "_run_on", run_on), \
                mock.patch.object(demo_run, "_make_signals_interrupt"), \
                contextlib.redirect_stderr(io.StringIO()), \
                mock.patch.dict(os.environ, {"SANDBOX": sandbox_asked, "REAL_NODES": real_nodes}):
            return demo_run.run(), places

    def test_the_real_servers_are_used_where_available(self):
        self.assertEqual(self.chosen(real=True), (0, ["REAL SERVERS"]))

    def test_the_sandbox_is_used_otherwise_or_if_requested(self):
        self.assertEqual(self.chosen(real=False), (0, ["SANDBOX"]))
        self.assertEqual(self.chosen(real=True, sandbox_asked="1"), (0, ["SANDBOX"]))
        self.assertEqual(self.chosen(real=True, sandbox_asked="0"), (0, ["REAL SERVERS"]))

    def test_a_failed_demo_is_not_repeated_in_the_sandbox(self):
        self.assertEqual(self.chosen(real=True, codes=(1,)), (1, ["REAL SERVERS"]))

    def test_the_sandbox_is_used_if_the_real_servers_prove_unavailable_later(self):
        self.assertEqual(self.chosen(real=True, codes=(3, 0)), (0, ["REAL SERVERS", "SANDBOX"]))

    def test_real_nodes_are_not_replaced_by_the_sandbox(self):
        self.assertEqual(self.chosen(real=True, real_nodes="0"), (0, ["REAL SERVERS"]))
        self.assertEqual(self.chosen(real=True, real_nodes="3"), (0, ["REAL NODES"]))
        self.assertEqual(self.chosen(real=False, real_nodes="3"), (1, []))
        self.assertEqual(self.chosen(real=True, real_nodes="3", codes=(3,)), (1, ["REAL NODES"]))

    def test_a_wrong_number_of_real_nodes_is_wrong_usage(self):
        for number in ("x", "10", "-1"):
            self.assertEqual(self.chosen(real=True, real_nodes=number), (2, []))
        self.assertEqual(self.chosen(real=True, real_nodes="3", sandbox_asked="1"), (2, []))

    def test_a_demo_with_another_number_of_real_nodes_is_not_stopped(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, SLURM_BRIDGE_STATE=folder):
            servers = RealNodeServers(3)
            servers.cluster.create()
            servers.cluster.options["real_nodes"] = 2
            with self.assertRaisesRegex(Busy, "a demo with 2 real nodes is running"):
                servers.up()

    def test_images_of_the_examples_for_real_nodes_are_on_the_nodes(self):
        for path in RealNodeServers.EXAMPLES:
            images = re.findall(r"image: (\S+)", (TOP / path).read_text())
            self.assertEqual(set(images) - set(node_software.IMAGES.values()), set(), path)


if __name__ == "__main__":
    unittest.main()
