# SPDX-License-Identifier: Apache-2.0
"""The demo from its first to its last line.

Guarantees  it runs on the real parts where they can be had and in the sandbox otherwise, or if SANDBOX=1 asks for it;
            the first line and the last say which. The last line is the verdict, or what kept it away, and the exit
            code says the same; without KEEP=1, and after Ctrl-C, no process and no file of the cluster or the bridge
            stays.
"""

import os
import signal
import sys
import time

import advice
import facts
import looking
import screen
import story
import verdict
from bridge_process import BRIDGE, Busy, CannotStart, built_program
from real_servers import RealServers, can_be_had
from sandbox_servers import SandboxServers
from screen import say

EXAMPLES = tuple(f"examples/{name}.yaml" for name in ("pod", "gpu-pod", "job", "waiting"))
POLL_SECONDS = 0.4
GIVE_UP_SECONDS = 40  # without any change
BLIND_SECONDS = 15  # without an answer from one of the systems
ACCOUNTING_SECONDS = 15  # accounting hears of the end of a job a little later
LOG_LINES = 15
FAILED, NOT_AVAILABLE, INTERRUPTED = 1, 3, 130


def run():
    """The whole demo; its exit code."""
    _make_signals_interrupt()
    try:
        parts = SandboxServers() if _is_set("SANDBOX") or not can_be_had() else RealServers()
    except KeyboardInterrupt:
        return _leave(INTERRUPTED)
    code = _run_on(parts)
    if code != NOT_AVAILABLE:
        return code
    print(file=sys.stderr)  # known only now: it shows at the last moment, or not while fetching
    return _run_on(SandboxServers())


def _run_on(parts):
    keep = _is_set("KEEP")
    try:
        print(parts.INTRODUCTION.format(count=len(EXAMPLES)), flush=True)
        program = built_program(BRIDGE, "SLURM_BRIDGE_BIN")
        return _finish(parts, _perform(parts, program, keep), keep)
    except (KeyboardInterrupt, BrokenPipeError):
        _quietly(say, "interrupted: taking everything down")
        _take_down(parts)
        _quietly(say, f"{parts.WHERE}: everything is gone again")
        return _leave(INTERRUPTED)
    except Busy as error:
        return _complain(f"{parts.WHERE}: {error}", FAILED)
    except (CannotStart, looking.CannotSee) as error:
        if keep and parts.exists:
            _complain("KEEP=1: what runs is left running; tools/demo stop takes it down", FAILED)
        elif parts.exists:
            _take_down(parts)
        return _complain(f"{parts.WHERE}: {error}", getattr(error, "exit_code", FAILED))
    except BaseException:  # a mistake of ours: no reason to leave a cluster behind
        _take_down(parts)
        raise


def stop():
    """Take down what KEEP=1 left running."""
    everywhere = [parts for parts in (RealServers(), SandboxServers()) if parts.exists]
    gone = all([_take_down(parts) for parts in everywhere])
    print(("the demo is gone" if everywhere else "no demo is running") if gone else "the demo could not be taken down")
    return 0 if gone else FAILED


# --- the acts ---------------------------------------------------------------------------------------------------


def _perform(parts, program, keep):
    """Start everything, run the workloads, judge them."""
    leftovers = parts.exists
    if leftovers:
        parts.hold()
        say(f"a cluster of an earlier demo is here and is used again{'' if keep else '; it is removed at the end'}")
    parts.up()
    observer = parts.observer()
    kubernetes, slurm = observer.versions()
    nodes = parts.node_names
    say(f"Kubernetes {kubernetes} and Slurm {slurm} run, both with nodes {nodes[0]} to {nodes[-1]}")
    parts.start_bridge(program)
    say(f"the bridge runs: {os.path.relpath(program)}")
    if leftovers:
        parts.delete(EXAMPLES)
    workloads = [facts.workload(os.path.basename(path), parts.apply(path)) for path in EXAMPLES]
    groups = _watch(parts, observer, workloads)
    return _judge(parts, observer, groups)


def _watch(parts, observer, workloads):
    """Show what happens until nothing more can: [(workload, last scenes)]."""
    seen, groups, changed, answered = {}, [], time.monotonic(), time.monotonic()
    with screen.open_screen(len(parts.node_names), workloads) as shown:
        while True:
            try:
                pods, jobs = observer.pods(workloads), observer.jobs()
                answered = time.monotonic()
            except looking.CannotSee:
                if time.monotonic() - answered > BLIND_SECONDS or not parts.exists:
                    raise
                time.sleep(POLL_SECONDS)
                continue
            seen.update((pod.uid, pod) for pod in pods)
            before, groups = groups, _group(workloads, story.scenes(pods, jobs, seen.values()))
            changed = changed if groups == before else time.monotonic()
            shown.show(groups)
            if _is_over(groups) or not parts.bridge_runs or time.monotonic() - changed > GIVE_UP_SECONDS:
                return groups
            time.sleep(POLL_SECONDS)


def _group(workloads, scenes):
    return [(workload, [scene for scene in scenes if workload.has(scene.pod)]) for workload in workloads]


def _is_over(groups):
    return all(len(scenes) >= workload.pods and
               all(scene.stage in (story.Stage.DONE, story.Stage.FAILED) for scene in scenes)
               for workload, scenes in groups)


def _judge(parts, observer, groups):
    """By accounting, which hears of the end of a job a little later than slurmctld."""
    deadline = time.monotonic() + ACCOUNTING_SECONDS
    scenes = [scene for _, of_workload in groups for scene in of_workload]
    records = observer.records()
    while not verdict.accounting_knows(scenes, records) and time.monotonic() < deadline:
        time.sleep(POLL_SECONDS)
        records = observer.records()
    jobs = observer.jobs()
    verdicts = [verdict.judge(workload, of_workload, records, jobs) for workload, of_workload in groups]
    print()
    for one in verdicts:
        print(*(f"  {line}" for line in one.lines()), sep="\n")
    if all(one.good for one in verdicts):
        print(parts.GOOD_END)
    else:
        _show_the_bridge(parts)
    return verdicts


def _show_the_bridge(parts):
    print("\n  The bridge " + ("still runs" if parts.bridge_runs else "has ended: it was killed or it crashed") +
          "; last lines of its log:")
    for line in parts.bridge_log(LOG_LINES) or ["(it is empty)"]:
        print(f"    | {line}")
    print()


def _finish(parts, verdicts, keep):
    if keep:
        print(advice.how_to_use(parts), flush=True)
    else:
        if _take_down(parts):
            say("cluster and bridge are gone again; KEEP=1 would leave them running\n")
    print(f"{parts.WHERE}: {verdict.last_line(verdicts)}{parts.AFTERWORD}", flush=True)
    return 0 if all(one.good for one in verdicts) else FAILED


# --- ends -------------------------------------------------------------------------------------------------------


def _complain(error, code):
    print(f"demo: {error}", file=sys.stderr)
    return code


def _take_down(parts):
    _on_signals(signal.SIG_IGN)
    return parts.down()


def _make_signals_interrupt():
    def interrupt(*_):
        _on_signals(signal.SIG_IGN)  # once is enough; what follows must not be cut short
        raise KeyboardInterrupt

    hang_up_is_ignored = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN  # nohup
    _on_signals(interrupt)
    if hang_up_is_ignored:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)


def _on_signals(handler):
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, handler)


def _quietly(function, *arguments):
    try:
        function(*arguments)
    except OSError:  # nobody reads any more
        pass


def _leave(code):
    """Without Python's complaint about a reader that has gone."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


def _is_set(name):
    return os.environ.get(name, "") not in ("", "0")
