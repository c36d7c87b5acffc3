# SPDX-License-Identifier: Apache-2.0
"""A watch that is cut anywhere goes on where it was: nothing is missed, nothing is listed without need."""

import random
import threading
from concurrent.futures import ThreadPoolExecutor

from lib.bridge import NotBuilt
from lib.cutting_proxy import CuttingProxy, kubeconfig_through
from lib.kubernetes import Refused, persistently
from lib.probe import WatchProbe
from lib.runner import Skip, alone
from lib.waiting import eventually

UPDATES = 10_000
PHASES = 4  # in every second one the API server is killed: what it no longer remembers then makes it answer 410
MISSED = 20
NAMES = 700
CONNECTIONS = 4
NAMESPACE = "watched"
SELECTOR = "metadata.name!=kube-root-ca.crt"
MAPS = f"/api/v1/namespaces/{NAMESPACE}/configmaps"


@alone
def ten_thousand_updates_arrive_through_a_connection_cut_at_random_bytes(here):
    _create(here.kubernetes, "/api/v1/namespaces", {"metadata": {"name": NAMESPACE}})
    with CuttingProxy(here.kubernetes.port) as proxy, _probe_behind(proxy, here) as probe:
        updates = Updates(here.kubernetes)
        for phase in range(PHASES):
            with ThreadPoolExecutor(CONNECTIONS) as writers:
                writing = [writers.submit(updates.make, share) for share in range(CONNECTIONS)]
                if phase % 2:
                    eventually(lambda: updates.done > UPDATES * (phase + 0.5) / PHASES, 120, "half of them are made")
                    with proxy.closed():  # so that the probe has something to catch up on, whatever the timing
                        missed = updates.done + MISSED
                        eventually(lambda: updates.done > missed, 120, "some are made that the probe cannot see")
                        here.cluster.restart("apiserver")
            for one in writing:
                one.result()
            expected = _fresh_list(here.kubernetes)
            eventually(lambda: probe.report()["objects"] == expected, 90, lambda: _difference(probe.report(), expected))

        told = probe.report()
        assert updates.done == UPDATES and told["objects"] == expected
        assert proxy.cuts > 20, f"only {proxy.cuts} connections were cut"
        counts = f"{told['lists']} lists, {told['gone']} answers 410, {told['watches']} watches, {proxy.cuts} cuts"
        assert told["lists"] == 1 + told["gone"], counts
        assert told["gone"] > 0, f"the API server never answered 410: {counts}"


class Updates:
    """Creates, changes and deletes config maps, each writer its own names, so that each request has an effect."""

    def __init__(self, kubernetes):
        self._kubernetes = kubernetes
        self._there = [set() for _ in range(CONNECTIONS)]
        self._counting = threading.Lock()
        self.done = 0

    def make(self, share):
        """One writer's part of one phase."""
        there = self._there[share]
        mine = [f"m{number:03}" for number in range(share, NAMES, CONNECTIONS)]
        for number in range(UPDATES // PHASES // CONNECTIONS):
            name = random.choice(mine)
            if name not in there:
                persistently(lambda: _create(self._kubernetes, MAPS, _map(name, number)))
                there.add(name)
            elif random.random() < 0.2:
                persistently(lambda: _delete(self._kubernetes, f"{MAPS}/{name}"))
                there.remove(name)
            else:
                persistently(lambda: self._kubernetes.replace(f"{MAPS}/{name}", _map(name, number)))
            with self._counting:
                self.done += 1



def _probe_behind(proxy, here):
    through = kubeconfig_through(proxy, here.cluster.path("KUBECONFIG"), here.folder)
    try:
        return WatchProbe(through, here.folder, NAMESPACE, "configmaps", SELECTOR)
    except NotBuilt as missing:
        raise Skip(str(missing)) from None


def _map(name, number):
    return {"metadata": {"name": name}, "data": {"number": str(number), "text": "ä€" * random.randint(0, 60)}}


def _create(kubernetes, path, body):
    """There already is fine: an earlier attempt lost its answer."""
    try:
        kubernetes.create(path, body)
    except Refused as refused:
        if refused.status != 409:
            raise


def _delete(kubernetes, path):
    """Gone already is fine, for the same reason."""
    try:
        kubernetes.delete(path)
    except Refused as refused:
        if refused.status != 404:
            raise


def _fresh_list(kubernetes):
    items = kubernetes.get(f"{MAPS}?fieldSelector={SELECTOR.replace('!=', '%21%3D')}")["items"]
    return {item["metadata"]["name"]: item["metadata"]["resourceVersion"] for item in items}


def _difference(told, expected):
    found = told["objects"]
    wrong = {name for name in {*found, *expected} if found.get(name) != expected.get(name)}
    some = [f"{name}: {found.get(name)} instead of {expected.get(name)}" for name in sorted(wrong)[:5]]
    return f"the store equals a fresh list; {len(wrong)} of {len(expected)} differ: {'; '.join(some)}"
