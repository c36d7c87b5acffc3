# SPDX-License-Identifier: Apache-2.0
# Settings and functions of the demo scripts; they source this file. Every setting may be given in the environment.
NAMESPACE=${NAMESPACE:-slurm-demo}
CLUSTER=${CLUSTER:-$NAMESPACE}
SSH_HOST=${SSH_HOST:-localhost}
SSH_PORT=${SSH_PORT:-30022}
SSH_USER=${SSH_USER:-soperator}
SSH_KEY=${SSH_KEY:-}                            # private key; empty: those of ssh itself
SSH_KNOWN_HOSTS=${SSH_KNOWN_HOSTS:-/dev/null}   # a file, to recognize the login node

checks=0
failures=0

title() { printf '\n=== %s (cluster %s, namespace %s)\n' "$1" "$CLUSTER" "$NAMESPACE"; }

# check TEXT COMMAND...: one line with the result of the command; its output only if it fails.
check() {
  local text=$1 output
  shift
  checks=$((checks + 1))
  if output=$("$@" 2>&1); then
    printf '  ok    %s\n' "$text"
  else
    failures=$((failures + 1))
    printf '  FAIL  %s\n' "$text"
    [ -z "$output" ] || printf '%s\n' "$output" | tail -n 10 | sed 's/^/          /'
  fi
}

# eventually SECONDS COMMAND...: repeats the command until it succeeds.
eventually() {
  local deadline=$((SECONDS + $1))
  shift
  until "$@"; do
    [ "$SECONDS" -lt "$deadline" ] || return 1
    sleep 1
  done
}

# The last line of every script, and its exit code.
verdict() {
  if [ "$failures" -eq 0 ]; then
    printf 'verdict: ok (%s checks)\n' "$checks"
    exit 0
  fi
  printf 'verdict: FAILED (%s of %s checks)\n' "$failures" "$checks"
  exit 1
}

k() { kubectl --namespace "$NAMESPACE" "$@"; }

# login COMMAND: a command line for the shell of the user at the login node.
login() {
  ssh ${SSH_KEY:+-i "$SSH_KEY" -o IdentitiesOnly=yes} -o BatchMode=yes -o ConnectTimeout=10 -o StrictHostKeyChecking=accept-new \
    -o UserKnownHostsFile="$SSH_KNOWN_HOSTS" -o LogLevel=ERROR -p "$SSH_PORT" "$SSH_USER@$SSH_HOST" "$1" </dev/null
}

# pods COMPONENT: the names of its pods. Workers have the component `worker` or, in a NodeSet, `nodeset`.
pods() {
  local component=$1
  [ "$component" = worker ] && component='worker,nodeset'
  k get pods --selector "app.kubernetes.io/instance=$CLUSTER,app.kubernetes.io/component in ($component)" \
    --output 'jsonpath={range .items[*]}{.metadata.name}{"\n"}{end}'
}

# field PATH: a field of the SlurmCluster.
field() { k get slurmcluster "$CLUSTER" --output "jsonpath={$1}"; }

for program in kubectl ssh; do
  command -v "$program" >/dev/null || { echo "$program is not installed" >&2; exit 2; }
done
