# SPDX-License-Identifier: Apache-2.0
"""A user at the login node: ssh with a key of the demo, scp, and a terminal.

Guarantees  the user's own ssh configuration, agent and known hosts are neither read nor changed.
"""

import fcntl
import os
import select
import shlex
import shutil
import subprocess
import termios
import time
from pathlib import Path

from lab import NOT_AVAILABLE, Failed, wait_until

OPTIONS = ("-F", "/dev/null", "-o", "BatchMode=yes", "-o", "StrictHostKeyChecking=accept-new", "-o", "ConnectTimeout=10",
           "-o", "IdentitiesOnly=yes", "-o", "IdentityAgent=none", "-o", "LogLevel=ERROR")


# Seconds without output after which a program is thought to wait for input; longer before its first output.
SILENCE, FIRST_SILENCE = 1, 5


def make_key(folder):
    """(private key file, public key line), created once in the folder."""
    if not shutil.which("ssh") or not shutil.which("ssh-keygen"):
        raise Failed("ssh is not installed; install it with: apt-get install openssh-client", NOT_AVAILABLE)
    path = Path(folder) / "id_ed25519"
    if not path.exists():
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "demo", "-f", path], check=True, stdin=subprocess.DEVNULL)
    return path, path.with_suffix(".pub").read_text().strip()


class Login:
    """One user of one cluster. A cluster that was created again has other host keys."""

    def __init__(self, key, port=30022, user="soperator", cluster="any", host="127.0.0.1"):
        self.key, self.port, self.user, self.host = Path(key), port, user, host
        self.known_hosts = self.key.parent / f"known_hosts.{cluster}"

    def forget_host(self):
        """Accept the host key of the next connection."""
        self.known_hosts.unlink(missing_ok=True)

    @property
    def options(self):
        """For ssh and scp, without the port."""
        return ["-i", str(self.key), "-o", f"UserKnownHostsFile={self.known_hosts}", *OPTIONS]

    def argv(self, command="", terminal=False):
        return ["ssh", *self.options, *(["-tt"] if terminal else []), "-p", str(self.port), f"{self.user}@{self.host}",
                *([command] if command else [])]

    def try_run(self, command, stdin=None, timeout=60):
        """subprocess.CompletedProcess of a command line of the remote shell; output and errors are in stdout."""
        given = {"input": stdin} if stdin is not None else {"stdin": subprocess.DEVNULL}
        try:
            return subprocess.run(self.argv(command), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                                  timeout=timeout, **given)
        except subprocess.TimeoutExpired as error:
            return subprocess.CompletedProcess(error.cmd, 124, f"no result within {timeout} s")

    def run(self, command, stdin=None, timeout=60):
        """Its output."""
        done = self.try_run(command, stdin, timeout)
        if done.returncode != 0:
            raise Failed(f"{self.user}@login: {command}: exit code {done.returncode}: {done.stdout.strip()}")
        return done.stdout

    def wait(self, timeout=60):
        """Until the user can log in."""
        wait_until(lambda: self.try_run("true", timeout=15).returncode == 0, timeout,
                   lambda: f"{self.user} can log in on port {self.port}: {self.try_run('true', timeout=15).stdout.strip()}", poll=1)

    def write(self, path, text):
        self.run(f"cat > {shlex.quote(path)}", stdin=text)

    def copy_from(self, remote, local, timeout=60):
        """scp; the completed process."""
        return subprocess.run(["scp", *self.options, "-P", str(self.port), f"{self.user}@{self.host}:{remote}", str(local)],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=timeout)

    def type(self, command, lines, timeout=60):
        """Run a command with a terminal and type these lines."""
        return type_lines(self.argv(command, terminal=True), lines, timeout)


def _own_the_terminal():
    """In the child: the terminal of its input is the one that it controls, so that shells have job control."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def type_lines(argv, lines, timeout=60, env=None, folder=None):
    """(exit code, output) of a program on a terminal of its own, in which the lines are typed one after the other. The next line
    is typed when the program has been silent for a moment, so that it has read the previous one."""
    primary, secondary = os.openpty()
    child = subprocess.Popen(list(map(str, argv)), stdin=secondary, stdout=secondary, stderr=secondary, env=env, cwd=folder,
                             preexec_fn=_own_the_terminal, start_new_session=True)
    os.close(secondary)
    output, waiting, deadline = b"", list(lines), time.monotonic() + timeout
    silent_since = time.monotonic()
    try:
        while time.monotonic() < deadline:
            ready, _, _ = select.select([primary], [], [], 0.2)
            if ready:
                try:
                    piece = os.read(primary, 65536)
                except OSError:  # the program has closed its terminal
                    break
                if not piece:
                    break
                output += piece
                silent_since = time.monotonic()
            elif waiting and time.monotonic() - silent_since > (SILENCE if output else FIRST_SILENCE):
                os.write(primary, waiting.pop(0).encode() + b"\n")
                silent_since = time.monotonic()
        child.wait(max(0.1, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
        return 124, output.decode(errors="replace") + f"\n(no end within {timeout} s)"
    finally:
        os.close(primary)
    return child.returncode, output.decode(errors="replace")
