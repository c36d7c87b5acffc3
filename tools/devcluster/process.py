# SPDX-License-Identifier: Apache-2.0
"""One recorded process of a cluster ("component"): start, stop, kill, start again.

Expects     cluster.logs and cluster.run exist; one caller per component at a time (ensured by the cluster's lock).
Guarantees  a component is identified by pid *and* kernel start time, so a reused pid is never taken for it or
            signalled; stop and kill leave no process of its session; a component whose starter died before it
            could write the record is found by the marks in its environment.
Does not    restart components, rotate logs, or depend on what a component does.
"""

import json
import os
import signal
import time

import procfs

POLL_SECONDS = 0.05
LOG_LINES_SHOWN = 15

# Every process of a cluster has these two in its environment; children inherit them.
CLUSTER_MARK = "SLURM_BRIDGE_DEVCLUSTER"
COMPONENT_MARK = "SLURM_BRIDGE_DEVCLUSTER_PART"

# What a component inherits of the caller's environment. Nothing else: a KUBECONFIG, SLURM_CONF or proxy setting of the
# caller's shell must not change how the cluster behaves, and a restart from another shell must be the same start.
INHERITED = ("PATH", "HOME", "TZ")


class ComponentFailed(Exception):
    """A component that did not start or stop; str() has the component, the reason and its last log lines."""

    def __init__(self, name, why, log_lines=(), did="start"):
        text = f"{name} did not {did}: {why}"
        if log_lines:
            text += "\nlast lines of its log:\n" + "\n".join("  | " + line for line in log_lines)
        super().__init__(text)
        self.component = name


# --- the contract -----------------------------------------------------------------------------------------------


def start(cluster, name, argv, *, env=None, ready=None, timeout=90, stop_signal=signal.SIGTERM, wrapped=False):
    """Start a component detached and wait until ready() is true (an exception means "not ready").

    wrapped: argv is a program such as nsenter that waits for its child and does not pass signals on to it, so the stop
    signal is sent to the child. env is added to a minimal environment (INHERITED). Output is appended to cluster.logs/NAME.log.
    A component that already runs is not started again: an interrupted start may be repeated.
    """
    if pid(cluster, name) is None:
        record = {
            "argv": [str(word) for word in argv],
            "env": {key: str(value) for key, value in (env or {}).items()},
            "stop_signal": int(stop_signal),
            "wrapped": wrapped,
        }
        _launch(cluster, name, record)
    _wait_until_ready(cluster, name, ready, timeout)


def start_again(cluster, name, ready=None, timeout=90):
    """Start a component that is not running with the argv and environment of its record."""
    if pid(cluster, name) is None:
        record = _read_record(cluster, name)
        if record is None:
            raise ComponentFailed(name, "it was never started in this cluster, or was stopped; use `up`")
        _launch(cluster, name, record)
    _wait_until_ready(cluster, name, ready, timeout)


def stop(cluster, name, grace=10):
    """Terminate the component, wait up to grace seconds, then kill its session. It is no error if nothing runs."""
    record = _read_record(cluster, name)
    if record is not None:
        _ask_to_end(record, grace)
        _kill_session(record)
        _record_path(cluster, name).unlink(missing_ok=True)
    kill_strays(cluster, name)


def stop_for_a_while(cluster, name, grace=60):
    """Terminate the component and wait until it has exited, so that its state is saved. The record stays for start_again."""
    record = _read_record(cluster, name)
    if record is not None and not _ask_to_end(record, grace):
        raise ComponentFailed(name, f"it still runs {grace} s after it was asked to stop", last_lines(cluster, name), did="stop")


def kill(cluster, name):
    """SIGKILL the component and its session. The record stays for start_again."""
    record = _read_record(cluster, name)
    if record is not None:
        _kill_session(record)


def pid(cluster, name):
    """The component's process id, or None if it is not running (a zombie or a reused pid is not running)."""
    record = _read_record(cluster, name)
    return record["pid"] if record is not None and _is_alive(record) else None


def recorded(cluster):
    """Names of all components that have a record, running or not."""
    return sorted(path.stem for path in cluster.run.glob("*.json"))


def memory_mib(process_id):
    """Resident memory of a process and the rest of its session, in MiB."""
    pages = sum(procfs.resident_pages(member) for member in procfs.session_members(process_id))
    return pages * os.sysconf("SC_PAGE_SIZE") // (1024 * 1024)


def last_lines(cluster, name, count=LOG_LINES_SHOWN, since=0):
    """The last lines of a component's log, of those written after byte offset `since`."""
    try:
        with open(cluster.logs / f"{name}.log", "rb") as log:
            end = log.seek(0, os.SEEK_END)
            log.seek(max(since, end - 64 * 1024))
            return log.read().decode(errors="replace").splitlines()[-count:]
    except FileNotFoundError:
        return []


def kill_strays(cluster, name=None):
    """SIGKILL every process that has this cluster's mark (and the component's, if named)."""
    wanted = {f"{CLUSTER_MARK}={cluster.folder}".encode()}
    if name is not None:
        wanted.add(f"{COMPONENT_MARK}={name}".encode())

    def strays():
        return [number for number in procfs.living() if number != os.getpid() and wanted <= procfs.environment(number)]

    _kill_until_gone(strays)


# --- starting ---------------------------------------------------------------------------------------------------


def _launch(cluster, name, record):
    """Spawn. The record is written before, without a pid, and again after: a run that dies between the two leaves a
    process that is found only by its marks, and that would hold the component's port. Otherwise processes with the marks
    are not killed: a job on a real Slurm node outlives its slurmd."""
    before = _read_record(cluster, name)
    if before is not None and before.get("pid") is None:
        kill_strays(cluster, name)
    environment = {key: os.environ[key] for key in INHERITED if key in os.environ}
    environment.setdefault("PATH", os.defpath)
    environment["LANG"] = "C.UTF-8"
    environment.update(record["env"])
    environment[CLUSTER_MARK] = str(cluster.folder)
    environment[COMPONENT_MARK] = name
    log_path = cluster.logs / f"{name}.log"
    log = os.open(log_path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    nothing = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
    record = dict(record, log_offset=log_path.stat().st_size, pid=None)
    _write_record(cluster, name, record)
    try:
        started = os.posix_spawnp(
            record["argv"][0], record["argv"], environment, setsid=True,
            setsigmask=(), setsigdef=(signal.SIGINT, signal.SIGPIPE, signal.SIGHUP),
            file_actions=[(os.POSIX_SPAWN_DUP2, nothing, 0), (os.POSIX_SPAWN_DUP2, log, 1),
                          (os.POSIX_SPAWN_DUP2, log, 2)])
    except OSError as error:
        raise ComponentFailed(name, f"cannot run {record['argv'][0]}: {error.strerror}") from error
    finally:
        os.close(log)
        os.close(nothing)
    stat = procfs.stat(started)
    _write_record(cluster, name, dict(record, pid=started, started=stat and stat.started, boot=procfs.boot_id()))


def _wait_until_ready(cluster, name, ready, timeout):
    record = _read_record(cluster, name)
    failure = None

    def settled():
        nonlocal failure
        if not _is_alive(record):
            failure = "it exited" + _exit_text(record["pid"])
            return True
        return ready is None or _true_without_error(ready)

    if not _wait(settled, timeout):
        failure = f"not ready after {timeout} s"
    if failure is not None:
        _kill_session(record)
        raise ComponentFailed(name, failure, last_lines(cluster, name, since=record.get("log_offset", 0)))


def _true_without_error(ready):
    try:
        return bool(ready())
    except Exception:  # by contract: any error during the start means "not ready"
        return False


_exit_codes = {}


def _exit_text(process_id):
    _reap(process_id)
    status = _exit_codes.get(process_id)
    if status is None:
        return ""
    if os.WIFSIGNALED(status):
        return f", killed by {signal.Signals(os.WTERMSIG(status)).name}"
    return f" with code {os.WEXITSTATUS(status)}"


# --- ending -----------------------------------------------------------------------------------------------------


def _ask_to_end(record, grace):
    """Whether the component's process has exited, after at most grace seconds."""
    if _is_alive(record):
        for target in procfs.children(record["pid"]) if record.get("wrapped") else [record["pid"]]:
            _signal(target, record["stop_signal"])
    return _wait(lambda: not _is_alive(record), grace)


def _kill_session(record):
    """SIGKILL all remaining processes of the session that the recorded process led."""
    if record.get("pid") is None or record.get("boot") != procfs.boot_id():
        return
    leader = procfs.stat(record["pid"])
    # The kernel does not reuse a pid while it names a session: if another process has the pid, the session is empty.
    if leader is not None and leader.started != record["started"]:
        return
    _kill_until_gone(lambda: procfs.session_members(record["pid"]))


def _kill_until_gone(members, limit=10):
    """SIGKILL what members() lists until it is empty: a member may fork meanwhile."""
    def gone():
        found = members()
        for process_id in found:
            _signal(process_id, signal.SIGKILL)
        return not found

    _wait(gone, limit)


def _signal(process_id, number):
    try:
        os.kill(process_id, number)
    except ProcessLookupError:
        pass


# --- the record -------------------------------------------------------------------------------------------------


def _record_path(cluster, name):
    return cluster.run / f"{name}.json"


def _read_record(cluster, name):
    try:
        return json.loads(_record_path(cluster, name).read_text())
    except (FileNotFoundError, json.JSONDecodeError):
        return None


def _write_record(cluster, name, record):
    path = _record_path(cluster, name)
    draft = path.with_suffix(".draft")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        json.dump(record, file, indent=1)
    os.replace(draft, path)


# --- inspection -------------------------------------------------------------------------------------------------


def _is_alive(record):
    if record.get("pid") is None or record.get("boot") != procfs.boot_id():
        return False
    stat = procfs.stat(record["pid"])
    if stat is None or stat.started != record["started"]:
        return False
    if stat.is_dead:
        _reap(record["pid"])
        return False
    return True


def _reap(process_id):
    """Collect the exit status if the process is a dead child of this run."""
    try:
        found, status = os.waitpid(process_id, os.WNOHANG)
        if found:
            _exit_codes[process_id] = status
    except ChildProcessError:
        pass


def _wait(condition, limit):
    """Poll until condition() is true or limit seconds have passed; returns whether it is true."""
    deadline = time.monotonic() + limit
    while True:
        if condition():
            return True
        if time.monotonic() >= deadline:
            return False
        time.sleep(POLL_SECONDS)
