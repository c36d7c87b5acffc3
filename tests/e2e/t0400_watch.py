# SPDX-License-Identifier: Apache-2.0
"""A watch whose connection is cut is resumed: no event is missed, and there is no unnecessary list."""

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
PHASES = 4  # in every second one the API server is killed: it has no older events then and answers 410
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
                    eventually(lambda: updates.done > UPDATES * (phase + 0.5) / PHASES, 120, "half of the updates are done")
                    with proxy.closed():  # so that the probe misses events, independent of the timing
                        missed = updates.done + MISSED
                        eventually(lambda: updates.done > missed, 120, "some updates are done that the probe cannot receive")
                        here.cluster.restart("apiserver")
            for one in writing:
                one.result()
            expected = _fresh_list(here.kubernetes)
            eventually(lambda: probe.report()["objects"] == expected, 90, lambda: _difference(probe.report(), expected))

        report = probe.report()
        assert updates.done == UPDATES and report["objects"] == expected
        assert proxy.cuts > 20, f"only {proxy.cuts} connections were cut"
        counts = f"{report['lists']} lists, {report['gone']} answers 410, {report['watches']} watches, {proxy.cuts} cuts"
        assert report["lists"] == 1 + report["gone"], counts
        assert report["gone"] > 0, f"the API server never answered 410: {counts}"


class Updates:
    """Creates, changes and deletes config maps, each writer its own names, so that each request has an effect."""

    def __init__(self, kubernetes):
        self._kubernetes = kubernetes
        self._there = [set() for _ in range(CONNECTIONS)]
        self._counting = threading.Lock()
        self.done = 0

    def make(self, share):
        """One writer's share of one phase."""
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
    """It is no error if it exists: the answer of an earlier attempt was lost."""
    try:
        kubernetes.create(path, body)
    except Refused as refused:
        if refused.status != 409:
            raise


def _delete(kubernetes, path):
    """It is no error if it does not exist, for the same reason."""
    try:
        kubernetes.delete(path)
    except Refused as refused:
        if refused.status != 404:
            raise


def _fresh_list(kubernetes):
    items = kubernetes.get(f"{MAPS}?fieldSelector={SELECTOR.replace('!=', '%21%3D')}")["items"]
    return {item["metadata"]["name"]: item["metadata"]["resourceVersion"] for item in items}


def _difference(report, expected):
    found = report["objects"]
    wrong = {name for name in {*found, *expected} if found.get(name) != expected.get(name)}
    some = [f"{name}: {found.get(name)} instead of {expected.get(name)}" for name in sorted(wrong)[:5]]
    return f"the store equals a fresh list; {len(wrong)} of {len(expected)} differ: {'; '.join(some)}"
