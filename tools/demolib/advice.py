# SPDX-License-Identifier: Apache-2.0
"""How to use a demo that was left running."""

import os
from pathlib import Path

import sandbox_servers
from bridge_process import TOP
from real_servers import TOOL

TEXT = """\
Cluster and bridge keep running. In a shell:

  # kubectl, squeue, sinfo, scontrol, sacct, scancel of this cluster:
  eval "$({tool} env --name {name})"

  # the pods, and their jobs (Slurm calls a released job CANCELLED):
  kubectl get pods -n slurm-bridge -o wide
  squeue --all --states all

  # run an example again:
  kubectl replace --force -f {example}

  # the log of the bridge:
  tail -f {log}

  # stop everything:
  {demo} stop
"""


SANDBOX_TEXT = """\
The SANDBOX and the bridge keep running: models, no real Kubernetes or Slurm. In a shell:

  # kubectl, if you have it{kubectl}:
  . {folder}/env
  kubectl get pods -o wide
  kubectl describe pod simulation
  kubectl replace --force -f {examples}/pod.yaml

  # the queue of the model of Slurm (a released job is CANCELLED, as in Slurm):
  curl {slurm}/squeue

  # without kubectl:
  curl -H 'Content-Type: application/yaml' --data-binary @FILE {kube}/api/v1/namespaces/slurm-bridge/pods

  # the log of the bridge:
  tail -f {log}

  # stop everything:
  {demo} stop
"""


def how_to_use(servers):
    if isinstance(servers, sandbox_servers.SandboxServers):
        return SANDBOX_TEXT.format(kubectl=f" ({servers.kubectl})" if servers.kubectl else "", kube=servers.kube,
                                   slurm=servers.slurm, folder=_from_home(servers.folder), examples=_here(TOP / "examples"),
                                   log=_from_home(servers.log), demo=_here(TOP / "tools/demo"))
    return TEXT.format(tool=_here(TOOL), name=servers.NAME, example=_here(TOP / servers.EXAMPLES[0]),
                       log=_from_home(servers.log), demo=_here(TOP / "tools/demo"))


def _here(path):
    """Relative to the current folder."""
    return os.path.relpath(path)


def _from_home(path):
    try:
        return Path("~") / path.relative_to(Path.home())
    except ValueError:
        return path
