# SPDX-License-Identifier: Apache-2.0
"""Missing permissions are logged once and shown by /readyz until they are granted."""

import contextlib

from lib.here import TIMEOUT
from lib.runner import alone
from lib.waiting import eventually

ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles"
EVENTS = "/api/v1/namespaces/default/events?fieldSelector=reason%3DListWatchFailed"
FAILS = "cannot list pods: forbidden"
WORKS = "can list pods again"


@alone
def a_missing_permission_to_list_pods_is_logged_once_and_shown_by_readyz_and_an_event(here):
    here.bridge.stop()
    with _without(here, "list", "pods"):
        here.bridge.start_and_wait()
        eventually(lambda: here.bridge.log_lines(FAILS), TIMEOUT, "the log names verb and resource")
        status, text = here.bridge.probe("/readyz?verbose")
        assert status == 500 and FAILS in text and "grant this account list on pods" in text, text
        event = eventually(lambda: next(iter(here.kubernetes.get(EVENTS)["items"]), None), TIMEOUT, "there is an Event")
        assert event["type"] == "Warning" and FAILS in event["message"], event
    eventually(lambda: here.bridge.probe("/readyz") == (200, "ok"), TIMEOUT, "it is ready after the permission is granted")
    eventually(lambda: here.bridge.log_lines(WORKS), TIMEOUT, "the log has the message")
    here.run_pod("granted")
    assert len(here.bridge.log_lines(FAILS)) == 1 and len(here.bridge.log_lines(WORKS)) == 1
    here.bridge.stop()


@alone
def a_process_that_may_not_read_its_lease_is_not_ready(here):
    here.bridge.stop()
    here.bridge.start(flags=["--leader-elect", "--leader-election-namespace", "default"])
    eventually(lambda: here.bridge.died or here.bridge.log_lines("cannot take part in the leader election"), TIMEOUT, "the log has the message")
    status, text = here.bridge.probe("/readyz?verbose")
    assert status == 500 and "cannot take part in the leader election: forbidden" in text, text
    here.bridge.stop()


@contextlib.contextmanager
def _without(here, verb, resource):
    """The bridge's roles without this permission."""
    before = {name: here.kubernetes.get(f"{ROLES}/{name}")["rules"] for name in ("slurm-bridge-scheduler", "slurm-bridge-controllers")}
    try:
        for name, rules in before.items():
            less = [{**rule, "verbs": [one for one in rule["verbs"] if one != verb]} if resource in rule["resources"] else rule
                    for rule in rules]
            here.kubernetes.patch(f"{ROLES}/{name}", {"rules": less})
        yield
    finally:
        for name, rules in before.items():
            here.kubernetes.patch(f"{ROLES}/{name}", {"rules": rules})
