# SPDX-License-Identifier: Apache-2.0
"""What each image consists of. The lists are in deploy/docker, where the Dockerfile reads them too. No I/O but reading them."""

from dataclasses import dataclass
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
LISTS = TOP / "deploy/docker"
SLURM_VERSION = "26.05"
NONROOT = "65532:65532"


@dataclass(frozen=True)
class Recipe:
    """layers: package layers, lowest first. operator: whether the image has the operator's program as its last layer."""
    reference: str
    layers: tuple
    operator: bool = False
    entrypoint: tuple = ()
    user: str = ""


RECIPES = {
    "slurm": Recipe(f"localhost/slurm:{SLURM_VERSION}", ("base", "slurm"), operator=True),
    "slurm-db": Recipe(f"localhost/slurm-db:{SLURM_VERSION}", ("base", "slurm", "database")),
    "slurm-operator": Recipe("localhost/slurm-operator:dev", ("base",), operator=True,
                             entrypoint=("/usr/bin/slurm-operator",), user=NONROOT),
}


@dataclass(frozen=True)
class User:
    """number: uid and gid."""
    name: str
    number: int
    home: str


def packages(text=None):
    """{layer: packages}, lowest layer first."""
    lines = (line.split(":") for line in _lines("packages", text))
    return {layer: tuple(names.split()) for layer, names in lines}


def users(text=None):
    """System users besides root and nobody."""
    return [User(name, int(number), home) for name, number, home in map(str.split, _lines("users", text))]


def _lines(name, text):
    text = (LISTS / name).read_text() if text is None else text
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
