# SPDX-License-Identifier: Apache-2.0
"""The histories of tests/sim/histories on the real parts: steps, and what is to be seen after each (README there)."""

import contextlib

from lib.kubernetes import persistently
from lib.pods import ASK, has_finalizer, is_bound, job_id_of
from lib.waiting import Unmet, eventually, pause

SOMEBODY = "somebody"
SETTLES_WITHIN = 60
STAYS_SECONDS = 1
SLURM_LOOKS_AGAIN_SECONDS = 6  # sched_interval and a bit: then it says anew why a job waits
OF_ITS_LIFE = ("run-seconds", "exit")
DISTURBS_OTHERS = ("small", "bridge", "slurmctld", "slurmrestd", "apiserver")


def steps_of(text):
    """[(step, lines that are to be seen after it)]."""
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
    """Guarantees  undo() leaves the cluster as it was found, however the history went."""

    def __init__(self, here):
        self._here = here
        self._pods = {}  # name in the history -> the latest pod of it; here its name has a number
        self._deleted = set()  # names whose pod its owner deleted
        self._somebodys = []  # jobs
        self._away, self._drained = set(), False

    def play(self, text):
        """The first difference between what is written and what is seen, as lines; empty if there is none."""
        for step, expected in steps_of(text):
            self._act(step.split())
            patience = SETTLES_WITHIN + (int(step.split()[1]) if step.startswith("wait") else 0)
            try:
                eventually(lambda: self._shows(expected), patience, step)
            except Unmet:
                return [f"after: {step}", *(f"  models: {line}" for line in expected),
                        *(f"    real: {line}" for line in self._seen())]
            self._note_who_went(expected)
        return []

    def undo(self):
        with contextlib.ExitStack() as steps:  # the last one first; each is tried, whatever becomes of the others
            for job in self._somebodys:
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
            says = {name: value or None for name, value in _annotations(words[2:]).items()}
            self._here.kubernetes.patch(self._pods[on].path, {"metadata": {"annotations": says}})
        elif verb == "delete":
            self._deleted.add(on)
            self._pods[on].delete()
        elif verb == "scancel":
            self._live_job(on).cancel()
        elif verb in ("hold", "release"):
            self._here.slurm.run("scontrol", verb, self._live_job(on).id)
        elif verb == "fill":
            self._somebodys.append(self._here.submit(SOMEBODY, partition=on, nodes=2, whole_nodes=True))
        elif verb == "empty":
            self._somebodys[-1].cancel()
        elif verb in ("drain", "undrain"):
            self._drain(verb == "drain")
        elif verb in ("kill", "stop"):
            self._stop(on)
        elif verb == "start":
            self._start(on)
        elif verb != "wait":  # what is waited for has a deadline, see play()
            raise ValueError(f"no such step: {' '.join(words)}")

    def _create(self, name, wishes):
        before = self._pods.get(name)
        self._deleted.discard(name)
        self._pods[name] = self._here.make_pod(before.name if before else name, exact_name=before is not None,
                                               annotations=_annotations(wishes))

    def _drain(self, drained):
        change = ("State=DRAIN", "Reason=broken fan") if drained else ("State=UNDRAIN",)
        self._here.slurm.run("scontrol", "update", "NodeName=k[001-002]", *change)
        self._drained = drained

    def _stop(self, part):
        """slurmctld in good order, so that all that it knew is in its state directory; others as kill -9."""
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

    # --- what is to be seen ---

    def _shows(self, expected):
        """And not only on its way to something else."""
        if self._seen() != expected:
            return False
        waits = any("PENDING" in line for line in expected)
        pause(SLURM_LOOKS_AGAIN_SECONDS if waits else STAYS_SECONDS)
        return self._seen() == expected

    def _seen(self):
        jobs = None if "slurmctld" in self._away else self._jobs()
        lines = []
        for name, pod in sorted(self._pods.items()):
            lines.append(f"{name}: {self._pod_line(pod)}; {_jobs_line(jobs, lambda job, pod=pod: job[1] == pod.name)}")
        if self._somebodys:
            ids = {job.id for job in self._somebodys}
            lines.append(f"{SOMEBODY}: {_jobs_line(jobs, lambda job: job[0] in ids)}")
        return lines

    def _pod_line(self, pod):
        if "apiserver" in self._away:
            return "not to be seen"
        found = persistently(pod.find)
        if found is None:
            return "gone"
        says = [found["status"]["phase"]]
        says += ["deleting"] if found["metadata"].get("deletionTimestamp") else []
        says += ["bound"] if is_bound(found) else []
        says += ["labelled"] if job_id_of(found) else []
        says += ["finalizer"] if has_finalizer(found) else []
        says += [] if is_bound(found) else [one["reason"] for one in found["status"].get("conditions", [])
                                           if one["type"] == "PodScheduled" and one.get("reason")]
        return " ".join(says)

    def _jobs(self):
        """(id, name, state, why it waits) of all that slurmctld knows, oldest first."""
        lines = self._here.slurm.run("squeue", "--all", "-h", "-t", "all", "-o", "%A|%j|%T|%r").splitlines()
        return sorted((int(job), name, state, why) for job, name, state, why in (line.split("|") for line in lines))

    def _live_job(self, name):
        """By Slurm's own word: the pod may not be to be seen."""
        [job] = [job[0] for job in self._jobs() if job[1] == self._pods[name].name and job[2] in ("PENDING", "RUNNING")]
        return self._here.slurm.job(job)

    def _note_who_went(self, lines):
        """Pods that are gone and that nobody deleted: the bridge had to."""
        for name, pod in self._pods.items():
            if name not in self._deleted and any(line.startswith(f"{name}: gone") for line in lines):
                self._here.wanted_gone.add(pod.key)


def _annotations(wishes):
    pairs = [wish.split("=", 1) for wish in wishes]
    return {("slurm-bridge.dev/" if name in OF_ITS_LIFE else ASK) + name: value for name, value in pairs}


def _jobs_line(jobs, which):
    if jobs is None:
        return "jobs not to be seen"
    states = [f"{state} {_in_short(why)}" if state == "PENDING" else state for _, _, state, why in filter(which, jobs)]
    return f"job {', '.join(states)}" if states else "no job"


def _in_short(why):
    """That its nodes are drained Slurm says in one of two ways, by whichever of its schedulers looked last."""
    if why.startswith(("ReqNodeNotAvail", "Nodes required for job are")):
        return "NodesNotAvailable"
    return why
