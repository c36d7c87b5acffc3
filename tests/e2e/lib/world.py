# SPDX-License-Identifier: Apache-2.0
"""What all tests of one run share: one cluster, one bridge, and how to look into both systems."""

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
        self.wanted_gone = set()  # keys of pods that the bridge had a reason to delete
        self.kubernetes = self.slurm = self.audit = None
        self._verdicts = []  # on the audit logs of clusters that are no more

    def open(self):
        """With the cluster up: reach both systems."""
        self.kubernetes = Kubernetes(self.cluster.path("KUBECONFIG"))
        self.slurm = Slurm(self.cluster)
        self.audit = Audit(self.cluster.path("AUDIT_LOG"))
        self.slurm.configure(_with_small_used_last(self.slurm.configuration()))

    def begin(self, modules):
        """Let the tests prepare what they need to be there before the bridge, then start it."""
        self.bridge.end()
        for module in modules:
            if hasattr(module, "before_the_bridge"):
                module.before_the_bridge(self)
        self.bridge.start_and_wait()

    def see_that_the_bridge_runs(self):
        with self._starting:
            if not self.bridge.running:
                self.bridge.end()
                self.bridge.start_and_wait()

    def look_back_on(self, cluster, audit, wanted_gone):
        """Judge what the bridge did on another cluster of this run, before that one is taken down with its log."""
        story = checks.Story(audit.entries(), audit.nodes(), cluster.crashes, wanted_gone)
        self._verdicts += checks.verdicts(cluster.name, story)

    def look_back(self):
        """The verdicts on the audit log of every cluster of this run."""
        self.look_back_on(self.cluster, self.audit, self.wanted_gone)
        found, self._verdicts = self._verdicts, []
        return found

    def mend(self):
        """After a test that failed in the middle of something: all parts run again."""
        self.bridge.end()  # it may speak to somebody who is gone
        for part in self.cluster.dead_parts():
            with contextlib.suppress(ClusterFailed):  # the next test that needs it will say so
                self.cluster.start(part)

    def close(self):
        self.bridge.end()


def _with_small_used_last(conf):
    """slurm.conf with which Slurm uses the nodes of partition `small` last, so that a test finds it empty when it wants
    to fill it. Written down, for slurmctld forgets at its restart what it was only told."""
    changed, found = re.subn(r"(?m)^NodeName=k001,k002,(\S+) (.*)$", r"NodeName=k001,k002 \2 Weight=1000\nNodeName=\1 \2", conf)
    assert found == 1, "slurm.conf has another line for the nodes than expected"
    return changed
