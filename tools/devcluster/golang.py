# SPDX-License-Identifier: Apache-2.0
"""A recent Go compiler, and builds with visible progress.

Expects     that the `go` command, as configured on the machine, reaches a Go module proxy.
Guarantees  the host's Go is used if it is new enough, else Debian's, unpacked into the cache; never another one
            that `go` would download by itself.
"""

import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

import debian
import progress

NEEDED = (1, 26)
DEBIAN_PACKAGE = "golang-1.26-go"


class BuildFailed(Exception):
    """What did not build, with the compiler's last lines."""


_running = set()


def stop_builds():
    """Stop running compilers: the command that started them is over."""
    for build in list(_running):
        build.send_signal(signal.SIGINT)
        build.wait()


class Go:
    """One Go installation; find() gets it."""

    def __init__(self, command, root=None):
        self.command = str(command)
        # CGO off: no C compiler is needed, and the binaries do not depend on the host's C library.
        self.environment = {**os.environ, "GOTOOLCHAIN": "local", "CGO_ENABLED": "0", "GOFLAGS": "", "GOWORK": "off"}
        if root is not None:
            self.environment["GOROOT"] = str(root)

    def output(self, folder, *arguments):
        done = subprocess.run([self.command, *arguments], cwd=folder, env=self.environment, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if done.returncode != 0:
            raise BuildFailed(f"go {' '.join(arguments[:2])} failed:\n{_tail(done.stderr)}")
        return done.stdout

    def build(self, folder, package, binary, what, ldflags="-s -w"):
        """Compile one main package of the module in folder into the file `binary`."""
        meter = progress.Meter(what)
        total = len(self.output(folder, "list", "-deps", package).splitlines())
        command = [self.command, "build", "-v", "-trimpath", "-ldflags", ldflags, "-o", str(binary), package]
        lines = []
        with subprocess.Popen(command, cwd=folder, env=self.environment, text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as build:
            _running.add(build)
            for line in build.stderr:  # -v: one line per compiled package; cached ones are not named
                lines.append(line)
                meter.at(len(lines), total)
        _running.discard(build)
        if build.returncode != 0:
            raise BuildFailed(f"{what} failed:\n{_tail(''.join(lines))}")


def find(cache):
    """The host's Go if it is new enough, else one that Debian has, from the cache."""
    own = shutil.which("go") or _usual_place()
    if own and _version_of(own) >= NEEDED:
        return Go(own)
    progress.say(f"this machine has no Go {'.'.join(map(str, NEEDED))} or newer: unpacking Debian's into the cache")
    folder = debian.unpack([DEBIAN_PACKAGE], cache / DEBIAN_PACKAGE)
    root = folder / "usr/lib" / DEBIAN_PACKAGE.replace("golang", "go").removesuffix("-go")
    return Go(root / "bin/go", root)


def _usual_place():
    """The path that Go's own installer uses; only login shells add it to PATH."""
    usual = Path("/usr/local/go/bin/go")
    return str(usual) if usual.is_file() else None


def _version_of(command):
    done = subprocess.run([command, "env", "GOVERSION"], text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, env={**os.environ, "GOTOOLCHAIN": "local"})
    found = re.match(r"go(\d+)\.(\d+)", done.stdout)
    return (int(found.group(1)), int(found.group(2))) if found else (0, 0)


def _tail(text, lines=15):
    return "\n".join("  | " + line for line in text.splitlines()[-lines:])
