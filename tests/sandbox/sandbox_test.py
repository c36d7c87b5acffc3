# SPDX-License-Identifier: Apache-2.0
"""The built bridge with the models over HTTP."""

import json
import signal
import time
import unittest

from box import PODS, Box, eventually
from model_api import Refused

FINALIZER = "scheduler.slinky.slurm.net/finalizer"


class WithBridge(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.box = Box("--nodes", "4")
        cls.addClassCleanup(cls.box.stop)
        began = time.monotonic()
        cls.box.start()
        cls.box.start_bridge()
        cls.box.create_pod("first", seconds=1)
        eventually(lambda: cls.box.pod("first")["spec"].get("nodeName"), lambda: cls.box.log("bridge"))
        print(f"first pod bound {time.monotonic() - began:.2f} s after the start; "
              f"kubectl: {cls.box.kubectl_path or 'none, plain HTTP'}")

    def test_a_pod_runs_where_slurm_placed_its_job_and_the_job_is_released_when_it_ends(self):
        made = self.box.create_pod("runs", seconds=2)
        pod = self.box.pod_in("runs", "Running")
        [job] = self.box.jobs_of(made)
        self.assertEqual((job["job_state"], job["nodes"]), (["RUNNING"], pod["spec"]["nodeName"]))
        self.box.pod_in("runs", "Succeeded")
        self.box.job_in(made, "CANCELLED")
        eventually(lambda: FINALIZER not in self.box.pod("runs")["metadata"].get("finalizers", []), "still held")
        self.assertEqual(len(self.box.jobs_of(made)), 1)

    def test_a_waiting_pod_shows_the_reason_and_its_job_is_cancelled_with_it(self):
        blockers = [self.box.create_pod(f"blocker-{number}", partition="small") for number in (1, 2)]
        for number in (1, 2):
            self.box.pod_in(f"blocker-{number}", "Running")
        made = self.box.create_pod("waits", partition="small")
        self.box.job_in(made, "PENDING")

        eventually(lambda: self.box.jobs_of(made)[0]["state_reason"] == "Resources", "the job has no reason")

        def explained():
            conditions = self.box.pod("waits")["status"].get("conditions", ())
            return any((one["status"], one["reason"]) == ("False", "WaitingInSlurm") for one in conditions
                       if one["type"] == "PodScheduled")
        eventually(explained, lambda: f"the pod has no reason: {self.box.pod('waits')['status']}")
        for name in ("waits", "blocker-1", "blocker-2"):
            self.box.delete_pod(name)
        for pod in (made, *blockers):
            self.box.job_in(pod, "CANCELLED")
            eventually(lambda one=pod: self.box.pod(one["metadata"]["name"]) is None, "the pod is not deleted")

    def test_cancelling_the_job_deletes_the_pod(self):
        made = self.box.create_pod("cancelled")
        self.box.pod_in("cancelled", "Running")
        [job] = self.box.jobs_of(made)
        self.box.slurm.ask("DELETE", f"/slurm/v0.0.45/job/{job['job_id']}")

        def ended():
            pod = self.box.pod("cancelled")
            return pod is None or pod["status"]["phase"] == "Failed"
        eventually(ended, lambda: f"it still runs: {self.box.pod('cancelled')['status']}")

    def test_kubectl_gets_describes_creates_and_deletes(self):
        if not self.box.kubectl_path:
            self.skipTest("no kubectl here: tools/devcluster/devcluster fetch gets one")
        kubectl = self.box.kubectl
        self.assertIn("created", kubectl("create", "-f", "examples/job.yaml"))
        self.assertIn("created", kubectl("apply", "-f", "examples/gpu-pod.yaml"))
        self.box.pod_in("training", "Running")
        table = kubectl("get", "pods", "-o", "wide")
        self.assertRegex(table, r"training +1/1 +Running +0 .* sandbox-00\d")
        self.assertEqual(table.count("scan-"), 4)
        described = kubectl("describe", "pod", "training")
        self.assertRegex(described, r"Node: +sandbox-00\d")
        self.assertIn("slurm-jobid=", described)
        self.assertRegex(kubectl("describe", "node", "sandbox-001"), r"Kubelet Version: +v1.36.0-sandbox")
        self.assertIn("Server Version: v1.36.0-sandbox", kubectl("version"))
        kubectl("wait", "--for=condition=complete", "job/scan", "--timeout=30s")
        self.assertIn("deleted", kubectl("delete", "job", "scan"))
        self.assertIn("deleted", kubectl("delete", "pod", "training"))
        eventually(lambda: "scan-" not in kubectl("get", "pods") and "training" not in kubectl("get", "pods"),
                   "deleted pods still exist")

    def test_a_watch_delivers_a_new_pod_and_ends_at_its_timeout(self):
        version = json.loads(self.box.kube.ask("GET", PODS))["metadata"]["resourceVersion"]
        watch = self.box.kube.open("GET", f"{PODS}?watch=1&resourceVersion={version}&timeoutSeconds=4")
        self.addCleanup(watch.close)
        answer = watch.getresponse()
        self.assertEqual(answer.status, 200)
        self.box.create_pod("watched", seconds=1)
        events = []
        while line := answer.readline():  # ends with the watch; the connection has its own deadline
            event = json.loads(line)
            if event["object"]["metadata"]["name"] == "watched":
                events.append((event["type"], bool(event["object"]["spec"].get("nodeName"))))
        self.assertEqual(events[0], ("ADDED", False))
        self.assertIn(("MODIFIED", True), events)

    def test_invalid_yaml_is_refused(self):
        with self.assertRaisesRegex(Refused, "400 .*end of sequence"):
            self.box.kube.ask("POST", PODS, "a: [1", "application/yaml")


class Names(unittest.TestCase):
    """The models identify themselves as models."""

    @classmethod
    def setUpClass(cls):
        cls.box = Box("--nodes", "3")
        cls.addClassCleanup(cls.box.stop)
        cls.box.start()

    def test_the_banner_names_the_sandbox_and_the_kubeconfig(self):
        banner = eventually(lambda: self.box.log("sandbox"), "no banner")
        for words in ("SANDBOX", "MODELS", "not a real Kubernetes, not a real Slurm", f"{self.box.folder}/kubeconfig"):
            self.assertIn(words, banner)

    def test_versions_contain_sandbox(self):
        self.assertIn("sandbox", json.loads(self.box.kube.ask("GET", "/version"))["gitVersion"])
        slurm = json.loads(self.box.slurm.ask("GET", "/slurm/v0.0.45/ping"))["meta"]["slurm"]
        self.assertIn("sandbox", slurm["release"])
        self.assertEqual(slurm["cluster"], "sandbox")

    def test_nodes_contain_sandbox(self):
        nodes = json.loads(self.box.kube.ask("GET", "/api/v1/nodes"))["items"]
        self.assertEqual([node["metadata"]["name"] for node in nodes], ["sandbox-001", "sandbox-002", "sandbox-003"])
        for node in nodes:
            self.assertIn("sandbox", node["status"]["nodeInfo"]["kubeletVersion"])

    def test_every_answer_names_its_server(self):
        for server, path in ((self.box.kube, "/version"), (self.box.kube, "/nosuch"), (self.box.slurm, "/squeue"),
                             (self.box.slurm, "/slurm/v0.0.45/job/999")):
            connection = server.open("GET", path)
            self.assertEqual(connection.getresponse().getheader("Server"), "slurm-bridge-sandbox", path)
            connection.close()

    def test_the_queue_is_headed_sandbox(self):
        self.assertTrue(self.box.slurm.ask("GET", "/squeue").startswith("SANDBOX: "))


class Slurm(unittest.TestCase):
    def test_the_model_advances_without_changes_in_kubernetes(self):
        box = Box("--nodes", "1")
        self.addCleanup(box.stop)
        box.start()
        job = {"flags": ["EXTERNAL_JOB"], "name": "x", "partition": "slurm-bridge", "minimum_nodes": 1, "tasks": 1,
               "cpus_per_task": 1, "memory_per_node": 100, "required_nodes": ["sandbox-001"]}
        box.slurm.ask("POST", "/slurm/v0.0.45/job/submit", json.dumps({"job": job}))
        eventually(lambda: box.jobs()[0]["job_state"] == ["RUNNING"], lambda: box.slurm.ask("GET", "/squeue"))
        self.assertRegex(box.slurm.ask("GET", "/squeue"), r" 1 +slurm-bridge +x +physics +RUNNING +sandbox-001\n")


class Ends(unittest.TestCase):
    def box(self, *flags):
        box = Box(*flags)
        self.addCleanup(box.stop)
        box.start()
        return box

    def test_a_signal_stops_it_although_a_watch_is_open(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(number.name):
                box = self.box()
                watch = box.kube.open("GET", f"{PODS}?watch=1")
                self.addCleanup(watch.close)
                self.assertEqual(watch.getresponse().status, 200)
                box.process.send_signal(number)
                self.assertEqual(box.process.wait(10), 0)

    def test_a_port_in_use_is_named(self):
        taken = self.box().kube._place.port
        with self.assertRaisesRegex(AssertionError, f"slurm-bridge-sandbox: .*{taken}"):
            self.box("--kube-port", str(taken))


if __name__ == "__main__":
    unittest.main()
