# SPDX-License-Identifier: Apache-2.0
"""Where pods run: never on a node that cannot take them, and on none that is still occupied."""


from lib.bridge import CONFIG
from lib.here import PATIENCE
from lib.nodes import EXTERNAL, Node
from lib.runner import alone
from lib.waiting import eventually

SMALL = {"partition": "small"}  # two nodes: k001 and k002


def a_node_selector_is_kept(here):
    pods = here.make_pods("choosy", 3, lambda _: {"spec": {"nodeSelector": {"kubernetes.io/hostname": "k007"}}})
    for pod in pods:
        pod.runs_within(PATIENCE)
        assert pod.node == "k007", f"{pod} runs on {pod.node}"
        assert pod.job.nodes == "k007"


def required_node_affinity_is_kept(here):
    term = {"matchExpressions": [{"key": "kubernetes.io/hostname", "operator": "NotIn", "values": ["k001"]}]}
    affinity = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}}
    pod = here.run_pod("fussy", ask=SMALL, spec={"affinity": affinity})
    assert pod.node == "k002", f"{pod} runs on {pod.node}"


def a_selector_that_no_node_has_is_said_and_nothing_is_queued(here):
    pod = here.make_pod("impossible", spec={"nodeSelector": {"disk": "diamond"}})
    message = pod.says_within(PATIENCE, "NoNodeFits")
    assert "nodeSelector requires disk=diamond" in message, message
    assert not pod.records()


@alone
def a_node_that_gets_the_label_ends_the_wait(here):
    pod = here.make_pod("patient", spec={"nodeSelector": {"disk": "diamond"}})
    pod.says_within(PATIENCE, "NoNodeFits")
    here.kubernetes.patch("/api/v1/nodes/k005", {"metadata": {"labels": {"disk": "diamond"}}})
    try:
        pod.runs_within(PATIENCE)
        assert pod.node == "k005", f"{pod} runs on {pod.node}"
    finally:
        here.kubernetes.patch("/api/v1/nodes/k005", {"metadata": {"labels": {"disk": None}}})


@alone  # it needs two nodes for itself
def a_job_that_waits_follows_its_nodes(here):
    """It leaves out what could not take the pod; a node that can since then is given back to it in Slurm."""
    label = "e2e.example/emerald"
    here.kubernetes.patch("/api/v1/nodes/k005", {"metadata": {"labels": {label: "yes"}}})
    try:
        here.run_pod("holder", cpu="32", spec={"nodeSelector": {label: "yes"}})
        pod = here.make_pod("waiting", cpu="32", spec={"nodeSelector": {label: "yes"}})
        job = pod.has_a_job_within(PATIENCE)
        job.waits_within(PATIENCE)
        here.kubernetes.patch("/api/v1/nodes/k006", {"metadata": {"labels": {label: "yes"}}})
        pod.runs_within(3 * PATIENCE)  # once a minute
        assert pod.node == "k006", f"{pod} runs on {pod.node}"
        here.exactly_one_job(pod, job)
    finally:
        for node in ("k005", "k006"):
            here.kubernetes.patch(f"/api/v1/nodes/{node}", {"metadata": {"labels": {label: None}}})


def a_pod_that_asks_for_gres_of_two_types_is_given_both(here):
    """What drivers say of a node becomes its GRES; the annotation asks for them. No device is given to the container."""
    node = Node.create(here, "mixed-1", labels={EXTERNAL: ""})
    try:
        node.publish("gpu.nvidia.com", {"gpu-0": {}, "gpu-1": {}})
        node.publish("gpu.example.com", {"gpu-0": {"index": 0}})
        eventually(lambda: _gres(node) == {"gpu:gpu.example.com:1", "gpu:gpu.nvidia.com:2"}, 60,
                   lambda: f"{node} has both in Slurm; it is {node.facts()}")
        with here.slurm.partition("mixed1", node.slurm_name) as partition:
            gres = "gres/gpu:gpu.nvidia.com=1,gres/gpu:gpu.example.com=1"
            pods = here.make_pods("both-kinds", 2, lambda _: {"ask": {"partition": partition, "gres": gres}})
            ran = eventually(lambda: next((pod for pod in pods if pod.phase == "Running"), None), PATIENCE, "one runs")
            [waits] = set(pods) - {ran}
            used = node.facts()["gres_used"]
            assert "gpu:gpu.nvidia.com:1(" in used and "gpu:gpu.example.com:1(" in used, used
            waits.has_a_job_within(PATIENCE).waits_within(PATIENCE)  # there is a second of one class, not of the other
            ran.delete().gone_within(PATIENCE)
            waits.runs_within(PATIENCE).delete().gone_within(PATIENCE)
    finally:
        node.withdraw()
        node.delete()
        eventually(lambda: node.facts() is None, PATIENCE, f"{node} is gone from Slurm")


def _gres(node):
    """Of a node that is there and open."""
    return set(((node.open_in_slurm() or {}).get("gres") or "").split(","))


@alone
def pods_of_others_that_fill_a_node_keep_ours_away_from_it(here):
    """Slurm knows nothing of them: its own count says that the node is free."""
    stays = {"nodeName": "k001", "tolerations": [{"operator": "Exists"}]}  # else our taint would evict it
    here.make_pod("foreign", scheduler="nobody", cpu="30", spec=stays).runs_within(PATIENCE)
    pod = here.run_pod("ours", ask=SMALL, cpu="8")
    assert pod.node == "k002", f"{pod} runs on {pod.node}, which is full"


@alone
def a_pod_is_not_bound_to_a_node_that_an_ending_pod_still_occupies(here):
    """scancel frees the node in Slurm at once; its pod takes a while to end."""
    on_k003 = {"nodeSelector": {"kubernetes.io/hostname": "k003"}}
    first = here.run_pod("leaving", cpu="30", stop_seconds=5, spec=on_k003)
    second = here.make_pod("coming", cpu="30", spec=on_k003)
    second.has_a_job_within(PATIENCE).waits_within(PATIENCE)
    first.job.cancel()
    second.job.runs_within(PATIENCE)
    looked = 0
    while True:
        bound, leaving = second.node, first.find()  # in this order: who runs later has run before
        if leaving is None or leaving["status"]["phase"] != "Running":
            break
        assert not bound, "both are on the node"
        looked += 1
    assert looked > 0, "the first pod ended before anybody could look"
    second.runs_within(PATIENCE)
    here.removed_by_the_bridge(first)
    here.exactly_one_job(second, second.job)


@alone
def a_pod_that_is_held_for_too_long_gets_another_job_without_that_node(here):
    """The node becomes too full after Slurm has chosen it and before the bind: here by a pod that does not end."""
    before = len(here.bridge.said("in force keys=holdSeconds"))
    here.bridge.configure(f"{CONFIG}holdSeconds: 3\n")
    eventually(lambda: len(here.bridge.said("in force keys=holdSeconds")) > before, PATIENCE, "it is taken while it runs")
    try:
        first = here.run_pod("stays", cpu="30", stop_seconds=40, ask=SMALL)
        blocked = first.node
        other = "k002" if blocked == "k001" else "k001"
        first.job.cancel()
        eventually(lambda: first.now()["metadata"].get("deletionTimestamp"), PATIENCE, f"{first} is being deleted")
        here.removed_by_the_bridge(first)
        pods = here.make_pods("next", 2, lambda _: {"cpu": "30", "ask": SMALL})
        ran = eventually(lambda: next((pod for pod in pods if pod.node), None), PATIENCE, "one finds the other node")
        assert ran.node == other, f"{ran} is on {ran.node}, where {first} still ends"
        given_back = eventually(lambda: [event for event in here.events("NodeGivenBack")
                                         if event["involvedObject"]["name"] in {pod.name for pod in pods}],
                                60, "the one that Slurm put onto the occupied node is given back")
        assert blocked in given_back[0]["message"], given_back[0]["message"]
    finally:
        for pod in here.pods:
            pod.delete()
        here.bridge.stop()
        here.bridge.configure(CONFIG)
        here.bridge.start_and_wait()
