# SPDX-License-Identifier: Apache-2.0
"""How it looks: one table that is drawn in place on a terminal, or one line per change everywhere else."""

import os
import shutil
import sys
import time

from story import Stage

COLOURS = {Stage.WAITING: "33", Stage.RUNNING: "36", Stage.DONE: "32", Stage.FAILED: "31",
           Stage.REFUSED: "31"}
# How long it must last to get a line: what is on its way from one to the next is no news.
LINE_AFTER_SECONDS = {Stage.WAITING: 1, Stage.COMING: 2, Stage.ENDING: 2}  # the others: at once

_started = time.monotonic()


def say(text):
    """One line, with the seconds since the start."""
    print(f"{seconds():6.1f} s  {text}", flush=True)


def seconds():
    return time.monotonic() - _started


def open_screen(node_count, workloads):
    """The screen that suits stdout."""
    height = sum(workload.pods + 1 for workload in workloads) + Table.FRAME_LINES
    size = shutil.get_terminal_size()
    is_terminal = sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    plain = any(os.environ.get(name) for name in ("NO_COLOR", "CI"))
    roomy = size.lines > height and size.columns >= 60
    return Table(node_count) if is_terminal and not plain and roomy else Lines()


class Lines:
    def __init__(self):
        self._said = {}  # uid: sentence
        self._since = {}  # uid: (sentence, when it was first seen)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def show(self, groups):
        """groups: [(workload, scenes)]"""
        width = max((len(scene.pod.name) for _, scenes in groups for scene in scenes), default=0)
        for _, scenes in groups:
            for scene in scenes:
                if self._is_news(scene):
                    self._said[scene.pod.uid] = scene.sentence
                    say(f"{scene.pod.name:<{width}}  {scene.sentence}")

    def _is_news(self, scene):
        uid, sentence = scene.pod.uid, scene.sentence
        if self._since.get(uid, ("",))[0] != sentence:
            self._since[uid] = (sentence, seconds())
        lasted = seconds() - self._since[uid][1]
        return self._said.get(uid) != sentence and lasted >= LINE_AFTER_SECONDS.get(scene.stage, 0)


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
        scenes = [scene for _, of_workload in groups for scene in of_workload]
        name_width = max([len(scene.pod.name) for scene in scenes], default=0)

        def row(name, kubernetes, slurm):
            return f"  {name:<{name_width}}  {kubernetes:<14}  {slurm}"  # as wide as "Succeeded k001"

        yield f"{seconds():6.1f} s  {_counted(scenes)}", "1"
        yield "", ""
        yield row("POD", "KUBERNETES", "SLURM JOB"), "2"
        for workload, of_workload in groups:
            yield workload.file, "2"
            for scene in of_workload:
                yield row(scene.pod.name, scene.kubernetes, scene.slurm), COLOURS.get(scene.stage, "")
        yield self._nodes(scenes), "2"

    def _nodes(self, scenes):
        """The nodes that Slurm has given out."""
        jobs = [scene.job for scene in scenes if scene.job is not None and scene.job.state == "RUNNING"]
        nodes = sorted({job.node for job in jobs})
        used = [f"{node} ({_jobs(sum(job.node == node for job in jobs))})" for node in nodes]
        return f"{len(nodes)} of {self._node_count} nodes in use{': ' if used else ''}{', '.join(used)}"


COUNTED = ((Stage.COMING, "on the way"), (Stage.REFUSED, "without a job"), (Stage.WAITING, "waiting in Slurm"),
           (Stage.RUNNING, "running"), (Stage.ENDING, "ending"), (Stage.DONE, "done"), (Stage.FAILED, "failed"))


def _counted(scenes):
    counts = [(sum(scene.stage is stage for scene in scenes), words) for stage, words in COUNTED]
    return f"{len(scenes)} pods: " + ", ".join(f"{count} {words}" for count, words in counts if count)


def _jobs(count):
    return "1 job" if count == 1 else f"{count} jobs"


def _cut(line, columns, code):
    text = line[:columns]
    return f"\033[{code}m{text}\033[0m" if code and text else text
