# SPDX-License-Identifier: Apache-2.0
"""slurmrestd behind an HTTP proxy: short request lines, and answers that take seconds."""

import urllib.parse

from lib.here import TIMEOUT
from lib.http_proxy import HttpProxy
from lib.runner import alone
from lib.waiting import eventually

WAITING = 80  # the states of this many jobs need a longer request line than the proxy accepts
LONGEST_LINE = 400  # about 30 ids


@alone
def behind_a_proxy_that_refuses_long_requests_a_runnable_pod_is_bound(here):
    with here.full_partition() as full, HttpProxy(_slurmrestd(here), longest_line=LONGEST_LINE) as proxy:
        _start_behind(here, proxy)
        waiting = here.make_pods("waits", WAITING, lambda _: {"ask": full})
        for pod in waiting:
            pod.has_a_job_within(120)
        eventually(lambda: proxy.refused > 0, TIMEOUT, "a poll was too long")
        here.run_pod("runs")
        refused = proxy.refused
        here.run_pod("next")
        assert proxy.refused == refused, "later polls begin with the smaller size"
        assert here.bridge.probe("/readyz") == (200, "ok")
        assert here.bridge.metrics()["slurm_bridge_slurm_up"] == 1
        logged = [line for line in here.bridge.log_text().splitlines() if "refuses long requests" in line]
        assert len(logged) == 1 and "414" in logged[0], f"it is logged once: {logged}"
        assert all(pod.job.state == "PENDING" for pod in waiting)
        here.bridge.stop()
    here.not_removed_by_the_bridge(*here.pods)


@alone
def five_pods_are_bound_although_each_poll_takes_seven_seconds(here):
    with HttpProxy(_slurmrestd(here), slow_path="/jobs/state/", delay=7) as proxy:
        _start_behind(here, proxy)
        pods = here.make_pods("slow", 5)
        for pod in pods:
            pod.runs_within(60)
        assert proxy.delayed > 0
        assert here.bridge.probe("/readyz") == (200, "ok")
        here.bridge.stop()
    for pod in pods:
        here.exactly_one_job(pod, pod.job)


def _slurmrestd(here):
    return urllib.parse.urlsplit(here.cluster.environment["SLURM_REST_API"]).port


def _start_behind(here, proxy):
    here.bridge.stop()
    here.bridge.start_and_wait(SLURM_REST_API=f"http://127.0.0.1:{proxy.port}")
