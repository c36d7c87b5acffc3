# SPDX-License-Identifier: Apache-2.0
"""The layer with the operator's program and the shared libraries that the layers below do not have.

Expects     a program that was linked on this machine; the C library and all other libraries of the layers below are as new
            as those of this machine.
Guarantees  every library that the program needs is in the layers below or in this one, in a folder that the dynamic linker
            searches by default: the program needs no search path of its own.
"""

import os
import re
import subprocess

import images

PROGRAM = "usr/bin/slurm-operator"
LINKS = {"usr/bin/slurm_operator": "slurm-operator"}  # soperator's name of its manager


class UnusableProgram(Exception):
    """The program does not exist, or a library of it does not."""


def layer(program, below):
    """below: names of the libraries in the layers below."""
    libraries = {f"usr/lib/{triplet()}/{name}": path for name, path in shared_libraries(program).items() if name not in below}
    return images.layer_of_files({PROGRAM: program, **libraries}, LINKS)


def shared_libraries(program):
    """{name: file on this machine} of all libraries that the program needs, directly or not."""
    if not program.is_file():
        raise UnusableProgram(f"{program} does not exist; build it with: tools/build release {program.name}")
    done = subprocess.run(["ldd", program], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True)
    if done.returncode != 0:
        raise UnusableProgram(f"{program} is not a program of this machine: {done.stdout.strip()}")
    return parse_ldd(done.stdout)


def parse_ldd(text):
    missing = re.findall(r"(?m)^\s*(\S+) => not found", text)
    if missing:
        raise UnusableProgram(f"libraries are missing on this machine: {', '.join(missing)}")
    return dict(re.findall(r"(?m)^\s*(\S+) => (/\S+) \(0x", text))


def triplet():
    """Name of the folder with libraries of this machine's architecture."""
    return f"{os.uname().machine}-linux-gnu"
