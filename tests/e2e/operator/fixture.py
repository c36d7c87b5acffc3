# SPDX-License-Identifier: Apache-2.0
"""The cluster under test: how it is installed and reached."""

import json

import install
from lab import Failed
from login import Login, make_key
from slurm_cluster import SlurmCluster

NAMESPACE = CLUSTER = "slurm-demo"
WORKERS = 2


class Fixture:
    """One cluster with short names, and its login."""
    controller = "controller-0"

    def __init__(self, lab):
        self.lab = lab
        self.cluster = SlurmCluster(lab, NAMESPACE, CLUSTER)
        self.login = self.public_key = None

    def install(self):
        """Start real nodes, install the operator and one cluster, and wait until it is Available."""
        self.lab.up(workers=3)
        self.lab.import_images(install.build_images(print))
        install.install_crds(self.lab)
        install.install_operator(self.lab)
        install.create_namespace(self.lab, NAMESPACE, pod_security="baseline")
        self._make_login()
        install.install_cluster(self.lab, NAMESPACE, CLUSTER,
                                {"slurmNodes": {"worker": {"size": WORKERS}, "login": {"sshRootPublicKeys": [self.public_key]}}})
        self._wait()

    def attach(self):
        """Use the cluster of a demo that was left running."""
        self.lab.attach()
        self._make_login()
        self.restore()

    def _make_login(self):
        folder = self.lab.bin.parent / "ssh"
        folder.mkdir(mode=0o700, exist_ok=True)
        key, self.public_key = make_key(folder)
        self.login = Login(key, self.lab.login_port)

    def _wait(self):
        self.cluster.wait_until_available()
        self.cluster.wait_for_workers(WORKERS)
        self.login.wait(120)

    def login_as(self, user):
        return Login(self.login.key, self.login.port, user)

    def restore(self):
        """The state in which the next test expects the cluster."""
        if len(self.cluster.workers()) != WORKERS:
            self.cluster.set_workers(WORKERS)
        self._wait()

    def restore_after_failure(self):
        """The same after a test that failed in the middle; a second failure is reported by the next test."""
        self.login.try_run("scancel --user=soperator")
        for worker in self.cluster.workers():
            self.try_slurm("scontrol", "update", f"nodename={worker}", "state=resume")
        try:
            self.patch({"spec": {"customSlurmConfig": ""}})
            self.cluster.set_workers(WORKERS)
            self._wait()
        except Failed as error:
            print(f"  the cluster could not be restored: {error}", flush=True)

    def patch(self, change):
        self.lab.kubectl("patch", "slurmcluster", CLUSTER, "--namespace", NAMESPACE, "--type=merge", f"-p={json.dumps(change)}")

    def condition(self, kind):
        return self.cluster.conditions().get(kind, {"status": "absent", "reason": "", "message": ""})

    def delete_pod(self, pod, force=False):
        self.lab.kubectl("delete", "pod", pod, "--namespace", NAMESPACE, *(("--grace-period=0", "--force") if force else ()))

    def execute(self, pod, container, *command):
        return self.lab.kubectl("exec", "--namespace", NAMESPACE, pod, "--container", container, "--", *command)

    def slurm(self, *command):
        """A command of Slurm's administrator."""
        return self.execute(self.controller, "slurmctld", *command)

    def try_slurm(self, *command):
        return self.lab.try_kubectl("exec", "--namespace", NAMESPACE, self.controller, "--container", "slurmctld", "--", *command)
