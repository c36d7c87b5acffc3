# SPDX-License-Identifier: Apache-2.0
"""Builds image archives; see tools/images/build. Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not available on this machine."""

import argparse
import functools
import sys
from pathlib import Path

import images
import operator_layer
import package_layers
import progress
import recipes
import system_layer
from cluster import cache_root
from debian import NotAvailable

FAILED, NOT_AVAILABLE = 1, 3
ENVIRONMENT = (images.DEFAULT_PATH, "LANG=C.UTF-8")


def main(arguments=None):
    options = _parser().parse_args(arguments)
    try:
        for archive in build(options.name or recipes.RECIPES, options.out, options.operator):
            print(archive)
        return 0
    except NotAvailable as error:
        return _complain(error, NOT_AVAILABLE)
    except (operator_layer.UnusableProgram, OSError) as error:
        return _complain(error, FAILED)


def build(names, folder, program):
    """Write the archives of these images and return their paths. Archives that exist are replaced as a whole."""
    parts = Parts(program)
    folder.mkdir(parents=True, exist_ok=True)
    return [_write(folder / f"{name}.tar", recipes.RECIPES[name], parts) for name in names]


class Parts:
    """The layers, each made at most once, and only if an image needs it."""

    def __init__(self, program):
        self._program = program

    @functools.cached_property
    def packages(self):
        return package_layers.fetch(cache_root(), recipes.packages())

    @functools.cached_property
    def system(self):
        return system_layer.layer()

    def operator(self, below):
        return operator_layer.layer(self._program, below)


def _write(archive, recipe, parts):
    packages = [parts.packages[name] for name in recipe.layers]
    layers = [*(package.layer for package in packages), parts.system]
    if recipe.operator:
        layers.append(parts.operator(frozenset().union(*(package.libraries for package in packages))))
    images.write_archive(archive, images.Image(recipe.reference, tuple(layers), entrypoint=recipe.entrypoint,
                                               environment=ENVIRONMENT, user=recipe.user))
    progress.say(f"{recipe.reference} is packed: {archive.stat().st_size // 1000000} MB")
    return archive


def _parser():
    parser = argparse.ArgumentParser(prog="build", description="Build image archives without a container engine.")
    parser.add_argument("--out", type=Path, default=recipes.TOP / "build/images", metavar="DIR",
                        help="folder of the archives (build/images)")
    parser.add_argument("--operator", type=Path, default=recipes.TOP / "build/release/bin/slurm-operator", metavar="PROGRAM",
                        help="the operator's program (that of the release build)")
    parser.add_argument("name", nargs="*", metavar="NAME", type=_image_name,
                        help=f"which images: {', '.join(recipes.RECIPES)} (all)")
    return parser


def _image_name(text):
    if text not in recipes.RECIPES:
        raise argparse.ArgumentTypeError(f"there is no image {text!r}; there are: {', '.join(recipes.RECIPES)}")
    return text


def _complain(what, code):
    print(f"build: {what}", file=sys.stderr)
    return code
