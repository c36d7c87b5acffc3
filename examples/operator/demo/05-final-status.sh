#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Summary: the conditions of the resource, the state of Slurm, and what to try next.
cd "$(dirname "$0")" && . ./common.sh
title "Summary"

is_available() { [ "$(field .status.phase)" = Available ]; }
components_are_available() {
  local bad
  bad=$(k get slurmcluster "$CLUSTER" --output \
    'jsonpath={range .status.conditions[*]}{.type} {.status} {.reason} {.message}{"\n"}{end}' | awk '$1 ~ /Available$/ && $2 == "False"')
  [ -z "$bad" ] || { printf '%s\n' "$bad"; return 1; }
}
all_workers_are_ready() { [ "$(field .status.readyWorkers)" = "$(pods worker | wc -l)" ]; }
no_job_lost_its_node() {
  [ "$(field .spec.slurmNodes.accounting.enabled)" = true ] || return 0
  ! login 'sacct --noheader --parsable2 --allocations --state=NODE_FAIL --starttime=now-1hours --format=jobid,nodelist' | grep .
}
a_job_can_run() { login 'srun --ntasks=1 --mem=50M true'; }

check "SlurmCluster $CLUSTER is Available" is_available
check "no component is unavailable" components_are_available
check "all workers are ready" all_workers_are_ready
check "a job can run now" a_job_can_run
check "no job lost its node in the last hour" no_job_lost_its_node

printf '\nConditions:\n'
k get slurmcluster "$CLUSTER" --output 'jsonpath={range .status.conditions[*]}  {.type}: {.status} {.reason}{"\n"}{end}'
printf '\nSlurm:\n'
login sinfo || true
cat <<END

Next:
  kubectl patch slurmcluster $CLUSTER -n $NAMESPACE --type=merge -p '{"spec":{"slurmNodes":{"worker":{"size":4}}}}'
  kubectl get pods -n $NAMESPACE -w
  ssh -p $SSH_PORT $SSH_USER@$SSH_HOST
END
verdict
