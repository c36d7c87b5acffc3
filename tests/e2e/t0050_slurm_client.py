# SPDX-License-Identifier: Apache-2.0
"""The Slurm client and mirror, without the bridge, on the real slurmrestd."""

import os
import subprocess

from lib.bridge import program
from lib.runner import alone

SECONDS = 120


@alone
def the_slurm_client_understands_a_real_slurmrestd(here):
    slurm = here.cluster.environment
    another = here.slurm.run("scontrol", "token", "username=alice").strip().removeprefix("SLURM_JWT=")
    done = subprocess.run([program("real_slurm_test")], timeout=SECONDS, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                          env={**os.environ, "SB_SLURM_URL": slurm["SLURM_REST_API"],
                               "SB_SLURM_TOKEN_FILE": slurm["SLURM_JWT_FILE"], "SB_SLURM_PARTITION": "slurm-bridge",
                               "SB_SLURM_USER_TOKEN": another})
    assert done.returncode == 0, "real_slurm_test failed:\n" + done.stdout[-4000:]
