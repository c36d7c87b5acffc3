# SPDX-License-Identifier: Apache-2.0
"""Tests of real nodes. Those that start a cluster run only with SLURM_BRIDGE_REAL_NODES=1: they need the whole machine."""

import contextlib
import io
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

import cluster_dns
import forwarder
import host
import images
import kubernetes
import lifecycle
import node_cgroups
import node_files
import node_namespace
import node_software
import process
import procfs
import real_node
import shared_storage
import system_pods
from cluster import Cluster
from debian import NotAvailable

TOOL = Path(__file__).resolve().parent / "devcluster"
START_SECONDS = 240


class InTemporaryFolder(unittest.TestCase):
    def setUp(self):
        self.root = Path(self.enter(tempfile.TemporaryDirectory()))
        self.enter(mock.patch.dict(os.environ, SLURM_BRIDGE_STATE=str(self.root / "state")))

    def enter(self, context):
        value = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        return value


class Nodes(InTemporaryFolder):
    def setUp(self):
        super().setUp()
        self.cluster = Cluster("test")
        self.cluster.create()
        self.cluster.options["real_nodes"] = 3

    def test_names_are_those_of_the_demo_of_soperator(self):
        self.assertEqual([node.name for node in real_node.all_of(self.cluster)],
                         ["soperator-demo-control-plane", "soperator-demo-worker", "soperator-demo-worker2",
                          "soperator-demo-worker3"])

    def test_only_the_control_plane_is_tainted_and_only_workers_have_the_node_group(self):
        control_plane, *workers = real_node.all_of(self.cluster)
        self.assertEqual([taint["effect"] for taint in control_plane.taints], ["NoSchedule"])
        self.assertNotIn("nebius.com/node-group-id", control_plane.labels)
        for worker in workers:
            self.assertEqual((worker.taints, worker.labels["nebius.com/node-group-id"]), ([], "node-group-id-here"))

    def test_slurm_gets_the_names_of_the_workers(self):
        self.assertEqual(self.cluster.node_names, ["soperator-demo-worker", "soperator-demo-worker2", "soperator-demo-worker3"])

    def test_no_component_is_listed_twice_and_kwok_is_not_among_them(self):
        names = kubernetes.components(self.cluster)
        self.assertEqual((len(names), "kwok" in names), (len(set(names)), False))
        self.assertEqual(len(names), 2 + 4 + 4 * 4)

    def test_control_groups_of_two_state_folders_have_different_names(self):
        node = real_node.all_of(self.cluster)[1]
        first = node_cgroups.name(self.cluster, node)
        with mock.patch.dict(os.environ, SLURM_BRIDGE_STATE=str(self.root / "other")):
            self.assertNotEqual(first, node_cgroups.name(Cluster("test"), node))

    def test_a_preferred_port_is_used_unless_it_is_taken(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            number = taken.getsockname()[1]
            self.assertNotEqual(self.cluster.port("first", preferred=number), number)
        self.assertEqual(self.cluster.port("second", preferred=number), number)
        self.assertNotEqual(self.cluster.port("third", preferred=number), number)

    def test_an_unknown_node_is_refused_with_the_known_names(self):
        with self.assertRaisesRegex(lifecycle.UsageError, "its real nodes are: soperator-demo-control-plane, "):
            lifecycle.real_node_of(self.cluster, "worker")

    def test_an_equal_file_is_not_written_again(self):
        path = self.root / "file"
        node_files.write(path, "text")
        os.utime(path, (1, 1))
        node_files.write(path, "text")
        self.assertEqual(path.stat().st_mtime, 1)


class Images(InTemporaryFolder):
    def folder(self, name):
        folder = self.root / name
        (folder / "bin").mkdir(parents=True)
        (folder / "bin/tool").write_text("#!/bin/sh\n")
        (folder / "bin/tool").chmod(0o755)
        (folder / "link").symlink_to("bin/tool")
        return folder

    def archive(self, name, *folders):
        path = self.root / name
        layers = tuple(map(images.layer_of_folder, folders))
        images.write_archive(path, images.Image("localhost/tool:1", layers, entrypoint=("/bin/tool",)))
        return path

    def test_equal_folders_give_equal_archives(self):
        first, second = self.folder("a"), self.folder("b")
        os.utime(second / "bin/tool", (1, 1))
        self.assertEqual(self.archive("a.tar", first).read_bytes(), self.archive("b.tar", second).read_bytes())

    def test_every_digest_is_that_of_its_content(self):
        with tarfile.open(self.archive("a.tar", self.folder("a"))) as archive:
            contents = {entry.name: archive.extractfile(entry).read() for entry in archive}
        index = json.loads(contents["index.json"])
        manifest = json.loads(self.blob(contents, index["manifests"][0]))
        config = json.loads(self.blob(contents, manifest["config"]))
        layer = self.blob(contents, manifest["layers"][0])
        self.assertEqual(config["config"]["Entrypoint"], ["/bin/tool"])
        self.assertEqual(index["manifests"][0]["annotations"]["io.containerd.image.name"], "localhost/tool:1")
        with tarfile.open(fileobj=io.BytesIO(layer), mode="r:gz") as files:
            found = {entry.name: (entry.uid, entry.mode, entry.linkname) for entry in files}
        self.assertEqual(found, {"bin": (0, 0o755, ""), "bin/tool": (0, 0o755, ""), "link": (0, 0o777, "bin/tool")})

    def blob(self, contents, descriptor):
        kind, digest = descriptor["digest"].split(":")
        data = contents[f"blobs/{kind}/{digest}"]
        self.assertEqual((images.hashlib.sha256(data).hexdigest(), len(data)), (digest, descriptor["size"]))
        return data

    def test_parents_of_a_file_are_in_the_layer(self):
        layer = images.layer_of_files({"opt/tool/bin/tool": self.folder("a") / "bin/tool"}, {"bin": "opt/tool/bin"})
        with tarfile.open(fileobj=io.BytesIO(layer.data), mode="r:gz") as files:
            self.assertEqual(files.getnames(), ["bin", "opt", "opt/tool", "opt/tool/bin", "opt/tool/bin/tool"])

    def test_a_socket_is_refused(self):
        folder = self.folder("a")
        with socket.socket(socket.AF_UNIX) as opened:
            opened.bind(str(folder / "socket"))
            with self.assertRaisesRegex(ValueError, "neither a file, a folder nor a link"):
                images.layer_of_folder(folder)

    def test_every_image_of_the_system_pods_is_on_the_nodes(self):
        used = {image for path in system_pods.MANIFESTS.glob("*.yaml") for image in re.findall(r"image: (\S+)", path.read_text())}
        self.assertEqual(used - set(node_software.IMAGES.values()), set())
        self.assertIn(f"clusterIP: {real_node.DNS_ADDRESS}\n", (system_pods.MANIFESTS / "coredns.yaml").read_text())


class SharedStorage(InTemporaryFolder):
    def test_a_claim_without_a_class_gets_a_volume_that_every_node_can_write(self):
        annotations = shared_storage.storage_class()["metadata"]["annotations"]
        self.assertEqual(annotations["storageclass.kubernetes.io/is-default-class"], "true")
        spec = shared_storage.volume("shared-01")["spec"]
        self.assertEqual((spec["storageClassName"], spec["accessModes"], spec["hostPath"]["path"]),
                         (shared_storage.CLASS, ["ReadWriteOnce", "ReadWriteMany"], "/shared/volumes/shared-01"))

    def test_only_our_volumes_whose_claim_was_deleted_are_emptied(self):
        bound, free, foreign = (shared_storage.volume(name) for name in ("a", "b", "c"))
        bound["status"], free["status"], foreign["status"] = {"phase": "Bound"}, {"phase": "Released"}, {"phase": "Released"}
        foreign["spec"]["storageClassName"] = "other"
        self.assertEqual(shared_storage.released([bound, free, foreign]), ["b"])

    def test_a_folder_is_emptied_without_following_links(self):
        kept, folder = self.root / "kept", self.root / "volume"
        (folder / "sub").mkdir(parents=True)
        kept.mkdir()
        (kept / "file").write_text("")
        (folder / "link").symlink_to(kept)
        (folder / "sub/file").write_text("")
        shared_storage._empty(folder)
        self.assertEqual((list(folder.iterdir()), (kept / "file").exists()), ([], True))


class Dns(unittest.TestCase):
    def test_a_query_has_one_question_and_no_answer(self):
        message = cluster_dns.query("a.bc")
        self.assertEqual(message[12:], b"\x01a\x02bc\x00\x00\x01\x00\x01")
        self.assertEqual(cluster_dns.answer_count(message), 0)


class Forwarder(unittest.TestCase):
    def test_a_rule_names_a_port_and_an_address(self):
        self.assertEqual(forwarder.parse("30022=10.240.0.1:30022"), (30022, "10.240.0.1", 30022))

    @unittest.skipIf(os.geteuid() != 0, "entering a network namespace needs root")
    def test_both_directions_are_forwarded_until_both_ends_are_closed(self):
        with socket.create_server(("127.0.0.1", 0)) as server, socket.create_server(("127.0.0.1", 0)) as free:
            target, port = server.getsockname()[1], free.getsockname()[1]
            free.close()
            with self.running("/proc/self/ns/net", f"{port}=127.0.0.1:{target}"):
                client = self.connected(port)
                peer, _ = server.accept()
                with client, peer:
                    client.sendall(b"question")
                    client.shutdown(socket.SHUT_WR)
                    self.assertEqual(self.everything(peer), b"question")
                    peer.sendall(b"answer" * 100000)
                    peer.close()
                    self.assertEqual(self.everything(client), b"answer" * 100000)

    @contextlib.contextmanager
    def running(self, *arguments):
        program = subprocess.Popen([sys.executable, forwarder.__file__, *arguments])
        try:
            yield
        finally:
            program.kill()
            program.wait()

    def connected(self, port):
        deadline = time.monotonic() + 10
        while True:
            try:
                return socket.create_connection(("127.0.0.1", port), timeout=10)
            except ConnectionRefusedError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    def everything(self, connection):
        return b"".join(iter(lambda: connection.recv(65536), b""))


class Prerequisites(unittest.TestCase):
    def test_without_root_the_remedy_is_named(self):
        with mock.patch("os.geteuid", return_value=1000), mock.patch("shutil.which", return_value="/bin/true"):
            with self.assertRaisesRegex(NotAvailable, "(?s)need root.*sudo -E"):
                host.require(("kubernetes",), real_nodes=True)


# --- with a cluster ---------------------------------------------------------------------------------------------


def missing():
    """Why no cluster with real nodes can be started here, or None."""
    if os.environ.get("SLURM_BRIDGE_REAL_NODES") != "1":
        return "they need the machine for themselves and take about two minutes; set SLURM_BRIDGE_REAL_NODES=1"
    try:
        host.require(("kubernetes",), real_nodes=True)
    except NotAvailable as error:
        return str(error)
    cache = Cluster("test").cache
    if not all(archive.exists() for archive in node_software.image_archives(cache).values()):
        return "the cache is not filled; run: devcluster fetch --only kubernetes --real-nodes"
    return None


KINDS_OF_NAMESPACES = ("net", "mnt", "pid", "uts", "ipc")


def namespaces_of(cluster):
    """The namespaces of the cluster's processes that are not those of this process. Other clusters may run at the same time."""
    mark = f"{process.CLUSTER_MARK}={cluster.folder}".encode()
    marked = [number for number in procfs.living() if mark in procfs.environment(number)]
    return {procfs.namespace(number, kind) for number in marked for kind in KINDS_OF_NAMESPACES} \
        - {procfs.namespace("self", kind) for kind in KINDS_OF_NAMESPACES} - {None}


def traces(cluster, namespaces):
    """What the cluster left on this machine, as text; namespaces are those that it had."""
    mark = f"{process.CLUSTER_MARK}={cluster.folder}".encode()
    found = [f"process {number} with the cluster's mark" for number in procfs.living() if mark in procfs.environment(number)]
    found += [f"process {number} in {kind}" for number in procfs.living() for kind in KINDS_OF_NAMESPACES
              if procfs.namespace(number, kind) in namespaces]
    found += [f"control group {group}" for hierarchy in node_cgroups._hierarchies()
              for group in hierarchy.glob(f"{node_cgroups._prefix(cluster)}*")]
    found += [f"mount {point}" for point in procfs.mounts_under(cluster.folder)]
    found += [str(cluster.folder)] if cluster.folder.exists() else []
    return found


def links():
    """Names of this machine's own network devices, and of named network namespaces."""
    shown = subprocess.run(["ip", "-brief", "link"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return [line.split()[0] for line in shown.splitlines()] + [str(path) for path in sorted(Path("/run/netns").glob("*"))]


def pod_with_volume(name, node, script):
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": {
        "restartPolicy": "Never", "nodeSelector": {"kubernetes.io/hostname": node},
        "volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}],
        "containers": [{"name": "main", "image": node_software.IMAGES["busybox"], "imagePullPolicy": "Never",
                        "command": ["sh", "-c", script], "volumeMounts": [{"name": "data", "mountPath": "/data"}]}]}}


@unittest.skipIf(missing() is not None, missing())
class WithACluster(InTemporaryFolder):
    def setUp(self):
        super().setUp()
        self.links = links()
        self.cluster = Cluster("real-nodes-test")
        self.addCleanup(self.tool, "down")

    def tool(self, verb, *arguments, check=True):
        return subprocess.run([TOOL, verb, "--name", self.cluster.name, *arguments], stdin=subprocess.DEVNULL, check=check,
                              text=True, stdout=subprocess.PIPE, timeout=START_SECONDS).stdout

    def kubectl(self, *arguments):
        return subprocess.run([self.cluster.bin / "kubectl", *arguments], stdin=subprocess.DEVNULL, check=True, text=True,
                              stdout=subprocess.PIPE, env={"PATH": os.environ["PATH"]}, timeout=60).stdout

    def run_pod(self, name, script):
        self.kubectl("run", name, f"--image={node_software.IMAGES['busybox']}", "--image-pull-policy=Never", "--restart=Never",
                     "--command", "--", "sh", "-c", script)
        self.kubectl("wait", f"pod/{name}", "--for=jsonpath={.status.phase}=Succeeded", "--timeout=30s")
        return self.kubectl("logs", name)

    def down_leaves_nothing(self):
        namespaces = namespaces_of(self.cluster)
        self.assertNotEqual(namespaces, set())
        self.tool("down")
        self.assertEqual(traces(self.cluster, namespaces), [])
        self.assertEqual(links(), self.links)

    def test_containers_run_on_the_workers_and_down_leaves_nothing_behind(self):
        self.tool("up", "--real-nodes", "2", "--only", "kubernetes")
        self.cluster.load()
        printed = self.run_pod("speaker", "echo I am $(hostname); nslookup kubernetes.default.svc.cluster.local; "
                                          "ip route; wget -T 2 -qO- http://192.0.2.1 2>&1 || true")
        self.assertIn("I am speaker", printed)
        self.assertIn("Address: 10.96.0.1", printed)
        self.assertIn("Network is unreachable", printed)
        where = self.kubectl("get", "pod", "speaker", "-o", "jsonpath={.spec.nodeName}")
        self.assertIn(where, ("soperator-demo-worker", "soperator-demo-worker2"))
        self.assertIn("speaker", self.tool("exec", where, "crictl", "ps", "--all"))
        self.check_node_port()
        self.check_storage()
        self.check_power_cut()
        self.down_leaves_nothing()

    def check_storage(self):
        volume = self.use_a_claim("first", {})
        self.tool("up", "--real-nodes", "2", "--only", "kubernetes")
        self.use_a_claim("second", {"volumeName": volume})

    def use_a_claim(self, text, more):
        """Write to a new claim on both workers, and delete it; returns the volume that it had."""
        self.apply({"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "data"},
                    "spec": {"accessModes": ["ReadWriteMany"], "resources": {"requests": {"storage": "1Gi"}}, **more}})
        pods = [f"{text}-1", f"{text}-2"]
        for pod, node in zip(pods, ("soperator-demo-worker", "soperator-demo-worker2")):
            self.apply(pod_with_volume(pod, node, f"echo {text} >> /data/file; cat /data/file"))
        for pod in pods:
            self.kubectl("wait", f"pod/{pod}", "--for=jsonpath={.status.phase}=Succeeded", "--timeout=60s")
        volume = self.kubectl("get", "pvc", "data", "-o", "jsonpath={.spec.volumeName}")
        self.assertEqual((self.shared() / volume / "file").read_text(), f"{text}\n{text}\n")
        self.kubectl("delete", "--grace-period=1", "pvc/data", *(f"pod/{pod}" for pod in pods))
        self.eventually(lambda: self.kubectl("get", "pv", volume, "-o", "jsonpath={.status.phase}") == "Released",
                        "the volume of a deleted claim is released")
        return volume

    def shared(self):
        return node_namespace.shared_folder(self.cluster) / "volumes"

    def apply(self, manifest):
        path = self.root / "manifest.json"
        path.write_text(json.dumps(manifest))
        self.kubectl("apply", "-f", path)

    def check_node_port(self):
        self.kubectl("run", "web", f"--image={node_software.IMAGES['busybox']}", "--image-pull-policy=Never", "--restart=Always",
                     "--command", "--", "sh", "-c", "mkdir /www; echo served > /www/index.html; exec httpd -f -p 80 -h /www")
        self.kubectl("create", "service", "nodeport", "web", "--tcp=80:80", "--node-port=30022")
        self.kubectl("set", "selector", "service/web", "run=web")
        self.kubectl("wait", "pod/web", "--for=condition=Ready", "--timeout=30s")
        port = self.cluster.port("node-port-30022")
        self.eventually(lambda: b"served" in self.http(port), "the node port answers on this machine's loopback")

    def http(self, port):
        with socket.create_connection(("127.0.0.1", port), timeout=3) as connection:
            connection.sendall(b"GET / HTTP/1.0\r\n\r\n")
            return b"".join(iter(lambda: connection.recv(4096), b""))

    def check_power_cut(self):
        node = self.kubectl("get", "pod", "web", "-o", "jsonpath={.spec.nodeName}")
        self.tool("kill", node)
        self.assertIn("down", self.tool("status", check=False))
        self.tool("start", node)
        port = self.cluster.port("node-port-30022")
        restarts = "jsonpath={.status.containerStatuses[0].restartCount}"
        self.eventually(lambda: self.kubectl("get", "pod", "web", "-o", restarts) == "1" and b"served" in self.http(port),
                        "a pod runs again after a power cut of its node")
        self.tool("stop", f"kubelet-{node}")
        self.assertNotIn("kubelet --config", self.tool("exec", node, "ps", "ax"))
        self.tool("start", f"kubelet-{node}")
        self.tool("status")

    def eventually(self, condition, what, seconds=60):
        deadline = time.monotonic() + seconds
        while True:
            with contextlib.suppress(OSError):
                if condition():
                    return
            self.assertLess(time.monotonic(), deadline, f"not within {seconds} s: {what}")
            time.sleep(0.3)

    def test_down_leaves_nothing_behind_after_up_was_killed_at_any_moment(self):
        worker = "soperator-demo-worker"
        for moment in ("network", "apiserver", worker, f"containerd-{worker}", f"kubelet-{worker}"):
            with self.subTest(killed_at_the_start_of=moment):
                self.kill_up_at_the_start_of(moment)
                self.down_leaves_nothing()

    def test_up_continues_where_a_killed_one_stopped(self):
        self.kill_up_at_the_start_of("kubelet-soperator-demo-worker")
        self.tool("up", "--real-nodes", "1", "--only", "kubernetes")
        self.assertIn("again", self.run_pod("speaker", "echo again"))
        self.down_leaves_nothing()

    def kill_up_at_the_start_of(self, component):
        tool = subprocess.Popen([TOOL, "up", "--name", self.cluster.name, "--real-nodes", "1", "--only", "kubernetes"],
                                stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        deadline = time.monotonic() + START_SECONDS
        while not (self.cluster.run / f"{component}.json").exists():
            self.assertIsNone(tool.poll(), f"up ended before it started {component}")
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.005)
        os.killpg(tool.pid, signal.SIGKILL)
        tool.wait()


if __name__ == "__main__":
    unittest.main()
