# SPDX-License-Identifier: Apache-2.0
"""The rendered configuration (tests/golden/operator/conf and settle) against Slurm's own parser and a throw-away slurmctld.

Expects     root, and the unpacked Slurm in the cache of tools/devcluster; without them the test is skipped with a reason (exit
            code 77).
Guarantees  the golden files are those that operator_test renders, so a file that passes here is one that the operator writes.
            Nothing outside a temporary folder is changed; every started slurmctld is ended.
"""

import http.client
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "tools/devcluster"))
import cluster  # noqa: E402
import slurm_root  # noqa: E402

GOLDEN = TOP / "tests/golden/operator/conf"
CLUSTERS = {path.name: path for path in sorted((TOP / "tests/golden/operator/settle").iterdir())}  # files of whole clusters
SKIPPED = 77
READY_SECONDS = 60
BASE = "ClusterName=a\nSlurmctldHost=ctl(127.0.0.1)\n"
# Keys for which the table's sample has the right form, but not a value that exists on this machine.
SAMPLES = {"BcastExclude": "none", "PluginDir": "/usr/lib/x86_64-linux-gnu/slurm-wlm"}
# Keys whose sample needs another key beside it.
NEEDS = {"MCSParameters": "MCSPlugin=mcs/user\n", "NamespaceType": "PrologFlags=Contain\n",
         "MaxNodeCount": "SelectType=select/cons_tres\n"}


def unpacked_root():
    """The newest unpacked Slurm, or a reason why there is none."""
    if os.geteuid() != 0:
        return None, "not root: Slurm's private root needs mount namespaces"
    if shutil.which("unshare") is None:
        return None, "no unshare on this machine"
    cache = cluster.cache_root()
    roots = sorted(cache.glob(f"slurm-{slurm_root.SUITES[0]}-*"), key=lambda path: path.stat().st_mtime)
    roots = [path for path in roots if (path / "usr/bin/scontrol").exists()]
    if not roots:
        return None, f"no Slurm in {cache}: run tools/devcluster/devcluster fetch"
    return roots[-1], ""


ROOT, REASON = unpacked_root()


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def without(text, *keys):
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith(keys))


class RealSlurm(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="sb-conf-")
        self.addCleanup(folder.cleanup)
        self.home = Path(folder.name)
        self.home.chmod(0o755)
        slurm_root.make_home(self.home, ROOT)
        self.slurm = slurm_root.USERS["slurm"]

    def write(self, name, text):
        path = self.home / "etc" / name
        path.write_text(text)
        path.chmod(0o644)

    def write_keys(self):
        for name in ("slurm.key", "jwt.key"):
            path = self.home / "etc" / name
            path.write_bytes(os.urandom(64))
            path.chmod(0o400)
            os.chown(path, self.slurm, self.slurm)

    def parse(self, text):
        """Exit code and output of the parser check, which needs no controller and no network."""
        self.write("slurm.conf", text)
        command = slurm_root.inside(self.home, "root", "env", "SLURM_CONF=/etc/slurm/slurm.conf", "scontrol", "show",
                                    "hostnames", "a1")
        done = subprocess.run(command, timeout=60, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout

    def parse_each(self, texts):
        """The same for many files in one root: {name: output} of those that the parser refuses."""
        folder = self.home / "tmp/each"
        folder.mkdir()
        for name, text in texts.items():
            (folder / name).write_text(text)
        script = ('cd /tmp/each; for f in *; do out=$(SLURM_CONF=/tmp/each/$f scontrol show hostnames a1 2>&1) || '
                  'printf "%s\\t%s\\n" "$f" "$(echo "$out" | tr "\\n" " ")"; done')
        done = subprocess.run(slurm_root.inside(self.home, "root", "bash", "-c", script), timeout=300, text=True,
                              stdout=subprocess.PIPE, check=True)
        return dict(line.split("\t", 1) for line in done.stdout.splitlines())

    def start(self, text, when_ready=lambda: None):
        """Starts a throw-away slurmctld with the file; returns None once it is ready, or its output when it exits."""
        port = free_port()
        shutil.rmtree(self.home / "var/slurmctld")  # slurmctld refuses the state of another ClusterName
        slurm_root.make_home(self.home, ROOT)
        text = without(text, "SlurmctldHost", "SlurmctldPort", "StateSaveLocation", "AccountingStorage", "AuthAltParameters",
                       "AuthInfo", "AuthType", "CredType", "PlugStackConfig", "SlurmdSpoolDir", "SlurmdPidFile")
        text = text.replace("/opt/slurm/notify.sh", "/bin/true")  # slurmctld ends if its programs do not exist
        text += (f"SlurmctldHost=ctl(127.0.0.1)\nSlurmctldPort={port}\nStateSaveLocation=/var/lib/slurm/slurmctld\n"
                 "AuthType=auth/slurm\nCredType=cred/slurm\nAuthAltParameters=jwt_key=/etc/slurm/jwt.key\n"
                 "SlurmdSpoolDir=/tmp/spool.%n\nSlurmdPidFile=/tmp/slurmd.%n.pid\n")
        self.write("slurm.conf", text)
        self.write("cgroup.conf", "CgroupPlugin=disabled\n")
        self.write_keys()
        log = self.home / "slurmctld.log"
        with log.open("w") as output:
            daemon = subprocess.Popen(slurm_root.inside(self.home, "root", "slurmctld-wlm", "-D", "-c"), stdout=output,
                                      stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        try:
            end = time.monotonic() + READY_SECONDS
            while time.monotonic() < end:
                if daemon.poll() is not None:
                    return log.read_text()
                if self.ready(port):
                    when_ready()
                    return None
                time.sleep(0.05)
            return f"not ready after {READY_SECONDS} s:\n" + log.read_text()
        finally:
            daemon.kill()
            daemon.wait()

    @staticmethod
    def ready(port):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status == 204
        except OSError:
            return False
        finally:
            connection.close()

    def test_rendered_files_pass_the_parser(self):
        for name in ("small", "large"):
            with self.subTest(name):
                code, output = self.parse((GOLDEN / name / "slurm.conf").read_text())
                self.assertEqual(code, 0, output)

    def test_slurmctld_starts_with_rendered_files(self):
        for name in ("small", "large"):
            with self.subTest(name):
                self.assertIsNone(self.start((GOLDEN / name / "slurm.conf").read_text()))

    def test_files_of_whole_clusters_pass_the_parser(self):
        self.assertIn("seed", CLUSTERS)
        for name, folder in CLUSTERS.items():
            for file in ("slurm.conf", "rest.slurm.conf"):
                with self.subTest(name, file=file):
                    code, output = self.parse((folder / file).read_text())
                    self.assertEqual(code, 0, output)

    def test_a_worker_of_each_set_joins_a_slurmctld_with_the_files_of_a_whole_cluster(self):
        for name, folder in CLUSTERS.items():
            with self.subTest(name):
                text = (folder / "slurm.conf").read_text()
                for file in ("gres.conf", "topology.conf"):
                    self.write(file, (folder / file).read_text())
                sets = [line.split()[1].removeprefix("Feature=") for line in text.splitlines() if line.startswith("NodeSet=")]
                partitions = dict(words[:2] for words in map(str.split, text.splitlines()) if words[:1] and
                                  words[0].startswith("PartitionName=") and words[0] != "PartitionName=DEFAULT")
                wanted = {(f"{one}-0", key.removeprefix("PartitionName=")) for key, nodes in partitions.items()
                          for one in sets if nodes == "Nodes=ALL" or one in nodes.removeprefix("Nodes=").split(",")}
                self.assertTrue(wanted)
                self.assertIsNone(self.start(text, lambda: self.join(sets, wanted)))

    def join(self, sets, wanted):
        """Starts a slurmd for each set, as its pod does, and waits until Slurm shows all of them idle in their partitions."""
        daemons = []
        try:
            for one in sets:
                (self.home / f"tmp/spool.{one}-0").mkdir(exist_ok=True)
                command = slurm_root.inside(self.home, "root", "slurmd-wlm", "-D", "-b", "-Z", "-N", f"{one}-0", "-d",
                                            "/usr/sbin/slurmstepd-wlm", "--conf",
                                            f"Feature={one} CPUs=1 RealMemory=100 Port={free_port()}")
                with (self.home / f"{one}.log").open("w") as output:
                    daemons.append(subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT,
                                                    stdin=subprocess.DEVNULL))
            end = time.monotonic() + READY_SECONDS
            seen = set()
            while seen != wanted and time.monotonic() < end:
                time.sleep(0.2)
                seen = self.idle_nodes()
            logs = "\n".join((self.home / f"{one}.log").read_text() for one in sets)
            self.assertEqual(seen, wanted, logs)
        finally:
            for daemon in daemons:
                daemon.kill()
                daemon.wait()

    def idle_nodes(self):
        """{(node, partition)} of the idle nodes, also of hidden partitions."""
        done = subprocess.run(slurm_root.inside(self.home, "root", "sinfo", "--all", "-h", "-N", "-o", "%N %R %T"), timeout=30,
                              text=True, stdout=subprocess.PIPE, check=True)
        rows = [line.split() for line in done.stdout.splitlines()]
        return {(node, partition) for node, partition, state in rows if state == "idle"}

    def test_slurmrestd_works_with_its_own_file(self):
        done = []

        def ask():
            text = (CLUSTERS["seed"] / "rest.slurm.conf").read_text()
            port = next(line for line in (self.home / "etc/slurm.conf").read_text().splitlines()
                        if line.startswith("SlurmctldPort="))
            text = without(text, "SlurmctldHost", "SlurmctldPort") + f"SlurmctldHost=ctl(127.0.0.1)\n{port}\n"
            self.write("rest.conf", text)
            token = subprocess.run(slurm_root.inside(self.home, "root", "scontrol", "token", "username=slurm"), timeout=30,
                                   text=True, stdout=subprocess.PIPE, check=True).stdout.strip().removeprefix("SLURM_JWT=")
            listen = free_port()
            daemon = subprocess.Popen(slurm_root.inside(
                self.home, "slurmrest", "env", "SLURM_JWT=daemon", "SLURM_CONF=/etc/slurm/rest.conf", "slurmrestd", "-a",
                "rest_auth/jwt", f"127.0.0.1:{listen}"), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL)
            try:
                done.append(self.ping(listen, token))
            finally:
                daemon.kill()
                daemon.wait()

        self.assertIsNone(self.start((CLUSTERS["seed"] / "slurm.conf").read_text(), ask))
        self.assertEqual(done[0]["pings"][0]["responding"], True, done)

    def ping(self, port, token):
        """The answer of slurmrestd about slurmctld; it reaches slurmctld with the caller's token only."""
        end = time.monotonic() + READY_SECONDS
        while True:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
            try:
                connection.request("GET", "/slurm/v0.0.44/ping/", headers={"X-SLURM-USER-NAME": "slurm",
                                                                          "X-SLURM-USER-TOKEN": token})
                return json.loads(connection.getresponse().read())
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.1)
            finally:
                connection.close()

    def test_a_partition_without_its_node_set_stops_slurmctld(self):
        text = without((GOLDEN / "small/slurm.conf").read_text(), "NodeSet=")
        self.assertEqual(self.parse(text)[0], 0, "the parser alone does not find it")
        output = self.start(text)
        self.assertIsNotNone(output)
        self.assertIn("Invalid node names in partition main", output)

    def test_escapes_in_a_password_are_read_back(self):
        # slurmdbd.conf has the same parser; slurm.conf has keys that can be shown.
        written = {"MailDomain": ("a\\#b", "a#b"), "JobCompLoc": ("a\\\\b", "a\\b"), "SwitchParameters": ('"a b"', "a b"),
                   "TLSParameters": ('a"b', 'a"b'), "MpiParams": ("a=b", "a=b")}
        text = (GOLDEN / "small/slurm.conf").read_text() + "".join(f"{key}={raw}\n" for key, (raw, _) in written.items())
        shown = {}

        def show():
            done = subprocess.run(slurm_root.inside(self.home, "root", "scontrol", "show", "config"), timeout=30, text=True,
                                  stdout=subprocess.PIPE, check=True)
            for line in done.stdout.splitlines():
                key, _, value = line.partition("=")
                shown[key.strip()] = value.strip()

        self.assertIsNone(self.start(text, show))
        self.assertEqual({key: shown.get(key) for key in written}, {key: read for key, (_, read) in written.items()})

    def slurmdbd(self, text):
        """The first output of slurmdbd with this file; it has no database and would retry for ever."""
        replaced = {"DbdPort": free_port(), "StorageHost": "127.0.0.1", "StoragePort": free_port(),
                    "AuthType": "auth/slurm", "AuthAltParameters": "jwt_key=/etc/slurm/jwt.key",
                    "StoragePassScript": "/tmp/password"}
        text = text.replace("DbdHost=accounting\n", "DbdHost=ctl\n")  # the pod's host name; localhost is any
        lines = []
        for line in text.splitlines():
            key = line.partition("=")[0]
            if key != "AuthInfo":
                lines.append(f"{key}={replaced[key]}" if key in replaced else line)
        program = self.home / "tmp/password"
        program.write_text("#!/bin/sh\necho TOKEN=x\n")
        program.chmod(0o755)
        self.write_keys()
        self.write("slurmdbd.conf", "\n".join(lines) + "\n")
        path = self.home / "etc/slurmdbd.conf"
        path.chmod(0o600)
        os.chown(path, self.slurm, self.slurm)
        daemon = subprocess.Popen(slurm_root.inside(self.home, "root", "slurmdbd", "-D"), text=True, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        lines = []
        try:
            for line in daemon.stdout:
                lines.append(line)
                if "database must be up" in line:
                    break
        finally:
            daemon.kill()
            daemon.wait()
            daemon.stdout.close()
        return "".join(lines)

    def test_slurmdbd_reads_the_rendered_files(self):
        files = [GOLDEN / name / "slurmdbd.conf" for name in ("small", "large")]
        files += [folder / "slurmdbd.conf" for folder in CLUSTERS.values() if (folder / "slurmdbd.conf").exists()]
        self.assertGreater(len(files), 3)
        for file in files:
            with self.subTest(file.parent.name):
                output = self.slurmdbd(file.read_text())
                self.assertIn("database must be up", output)
                self.assertNotIn("fatal", output)
                self.assertNotRegex(output, "error:.*token_script")  # its messages name the program like this
        output = self.slurmdbd((GOLDEN / "small/slurmdbd.conf").read_text() + "NoSuchKey=1\n")
        self.assertIn("unrecognized key: NoSuchKey", output)

    def test_slurmd_reads_the_rendered_gres_conf(self):
        self.write_keys()
        self.write("slurm.conf", BASE + "AuthType=auth/slurm\nCredType=cred/slurm\nGresTypes=gpu,shard\nNodeName=ctl\n"
                   "SlurmdSpoolDir=/tmp\nPartitionName=a Nodes=ctl\n")
        self.write("cgroup.conf", "CgroupPlugin=disabled\n")
        for extra, refused in (("", False), ("NoSuchKey=1\n", True)):
            self.write("gres.conf", (GOLDEN / "large/gres.conf").read_text() + extra)
            done = subprocess.run(slurm_root.inside(self.home, "root", "slurmd-wlm", "-G", "-N", "ctl"), timeout=60,
                                  text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.assertEqual("unrecognized key" in done.stdout, refused, done.stdout)

    def test_every_key_of_the_table_is_accepted_with_its_sample(self):
        samples = (GOLDEN / "samples/slurm_keys.txt").read_text().splitlines()
        texts = {}
        for sample in samples:
            key = sample.partition("=")[0]
            sample = f"{key}={SAMPLES[key]}" if key in SAMPLES else sample
            base = "" if key in ("ClusterName", "SlurmctldHost") else BASE
            if key == "SlurmctldHost":
                base = "ClusterName=a\n"
            if key == "ClusterName":
                base = "SlurmctldHost=ctl(127.0.0.1)\n"
            texts[key] = base + NEEDS.get(key, "") + sample + "\n"
        for sample in (GOLDEN / "samples/partition_keys.txt").read_text().splitlines():
            texts["partition-" + sample.partition("=")[0]] = BASE + f"PartitionName=p {sample}\n"
        for sample in (GOLDEN / "samples/node_keys.txt").read_text().splitlines():
            if not sample.startswith("NodeName="):  # the line itself
                texts["node-" + sample.partition("=")[0]] = BASE + f"NodeName=n1 {sample}\n"
        texts["NodeSet"] = BASE + "NodeSet=x Feature=y\n"
        texts["control"] = BASE + "NoSuchKey=1\n"
        refused = self.parse_each(texts)
        self.assertIn("unrecognized key", refused.pop("control", ""))
        self.assertEqual(refused, {})


if __name__ == "__main__":
    if ROOT is None:
        print(f"skipped: {REASON}")
        sys.exit(SKIPPED)
    unittest.main()
