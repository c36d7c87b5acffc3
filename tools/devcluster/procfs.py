# SPDX-License-Identifier: Apache-2.0
"""Process information from /proc.

Does not    cache anything, or fail if a process ends while it is read.
"""

import os
from pathlib import Path


class Stat:
    """The fields of /proc/PID/stat that identify a process, also against a later one with the same pid."""

    def __init__(self, text):
        fields = text[text.rindex(")") + 2:].split()  # the name before it may contain spaces and parentheses
        self.state, self.parent, self.session, self.started = fields[0], int(fields[1]), int(fields[3]), int(fields[19])

    @property
    def is_dead(self):
        return self.state in "ZX"


def stat(process_id):
    """Stat of a process, or None if it does not exist."""
    try:
        return Stat(Path(f"/proc/{process_id}/stat").read_text())
    except (FileNotFoundError, ProcessLookupError):
        return None


def living():
    """Ids of all running processes."""
    return [number for number, _ in _living_with_stat()]


def session_members(session):
    """Ids of the running processes of a session, including its leader."""
    return [number for number, found in _living_with_stat() if found.session == session]


def environment(process_id):
    """The process's initial environment as a set of b"NAME=value"; empty if it cannot be read."""
    try:
        return set(Path(f"/proc/{process_id}/environ").read_bytes().split(b"\0"))
    except OSError:
        return set()


def resident_pages(process_id):
    try:
        return int(Path(f"/proc/{process_id}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0


def boot_id():
    """Start times are relative to the boot: compare them only together with this id."""
    return Path("/proc/sys/kernel/random/boot_id").read_text().strip()


def mounts_under(folder):
    """Mount points at or below a folder, deepest first."""
    prefix = str(folder).rstrip("/")
    points = [line.split()[1].replace("\\040", " ") for line in Path("/proc/self/mounts").read_text().splitlines()]
    return sorted((point for point in points if point == prefix or point.startswith(prefix + "/")), reverse=True)


def namespace(process_id, kind):
    """Identity of a process's namespace ("net", "mnt", "pid", ...), or None if the process does not exist."""
    try:
        return os.readlink(f"/proc/{process_id}/ns/{kind}")
    except OSError:
        return None


def children(process_id):
    """Ids of the running child processes of a process."""
    return [number for number, found in _living_with_stat() if found.parent == process_id]


def command_name(process_id):
    """The name of the program that a process runs, or None."""
    try:
        return Path(f"/proc/{process_id}/comm").read_text().strip()
    except OSError:
        return None


def _living_with_stat():
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            found = stat(int(entry))
            if found is not None and not found.is_dead:
                yield int(entry), found
