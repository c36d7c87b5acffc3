# SPDX-License-Identifier: Apache-2.0
"""The configuration: checked before it is used, taken while the bridge runs, and roles by the program's name."""

import subprocess

from lib.bridge import CONFIG, Bridge, program
from lib.here import PATIENCE
from lib.runner import alone
from lib.waiting import eventually

IN_FORCE = "the configuration changed and is in force keys=partition"


def a_configuration_is_checked_strictly_and_shown_with_origins(here):
    file = here.folder / "checked.yaml"
    file.write_text(CONFIG)
    code, text = _check(here, file)
    assert code == 0, text
    assert f"slurmRestApi: \"{here.cluster.environment['SLURM_REST_API']}\"  # SLURM_REST_API" in text, text
    assert "partition: slurm-bridge  # line 4" in text and "holdSeconds: 120  # default" in text, text
    assert here.cluster.path("SLURM_JWT_FILE").read_text().strip() not in text

    file.write_text(CONFIG + "nodes:\n  tiant: false\n")
    code, text = _check(here, file)
    assert code == 1 and 'line 6: unknown key "nodes.tiant"; did you mean nodes.taint?' in text, text


@alone
def a_changed_file_is_taken_while_the_bridge_runs(here):
    assert here.run_pod("before").job.facts()["partition"] == "slurm-bridge"
    before = len(here.bridge.said(IN_FORCE))
    try:
        here.bridge.configure(CONFIG.replace("partition: slurm-bridge", "partition: [small]"))
        eventually(lambda: here.bridge.said("partition must be a text"), PATIENCE, "a broken file is an error in the log")
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


def _check(here, file):
    variables = {name: here.cluster.environment[name] for name in ("SLURM_REST_API", "SLURM_JWT_FILE")}
    done = subprocess.run([program("slurm-bridge", "SLURM_BRIDGE_BIN"), "config", "check", file], env=variables,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr
