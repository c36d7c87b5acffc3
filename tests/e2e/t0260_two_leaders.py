# SPDX-License-Identifier: Apache-2.0
"""Two bridges, one of which leads: requests that a former leader has in flight are neither lost nor duplicated."""

import collections
import contextlib
import re
import time
import urllib.parse
from concurrent.futures import ThreadPoolExecutor

from lib.bridge import SCHEDULER, Bridge
from lib.bursts import all_are_placed, running_ones_have_a_running_job
from lib.here import TIMEOUT
from lib.holding_proxy import HOLD_ANSWER, HOLD_REQUEST, HoldingProxy
from lib.kubernetes import persistently
from lib.pods import is_bound, job_id_of
from lib.runner import alone
from lib.waiting import eventually, pause

PODS = 30
STOPPED_SECONDS = 60
LEASE_SECONDS = 15
LONGER_THAN_THE_LEASE = LEASE_SECONDS + 5
TAKEN_OVER_WITHIN = LEASE_SECONDS + TIMEOUT  # both Leases at the same time
NAMESPACE = "slurm"
LEASES = (SCHEDULER, "69d5fe47.my.slinky.slurm.net")  # the names that the reference uses
SUBMIT = b"/job/submit"
ANSWER_SECONDS = 1
OUR_OWN = "cancelled a surplus job"
ORPHAN = "cancelled an orphaned job"


@alone
def a_leader_stopped_for_a_minute_during_a_burst_duplicates_nothing(here):
    with _pair(here) as (old, new), ThreadPoolExecutor(1) as maker:
        burst = maker.submit(here.make_pods, "burst", PODS)
        eventually(lambda: len(_labelled(here)) >= PODS // 10, TIMEOUT, "some pods have their label")
        old.freeze()
        pods = burst.result()
        bound = [item for item in here.pods_now().values() if is_bound(item)]
        assert len(bound) < PODS, "all pods are bound already: the test proves nothing"
        _takes_over_while_the_old_one_is_stopped(here, old, new, pods, STOPPED_SECONDS)
        _exits_with_a_reason(old)
        _each_was_done_once(here, pods, old, new)


@alone
def submits_in_flight_when_the_leader_is_stopped_leave_no_second_job(here):
    slurmrestd = urllib.parse.urlsplit(here.cluster.environment["SLURM_REST_API"]).port
    with HoldingProxy(slurmrestd, SUBMIT) as wire, _pair(
            here, SLURM_REST_API=f"http://127.0.0.1:{wire.port}") as (old, new):
        pods = here.make_pods("held", PODS)
        eventually(lambda: wire.count(HOLD_REQUEST) > 1 and wire.count(HOLD_ANSWER) > 1 and _labelled(here), TIMEOUT,
                   "some requests and some answers are in transit, and some are complete")

        def late():
            """Slurm gets the requests only now: the jobs of the new leader exist already."""
            wire.release(HOLD_REQUEST)
            wire.release(HOLD_ANSWER)
            late_ones = wire.count(HOLD_REQUEST)
            eventually(lambda: _twice(here, pods) == late_ones > 1, TIMEOUT, "the late requests have created second jobs")
            pause(ANSWER_SECONDS)  # the stopped process finds this when it continues; the sweeper waits much longer

        old.freeze()
        _takes_over_while_the_old_one_is_stopped(here, old, new, pods, LONGER_THAN_THE_LEASE, before_it_wakes=late)
        _exits_with_a_reason(old)
        _each_was_done_once(here, pods, old, new)


@alone
def a_leader_that_is_terminated_hands_over_at_once(here):
    with _pair(here) as (old, new):
        pods = here.make_pods("handed-over", 6)
        _stops_and_gives_up_its_leases(here, old)
        eventually(lambda: new.log_lines(" running "), TAKEN_OVER_WITHIN, "the other one leads")
        all_are_placed(here, pods, within=TIMEOUT)
        _each_was_done_once(here, pods, old, new)


@alone
def the_leases_have_the_names_of_the_reference_and_one_holder(here):
    with _pair(here):
        specs = [here.kubernetes.get(f"{_leases_path()}/{name}")["spec"] for name in LEASES]
        assert len({spec["holderIdentity"] for spec in specs}) == 1 and specs[0]["holderIdentity"], f"{specs}"
        assert all(spec["leaseDurationSeconds"] == LEASE_SECONDS for spec in specs), f"{specs}"


@alone
def the_permissions_of_the_reference_on_leases_are_sufficient(here):
    with _lease_verbs(here, ["create", "get", "list", "update"]), _pair(here) as (old, new):
        path = f"{_leases_path()}/{SCHEDULER}"
        here.kubernetes.patch(path, {"metadata": {"labels": {"team": "hpc"}}})
        renewed = here.kubernetes.get(path)["spec"]["renewTime"]
        eventually(lambda: here.kubernetes.get(path)["spec"]["renewTime"] > renewed, TIMEOUT, "the lease is renewed")
        assert here.kubernetes.get(path)["metadata"]["labels"] == {"team": "hpc"}, "a renewal keeps labels of others"
        here.run_pod("by-update")
        new.freeze()  # otherwise it may create the Lease
        here.kubernetes.delete(path)
        eventually(lambda: here.kubernetes.find(path), TIMEOUT, "a deleted Lease is created again")
        new.thaw()
        assert old.running, old.died
        _stops_and_gives_up_its_leases(here, old)
        eventually(lambda: new.log_lines(" running "), TAKEN_OVER_WITHIN, "the other one leads")
        here.kubernetes.patch(path, {"metadata": {"labels": None}})


# --- two bridges ---

def _stops_and_gives_up_its_leases(here, leader):
    """So that the other instance need not wait until they expire."""
    held = _holders(here)
    assert leader.stop() == 0
    assert not held & _holders(here), f"still held by a stopped process: {held}"


def _holders(here):
    leases = [here.kubernetes.get(f"{_leases_path()}/{name}") for name in LEASES]
    return {lease["spec"]["holderIdentity"] for lease in leases if lease["spec"].get("holderIdentity")}


@contextlib.contextmanager
def _pair(here, **variables_of_the_first):
    """(leader, waiting instance)."""
    here.bridge.stop()
    flags = ("--leader-elect", "--leader-election-namespace", NAMESPACE)
    both = []
    for name in ("first", "second"):
        folder = here.folder / f"{here.test.label}-{name}"
        folder.mkdir(exist_ok=True)
        (folder / "bridge.log").unlink(missing_ok=True)
        both.append(Bridge(here.cluster, folder, flags=flags))
    first, second = both
    try:
        first.start(**variables_of_the_first)
        eventually(lambda: first.log_lines(" running "), TAKEN_OVER_WITHIN, "the first one leads")
        second.start()
        yield first, second
    except AssertionError as error:
        tails = [f"{name}: {line}" for name, one in (("first", first), ("second", second)) for line in one.log_tail(20)]
        raise AssertionError("\n".join([str(error), *tails])) from error
    finally:
        for one in both:
            with contextlib.suppress(Exception):
                one.thaw()
            one.end()


def _takes_over_while_the_old_one_is_stopped(here, old, new, pods, seconds, before_it_wakes=lambda: None):
    """The old one, which is stopped, continues after this many seconds."""
    until = time.monotonic() + seconds
    assert not new.log_lines(" running "), "two led before one was stopped"
    eventually(lambda: new.log_lines(" running "), TAKEN_OVER_WITHIN, "the second takes over")
    all_are_placed(here, pods, within=TIMEOUT)
    pause(max(0.0, until - time.monotonic()))
    before_it_wakes()
    old.thaw()


def _exits_with_a_reason(old):
    code = old.ended_by_itself_within(TIMEOUT)
    assert code == 1, f"exit code {code}"
    assert old.log_lines("no longer the leader") and old.log_lines("could not renew the lease"), "the log has no reason for the exit"


# --- final checks ---

def _each_was_done_once(here, pods, *bridges):
    now = here.pods_now()
    named = {pod.name: int(job_id_of(now[pod.name])) for pod in pods}
    # The sweeper checks twice, 20 s apart, before it treats a job as an orphan.
    live = eventually(lambda: _live_by_squeue(here, named) if _surplus_jobs_have_ended(here, named) else None, 3 * TIMEOUT,
                      lambda: f"no second job is live; {_live_by_squeue(here, named)}")
    expected = {name: [job] for name, job in named.items()}
    assert live == expected, f"labels name {expected}, slurmctld has {live}"
    assert _live_by_rest(here, named) == expected, "slurmrestd has other jobs"
    eventually(lambda: _live_by_accounting(here, named) == expected, TIMEOUT,
               lambda: f"accounting has the same jobs, not {_live_by_accounting(here, named)}")
    _each_was_bound_once(here, pods)
    running_ones_have_a_running_job(here, pods)
    here.not_removed_by_the_bridge(*pods)
    _surplus_jobs_were_cancelled_by_their_submitter_or_swept_by_the_leader(here, named, bridges)


def _each_was_bound_once(here, pods):
    keys = {pod.key for pod in pods}
    done = collections.Counter(entry.key for entry in here.audit.entries()
                               if entry.what == "binding" and entry.done and entry.key in keys)
    assert done == dict.fromkeys(keys, 1), f"bound more than once, or never: {done}"


def _surplus_jobs_were_cancelled_by_their_submitter_or_swept_by_the_leader(here, named, bridges):
    """A process that continues and gets the answer cancels its surplus job. If it exits first, the leader cancels it."""
    leader = bridges[-1]
    known = [(record.id, record.name) for record in here.slurm.records() if record.name in named]
    for job in [job for job, name in known if named[name] != job]:
        makers = [one for one in bridges if job in _made(one)]
        cancelled = [one for one in bridges if job in _jobs_in(one.log_lines(OUR_OWN))]
        swept = [one for one in bridges if job in _jobs_in(one.log_lines(ORPHAN))]
        assert (cancelled == makers and not swept) if cancelled else swept == [leader], \
            f"job {job}: submitted by {len(makers)}, cancelled by {len(cancelled)}, swept by {len(swept)}"


def _twice(here, pods):
    """How many pods have a second live job."""
    return sum(len(jobs) > 1 for jobs in _live_by_squeue(here, {pod.name for pod in pods}).values())


def _surplus_jobs_have_ended(here, named):
    return all(len(jobs) == 1 for jobs in _live_by_squeue(here, named).values())


def _live_by_squeue(here, names):
    lines = here.slurm.run("squeue", "--all", "-h", "-o", "%A|%j").splitlines()
    return _by_name(names, (line.split("|", 1) for line in lines))


def _live_by_rest(here, names):
    jobs = here.slurm.call("GET", "/jobs/")["jobs"]
    return _by_name(names, ((job["job_id"], job["name"]) for job in jobs if job["job_state"] == ["RUNNING"]))


def _live_by_accounting(here, names):
    return _by_name(names, ((record.id, record.name) for record in here.slurm.records() if record.state == "RUNNING"))


def _by_name(names, jobs):
    found = collections.defaultdict(list)
    for job, name in jobs:
        if name in names:
            found[name].append(int(job))
    return dict(found)


def _made(bridge):
    return _jobs_in(bridge.log_lines(" submitted "))


def _jobs_in(lines):
    return {int(re.search(r"\bjob=(\d+)", line).group(1)) for line in lines}


def _labelled(here):
    return [name for name, item in here.pods_now().items() if job_id_of(item)]


# --- permissions ---

def _leases_path():
    return f"/apis/coordination.k8s.io/v1/namespaces/{NAMESPACE}/leases"


@contextlib.contextmanager
def _lease_verbs(here, verbs):
    path = f"/apis/rbac.authorization.k8s.io/v1/namespaces/{NAMESPACE}/roles/slurm-bridge-leases"
    before = here.kubernetes.get(path)["rules"]
    here.kubernetes.patch(path, {"rules": [{**before[0], "verbs": verbs}]})
    try:
        yield
    finally:
        persistently(lambda: here.kubernetes.patch(path, {"rules": before}))
