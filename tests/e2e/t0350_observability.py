# SPDX-License-Identifier: Apache-2.0
"""Probes, metrics, Events and log messages of the bridge."""

from lib.here import TIMEOUT
from lib.runner import alone
from lib.waiting import eventually, throughout

SLURM_API = "slurmrestd"
UP = "slurm_bridge_slurm_up"


def probes_and_metrics_answer(here):
    here.run_pod("observed")
    assert here.bridge.probe("/healthz") == (200, "ok")
    assert here.bridge.probe("/readyz") == (200, "ok")
    assert "[+]scheduler ok\n[+]controllers ok\n" in here.bridge.probe("/readyz?verbose")[1]
    numbers = here.bridge.metrics()
    assert numbers["slurm_bridge_leader"] == 1 and numbers[UP] == 1, numbers
    assert numbers["slurm_bridge_slurm_token_ok"] == 1, numbers
    for step in ("submit", "label", "bind"):
        assert numbers[f'slurm_bridge_steps_total{{step="{step}",outcome="done"}}'] >= 1, step
    assert numbers['slurm_bridge_slurm_calls_total{endpoint="POST job/submit",outcome="200"}'] >= 1
    assert numbers['slurm_bridge_kube_calls_total{endpoint="POST pods/binding",outcome="201"}'] >= 1
    assert numbers['slurm_bridge_watches_total{resource="pods"}'] >= 1
    assert numbers["process_resident_memory_bytes"] > 0 and "event_loop_lag_seconds_count" in numbers


def a_refusal_and_a_removal_are_events_of_the_pod(here):
    refused = here.make_pod("refused", ask={"partition": "no-such-partition"})
    event = eventually(lambda: _event_of(here, refused, "RefusedBySlurm"), TIMEOUT, "the refusal is an Event")
    assert event["type"] == "Warning" and "partition" in event["message"].lower(), event
    cancelled = here.run_pod("cancelled")
    job = cancelled.job
    job.cancel()
    cancelled.gone_within(TIMEOUT)
    event = eventually(lambda: _event_of(here, cancelled, "RemovedBySlurm"), TIMEOUT, "the removal is an Event")
    assert str(job.id) in event["message"], event
    here.removed_by_the_bridge(cancelled)


@alone
def a_role_stays_ready_while_slurm_is_down_and_a_metric_shows_it(here):
    eventually(lambda: here.bridge.metrics().get(UP) == 1, TIMEOUT, "Slurm is up")
    here.cluster.kill(SLURM_API)
    try:
        # Without followed jobs it polls once a minute.
        eventually(lambda: here.bridge.metrics()[UP] == 0, 90, "the metric shows that Slurm is down")
        throughout(3, lambda: here.bridge.probe("/readyz") == (200, "ok"), "it is ready while Slurm is down")
        assert "[!]slurm: " in here.bridge.probe("/readyz?verbose")[1]
        eventually(lambda: "Slurm does not serve us" in here.bridge.log_text(), TIMEOUT, "the log has the message")
    finally:
        here.cluster.start(SLURM_API)
    eventually(lambda: here.bridge.metrics()[UP] == 1, TIMEOUT, "the metric shows that Slurm is up")
    eventually(lambda: "Slurm serves us again" in here.bridge.log_text(), TIMEOUT, "the log has the message")
    assert "[!]" not in here.bridge.probe("/readyz?verbose")[1]


@alone
def a_token_of_the_wrong_user_is_reported_until_it_is_replaced(here):
    file = here.folder / "token"
    right = here.cluster.path("SLURM_JWT_FILE")
    file.write_bytes(right.with_name("token.alice").read_bytes())
    here.bridge.stop()
    here.bridge.start_and_wait(SLURM_JWT_FILE=str(file))
    eventually(lambda: "the Slurm token belongs to user alice, not to SlurmUser" in here.bridge.log_text(), TIMEOUT, "the log names the user of the token")
    eventually(lambda: here.bridge.probe("/readyz")[0] == 200, TIMEOUT, "it is ready nevertheless")
    assert "[!]slurm-token: the Slurm token belongs to user alice" in here.bridge.probe("/readyz?verbose")[1]
    assert here.bridge.metrics()["slurm_bridge_slurm_token_ok"] == 0
    file.write_bytes(right.read_bytes())
    eventually(lambda: here.bridge.metrics()["slurm_bridge_slurm_token_ok"] == 1, 120, "the new token is used")
    here.run_pod("healed")
    here.bridge.stop()


@alone
def http2_is_accepted_with_a_warning_and_a_taken_port_is_a_clear_error(here):
    port = here.kubernetes.port
    here.bridge.stop()
    here.bridge.start_and_wait(flags=["--enable-http2=true"])
    assert "--enable-http2: HTTP/1.1 is served" in here.bridge.log_text()
    assert here.bridge.probe("/readyz")[0] in (200, 500)
    here.bridge.stop()
    here.bridge.start(flags=[f"--metrics-bind-address=127.0.0.1:{port}"])
    eventually(lambda: here.bridge.died, TIMEOUT, "it ends")
    assert f"--metrics-bind-address 127.0.0.1:{port}" in here.bridge.log_text(), here.bridge.log_text()
    here.bridge.end()


def _event_of(here, pod, reason):
    path = f"/api/v1/namespaces/{pod.key.split('/')[0]}/events?fieldSelector=involvedObject.uid%3D{pod.uid}"
    return next((event for event in here.kubernetes.get(path)["items"] if event["reason"] == reason), None)

