#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks Slurm itself: daemons, nodes, partitions, authentication and accounting, as Slurm reports them.
cd "$(dirname "$0")" && . ./common.sh
title "Slurm"

controller=$(pods controller | head -n 1)
in_controller() { k exec "$controller" --container slurmctld -- "$@"; }
slurmctld_is_up() { in_controller scontrol ping | grep -q 'is UP'; }
slurmctld_runs() { in_controller ps -e -o comm= | grep -q slurmctld; }
slurmd_runs() { k exec "$1" --container slurmd -- ps -e -o comm= | grep -q slurmd; }
every_worker_is_a_node() {
  local wanted found
  wanted=$(pods worker | sort)
  found=$(login 'sinfo --noheader --Node --format=%N' | sort -u)
  [ "$wanted" = "$found" ] || { printf 'pods:  %s\nnodes: %s\n' "$(echo $wanted)" "$(echo $found)"; return 1; }
}
every_node_is_usable() {
  local bad
  bad=$(login "sinfo --noheader --Node --format='%N %t'" | awk '$2 !~ /^(idle|mix|alloc|comp)$/' | sort -u)
  [ -z "$bad" ] || { printf '%s\n' "$bad"; return 1; }
}
a_partition_is_up() { login "sinfo --noheader --format='%a %D'" | awk '$1 == "up" && $2 > 0 { found = 1 } END { exit !found }'; }
authentication_is_known() { login 'scontrol show config' | grep -E '^AuthType *= auth/(slurm|munge)'; }
accounting_answers() { login 'sacctmgr --noheader --parsable2 show cluster format=cluster' | grep -q .; }
kubernetes_and_slurm_agree() { [ "$(field .status.readyWorkers)" = "$(pods worker | wc -l)" ]; }

check "slurmctld runs in pod $controller" slurmctld_runs
check "slurmctld answers" slurmctld_is_up
for worker in $(pods worker); do
  check "slurmd runs in pod $worker" slurmd_runs "$worker"
done
check "every worker pod is a Slurm node, and no other exists" every_worker_is_a_node
check "every node accepts jobs" every_node_is_usable
check "a partition is up and has nodes" a_partition_is_up
check "authentication is auth/slurm or auth/munge" authentication_is_known
check "the status of the SlurmCluster counts the same workers" kubernetes_and_slurm_agree
if [ "$(field .spec.slurmNodes.accounting.enabled)" = true ]; then
  check "accounting answers" accounting_answers
fi

login sinfo || true
verdict
