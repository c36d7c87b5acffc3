# SPDX-License-Identifier: Apache-2.0
"""The operator's demo.

Guarantees  the last line has the result, and the exit code agrees with it; without KEEP=1, and after Ctrl-C, no process and no
            file of the cluster remains.
"""

import hashlib
import os
import signal
from dataclasses import dataclass

import install
import jobs
from lab import FAILED, TOP, Busy, Failed, Lab
from login import Login, make_key
from slurm_cluster import SlurmCluster
from steps import Steps

NAME = os.environ.get("OPERATOR_DEMO_NAME") or "operator-demo"  # of the dev cluster
NAMESPACE = CLUSTER = "slurm-demo"
INTERRUPTED = 130

INTRODUCTION = """\
A Slurm cluster from one resource: a real Kubernetes with 3 worker nodes on this machine, the operator in it, and a real Slurm in
real pods. Nothing is simulated.
"""

# Four workers and the other pods fit into three nodes with two CPUs each. Slurm gives one CPU of each worker to jobs.
SMALL_WORKER = {"cpu": "500m", "memory": "512Mi"}
# Each second one line: gaps, repetitions and an early end are visible.
TICKS = 40
LONG_JOB = f"""#!/bin/bash
#SBATCH --job-name=long --output=long_%j.out --ntasks=1 --mem=100M
for i in $(seq {TICKS}); do echo "tick $i on $(hostname)"; sleep 1; done
"""
ARRAY_TASKS = 6
ARRAY_JOB = """#!/bin/bash
#SBATCH --job-name=array --output=array_%A_%a.out --ntasks=1 --mem=100M
echo "task $SLURM_ARRAY_TASK_ID on $(hostname)"
"""
TWO_NODE_JOB = """#!/bin/bash
#SBATCH --job-name=two-nodes --output=two_%j.out --nodes=2 --ntasks-per-node=1 --mem=100M
srun hostname
"""


def run():
    """The whole demo; its exit code."""
    _make_signals_interrupt()
    steps, keep = Steps(), os.environ.get("KEEP", "") not in ("", "0")
    lab = Lab(NAME, show=steps.say)
    code = FAILED
    try:
        print(INTRODUCTION, flush=True)
        Demo(lab, steps).run()
        code = 0
    except KeyboardInterrupt:
        steps.say("interrupted: stopping everything")
        keep, code = False, INTERRUPTED
    except Busy as error:
        print(f"operator demo: {error}")
        return FAILED
    except Failed as error:
        steps.say(str(error))
        code = error.exit_code
    except BaseException:  # a fault of the demo: stop the cluster nevertheless
        _finish(lab, steps, keep, code)
        raise
    _finish(lab, steps, keep, code)
    return code


def stop():
    """Stop the demo that KEEP=1 left running."""
    _on_signals(signal.SIG_IGN)
    gone = Lab(NAME, show=print).down()
    print("the demo is stopped" if gone else "the demo could not be stopped")
    return 0 if gone else FAILED


@dataclass(frozen=True)
class LongJob:
    number: int
    node: str


class Demo:
    """The steps of the demo, one after the other."""

    def __init__(self, lab, steps):
        self.lab, self.steps = lab, steps
        self.cluster = SlurmCluster(lab, NAMESPACE, CLUSTER)
        self.login = self.values = None
        self.archives = []

    def run(self):
        self.start_nodes()
        self.install_operator()
        self.install_cluster()
        self.log_in()
        self.array_job()
        self.two_node_job()
        self.scale_during_a_job()
        self.show_accounting()

    def start_nodes(self):
        with self.steps.step("start real nodes") as step:
            if self.lab.exists:
                self.steps.say("a cluster of an earlier demo exists and is used again")
            self.lab.up(workers=3)
            self.lab.hold()
            step.detail = f"{len(self.lab.list('nodes'))} nodes"
        with self.steps.step("build and import the images"):
            self.archives = install.build_images(self.steps.say)
            self.lab.import_images(self.archives)

    def install_operator(self):
        with self.steps.step("install the operator") as step:
            install.install_crds(self.lab)
            # Another pod if the image has changed, although its name has not.
            install.install_operator(self.lab, "--set-string", f"controllerManager.podAnnotations.images={_digest(self.archives)}")
            step.detail = f"pod {install.operator_pod(self.lab)}"

    def install_cluster(self):
        with self.steps.step("install the Slurm cluster") as step:
            install.create_namespace(self.lab, NAMESPACE, pod_security="baseline")
            key, public = make_key(_key_folder(self.lab))
            self.login = Login(key, self.lab.login_port, cluster=CLUSTER)
            self.values = {"slurmNodes": {"worker": {"size": 2, "resources": SMALL_WORKER}, "login": {"sshRootPublicKeys": [public]}}}
            install.install_cluster(self.lab, NAMESPACE, CLUSTER, self.values)
            self.cluster.wait_until_available()
            self.cluster.wait_for_workers(2)
            step.detail = f"{len(self.cluster.pods())} pods, SlurmCluster {CLUSTER} is Available"
        self.steps.say(self.lab.kubectl("get", "pods", "--namespace", NAMESPACE, "-o", "wide"))

    def log_in(self):
        with self.steps.step("log in by ssh") as step:
            self.login.wait()
            step.detail = f"ssh -p {self.login.port} {self.login.user}@localhost"
        self.steps.say(self.login.run("sinfo"))

    def array_job(self):
        with self.steps.step("array job") as step:
            job = jobs.submit(self.login, ARRAY_JOB, f"--array=1-{ARRAY_TASKS}%3")
            found = jobs.wait_until_finished(self.login, job, tasks=ARRAY_TASKS)
            _expect_success(found, ARRAY_TASKS)
            output = self.login.run(f"cat array_{job}_*.out").splitlines()
            if len(output) != ARRAY_TASKS:
                raise Failed(f"the output of the {ARRAY_TASKS} tasks is not complete: {output}")
            step.detail = f"job {job}, {ARRAY_TASKS} tasks on {_nodes_of(found)}"

    def two_node_job(self):
        with self.steps.step("job on two nodes") as step:
            job = jobs.submit(self.login, TWO_NODE_JOB)
            found = jobs.wait_until_finished(self.login, job)
            _expect_success(found, 1)
            hosts = sorted(self.login.run(f"cat two_{job}.out").split())
            if len(set(hosts)) != 2:
                raise Failed(f"job {job} was to run on two nodes, and printed {hosts}")
            step.detail = f"job {job} on {' and '.join(hosts)}"

    def scale_during_a_job(self):
        """2 -> 4 with helm, 4 -> 2 with kubectl, while two jobs run, one of them on the newest worker; neither may be disturbed."""
        first = self.start_long_job("start a long job")
        with self.steps.step("scale 2 -> 4 with helm upgrade") as step:
            install.install_cluster(self.lab, NAMESPACE, CLUSTER, self.values, "--set", "slurmNodes.worker.size=4")
            self.cluster.wait_for_workers(4)
            step.detail = ", ".join(sorted(self.cluster.workers()))
        newest = max(self.cluster.workers())
        second = self.start_long_job(f"start a long job on {newest}", f"--nodelist={newest}")
        with self.steps.step("scale 4 -> 2 with kubectl patch") as step:
            self.cluster.set_workers(2)
            self.cluster.wait_for_workers(2)
            left = sorted(self.cluster.workers())
            lost = {first.node, second.node} - set(left)
            if lost:
                raise Failed(f"workers with a job were removed: {', '.join(sorted(lost))}; left: {left}")
            step.detail = f"{' and '.join(left)} are left: they run the jobs"
        with self.steps.step("the jobs were not disturbed") as step:
            step.detail = "; ".join(self.check_long_job(job) for job in (first, second))

    def start_long_job(self, name, *options):
        with self.steps.step(name) as step:
            number = jobs.submit(self.login, LONG_JOB, *options)
            job = LongJob(number, jobs.wait_until_running(self.login, number))
            step.detail = f"job {job.number} on {job.node}, {TICKS} s"
        return job

    def check_long_job(self, job):
        """A text about the job; Failed if it was disturbed."""
        found = jobs.wait_until_finished(self.login, job.number, timeout=TICKS + 60)
        _expect_success(found, 1)
        ticks = self.login.run(f"cat long_{job.number}.out").splitlines()
        if ticks != [f"tick {i} on {job.node}" for i in range(1, TICKS + 1)]:
            raise Failed(f"the output of job {job.number} is not complete: {ticks}")
        if jobs.restarts(self.login, job.number):
            raise Failed(f"job {job.number} was requeued")
        return f"job {job.number} ran {found[0].elapsed} on {job.node} and printed all {TICKS} lines"

    def show_accounting(self):
        with self.steps.step("accounting") as step:
            text = self.login.run(f"sacct --allocations --format={jobs.FIELDS}")
            step.detail = f"{text.count('COMPLETED')} records COMPLETED"
        self.steps.say(text)


def _digest(archives):
    """16 hexadecimal digits of the content of the files."""
    digest = hashlib.sha256()
    for path in archives:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _expect_success(found, count):
    bad = [one for one in found if one.state != "COMPLETED" or one.exit_code != "0:0"]
    if bad or len(found) != count:
        raise Failed(f"accounting has {len(found)} of {count} jobs; not successful: {bad}")


def _nodes_of(found):
    return ", ".join(sorted({one.node_list for one in found}))


def _key_folder(lab):
    """Beside the state of the dev cluster, so that it is removed with it."""
    folder = lab.bin.parent / "ssh"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


# --- exit -------------------------------------------------------------------------------------------------------


def _finish(lab, steps, keep, code):
    _on_signals(signal.SIG_IGN)
    print("\n" + "\n".join(steps.table()))
    if keep:
        print(_advice(lab))
    elif lab.down():
        steps.say("everything is removed; KEEP=1 leaves it running")
    print(f"\noperator demo: {'interrupted' if code == INTERRUPTED else steps.verdict()}", flush=True)


def _advice(lab):
    tool, demo = (os.path.relpath(TOP / path) for path in ("tools/devcluster/devcluster", "tools/demo-operator"))
    prefix = f"OPERATOR_DEMO_NAME={NAME} " if os.environ.get("OPERATOR_DEMO_NAME") else ""
    try:
        port, key = lab.login_port, _key_folder(lab) / "id_ed25519"
    except KeyError:  # it did not start
        port, key = 30022, "KEY"
    return f"""
The cluster keeps running. In a shell:

  # kubectl, helm and crictl of this cluster:
  eval "$({tool} env --name {NAME})"
  kubectl get slurmclusters -A
  kubectl get pods -n {NAMESPACE} -o wide

  # as a user of Slurm:
  ssh -i {key} -p {port} soperator@localhost

  # stop everything:
  {prefix}{demo} stop"""


def _make_signals_interrupt():
    def interrupt(*_):
        _on_signals(signal.SIG_IGN)  # only once; the cleanup must not be interrupted
        raise KeyboardInterrupt

    _on_signals(interrupt)


def _on_signals(handler):
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, handler)
