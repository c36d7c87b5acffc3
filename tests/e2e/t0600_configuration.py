# SPDX-License-Identifier: Apache-2.0
"""The configuration: check, reload while the bridge runs, and roles by the program's name."""

import contextlib
import re
import subprocess

from lib.bridge import CONFIG, Bridge, program
from lib.here import TIMEOUT
from lib.nodes import Node
from lib.runner import alone
from lib.slurm import SlurmFailed
from lib.waiting import eventually, throughout

A_WHILE = 5  # longer than two polls of Slurm's nodes
IN_FORCE = "the configuration changed and is in force keys=partition"


def a_configuration_is_checked_strictly_and_shown_with_sources(here):
    file = here.folder / "checked.yaml"
    file.write_text(CONFIG)
    code, text = _check(here, file)
    assert code == 0, text
    assert f"slurmRestApi: \"{here.cluster.environment['SLURM_REST_API']}\"  # SLURM_REST_API" in text, text
    assert "partition: slurm-bridge  # line 4" in text and "holdSeconds: 120  # default" in text, text
    assert here.cluster.path("SLURM_JWT_FILE").read_text().strip() not in text

    file.write_text(CONFIG + "features: {secureMetrics: true}\n")
    assert _check(here, file)[0] == 0, "a certificate is generated if none is given"
    assert _check(here, file, "--metrics-cert-path=/certs")[0] == 0

    file.write_text(CONFIG + "nodes:\n  tiant: false\n")
    code, text = _check(here, file)
    assert code == 1 and 'line 6: unknown key "nodes.tiant"; did you mean nodes.taint?' in text, text


@alone
def a_changed_file_takes_effect_while_the_bridge_runs(here):
    assert here.run_pod("before").job.facts()["partition"] == "slurm-bridge"
    before = len(here.bridge.log_lines(IN_FORCE))
    try:
        here.bridge.configure(CONFIG.replace("partition: slurm-bridge", "partition: [small]"))
        eventually(lambda: here.bridge.log_lines("partition must be a string"), TIMEOUT, "a broken file is an error in the log")
        here.bridge.configure(CONFIG.replace("partition: slurm-bridge", "partition: small") + "partitoin: x\n")
        eventually(lambda: len(here.bridge.log_lines(IN_FORCE)) > before, TIMEOUT, "the new file is in effect")
        [warning] = here.bridge.log_lines("did you mean partition?")
        assert "line 5: unknown key" in warning and "partitoin" in warning, warning
        assert here.run_pod("after").job.facts()["partition"] == "small"
        here.bridge.configure(CONFIG.replace("slurm-bridge-scheduler", "another"))
        eventually(lambda: here.bridge.log_lines("needs a restart keys=schedulerName"), TIMEOUT, "the log requests a restart")
        assert here.run_pod("again").job.facts()["partition"] == "slurm-bridge"
    finally:
        here.bridge.configure(CONFIG)


@alone
def live_keys_take_effect_while_the_bridge_runs(here):
    """partition: above; holdSeconds: t0140; nodes.healNotResponding: t0710; keys of the webhook: t0610."""
    here.bridge.stop()
    folder = here.folder / "live"
    folder.mkdir()
    bridge = Bridge(here.cluster, folder, log_level=None)
    node = Node(here, "k005")
    try:
        bridge.start_and_wait()
        assert here.run_pod("before").job.facts()["mcs_label"] == "kubernetes"
        assert node.taints and bridge.log_lines(" submitted ")
        bridge.configure(CONFIG.replace("mcsLabel: kubernetes", "mcsLabel: other") +
                         "logLevel: error\nnodes: {taint: false, cordon: false}\n")
        eventually(lambda: bridge.log_lines("mcsLabel, logLevel, nodes.taint, nodes.cordon"), TIMEOUT, "the file is in effect")
        eventually(lambda: not node.taints, TIMEOUT, "the taint is removed")
        after = here.run_pod("after")
        assert after.job.facts()["mcs_label"] == "other"
        assert not bridge.log_lines(after.key), "the new log level is used"
        node.admin("DRAIN", "fan")
        throughout(A_WHILE, lambda: not node.cordoned, "no cordon follows the drain")
        bridge.configure(CONFIG)
        node.is_cordoned_within(TIMEOUT, "fan")
        eventually(lambda: node.taints, TIMEOUT, "the taint is set again")
        node.admin("RESUME")
        node.is_open_in_kubernetes_within(TIMEOUT)
    finally:
        bridge.end()
        with contextlib.suppress(SlurmFailed):  # it is not drained
            node.admin("RESUME")


def the_token_is_read_from_the_file_or_else_from_the_variable(here):
    good = here.cluster.path("SLURM_JWT_FILE").read_text().strip().removeprefix("SLURM_JWT=")
    file = here.folder / "rubbish.token"
    file.write_text("SLURM_JWT=rubbish\n")
    cases = ({"SLURM_JWT_FILE": here.cluster.environment["SLURM_JWT_FILE"], "SLURM_JWT": "rubbish"}, True), \
        ({"SLURM_JWT_FILE": str(file), "SLURM_JWT": good}, False), \
        ({"SLURM_JWT": good}, True), ({"SLURM_JWT": "rubbish"}, False)
    for variables, accepted in cases:
        done = _plan(here, **variables)  # the shortest command that uses both systems
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
def a_link_with_the_name_of_a_role_starts_that_role(here):
    here.bridge.stop()
    folder = here.folder / "by-name"
    folder.mkdir()
    scheduler = Bridge(here.cluster, folder, role="scheduler", by_name=True,
                       flags=["--feature-gates=DynamicResourceAllocation=true"])
    try:
        scheduler.start_and_wait()
        assert "--feature-gates is accepted" in scheduler.log_text()
        here.run_pod("by-name")
        assert scheduler.stop() == 0
    finally:
        scheduler.end()


def every_flag_of_the_real_kube_scheduler_is_accepted(here):
    """All flags of the binary's own help, each with a value of its type, in one command line."""
    wanted = subprocess.run([here.cluster.path("KUBE_SCHEDULER"), "--help"], stdin=subprocess.DEVNULL,
                            capture_output=True, text=True, check=True).stdout
    listed = re.findall(r"(?m)^ +(?:-\w, )?--([\w-]+)(?: (\S+))?  ", wanted)
    values = {kind: VALUES.get(kind) for name, kind in listed if kind}
    assert len(listed) > 50 and None not in values.values(), f"a type without an example: {values}"
    # With --version it exits before it does anything.
    flags = [f"--{name}={VALUES[kind]}" if kind else f"--{name}" for name, kind in listed if name not in ("help", "version")]
    for line in ([*flags, "--version"], *([flag, "--version"] for flag in flags), ["--version=raw"], ["-v=2", "--version"]):
        done = _called("scheduler", *line)
        assert done.returncode == 0 and done.stdout.startswith("slurm-bridge "), f"{line}: {done.stderr}"
    assert _called("scheduler", "--kube-api-qqs=50", "--version").returncode == 2, "an unknown flag is accepted"


# An example for each type of kube-scheduler's flags.
VALUES = {"string": "text", "strings": "a,b", "int": "0", "int32": "1", "float32": "50", "duration": "10s",
          "ip": "127.0.0.1", "int32Slice": "29,23", "namedCertKey": "a.crt,a.key:name", "quantity": "512Ki",
          "stringToString": "metric,label='a,b'", "colonSeparatedMultimapStringString": "kube:A=true,B=false",
          "Level": "2", "pattern=N,...": "store=4", "version[=true]": "true"}


def every_flag_of_the_reference_is_accepted(here):
    """With one dash and with two, and the values that zap accepts."""
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
