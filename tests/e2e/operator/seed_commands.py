#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of tests/e2e/seed004.list on a cluster that the operator runs.

    tests/e2e/operator/seed_commands.py --name DEVCLUSTER --namespace NAMESPACE --cluster CLUSTER --key KEY
    tests/e2e/operator/seed_commands.py --list          # only show what would run

Expects     a cluster with two workers that was installed with values(), as a helm release with the name of the cluster.
Guarantees  one line per command: `ok COMMAND (1.2 s)`, or `not ok COMMAND: reason` with the output below; `part 2` for those that
            are not implemented. Exit code 0 if none failed, 1 if one did.
"""

import argparse
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

TOP = Path(__file__).resolve().parents[3]
sys.path.append(str(TOP / "tools/operatorlib"))

import install  # noqa: E402
from demo_operator import SMALL_WORKER  # noqa: E402
from lab import TOOL, Failed, Lab  # noqa: E402
from login import Login, type_lines  # noqa: E402

LIST = TOP / "tests/e2e/seed004.list"
DEMO = TOP / "examples/operator/demo"
COMMAND_SECONDS = 120
POLL_SECONDS = 2
SHOWN_LINES = 20
ONE_LINE = ("note", "on", "exit", "within", "part", "save")
SEVERAL_LINES = ("seed", "run", "type", "expect")


def values(public_key):
    """Values of the chart slurm-cluster for the cluster under test: munge as in the requirements, and a partition `batch`."""
    return {
        "slurmNodes": {"controller": {"munge": {}}, "worker": {"size": 2, "resources": SMALL_WORKER},
                       "login": {"sshRootPublicKeys": [public_key]}},
        "partitionConfiguration": {"configType": "structured", "partitions": [
            {"name": "main", "isAll": True, "config": "Default=YES MaxTime=INFINITE State=UP"},
            {"name": "batch", "isAll": True, "config": "MaxTime=INFINITE State=UP"}]},
    }


@dataclass
class Entry:
    """One entry of the list; `seed` is empty for a preparation."""
    line: int
    seed: str = ""
    run: str = ""
    note: str = ""
    on: str = "host"
    type: list = field(default_factory=list)
    expect: list = field(default_factory=list)
    exit: int = 0
    within: float = 0
    save: tuple = ()  # (name, regular expression)
    part: int = 1

    @property
    def command(self):
        return self.run or self.seed

    @property
    def title(self):
        return (self.seed or f"(prepare) {self.run}").replace("\n", "; ")[:120]


def read(text):
    """The entries of a list; ValueError names the line of a mistake."""
    entries, current, number = [], None, 0
    for number, line in enumerate([*text.splitlines(), ""], 1):
        if line.startswith("#"):
            continue
        if not line.strip():
            if current is not None:
                entries.append(_entry(*current))
            current = None
            continue
        key, colon, value = line.partition(":")
        if not colon or key not in (*ONE_LINE, *SEVERAL_LINES) or (value and not value.startswith(" ")):
            raise ValueError(f"line {number}: expected one of {', '.join((*SEVERAL_LINES, *ONE_LINE))} and a colon")
        current = current or (number, {})
        if key in ONE_LINE and key in current[1]:
            raise ValueError(f"line {number}: {key} appears twice in an entry")
        current[1].setdefault(key, []).append(value[1:])
    return entries


def _entry(line, found):
    entry = Entry(line, seed="\n".join(found.get("seed", ())), run="\n".join(found.get("run", ())), type=found.get("type", []),
                  expect=found.get("expect", []))
    for key in ("note", "on"):
        if key in found:
            setattr(entry, key, found[key][0])
    for key, kind in (("exit", int), ("within", float), ("part", int)):
        if key in found:
            setattr(entry, key, kind(found[key][0]))
    if "save" in found:
        entry.save = tuple(found["save"][0].split(" ", 1))
    if not entry.command or entry.on not in ("host", "login", "terminal"):
        raise ValueError(f"line {line}: an entry needs seed or run, and `on` is host, login or terminal")
    for expression in [*entry.expect, *entry.save[1:]]:
        try:
            re.compile(expression)
        except re.error as error:
            raise ValueError(f"line {line}: {expression!r} is not a regular expression: {error}") from error
    return entry


@dataclass
class Outcome:
    good: bool
    reason: str = ""
    output: str = ""
    seconds: float = 0.0


class Runner:
    """Runs entries one after the other; they share the saved values."""

    def __init__(self, lab, namespace, cluster, login):
        self.lab, self.namespace, self.cluster, self.login = lab, namespace, cluster, login
        self.saved = {}
        self._folder = tempfile.TemporaryDirectory(prefix="seed-commands-")
        self.work = Path(self._folder.name) / "work"
        self.work.mkdir()
        self.environment = self._environment()

    def close(self):
        self._folder.cleanup()

    def run(self, entry):
        began, deadline = time.monotonic(), time.monotonic() + entry.within
        while True:
            outcome = self._once(entry)
            outcome.seconds = time.monotonic() - began
            if outcome.good or time.monotonic() >= deadline:
                return outcome
            time.sleep(POLL_SECONDS)

    def fill(self, text, quote=lambda value: value):
        """The text with the names of the cluster under test and with saved values."""
        text = re.sub(r"(-n|--namespace) (correct-cpu-cluster|my-namespace|ml-namespace)\b", rf"\1 {self.namespace}", text)
        text = re.sub(r"\b(correct-cpu-cluster|my-cluster|ml-cluster)\b", self.cluster, text)
        text = re.sub(r"<([a-z_-]+)>", lambda found: quote(self.saved[found[1]]) if found[1] in self.saved else found[0], text)
        return re.sub(r"\bsoperator-manager-xxx\b", lambda _: install.operator_pod(self.lab), text)

    def _once(self, entry):
        try:
            code, output = self._execute(entry)
        except Failed as error:
            return Outcome(False, str(error))
        if code != entry.exit:
            return Outcome(False, f"exit code {code}, expected {entry.exit}", output)
        for expression in entry.expect:
            if not re.search(self.fill(expression, re.escape), output, re.MULTILINE):
                return Outcome(False, f"the output does not match {expression}", output)
        if entry.save:
            name, expression = entry.save
            found = re.search(expression, output, re.MULTILINE)
            if found is None:
                return Outcome(False, f"the output does not match {expression}", output)
            self.saved[name] = found[1]
        return Outcome(True, output=output)

    def _execute(self, entry):
        command = self.fill(entry.command)
        if entry.on == "login":
            done = self.login.try_run(command, timeout=COMMAND_SECONDS)
            return done.returncode, done.stdout
        argv = ["bash", "-c", command]
        if entry.on == "terminal":
            code, output = type_lines(argv, entry.type, timeout=COMMAND_SECONDS, env={**self.environment, "TERM": "xterm"}, folder=TOP)
            return code, output.replace("\r\n", "\n")
        try:
            done = subprocess.run(argv, env=self.environment, cwd=TOP, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, errors="replace", timeout=COMMAND_SECONDS * 3)
        except subprocess.TimeoutExpired as error:
            raise Failed(f"no end within {error.timeout:.0f} s") from error
        return done.returncode, done.stdout

    def _environment(self):
        programs = Path(self._folder.name) / "bin"
        programs.mkdir()
        script = programs / "devcluster"
        script.write_text(f'#!/bin/sh\nverb=$1\nshift\nexec {TOOL} "$verb" --name {self.lab.name} "$@"\n')
        script.chmod(0o755)
        found = self.lab.environment
        options = " ".join(self.login.options)
        return {**found, "PATH": f"{programs}:{found['PATH']}", "WORK": str(self.work), "DEMO": str(DEMO),
                "SSH": f"ssh {options}", "SCP": f"scp {options}", "LOGIN_PORT": str(self.login.port),
                "NAMESPACE": self.namespace, "CLUSTER": self.cluster, "SSH_PORT": str(self.login.port), "SSH_KEY": str(self.login.key)}


def run_all(runner, entries, out=print):
    """Whether all entries of part 1 succeeded; a preparation that fails is a failure too."""
    failed = 0
    for entry in entries:
        if entry.part != 1:
            out(f"part {entry.part} {entry.title}")
            continue
        outcome = runner.run(entry)
        if outcome.good:
            if entry.seed:
                out(f"ok {entry.title} ({outcome.seconds:.1f} s)", flush=True)
            continue
        failed += 1
        out(f"not ok {entry.title}: {outcome.reason} ({outcome.seconds:.1f} s; line {entry.line} of {LIST.name})", flush=True)
        for line in outcome.output.splitlines()[-SHOWN_LINES:]:
            out(f"    {line[:300]}")
    return failed == 0


def main():
    parser = argparse.ArgumentParser(description="Run the commands of seed004.list.")
    parser.add_argument("--list", action="store_true", help="only show what would run")
    parser.add_argument("--name", default="operator-demo", help="the dev cluster (operator-demo)")
    parser.add_argument("--namespace", default="correct-cpu-cluster")
    parser.add_argument("--cluster", default="correct-cpu-cluster")
    parser.add_argument("--key", type=Path, help="private key of the user soperator; default: that of the demo")
    options = parser.parse_args()
    entries = read(LIST.read_text(encoding="utf-8"))
    if options.list:
        for entry in entries:
            print(f"{'' if entry.part == 1 else 'part 2: '}{entry.title}{f'  ->  {entry.run}' if entry.seed and entry.run else ''}")
        return 0
    lab = Lab(options.name)
    lab.attach()
    key = options.key or lab.bin.parent / "ssh/id_ed25519"
    runner = Runner(lab, options.namespace, options.cluster, Login(key, lab.login_port, cluster=options.cluster))
    try:
        return 0 if run_all(runner, entries) else 1
    finally:
        runner.close()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failed as error:
        sys.exit(f"seed_commands: {error}")
