# SPDX-License-Identifier: Apache-2.0
"""The demo.

Guarantees  it runs on the real servers where they are available, and in the sandbox otherwise or with SANDBOX=1; with
            REAL_NODES=N it runs on real nodes or fails. The first line and the last name which. The last line has the
            result or the error, and the exit code agrees with it; without KEEP=1, and after Ctrl-C, no process and no file
            of the cluster or the bridge remains.
"""

import os
import signal
import sys
import time

import advice
import facts
import observation
import screen
import pod_state
import verdict
from bridge_process import BRIDGE, Busy, CannotStart, built_program
from real_nodes_servers import RealNodeServers, requested_nodes
from real_servers import RealServers, real_servers_available
from sandbox_servers import SandboxServers
from screen import say

POLL_SECONDS = 0.4
GIVE_UP_SECONDS = 40  # without any change
BLIND_SECONDS = 15  # without an answer from one of the systems
ACCOUNTING_SECONDS = 15  # accounting records the end of a job a little later
LOG_LINES = 15
FAILED, USAGE, NOT_AVAILABLE, INTERRUPTED = 1, 2, 3, 130


def run():
    """The whole demo; its exit code."""
    _make_signals_interrupt()
    if _is_set("REAL_NODES"):
        return _run_on_real_nodes()
    try:
        servers = SandboxServers() if _is_set("SANDBOX") or not real_servers_available() else RealServers()
    except KeyboardInterrupt:
        return _leave(INTERRUPTED)
    code = _run_on(servers)
    if code != NOT_AVAILABLE:
        return code
    print(file=sys.stderr)  # known only now: fetching does not detect it
    return _run_on(SandboxServers())


def _run_on_real_nodes():
    """Without the sandbox as a substitute: it starts no containers."""
    count = requested_nodes(os.environ["REAL_NODES"])
    if count is None or _is_set("SANDBOX"):
        return _complain("REAL_NODES is the number of worker nodes, 1 to 9, and cannot be used with SANDBOX=1", USAGE)
    try:
        available = real_servers_available("--real-nodes")
    except KeyboardInterrupt:
        return _leave(INTERRUPTED)
    code = _run_on(RealNodeServers(count)) if available else NOT_AVAILABLE
    return _complain("REAL NODES: not available on this machine (see above)", FAILED) if code == NOT_AVAILABLE else code


def _run_on(servers):
    keep = _is_set("KEEP")
    try:
        print(servers.INTRODUCTION.format(count=len(servers.EXAMPLES)), flush=True)
        program = built_program(BRIDGE, "SLURM_BRIDGE_BIN")
        return _finish(servers, _run_workloads(servers, program, keep), keep)
    except (KeyboardInterrupt, BrokenPipeError):
        _quietly(say, "interrupted: stopping everything")
        _take_down(servers)
        _quietly(say, f"{servers.WHERE}: everything is stopped and removed")
        return _leave(INTERRUPTED)
    except Busy as error:
        return _complain(f"{servers.WHERE}: {error}", FAILED)
    except (CannotStart, observation.NoAnswer) as error:
        if keep and servers.exists:
            _complain("KEEP=1: the cluster keeps running; tools/demo stop stops it", FAILED)
        elif servers.exists:
            _take_down(servers)
        return _complain(f"{servers.WHERE}: {error}", getattr(error, "exit_code", FAILED))
    except BaseException:  # a fault of the demo: stop the cluster nevertheless
        _take_down(servers)
        raise


def stop():
    """Stop the demo that KEEP=1 left running."""
    everywhere = [servers for servers in (RealServers(), RealNodeServers(), SandboxServers()) if servers.exists]
    gone = all([_take_down(servers) for servers in everywhere])
    print(("the demo is stopped" if everywhere else "no demo is running") if gone else "the demo could not be stopped")
    return 0 if gone else FAILED


# --- steps ------------------------------------------------------------------------------------------------------


def _run_workloads(servers, program, keep):
    """Start everything, run the workloads, check the results."""
    leftovers = servers.exists
    if leftovers:
        servers.hold()
        say(f"a cluster of an earlier demo exists and is used again{'' if keep else '; it is removed at the end'}")
    servers.up()
    observer = servers.observer()
    kubernetes, slurm = observer.versions()
    nodes = servers.node_names
    say(f"Kubernetes {kubernetes} and Slurm {slurm} run, both with nodes {nodes[0]} to {nodes[-1]}")
    servers.start_bridge(program)
    say(f"the bridge runs: {os.path.relpath(program)}")
    if leftovers:
        servers.delete(servers.EXAMPLES)
    workloads = [facts.workload(os.path.basename(path), servers.apply(path)) for path in servers.EXAMPLES]
    groups = _watch(servers, observer, workloads)
    return _judge(servers, observer, groups)


def _watch(servers, observer, workloads):
    """Show the pods until all have ended or nothing changes any more: [(workload, last states)]."""
    seen, groups, changed, answered = {}, [], time.monotonic(), time.monotonic()
    with screen.open_screen(len(servers.node_names), workloads) as shown:
        while True:
            try:
                pods, jobs = observer.pods(workloads), observer.jobs()
                answered = time.monotonic()
            except observation.NoAnswer:
                if time.monotonic() - answered > BLIND_SECONDS or not servers.exists:
                    raise
                time.sleep(POLL_SECONDS)
                continue
            seen.update((pod.uid, pod) for pod in pods)
            before, groups = groups, _group(workloads, pod_state.pod_states(pods, jobs, seen.values()))
            changed = changed if groups == before else time.monotonic()
            shown.show(groups)
            if _is_over(groups) or not servers.bridge_runs or time.monotonic() - changed > GIVE_UP_SECONDS:
                return groups
            time.sleep(POLL_SECONDS)


def _group(workloads, states):
    return [(workload, [state for state in states if workload.has(state.pod)]) for workload in workloads]


def _is_over(groups):
    return all(len(states) >= workload.pods and
               all(state.stage in (pod_state.Stage.DONE, pod_state.Stage.FAILED) for state in states)
               for workload, states in groups)


def _judge(servers, observer, groups):
    """From accounting, which records the end of a job a little later than slurmctld."""
    deadline = time.monotonic() + ACCOUNTING_SECONDS
    states = [state for _, of_workload in groups for state in of_workload]
    records = observer.records()
    while not verdict.accounting_knows(states, records) and time.monotonic() < deadline:
        time.sleep(POLL_SECONDS)
        records = observer.records()
    jobs = observer.jobs()
    verdicts = [verdict.judge(workload, of_workload, records, jobs) for workload, of_workload in groups]
    outputs = servers.outputs([state.pod for state in states])
    print()
    if outputs is not None:
        verdicts = [verdict.with_outputs(one, group[1], outputs) for one, group in zip(verdicts, groups)]
        screen.show_outputs(states, outputs)
    for one in verdicts:
        print(*(f"  {line}" for line in one.lines()), sep="\n")
    if all(one.good for one in verdicts):
        print(servers.GOOD_END)
    else:
        _show_the_bridge(servers)
    return verdicts


def _show_the_bridge(servers):
    print("\n  The bridge " + ("still runs" if servers.bridge_runs else "has ended: it was killed or it crashed") +
          "; last lines of its log:")
    for line in servers.bridge_log(LOG_LINES) or ["(it is empty)"]:
        print(f"    | {line}")
    print()


def _finish(servers, verdicts, keep):
    if keep:
        print(advice.how_to_use(servers), flush=True)
    else:
        if _take_down(servers):
            say("cluster and bridge are removed; KEEP=1 leaves them running\n")
    print(f"{servers.WHERE}: {verdict.last_line(verdicts)}{servers.AFTERWORD}", flush=True)
    return 0 if all(one.good for one in verdicts) else FAILED


# --- exit -------------------------------------------------------------------------------------------------------


def _complain(error, code):
    print(f"demo: {error}", file=sys.stderr)
    return code


def _take_down(servers):
    _on_signals(signal.SIG_IGN)
    return servers.down()


def _make_signals_interrupt():
    def interrupt(*_):
        _on_signals(signal.SIG_IGN)  # only once; the cleanup must not be interrupted
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
    except OSError:  # the reader has closed the pipe
        pass


def _leave(code):
    """Without Python's error about a closed pipe."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


def _is_set(name):
    return os.environ.get(name, "") not in ("", "0")
