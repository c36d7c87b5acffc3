#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Logs in as a user and checks the environment: account, home directory, network, Slurm commands.
cd "$(dirname "$0")" && . ./common.sh
title "Login node"

marker=".demo-$$-$(date +%s)"
can_log_in() { login true; }
is_the_user() { [ "$(login 'id -un')" = "$SSH_USER" ]; }
home_is_writable() { [ "$(login "cd && echo $marker > $marker && cat $marker")" = "$marker" ]; }
home_is_shared() { [ "$(login "srun --ntasks=1 --mem=50M cat \$HOME/$marker")" = "$marker" ]; }
same_uid_on_a_worker() { [ "$(login 'id -u')" = "$(login 'srun --ntasks=1 --mem=50M id -u')" ]; }
slurmctld_answers() { login 'scontrol ping' | grep -q 'is UP'; }
passwords_are_refused() {
  ! ssh -o BatchMode=yes -o PubkeyAuthentication=no -o ConnectTimeout=10 -o StrictHostKeyChecking=accept-new \
    -o UserKnownHostsFile="$SSH_KNOWN_HOSTS" -o LogLevel=ERROR -p "$SSH_PORT" "$SSH_USER@$SSH_HOST" true </dev/null
}

check "ssh -p $SSH_PORT $SSH_USER@$SSH_HOST works" can_log_in
check "the session belongs to $SSH_USER" is_the_user
check "without a key nobody gets in" passwords_are_refused
check "the home directory is writable" home_is_writable
check "slurmctld is reachable from the login node" slurmctld_answers
check "a job on a worker sees the same home directory" home_is_shared
check "the user has the same uid on a worker" same_uid_on_a_worker
check "sinfo, squeue, sbatch, srun, scancel and sacct are installed" \
  login 'for program in sinfo squeue sbatch srun scancel sacct; do command -v $program || exit 1; done'
login "rm -f $marker" 2>/dev/null || true

login 'echo "host: $(hostname)"; df -h "$HOME" | tail -n 1' || true
verdict
