# SPDX-License-Identifier: Apache-2.0
"""Missing permissions are logged once and shown by /readyz until they are granted."""

import contextlib

from lib.bridge import USER
from lib.here import TIMEOUT
from lib.runner import alone
from lib.waiting import eventually

ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles"
REVIEWS = "/apis/authorization.k8s.io/v1/subjectaccessreviews"
EVENTS = "/api/v1/namespaces/default/events?fieldSelector=reason%3DListWatchFailed"
FAILS = "cannot list pods: forbidden"
WORKS = "can list pods again"


@alone
def a_missing_permission_to_list_pods_is_logged_once_and_shown_by_readyz_and_an_event(here):
    here.bridge.stop()
    earlier = {event["metadata"]["uid"] for event in _events(here)}  # of other tests, which restart the API server
    with _without(here, "list", "pods"):
        here.bridge.start_and_wait()
        eventually(lambda: _logged(here, FAILS), TIMEOUT, "the log names verb and resource")
        status, text = here.bridge.probe("/readyz?verbose")
        assert status == 500 and FAILS in text and "grant this account list on pods" in text, text
        eventually(lambda: _events(here, FAILS, earlier), TIMEOUT,
                   lambda: f"an Event has this message; there are {_events(here)}")
    eventually(lambda: here.bridge.probe("/readyz") == (200, "ok"), TIMEOUT, "it is ready after the permission is granted")
    eventually(lambda: _logged(here, WORKS), TIMEOUT, "the log reports the recovery")
    here.run_pod("granted")
    assert len(_logged(here, FAILS)) == 1 and len(_logged(here, WORKS)) == 1
    [event] = _events(here, FAILS, earlier)
    assert event["type"] == "Warning" and event.get("count", 1) == 1, event
    here.bridge.stop()


@alone
def a_process_that_may_not_read_its_lease_is_not_ready(here):
    denied = "cannot take part in the leader election"
    here.bridge.stop()
    here.bridge.start(flags=["--leader-elect", "--leader-election-namespace", "default"])
    eventually(lambda: here.bridge.died or _logged(here, denied), TIMEOUT, "the log has the message")
    status, text = here.bridge.probe("/readyz?verbose")
    assert status == 500 and f"{denied}: forbidden" in text, text
    here.bridge.stop()


def _logged(here, text):
    """The lines with this text that the bridge has written since its start."""
    return [line for line in here.bridge.log_text().splitlines() if text in line]


def _events(here, text="", besides=()):
    """The ListWatchFailed Events with this text, without those whose uid is in `besides`."""
    return [event for event in here.kubernetes.get(EVENTS)["items"]
            if text in event["message"] and event["metadata"]["uid"] not in besides]


@contextlib.contextmanager
def _without(here, verb, resource):
    """The bridge's roles without this permission. Begins when the API server denies it: the server reads roles from a cache."""
    before = {name: here.kubernetes.get(f"{ROLES}/{name}")["rules"] for name in ("slurm-bridge-scheduler", "slurm-bridge-controllers")}
    try:
        for name, rules in before.items():
            less = [{**rule, "verbs": [one for one in rule["verbs"] if one != verb]} if resource in rule["resources"] else rule
                    for rule in rules]
            here.kubernetes.patch(f"{ROLES}/{name}", {"rules": less})
        eventually(lambda: not _allowed(here, verb, resource), TIMEOUT, f"the API server denies {verb} on {resource}")
        assert _allowed(here, "watch", resource), f"watch on {resource} is denied also"
        yield
    finally:
        for name, rules in before.items():
            here.kubernetes.patch(f"{ROLES}/{name}", {"rules": rules})
        eventually(lambda: _allowed(here, verb, resource), TIMEOUT, f"the API server allows {verb} on {resource} again")


def _allowed(here, verb, resource):
    review = {"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview",
              "spec": {"user": USER, "resourceAttributes": {"verb": verb, "resource": resource}}}
    return here.kubernetes.create(REVIEWS, review)["status"]["allowed"]
