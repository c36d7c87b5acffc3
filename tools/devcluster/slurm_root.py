# SPDX-License-Identifier: Apache-2.0
"""The unpacked root folder that all clusters share, and how to run commands in it.

Guarantees  a command runs in its own mount and host name namespace: nothing is mounted on the host, and the mounts
            end with the process; the root is read-only inside, changes are written to the cluster's own home.
"""

import hashlib
import os
import shlex
import shutil

import debian
from slurm_config import HOST

SUITES = ("forky", "trixie")
PACKAGES = ("slurmctld", "slurmrestd", "slurmd", "slurmdbd", "slurm-client", "slurm-wlm-jwt-plugin",
            "slurm-wlm-mysql-plugin", "mariadb-server-core", "libmariadb3", "bash", "dash", "coreutils", "hostname")
# With forky's own libmariadb3 (11.8.9) every query of slurmdbd fails: "5027 Number of columns in result".
PINS = {"libmariadb3 mariadb-*": "trixie"}

# Users of the root; they do not exist on the host.
USERS = {"root": 0, "slurm": 64030, "slurmrest": 64031, "mysql": 64033, "alice": 2001, "bob": 2002, "carol": 2003,
         "nobody": 65534}
ETC = {
    "passwd": "".join(f"{name}:x:{number}:{number}::/tmp:/bin/bash\n" for name, number in USERS.items()),
    "group": "".join(f"{name}:x:{number}:\n" for name, number in USERS.items()),
    "hosts": f"127.0.0.1 localhost {HOST}\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}
HOME = "cluster"  # mount point of the cluster's home
LINKS = {"etc/slurm": "etc", "var/lib/slurm": "var", "tmp": "tmp"}  # path in the root: folder of the home

COMMANDS = ("squeue", "sinfo", "scontrol", "scancel", "sacct", "sacctmgr", "sbatch", "srun", "salloc")

ENTER = """#!/bin/sh
# enter USER COMMAND [ARGUMENT...]: run a command inside this cluster's Slurm root.
set -eu
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
[ "$1" = --inside ] || exec unshare --mount --uts --propagation private "$0" --inside "$@"
user=$2
shift 2
root={root}
echo {host} > /proc/sys/kernel/hostname
mount -o bind,ro "$root" "$root"
mount --bind {home} "$root/{inner}"
mount --bind {home}/run "$root/run" # not a link like the others: the daemons require a folder
mount --bind /proc "$root/proc"
mount --rbind /dev "$root/dev"
exec chroot --userspec="$user" --groups= "$root" "$@"
"""

WRAPPER = """#!/bin/sh
# {command} of this dev cluster, as root or, with SLURM_AS=alice, as another of its users. It sees the cluster's files,
# not this machine's: give sbatch its script on stdin; what jobs write is in {tmp}
exec env -i TERM="${{TERM:-dumb}}" LANG=C.UTF-8 HOME=/tmp {enter} "${{SLURM_AS:-root}}" env -C /tmp {command} "$@"
"""


def fetch(cache):
    """The root in the cache; unpacked if it does not exist. Its name changes with its content."""
    key = hashlib.sha256(repr((SUITES, PACKAGES, PINS, ETC, LINKS)).encode()).hexdigest()[:12]
    return debian.unpack(PACKAGES, cache / f"slurm-{SUITES[0]}-{key}", SUITES, PINS, _finish)


def make_home(home, root):
    """The folders of one cluster below home, each with the owner that Slurm requires, and the script `enter`."""
    for path, owner in ((".", "root"), ("etc", "root"), ("var", "root"), ("run", "root"), ("tmp", "root"),
                        ("var/slurmctld", "slurm"), ("run/slurmctld", "slurm"), ("run/slurmdbd", "slurm"),
                        ("run/slurm", "root"), ("run/mysqld", "mysql")):
        folder = home / path
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o1777 if path == "tmp" else 0o755)  # independent of the umask
        os.chown(folder, USERS[owner], USERS[owner])
    text = ENTER.format(root=shlex.quote(str(root)), home=shlex.quote(str(home)), host=HOST, inner=HOME)
    _script(home / "enter", text)


def write_wrappers(home, folder):
    """Wrappers of the user commands, to be called from the host."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for command in COMMANDS:
        text = WRAPPER.format(enter=shlex.quote(str(home / "enter")), tmp=home / "tmp", command=command)
        _script(folder / command, text)


def inside(home, user, *command):
    """The argv that runs a command in the root; the process is replaced by the command."""
    return [str(home / "enter"), user, *map(str, command)]


def _finish(root):
    for name, text in ETC.items():
        (root / "etc" / name).write_text(text)
        (root / "etc" / name).chmod(0o644)
    for path, target in LINKS.items():
        shutil.rmtree(root / path, ignore_errors=True)
        (root / path).symlink_to(f"/{HOME}/{target}")
    for path in (HOME, "run", "proc", "dev"):
        (root / path).mkdir(exist_ok=True)


def _script(path, text):
    draft = path.with_name(f".{path.name}.draft")
    draft.write_text(text)
    draft.chmod(0o700)
    draft.replace(path)
