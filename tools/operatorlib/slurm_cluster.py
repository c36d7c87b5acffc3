# SPDX-License-Identifier: Apache-2.0
"""One SlurmCluster resource: its state, its workers, and waiting for both."""

from lab import Failed, wait_until

COMPONENT = "app.kubernetes.io/component"


class SlurmCluster:
    def __init__(self, lab, namespace, name):
        self.lab, self.namespace, self.name = lab, namespace, name

    def resource(self):
        found = self.lab.get("slurmcluster", self.name, "--namespace", self.namespace)
        if found is None:
            raise Failed(f"there is no SlurmCluster {self.name} in namespace {self.namespace}")
        return found

    def status(self):
        return self.resource().get("status", {})

    def phase(self):
        return self.status().get("phase", "")

    def conditions(self):
        """{type: condition}"""
        return {one["type"]: one for one in self.status().get("conditions", ())}

    def wait_until_available(self, timeout=300):
        wait_until(lambda: self._is_current() and self.phase() == "Available", timeout,
                   lambda: f"SlurmCluster {self.name} is Available\n{self.explanation()}", poll=1)

    def _is_current(self):
        resource = self.resource()
        return resource.get("status", {}).get("observedGeneration", 0) >= resource["metadata"]["generation"]

    def workers(self):
        """{name: pod} of the worker pods that are not being deleted, of all NodeSets."""
        found = self.lab.list("pods", "--namespace", self.namespace, "--selector",
                             f"app.kubernetes.io/instance={self.name},{COMPONENT} in (worker,nodeset)")
        return {pod["metadata"]["name"]: pod for pod in found if "deletionTimestamp" not in pod["metadata"]}

    def wait_for_workers(self, count, timeout=180):
        """Exactly so many worker pods exist, and Slurm can use all of them."""
        def reached():
            return len(self.workers()) == count and self.status().get("readyWorkers") == count and self._is_current()

        wait_until(reached, timeout, lambda: f"{count} workers are ready\n{self.explanation()}", poll=1)

    def set_workers(self, count):
        """kubectl patch, as an administrator does it."""
        self.lab.kubectl("patch", "slurmcluster", self.name, "--namespace", self.namespace, "--type=merge",
                         f'-p={{"spec":{{"slurmNodes":{{"worker":{{"size":{count}}}}}}}}}')

    def pods(self):
        found = self.lab.list("pods", "--namespace", self.namespace, "--selector", f"app.kubernetes.io/instance={self.name}")
        return {pod["metadata"]["name"]: pod for pod in found}

    def explanation(self):
        """Lines about everything that is not as it should be: conditions, pods, Events."""
        lines = [f"phase: {self.phase() or 'none'}"]
        lines += [f"{kind}: {one['status']} {one.get('reason', '')}: {one.get('message', '')}"
                  for kind, one in self.conditions().items() if one["status"] != "True"]
        lines.append(self.lab.try_kubectl("get", "pods", "--namespace", self.namespace, "-o", "wide").stdout.rstrip())
        events = self.lab.try_kubectl("get", "events", "--namespace", self.namespace, "--sort-by=.metadata.creationTimestamp",
                                      "--field-selector=type=Warning").stdout
        return "\n".join([*lines, *events.splitlines()[-8:]])
