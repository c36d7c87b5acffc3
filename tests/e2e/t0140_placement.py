# SPDX-License-Identifier: Apache-2.0
"""Where pods run: only on nodes that can run them and that are not occupied."""


from lib.bridge import CONFIG
from lib.here import TIMEOUT
from lib.nodes import EXTERNAL, Node
from lib.runner import alone
from lib.waiting import eventually

SMALL = {"partition": "small"}  # two nodes: k001 and k002


def a_node_selector_is_honoured(here):
    pods = here.make_pods("choosy", 3, lambda _: {"spec": {"nodeSelector": {"kubernetes.io/hostname": "k007"}}})
    for pod in pods:
        pod.runs_within(TIMEOUT)
        assert pod.node == "k007", f"{pod} runs on {pod.node}"
        assert pod.job.nodes == "k007"


def required_node_affinity_is_honoured(here):
    term = {"matchExpressions": [{"key": "kubernetes.io/hostname", "operator": "NotIn", "values": ["k001"]}]}
    affinity = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}}
    pod = here.run_pod("fussy", ask=SMALL, spec={"affinity": affinity})
    assert pod.node == "k002", f"{pod} runs on {pod.node}"


def a_selector_that_matches_no_node_is_reported_and_no_job_is_submitted(here):
    pod = here.make_pod("impossible", spec={"nodeSelector": {"disk": "diamond"}})
    message = pod.has_reason_within(TIMEOUT, "NoNodeFits")
    assert "nodeSelector requires disk=diamond" in message, message
    assert not pod.records()


@alone
def a_node_that_gets_the_label_ends_the_wait(here):
    pod = here.make_pod("patient", spec={"nodeSelector": {"disk": "diamond"}})
    pod.has_reason_within(TIMEOUT, "NoNodeFits")
    here.kubernetes.patch("/api/v1/nodes/k005", {"metadata": {"labels": {"disk": "diamond"}}})
    try:
        pod.runs_within(TIMEOUT)
        assert pod.node == "k005", f"{pod} runs on {pod.node}"
    finally:
        here.kubernetes.patch("/api/v1/nodes/k005", {"metadata": {"labels": {"disk": None}}})


@alone  # it needs two nodes exclusively
def the_excluded_nodes_of_a_waiting_job_follow_the_nodes(here):
    """A job excludes nodes that cannot run the pod; a node that can run it later is removed from the list in Slurm."""
    label = "e2e.example/emerald"
    here.kubernetes.patch("/api/v1/nodes/k005", {"metadata": {"labels": {label: "yes"}}})
    try:
        here.run_pod("holder", cpu="32", spec={"nodeSelector": {label: "yes"}})
        pod = here.make_pod("waiting", cpu="32", spec={"nodeSelector": {label: "yes"}})
        job = pod.has_a_job_within(TIMEOUT)
        job.waits_within(TIMEOUT)
        here.kubernetes.patch("/api/v1/nodes/k006", {"metadata": {"labels": {label: "yes"}}})
        pod.runs_within(3 * TIMEOUT)  # once a minute
        assert pod.node == "k006", f"{pod} runs on {pod.node}"
        here.exactly_one_job(pod, job)
    finally:
        for node in ("k005", "k006"):
            here.kubernetes.patch(f"/api/v1/nodes/{node}", {"metadata": {"labels": {label: None}}})


def a_pod_that_requests_two_gres_types_gets_both(here):
    """Published devices of a node become its GRES; the annotation requests them. The container gets no device."""
    node = Node.create(here, "mixed-1", labels={EXTERNAL: ""})
    try:
        node.publish("gpu.nvidia.com", {"gpu-0": {}, "gpu-1": {}})
        node.publish("gpu.example.com", {"gpu-0": {"index": 0}})
        eventually(lambda: _gres(node) == {"gpu:gpu.example.com:1", "gpu:gpu.nvidia.com:2"}, 60,
                   lambda: f"{node} has both in Slurm; it is {node.facts()}")
        with here.slurm.partition("mixed1", node.slurm_name) as partition:
            gres = "gres/gpu:gpu.nvidia.com=1,gres/gpu:gpu.example.com=1"
            pods = here.make_pods("both-kinds", 2, lambda _: {"ask": {"partition": partition, "gres": gres}})
            ran = eventually(lambda: next((pod for pod in pods if pod.phase == "Running"), None), TIMEOUT, "one runs")
            [waits] = set(pods) - {ran}
            used = node.facts()["gres_used"]
            assert "gpu:gpu.nvidia.com:1(" in used and "gpu:gpu.example.com:1(" in used, used
            waits.has_a_job_within(TIMEOUT).waits_within(TIMEOUT)  # there is a second of one class, not of the other
            ran.delete().gone_within(TIMEOUT)
            waits.runs_within(TIMEOUT).delete().gone_within(TIMEOUT)
    finally:
        node.withdraw()
        node.delete()
        eventually(lambda: node.facts() is None, TIMEOUT, f"{node} is removed from Slurm")


def _gres(node):
    """Of a node that exists and is not drained."""
    return set(((node.open_in_slurm() or {}).get("gres") or "").split(","))


@alone
def a_node_filled_by_pods_of_other_schedulers_is_not_used(here):
    """Slurm does not know these pods: for Slurm the node is free."""
    stays = {"nodeName": "k001", "tolerations": [{"operator": "Exists"}]}  # otherwise our taint would evict it
    here.make_pod("foreign", scheduler="nobody", cpu="30", spec=stays).runs_within(TIMEOUT)
    pod = here.run_pod("ours", ask=SMALL, cpu="8")
    assert pod.node == "k002", f"{pod} runs on {pod.node}, which is full"


@alone
def a_pod_is_not_bound_to_a_node_that_an_ending_pod_still_occupies(here):
    """scancel frees the node in Slurm at once; the pod ends later."""
    on_k003 = {"nodeSelector": {"kubernetes.io/hostname": "k003"}}
    first = here.run_pod("leaving", cpu="30", stop_seconds=5, spec=on_k003)
    second = here.make_pod("coming", cpu="30", spec=on_k003)
    second.has_a_job_within(TIMEOUT).waits_within(TIMEOUT)
    first.job.cancel()
    second.job.runs_within(TIMEOUT)
    looked = 0
    while True:
        bound, leaving = second.node, first.find()  # in this order: a pod that runs in the second read ran in the first
        if leaving is None or leaving["status"]["phase"] != "Running":
            break
        assert not bound, "both are on the node"
        looked += 1
    assert looked > 0, "the first pod ended before it was observed"
    second.runs_within(TIMEOUT)
    here.removed_by_the_bridge(first)
    here.exactly_one_job(second, second.job)


@alone
def a_pod_that_is_held_for_too_long_gets_a_new_job_that_excludes_the_node(here):
    """The node is filled after Slurm has chosen it and before the bind: here by a pod that does not end."""
    before = len(here.bridge.log_lines("in force keys=holdSeconds"))
    here.bridge.configure(f"{CONFIG}holdSeconds: 3\n")
    eventually(lambda: len(here.bridge.log_lines("in force keys=holdSeconds")) > before, TIMEOUT, "the new value is in effect")
    try:
        first = here.run_pod("stays", cpu="30", stop_seconds=40, ask=SMALL)
        blocked = first.node
        other = "k002" if blocked == "k001" else "k001"
        first.job.cancel()
        eventually(lambda: first.now()["metadata"].get("deletionTimestamp"), TIMEOUT, f"{first} is being deleted")
        here.removed_by_the_bridge(first)
        pods = here.make_pods("next", 2, lambda _: {"cpu": "30", "ask": SMALL})
        ran = eventually(lambda: next((pod for pod in pods if pod.node), None), TIMEOUT, "one runs on the other node")
        assert ran.node == other, f"{ran} is on {ran.node}, where {first} is still terminating"
        given_back = eventually(lambda: [event for event in here.events("NodeGivenBack")
                                         if event["involvedObject"]["name"] in {pod.name for pod in pods}],
                                60, "the job on the occupied node is released")
        assert blocked in given_back[0]["message"], given_back[0]["message"]
    finally:
        for pod in here.pods:
            pod.delete()
        here.bridge.stop()
        here.bridge.configure(CONFIG)
        here.bridge.start_and_wait()
