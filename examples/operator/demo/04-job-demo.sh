#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs jobs as a user: one command, a batch job, an array, a job on all nodes, a dependency, and a cancelled job.
cd "$(dirname "$0")" && . ./common.sh
title "Jobs"

folder="demo-jobs-$$"
limit=60 # seconds that a job of this demo may take
small="--mem=50M --time=5"
workers=$(login 'sinfo --noheader --Node --format=%N | sort -u | wc -l')

# submit OPTIONS: the id of a new job in the demo's folder.
submit() { login "cd $folder && sbatch --parsable $small $*" | sed 's/;.*//'; }
state() { login "sacct --noheader --parsable2 --allocations --jobs=$1 --format=state" | sed 's/ .*//' | sort -u; }
has_state() { [ "$(state "$1")" = "$2" ]; }
ended() { ! login "squeue --noheader --jobs=$1 2>/dev/null" | grep -q .; }
# ends JOB STATE: the job leaves the queue, and accounting has its state. Without accounting, only the first.
ends() {
  eventually "$limit" ended "$1" || return 1
  [ "$(field .spec.slurmNodes.accounting.enabled)" != true ] || eventually 30 has_state "$1" "$2" || { state "$1"; return 1; }
}
one_command() { login "srun --ntasks=1 $small hostname" | grep -q .; }
batch_job() {
  local job
  job=$(submit --output=batch.out --wrap "'echo hello from \$(hostname)'") && ends "$job" COMPLETED && login "cat $folder/batch.out" | grep -q 'hello from'
}
array_job() {
  local job
  job=$(submit --array=1-5%2 --output=array_%a.out --wrap "'echo \$SLURM_ARRAY_TASK_ID'") && ends "$job" COMPLETED &&
    [ "$(login "cat $folder/array_*.out" | sort | tr '\n' ' ')" = "1 2 3 4 5 " ]
}
job_on_all_nodes() { [ "$(login "srun --nodes=$workers --ntasks-per-node=1 $small hostname" | sort -u | wc -l)" = "$workers" ]; }
dependency() {
  local first second
  first=$(submit --output=/dev/null --wrap "'sleep 2; touch first'") &&
    second=$(submit --dependency="afterok:$first" --output=/dev/null --wrap "'test -e first'") && ends "$second" COMPLETED
}
cancelled_job() {
  local job
  job=$(submit --output=/dev/null --wrap "'sleep 600'") && login "scancel $job" && ends "$job" CANCELLED
}
failed_job() {
  local job
  job=$(submit --output=/dev/null --wrap "'exit 3'") && ends "$job" FAILED
}

login "mkdir -p $folder"
check "srun runs a command on a worker" one_command
check "sbatch runs a script, and its output is in the home directory" batch_job
check "an array of 5 tasks, 2 at a time, runs" array_job
check "a job on all $workers nodes runs once on each" job_on_all_nodes
check "a job waits for another one" dependency
check "scancel ends a job" cancelled_job
check "a job with exit code 3 is FAILED" failed_job
login "rm -rf $folder" || true

login 'sacct --allocations --format=JobID,JobName,State,ExitCode,NodeList,Elapsed | tail -n 12' 2>/dev/null || true
verdict
