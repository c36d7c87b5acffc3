# SPDX-License-Identifier: Apache-2.0
"""Verbs and their options. Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not available on this machine."""

import argparse
import os
import subprocess
import sys
from pathlib import Path

import cluster as clusters
import containerd
import golang
import host
import kwok_source
import lifecycle
import node_namespace
import node_network
import node_software
import binaries
import process
import progress
import real_node
import report
import together
from cluster import Cluster, MAX_NODES
from debian import NotAvailable

FAILED, USAGE, NOT_AVAILABLE, INTERRUPTED = 1, 2, 3, 130
ALL_HALVES = tuple(lifecycle.HALVES)

DESCRIPTION = ("A real Kubernetes and a real Slurm on loopback, for tests, demo and manual use. "
               "Needs no container engine; containers run only with --real-nodes.")


def main(arguments=None):
    options = _parser().parse_args(arguments)
    try:
        return options.run(options)
    except NotAvailable as error:
        return _complain(error, NOT_AVAILABLE)
    except lifecycle.UsageError as error:
        return _complain(error, USAGE)
    except (process.ComponentFailed, golang.BuildFailed, kwok_source.UnexpectedSource, node_software.UnexpectedModule,
            node_network.NetworkFailed, containerd.ImportFailed) as error:
        return _complain(error, FAILED)
    except (KeyboardInterrupt, together.Interrupted):
        _complain("interrupted: the same command continues where it stopped, `down` removes the cluster", INTERRUPTED)
        golang.stop_builds()
        sys.stderr.flush()
        os._exit(INTERRUPTED)  # threads may still wait for a component; they hold nothing that would be lost
    except BrokenPipeError:
        return FAILED
    finally:
        golang.stop_builds()


# --- verbs ------------------------------------------------------------------------------------------------------


def _up(options):
    cluster = _cluster(options)
    given = {name: getattr(options, name) for name in ("nodes", "profile", "dynamic", "slurmd", "real_nodes")
             if getattr(options, name) is not None}
    failures = lifecycle.up(cluster, given, _halves(options))
    for half, error in failures.items():
        progress.say(f"{half}: {error}")
    if failures:
        return FAILED
    progress.say(f"cluster {cluster.name} is up; use it with: eval \"$({sys.argv[0]} env --name {cluster.name})\"")
    return 0


def _down(options):
    names = clusters.known_clusters() if options.all else [options.name]
    for name in names:
        existed = lifecycle.down(_named(name))
        progress.say(f"cluster {name} is removed" if existed else f"there was no cluster {name}")
    return 0


def _status(options):
    cluster = _cluster(options)
    rows = report.rows(cluster)
    if not rows:
        return _complain(f"there is no cluster {cluster.name!r}; known: {', '.join(clusters.known_clusters()) or 'none'}",
                         FAILED)
    print(report.table(rows))
    return 0 if all(row.state == report.UP for row in rows) else FAILED


def _env(options):
    cluster = _cluster(options)
    if not cluster.options["halves"]:
        return _complain(f"there is no cluster {cluster.name!r}; start it with: devcluster up --name {cluster.name}", FAILED)
    print(report.environment(cluster))
    return 0


def _fetch(options):
    halves = _halves(options)
    host.require(halves, options.real_nodes)
    binaries.fetch(clusters.cache_root(), halves, options.real_nodes)
    progress.say("everything is in the cache")
    return 0


def _kill(options):
    lifecycle.kill_component(_cluster(options), options.component)
    return 0


def _stop(options):
    lifecycle.stop_component(_cluster(options), options.component)
    return 0


def _start(options):
    lifecycle.start_component(_cluster(options), options.component)
    return 0


def _logs(options):
    cluster = _cluster(options)
    lifecycle.check_component(cluster, options.component)
    path = cluster.logs / f"{options.component}.log"
    if options.follow:
        return subprocess.run(["tail", "-n", str(options.lines), "-F", path]).returncode
    print("\n".join(process.last_lines(cluster, options.component, options.lines)))
    return 0


def _exec(options):
    cluster = _cluster(options)
    argv = node_namespace.inside(cluster, lifecycle.real_node_of(cluster, options.node), options.command or ["bash"])
    environment = {**node_namespace.ENVIRONMENT, "TERM": os.environ.get("TERM", "dumb"), "LANG": "C.UTF-8"}
    return subprocess.run(argv, env=environment).returncode


def _import(options):
    failures = lifecycle.import_images(_cluster(options), [Path(archive).absolute() for archive in options.archive])
    for error in failures.values():
        progress.say(error)
    return FAILED if failures else 0


# --- arguments --------------------------------------------------------------------------------------------------


def _parser():
    parser = argparse.ArgumentParser(prog="devcluster", description=DESCRIPTION)
    verbs = parser.add_subparsers(metavar="VERB", required=True, parser_class=argparse.ArgumentParser)

    up = _verb(verbs, "up", _up, "start a cluster, or the components of it that do not run")
    nodes = up.add_mutually_exclusive_group()
    nodes.add_argument("--nodes", type=_number(1, MAX_NODES), help="simulated nodes, the same in Kubernetes and Slurm (16)")
    nodes.add_argument("--real-nodes", type=_number(1, real_node.MAX_WORKERS), metavar="N",
                       help="instead, N worker nodes that run containers, and a control plane node")
    up.add_argument("--profile", choices=("fast", "defaults"), help="Slurm's scheduling parameters (fast)")
    up.add_argument("--dynamic", type=_number(0, MAX_NODES), metavar="N", help="more Slurm nodes, created over REST (0)")
    up.add_argument("--slurmd", type=_number(0, 32), metavar="N", help="real slurmd nodes (1)")
    _add_only(up)

    down = _verb(verbs, "down", _down, "stop a cluster and remove its state")
    down.add_argument("--all", action="store_true", help="every cluster")

    _verb(verbs, "status", _status, "components, processes, memory, ports; exit code 1 if a component is down")
    _verb(verbs, "env", _env, "shell lines that point kubectl, squeue and the bridge at the cluster")

    fetch = _verb(verbs, "fetch", _fetch, "only fill the cache", with_name=False)
    fetch.add_argument("--real-nodes", action="store_true", help="also for real nodes")
    _add_only(fetch)

    for name, run, text in (("kill", _kill, "kill a component (SIGKILL)"),
                            ("stop", _stop, "terminate a component, and wait until it has exited"),
                            ("start", _start, "start a component again with the same command, and wait until it is ready"),
                            ("logs", _logs, "show the end of a component's log")):
        verb = _verb(verbs, name, run, text)
        verb.add_argument("component", metavar="COMPONENT")
    inside = _verb(verbs, "exec", _exec, "run a command inside a real node, as root (bash)")
    inside.add_argument("node", metavar="NODE")
    inside.add_argument("command", metavar="COMMAND", nargs=argparse.REMAINDER)
    imports = _verb(verbs, "import", _import, "import image archives (images.py writes them) into every real node")
    imports.add_argument("archive", metavar="ARCHIVE", nargs="+")
    verb.add_argument("--lines", type=_number(1, 1000000), default=50, help="number of lines (50)")
    verb.add_argument("--follow", "-f", action="store_true", help="print new lines as they are written")
    return parser


def _verb(verbs, name, run, text, with_name=True):
    verb = verbs.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
    verb.set_defaults(run=run)
    if with_name:
        verb.add_argument("--name", default="dev", help="which cluster (dev)")
    return verb


def _add_only(verb):
    verb.add_argument("--only", choices=ALL_HALVES, help="only one half of the cluster")


def _number(lowest, highest):
    def number(text):
        value = int(text) if text.isdigit() else -1
        if not lowest <= value <= highest:
            raise argparse.ArgumentTypeError(f"{text!r} is not a number between {lowest} and {highest}")
        return value
    return number


def _halves(options):
    return (options.only,) if options.only else ALL_HALVES


def _cluster(options):
    return _named(options.name)


def _named(name):
    try:
        return Cluster(name)
    except ValueError as error:
        raise lifecycle.UsageError(str(error)) from None


def _complain(what, code):
    print(f"devcluster: {what}", file=sys.stderr)
    return code
