# SPDX-License-Identifier: Apache-2.0
"""The configuration: checked before it is used, taken while the bridge runs, and roles by the program's name."""

import contextlib
import re
import subprocess

from lib.bridge import CONFIG, Bridge, program
from lib.here import PATIENCE
from lib.nodes import Node
from lib.runner import alone
from lib.slurm import SlurmFailed
from lib.waiting import eventually, throughout

A_WHILE = 5  # longer than the bridge takes to look at Slurm's nodes twice
IN_FORCE = "the configuration changed and is in force keys=partition"


def a_configuration_is_checked_strictly_and_shown_with_origins(here):
    file = here.folder / "checked.yaml"
    file.write_text(CONFIG)
    code, text = _check(here, file)
    assert code == 0, text
    assert f"slurmRestApi: \"{here.cluster.environment['SLURM_REST_API']}\"  # SLURM_REST_API" in text, text
    assert "partition: slurm-bridge  # line 4" in text and "holdSeconds: 120  # default" in text, text
    assert here.cluster.path("SLURM_JWT_FILE").read_text().strip() not in text

    file.write_text(CONFIG + "features: {secureMetrics: true}\n")
    assert _check(here, file)[0] == 0, "a certificate is made where none is given"
    assert _check(here, file, "--metrics-cert-path=/certs")[0] == 0

    file.write_text(CONFIG + "nodes:\n  tiant: false\n")
    code, text = _check(here, file)
    assert code == 1 and 'line 6: unknown key "nodes.tiant"; did you mean nodes.taint?' in text, text


@alone
def a_changed_file_is_taken_while_the_bridge_runs(here):
    assert here.run_pod("before").job.facts()["partition"] == "slurm-bridge"
    before = len(here.bridge.said(IN_FORCE))
    try:
        here.bridge.configure(CONFIG.replace("partition: slurm-bridge", "partition: [small]"))
        eventually(lambda: here.bridge.said("partition must be a string"), PATIENCE, "a broken file is an error in the log")
        here.bridge.configure(CONFIG.replace("partition: slurm-bridge", "partition: small") + "partitoin: x\n")
        eventually(lambda: len(here.bridge.said(IN_FORCE)) > before, PATIENCE, "the new file is in force")
        [warning] = here.bridge.said("did you mean partition?")
        assert "line 5: unknown key" in warning and "partitoin" in warning, warning
        assert here.run_pod("after").job.facts()["partition"] == "small"
        here.bridge.configure(CONFIG.replace("slurm-bridge-scheduler", "another"))
        eventually(lambda: here.bridge.said("needs a restart keys=schedulerName"), PATIENCE, "a restart is asked for")
        assert here.run_pod("again").job.facts()["partition"] == "slurm-bridge"
    finally:
        here.bridge.configure(CONFIG)


@alone
def keys_that_are_live_count_while_the_bridge_runs(here):
    """partition: above; holdSeconds: t0140; nodes.healNotResponding: t0710; the webhook's: t0610."""
    here.bridge.stop()
    folder = here.folder / "live"
    folder.mkdir()
    bridge = Bridge(here.cluster, folder, log_level=None)
    node = Node(here, "k005")
    try:
        bridge.start_and_wait()
        assert here.run_pod("before").job.facts()["mcs_label"] == "kubernetes"
        assert node.taints and bridge.said(" submitted ")
        bridge.configure(CONFIG.replace("mcsLabel: kubernetes", "mcsLabel: other") +
                         "logLevel: error\nnodes: {taint: false, cordon: false}\n")
        eventually(lambda: bridge.said("mcsLabel, logLevel, nodes.taint, nodes.cordon"), PATIENCE, "the file is taken")
        eventually(lambda: not node.taints, PATIENCE, "the taint is taken off")
        after = here.run_pod("after")
        assert after.job.facts()["mcs_label"] == "other"
        assert not bridge.said(after.key), "the level of the log follows"
        node.admin("DRAIN", "fan")
        throughout(A_WHILE, lambda: not node.cordoned, "no cordon follows the drain")
        bridge.configure(CONFIG)
        node.is_cordoned_within(PATIENCE, "fan")
        eventually(lambda: node.taints, PATIENCE, "the taint is back")
        node.admin("RESUME")
        node.is_open_in_kubernetes_within(PATIENCE)
    finally:
        bridge.end()
        with contextlib.suppress(SlurmFailed):  # it was not drained, or is not any more
            node.admin("RESUME")


def the_token_is_that_of_the_file_and_else_that_of_the_variable(here):
    good = here.cluster.path("SLURM_JWT_FILE").read_text().strip().removeprefix("SLURM_JWT=")
    file = here.folder / "rubbish.token"
    file.write_text("SLURM_JWT=rubbish\n")
    cases = ({"SLURM_JWT_FILE": here.cluster.environment["SLURM_JWT_FILE"], "SLURM_JWT": "rubbish"}, True), \
        ({"SLURM_JWT_FILE": str(file), "SLURM_JWT": good}, False), \
        ({"SLURM_JWT": good}, True), ({"SLURM_JWT": "rubbish"}, False)
    for variables, accepted in cases:
        done = _plan(here, **variables)  # the shortest way to speak to both systems
        said = {name: value if value != good else "good" for name, value in variables.items()}
        assert (done.returncode == 0) == accepted, f"{said}: {done.stderr}"
        assert good not in done.stdout + done.stderr
    assert "no Slurm token: set SLURM_JWT_FILE" in _plan(here).stderr


def _plan(here, **variables):
    file = here.folder / "plan.yaml"
    file.write_text(CONFIG)
    environment = {"SLURM_REST_API": here.cluster.environment["SLURM_REST_API"],
                   "KUBECONFIG": here.cluster.environment["SLURM_BRIDGE_KUBECONFIG"], **variables}
    return subprocess.run([program("slurm-bridge", "SLURM_BRIDGE_BIN"), "plan-taints", "--config", file], env=environment,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)


@alone
def a_link_called_by_a_roles_name_is_that_role(here):
    here.bridge.stop()
    folder = here.folder / "by-name"
    folder.mkdir()
    scheduler = Bridge(here.cluster, folder, role="scheduler", by_name=True,
                       flags=["--feature-gates=DynamicResourceAllocation=true"])
    try:
        scheduler.start_and_wait()
        assert "--feature-gates is accepted" in scheduler.words()
        here.run_pod("by-name")
        assert scheduler.stop() == 0
    finally:
        scheduler.end()


def every_flag_of_the_real_kube_scheduler_is_accepted(here):
    """Those that the binary of this release lists itself, each with a value of its type, in one command line."""
    wanted = subprocess.run([here.cluster.path("KUBE_SCHEDULER"), "--help"], stdin=subprocess.DEVNULL,
                            capture_output=True, text=True, check=True).stdout
    listed = re.findall(r"(?m)^ +(?:-\w, )?--([\w-]+)(?: (\S+))?  ", wanted)
    values = {kind: VALUES.get(kind) for name, kind in listed if kind}
    assert len(listed) > 50 and None not in values.values(), f"what is an example of these? {values}"
    # --version ends it before anything is done.
    flags = [f"--{name}={VALUES[kind]}" if kind else f"--{name}" for name, kind in listed if name not in ("help", "version")]
    for line in ([*flags, "--version"], *([flag, "--version"] for flag in flags), ["--version=raw"], ["-v=2", "--version"]):
        done = _called("scheduler", *line)
        assert done.returncode == 0 and done.stdout.startswith("slurm-bridge "), f"{line}: {done.stderr}"
    assert _called("scheduler", "--kube-api-qqs=50", "--version").returncode == 2, "anything is accepted"


# An example of each type that kube-scheduler's flags have.
VALUES = {"string": "text", "strings": "a,b", "int": "0", "int32": "1", "float32": "50", "duration": "10s",
          "ip": "127.0.0.1", "int32Slice": "29,23", "namedCertKey": "a.crt,a.key:name", "quantity": "512Ki",
          "stringToString": "metric,label='a,b'", "colonSeparatedMultimapStringString": "kube:A=true,B=false",
          "Level": "2", "pattern=N,...": "store=4", "version[=true]": "true"}


def every_flag_of_the_reference_is_accepted(here):
    """Those of 2.3, with one dash and with two, and the values that zap takes."""
    common = ["config=/none", "metrics-bind-address=:8080", "health-probe-bind-address=:8081", "leader-elect",
              "leader-elect=false", "leader-election-id=name", "metrics-secure=false", "enable-http2", "kubeconfig=/none", "zap-devel",
              "zap-devel=false", "zap-stacktrace-level=panic", "zap-encoder=json", "zap-encoder=console"]
    common += [f"zap-log-level={level}" for level in ("debug", "info", "error", "panic", "INFO", "5")]
    common += [f"zap-time-encoding={name}" for name in ("epoch", "millis", "nanos", "iso8601", "RFC3339", "rfc3339nano")]
    for role, flags in (("admission", common), ("controllers", [*common, "node-workers=4", "pod-workers=4"])):
        for dashes in ("-", "--"):
            done = _called(role, *(dashes + flag for flag in flags), "--version")
            assert done.returncode == 0 and done.stdout.startswith("slurm-bridge "), f"{role}: {done.stderr}"
            done = _called(role, f"{dashes}zap-log-level", "info", "--version")
            assert done.returncode == 0, done.stderr


def _called(*arguments):
    return subprocess.run([program("slurm-bridge", "SLURM_BRIDGE_BIN"), *arguments], env={}, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True)


def _check(here, file, *flags):
    variables = {name: here.cluster.environment[name] for name in ("SLURM_REST_API", "SLURM_JWT_FILE")}
    done = subprocess.run([program("slurm-bridge", "SLURM_BRIDGE_BIN"), "config", "check", file, *flags], env=variables,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr
