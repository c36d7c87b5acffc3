# SPDX-License-Identifier: Apache-2.0
"""The histories of tests/sim/histories on the real servers: steps, and the expected state after each (README there)."""

import contextlib

from lib.kubernetes import persistently
from lib.pods import ASK, has_finalizer, is_bound, job_id_of
from lib.waiting import Unmet, eventually, pause

SOMEBODY = "somebody"
SETTLES_WITHIN = 60
STAYS_SECONDS = 1
SLURM_SCHEDULES_AGAIN_SECONDS = 6  # a little more than sched_interval: then Slurm updates the reason of a waiting job
OF_ITS_LIFE = ("run-seconds", "exit")
DISTURBS_OTHERS = ("small", "bridge", "slurmctld", "slurmrestd", "apiserver")


def steps_of(text):
    """[(step, expected lines after it)]."""
    steps = []
    for line in text.splitlines():
        if line.startswith(" "):
            steps[-1][1].append(line.strip())
        elif line and not line.startswith("#"):
            steps.append((line, []))
    return steps


def must_be_alone(text):
    return any(word in step for step, _ in steps_of(text) for word in DISTURBS_OTHERS)


class Stage:
    """Guarantees  undo() restores the cluster after any history."""

    def __init__(self, here):
        self._here = here
        self._pods = {}  # name in the history -> its latest pod, whose real name has a number
        self._deleted = set()  # names whose pod its owner deleted
        self._foreign_jobs = []  # jobs
        self._away, self._drained = set(), False

    def play(self, text):
        """The first difference between expected and real state, as lines; empty if there is none."""
        for step, expected in steps_of(text):
            self._act(step.split())
            within = SETTLES_WITHIN + (int(step.split()[1]) if step.startswith("wait") else 0)
            try:
                eventually(lambda: self._shows(expected), within, step)
            except Unmet:
                return [f"after: {step}", *(f"  models: {line}" for line in expected),
                        *(f"    real: {line}" for line in self._seen())]
            self._record_expected_deletes(expected)
        return []

    def undo(self):
        with contextlib.ExitStack() as steps:  # in reverse order; each runs, also if others fail
            for job in self._foreign_jobs:
                steps.callback(job.cancel)
            if self._drained:
                steps.callback(self._drain, False)
            for part in sorted(self._away, reverse=True):
                steps.callback(self._start, part)

    # --- steps ---

    def _act(self, words):
        verb, on = words[0], words[1]
        if verb == "create":
            self._create(on, words[2:])
        elif verb == "annotate":
            fields = {name: value or None for name, value in _annotations(words[2:]).items()}
            self._here.kubernetes.patch(self._pods[on].path, {"metadata": {"annotations": fields}})
        elif verb == "delete":
            self._deleted.add(on)
            self._pods[on].delete()
        elif verb == "scancel":
            self._live_job(on).cancel()
        elif verb in ("hold", "release"):
            self._here.slurm.run("scontrol", verb, self._live_job(on).id)
        elif verb == "fill":
            self._foreign_jobs.append(self._here.submit(SOMEBODY, partition=on, nodes=2, whole_nodes=True))
        elif verb == "empty":
            self._foreign_jobs[-1].cancel()
        elif verb in ("drain", "undrain"):
            self._drain(verb == "drain")
        elif verb in ("kill", "stop"):
            self._stop(on)
        elif verb == "start":
            self._start(on)
        elif verb != "wait":  # waits have a deadline, see play()
            raise ValueError(f"no such step: {' '.join(words)}")

    def _create(self, name, pod_options):
        before = self._pods.get(name)
        self._deleted.discard(name)
        self._pods[name] = self._here.make_pod(before.name if before else name, exact_name=before is not None,
                                               annotations=_annotations(pod_options))

    def _drain(self, drained):
        change = ("State=DRAIN", "Reason=broken fan") if drained else ("State=UNDRAIN",)
        self._here.slurm.run("scontrol", "update", "NodeName=k[001-002]", *change)
        self._drained = drained

    def _stop(self, part):
        """slurmctld is terminated cleanly, so that its state is saved; others are killed with SIGKILL."""
        self._away.add(part)
        if part == "bridge":
            self._here.bridge.kill()
        elif part == "slurmctld":
            self._here.cluster.stop(part)
        else:
            self._here.cluster.kill(part)

    def _start(self, part):
        if part == "bridge":
            self._here.bridge.start()
        else:
            self._here.cluster.start(part)
        self._away.discard(part)

    # --- state ---

    def _shows(self, expected):
        """Whether the state is as expected and stays so."""
        if self._seen() != expected:
            return False
        waits = any("PENDING" in line for line in expected)
        pause(SLURM_SCHEDULES_AGAIN_SECONDS if waits else STAYS_SECONDS)
        return self._seen() == expected

    def _seen(self):
        jobs = None if "slurmctld" in self._away else self._jobs()
        lines = []
        for name, pod in sorted(self._pods.items()):
            lines.append(f"{name}: {self._pod_line(pod)}; {_jobs_line(jobs, lambda job, pod=pod: job[1] == pod.name)}")
        if self._foreign_jobs:
            ids = {job.id for job in self._foreign_jobs}
            lines.append(f"{SOMEBODY}: {_jobs_line(jobs, lambda job: job[0] in ids)}")
        return lines

    def _pod_line(self, pod):
        if "apiserver" in self._away:
            return "not to be seen"
        found = persistently(pod.find)
        if found is None:
            return "gone"
        fields = [found["status"]["phase"]]
        fields += ["deleting"] if found["metadata"].get("deletionTimestamp") else []
        fields += ["bound"] if is_bound(found) else []
        fields += ["labelled"] if job_id_of(found) else []
        fields += ["finalizer"] if has_finalizer(found) else []
        fields += [] if is_bound(found) else [one["reason"] for one in found["status"].get("conditions", [])
                                           if one["type"] == "PodScheduled" and one.get("reason")]
        return " ".join(fields)

    def _jobs(self):
        """(id, name, state, reason) of all jobs of slurmctld, oldest first."""
        lines = self._here.slurm.run("squeue", "--all", "-h", "-t", "all", "-o", "%A|%j|%T|%r").splitlines()
        return sorted((int(job), name, state, why) for job, name, state, why in (line.split("|") for line in lines))

    def _live_job(self, name):
        """From Slurm: the API server may be down."""
        [job] = [job[0] for job in self._jobs() if job[1] == self._pods[name].name and job[2] in ("PENDING", "RUNNING")]
        return self._here.slurm.job(job)

    def _record_expected_deletes(self, lines):
        """Pods that no longer exist and that no user deleted: the bridge deleted them."""
        for name, pod in self._pods.items():
            if name not in self._deleted and any(line.startswith(f"{name}: gone") for line in lines):
                self._here.expected_deletes.add(pod.key)


def _annotations(pod_options):
    pairs = [option.split("=", 1) for option in pod_options]
    return {("slurm-bridge.dev/" if name in OF_ITS_LIFE else ASK) + name: value for name, value in pairs}


def _jobs_line(jobs, which):
    if jobs is None:
        return "jobs not to be seen"
    states = [f"{state} {_in_short(why)}" if state == "PENDING" else state for _, _, state, why in filter(which, jobs)]
    return f"job {', '.join(states)}" if states else "no job"


def _in_short(why):
    """Slurm has two reasons for drained nodes, depending on which of its schedulers ran last."""
    if why.startswith(("ReqNodeNotAvail", "Nodes required for job are")):
        return "NodesNotAvailable"
    return why
