# SPDX-License-Identifier: Apache-2.0
"""How to go on with a demo that was left running."""

import os
from pathlib import Path

from real_parts import NAME, TOOL, TOP

TEXT = """\
Cluster and bridge stay up. In a shell:

  # kubectl, squeue, sinfo, scontrol, sacct, scancel of this cluster:
  eval "$({tool} env --name {name})"

  # the pods, and their jobs (Slurm calls a released job CANCELLED):
  kubectl get pods -n slurm-bridge -o wide
  squeue --all --states all

  # run an example again:
  kubectl replace --force -f {examples}/pod.yaml

  # what the bridge does:
  tail -f {log}

  # stop everything:
  {demo} stop
"""


def how_to_use(parts):
    return TEXT.format(tool=_here(TOOL), name=NAME, examples=_here(TOP / "examples"), log=_from_home(parts.log),
                       demo=_here(TOP / "tools/demo"))


def _here(path):
    """As one would type it from here."""
    return os.path.relpath(path)


def _from_home(path):
    try:
        return Path("~") / path.relative_to(Path.home())
    except ValueError:
        return path
