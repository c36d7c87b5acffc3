# SPDX-License-Identifier: Apache-2.0
"""The accounting database: created once with all accounts and kept in the cache; a cluster starts with a copy.

Measured    creating it takes about 4 s, copying it 0.1 s.
"""

import hashlib
import shutil
import socket
import subprocess
from types import SimpleNamespace

import debian
import process
import progress
import slurm_daemons
import slurm_files
from slurm_accounts import commands
from slurm_root import USERS, inside, make_home


def fetch(cache, root):
    """The template in the cache, created if it does not exist."""
    key = hashlib.sha256(repr((root.name, slurm_daemons.MARIADB, commands())).encode()).hexdigest()[:12]
    return debian.made_once(cache / f"slurm-accounting-{key}", lambda folder: _make(folder, root))


def copy(template, cluster):
    """Give the cluster its database, unless it has one from an earlier start."""
    destination = slurm_daemons.home(cluster) / "var/mysql"
    if not destination.is_dir():
        draft = destination.with_name("mysql.draft")
        shutil.rmtree(draft, ignore_errors=True)
        subprocess.run(["cp", "-a", "--reflink=auto", template / "mysql", draft], check=True)
        draft.rename(destination)


def _make(folder, root):
    progress.say("creating Slurm's accounting database")
    scratch = SimpleNamespace(folder=folder / "scratch", logs=folder / "scratch", run=folder / "scratch",
                              port=_remembered(_free_port), options={"slurmd": 0}, node_names=["k001"])
    scratch.folder.mkdir()
    home = slurm_daemons.home(scratch)
    make_home(home, root)
    slurm_files.write_configuration(scratch)
    try:
        _create_system_tables(home, root)
        slurm_daemons.start(scratch, "mariadbd")
        slurm_daemons.start(scratch, "slurmdbd")
        for command in commands():
            _run(home, "root", ["sacctmgr", "-i", "-Q", *command])
        for component in ("slurmdbd", "mariadbd"):
            process.stop(scratch, component, grace=30)
    finally:
        process.kill_strays(scratch)
    (home / "var/mysql").rename(folder / "mysql")
    shutil.rmtree(scratch.folder)


def _create_system_tables(home, root):
    data = home / "var/mysql"
    data.mkdir()
    shutil.chown(data, USERS["mysql"], USERS["mysql"])
    scripts = [(root / "usr/share/mariadb" / f"mariadb_{name}.sql").read_text()
               for name in ("system_tables", "performance_tables", "system_tables_data")]
    text = "\n".join(["create database mysql;", "use mysql;", *scripts, "flush privileges;",
                      "create user slurm@localhost identified via unix_socket;",
                      "grant all on *.* to slurm@localhost;", ""])
    # These lines would add a second root for the host name, which is not known at this point.
    text = "".join(line for line in text.splitlines(True) if "@current_hostname" not in line)
    _run(home, "mysql", [*slurm_daemons.MARIADB, "--bootstrap"], text)


def _run(home, user, command, text=""):
    done = subprocess.run(inside(home, user, *command), input=text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True)
    if done.returncode != 0:
        raise process.ComponentFailed("slurmdbd", f"`{' '.join(command)}` failed", done.stdout.splitlines()[-15:])


def _free_port(_name):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _remembered(function):
    known = {}
    return lambda name: known.setdefault(name, known.get(name) or function(name))
