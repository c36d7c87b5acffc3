# SPDX-License-Identifier: Apache-2.0
"""The layer above the packages, the same in all images: users, name services, and folders with their modes.

Guarantees  equal lists give an equal layer. Everything belongs to root: a pod's start command creates the folders that a
            daemon owns.
"""

import tempfile
from pathlib import Path

import images
import recipes

NO_SHELL = "/bin/false"
FOLDERS = {"root": 0o700, "tmp": 0o1777, "var/tmp": 0o1777, "home": 0o755, "run": 0o755, "etc/slurm": 0o755,
           "var/lib/extrausers": 0o755, "var/spool": 0o755}


def layer():
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for path, mode in FOLDERS.items():
            _folder(root, path, mode)
        for path, (text, mode) in files(recipes.users(), (recipes.LISTS / "nsswitch.conf").read_text()).items():
            (root / path).write_text(text)
            (root / path).chmod(mode)
        return images.layer_of_folder(root)


def files(users, nsswitch):
    """{path: (text, mode)}"""
    accounts = [("root", 0, "/root", "/bin/bash"), *((user.name, user.number, user.home, NO_SHELL) for user in users),
                ("nobody", 65534, "/nonexistent", NO_SHELL)]
    # `*`: no password is valid, but a key is. `tty`: sshd gives terminals to this group.
    groups = [("tty", 5), ("nogroup", 65534), *((name, number) for name, number, *_ in accounts if name != "nobody")]
    return {
        "etc/passwd": ("".join(f"{name}:x:{number}:{number}::{home}:{shell}\n" for name, number, home, shell in accounts), 0o644),
        "etc/group": ("".join(f"{name}:x:{number}:\n" for name, number in sorted(groups, key=lambda one: one[1])), 0o644),
        "etc/shadow": ("".join(f"{name}:*:19000::::::\n" for name, *_ in accounts), 0o640),
        "etc/shells": ("/bin/sh\n/bin/bash\n", 0o644),
        "etc/nsswitch.conf": (nsswitch, 0o644),
    }


def _folder(root, path, mode):
    for parent in (*reversed(Path(path).parents), Path(path)):
        (root / parent).mkdir(exist_ok=True)
        (root / parent).chmod(0o755)  # independent of the umask
    (root / path).chmod(mode)
