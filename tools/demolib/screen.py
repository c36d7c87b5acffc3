# SPDX-License-Identifier: Apache-2.0
"""Output: one table that is redrawn in place on a terminal, or one line per change otherwise."""

import os
import shutil
import sys
import time

from pod_state import Stage

COLOURS = {Stage.WAITING: "33", Stage.RUNNING: "36", Stage.DONE: "32", Stage.FAILED: "31",
           Stage.REFUSED: "31"}
# How long a stage must last before it is printed: short transitions are not shown.
LINE_AFTER_SECONDS = {Stage.WAITING: 1, Stage.COMING: 2, Stage.ENDING: 2}  # other stages: at once

_started = time.monotonic()


def say(text):
    """One line, with the seconds since the start."""
    print(f"{seconds():6.1f} s  {text}", flush=True)


def seconds():
    return time.monotonic() - _started


def show_outputs(states, outputs):
    """outputs: {name of a pod: output of its container}"""
    print("  Output of the containers (kubectl logs):")
    width = max(len(name) for name in (*outputs, ""))
    for state in states:
        for line in outputs.get(state.pod.name, "").splitlines():
            print(f"    {state.pod.name:<{width}} | {line}")
    print()


def open_screen(node_count, workloads):
    """The kind of screen for stdout."""
    height = sum(workload.pods + 1 for workload in workloads) + Table.FRAME_LINES
    size = shutil.get_terminal_size()
    is_terminal = sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    plain = any(os.environ.get(name) for name in ("NO_COLOR", "CI"))
    roomy = size.lines > height and size.columns >= 60
    return Table(node_count) if is_terminal and not plain and roomy else Lines()


class Lines:
    def __init__(self):
        self._printed = {}  # uid: sentence
        self._since = {}  # uid: (sentence, when it was first seen)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def show(self, groups):
        """groups: [(workload, states)]"""
        width = max((len(state.pod.name) for _, states in groups for state in states), default=0)
        for _, states in groups:
            for state in states:
                if self._is_news(state):
                    self._printed[state.pod.uid] = state.sentence
                    say(f"{state.pod.name:<{width}}  {state.sentence}")

    def _is_news(self, state):
        uid, sentence = state.pod.uid, state.sentence
        if self._since.get(uid, ("",))[0] != sentence:
            self._since[uid] = (sentence, seconds())
        lasted = seconds() - self._since[uid][1]
        return self._printed.get(uid) != sentence and lasted >= LINE_AFTER_SECONDS.get(state.stage, 0)


class Table:
    FRAME_LINES = 5  # above and below the pods

    def __init__(self, node_count):
        self._node_count = node_count
        self._drawn = 0

    def __enter__(self):
        sys.stdout.write("\033[?25l\n")  # no cursor
        return self

    def __exit__(self, *_):
        sys.stdout.write("\033[?25h")
        sys.stdout.flush()

    def show(self, groups):
        columns, rows = shutil.get_terminal_size()
        lines = [_cut(line, columns, code) for line, code in self._lines(groups)][:rows - 1]
        up = f"\033[{self._drawn}A" if self._drawn else ""
        sys.stdout.write(up + "".join(f"\r{line}\033[K\n" for line in lines) + "\033[J")
        sys.stdout.flush()
        self._drawn = len(lines)

    def _lines(self, groups):
        states = [state for _, of_workload in groups for state in of_workload]
        name_width = max([len(state.pod.name) for state in states], default=0)

        def row(name, kubernetes, slurm):
            return f"  {name:<{name_width}}  {kubernetes:<14}  {slurm}"  # as wide as "Succeeded k001"

        yield f"{seconds():6.1f} s  {_counted(states)}", "1"
        yield "", ""
        yield row("POD", "KUBERNETES", "SLURM JOB"), "2"
        for workload, of_workload in groups:
            yield workload.file, "2"
            for state in of_workload:
                yield row(state.pod.name, state.kubernetes, state.slurm), COLOURS.get(state.stage, "")
        yield self._nodes(states), "2"

    def _nodes(self, states):
        """The nodes that Slurm has allocated."""
        jobs = [state.job for state in states if state.job is not None and state.job.state == "RUNNING"]
        nodes = sorted({job.node for job in jobs})
        used = [f"{node} ({_jobs(sum(job.node == node for job in jobs))})" for node in nodes]
        return f"{len(nodes)} of {self._node_count} nodes in use{': ' if used else ''}{', '.join(used)}"


COUNTED = ((Stage.COMING, "being placed"), (Stage.REFUSED, "without a job"), (Stage.WAITING, "waiting in Slurm"),
           (Stage.RUNNING, "running"), (Stage.ENDING, "ending"), (Stage.DONE, "done"), (Stage.FAILED, "failed"))


def _counted(states):
    counts = [(sum(state.stage is stage for state in states), words) for stage, words in COUNTED]
    return f"{len(states)} pods: " + ", ".join(f"{count} {words}" for count, words in counts if count)


def _jobs(count):
    return "1 job" if count == 1 else f"{count} jobs"


def _cut(line, columns, code):
    text = line[:columns]
    return f"\033[{code}m{text}\033[0m" if code and text else text
