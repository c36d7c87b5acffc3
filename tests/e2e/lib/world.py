# SPDX-License-Identifier: Apache-2.0
"""Shared by all tests of one run: one cluster, one bridge, and access to both systems."""

import contextlib
import re
import threading

from lib import checks
from lib.audit import Audit
from lib.bridge import Bridge
from lib.cluster import ClusterFailed
from lib.kubernetes import Kubernetes
from lib.slurm import Slurm


class World:
    def __init__(self, cluster, folder):
        self.cluster, self.folder = cluster, folder
        self.bridge = Bridge(cluster, folder)
        self._starting = threading.Lock()
        self.expected_deletes = set()  # keys of pods that the bridge had a reason to delete
        self.kubernetes = self.slurm = self.audit = None
        self._verdicts = []  # on the audit logs of clusters that were stopped

    def open(self):
        """Connect to both systems; the cluster must run."""
        self.kubernetes = Kubernetes(self.cluster.path("KUBECONFIG"))
        self.slurm = Slurm(self.cluster)
        self.audit = Audit(self.cluster.path("AUDIT_LOG"))
        self.slurm.configure(_with_small_used_last(self.slurm.configuration()))

    def begin(self, modules):
        """Call before_the_bridge of each module, then start the bridge."""
        self.bridge.end()
        for module in modules:
            if hasattr(module, "before_the_bridge"):
                module.before_the_bridge(self)
        self.bridge.start_and_wait()

    def assert_bridge_runs(self):
        with self._starting:
            if not self.bridge.running:
                self.bridge.end()
                self.bridge.start_and_wait()

    def check_audit_log_of(self, cluster, audit, expected_deletes):
        """Check the audit log of another cluster of this run, before that cluster is stopped and its log deleted."""
        trail = checks.AuditTrail(audit.entries(), audit.nodes(), cluster.crashes, expected_deletes)
        self._verdicts += checks.verdicts(cluster.name, trail)

    def check_audit_logs(self):
        """The verdicts on the audit log of every cluster of this run."""
        self.check_audit_log_of(self.cluster, self.audit, self.expected_deletes)
        found, self._verdicts = self._verdicts, []
        return found

    def repair(self):
        """After a failed test: start all components again."""
        self.bridge.end()  # its connections may be broken
        for part in self.cluster.dead_components():
            with contextlib.suppress(ClusterFailed):  # the next test that needs it will fail
                self.cluster.start(part)

    def close(self):
        self.bridge.end()


def _with_small_used_last(conf):
    """slurm.conf with which Slurm uses the nodes of partition `small` last, so that it is usually empty when a test
    fills it. It is in the file, because slurmctld loses updates of nodes at a restart."""
    changed, found = re.subn(r"(?m)^NodeName=k001,k002,(\S+) (.*)$", r"NodeName=k001,k002 \2 Weight=1000\nNodeName=\1 \2", conf)
    assert found == 1, "slurm.conf has another line for the nodes than expected"
    return changed
