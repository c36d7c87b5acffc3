# SPDX-License-Identifier: Apache-2.0
"""Finds tests, runs them and reports the results.

A test is a function of one argument, `here`, in a file tNNNN_*.py; its name is the statement that it proves. Files with
the same first two digits are a chapter. Of each chapter first the tests that may run in parallel are run, then those
marked @alone, which use the bridge and the cluster exclusively, each in the order of files and lines.
A file's function before_the_bridge(world), if it has one, is called before the bridge starts for the first time.
After the last test the audit log of each cluster of the run is checked (checks.py), also if only some tests were run.
"""

import importlib
import inspect
import itertools
import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from lib.here import TIMEOUT, Here
from lib.waiting import Abandoned, abandon, eventually

AT_ONCE = 8
FOLDER = Path(__file__).resolve().parents[1]


class Skip(Exception):
    """A test cannot run on this machine; str() is the reason."""


def alone(test):
    """Marks a test that kills or restarts processes which other tests need."""
    test.alone = True
    return test


@dataclass(frozen=True)
class Test:
    name: str
    run: object
    label: str  # of its pods

    @property
    def alone(self):
        return getattr(self.run, "alone", False)


def find(wanted, part=(1, 1)):
    """(tests, modules) in order; only those whose name contains one of `wanted`, if any is given. Part (2, 3) of them is
    every third chapter, beginning with the second, and the modules with IN_EVERY_PART."""
    tests, modules = [], []
    files = sorted(FOLDER.glob("t[0-9]*_*.py"))
    first, step = part
    chapters = sorted({_chapter(path.stem) for path in files})[first - 1::step]
    for path in files:
        module = importlib.import_module(path.stem)
        if _chapter(path.stem) not in chapters and not getattr(module, "IN_EVERY_PART", False):
            continue
        found = [Test(f"{path.stem}.{name}", function, f"{path.stem[:5]}-{number}")
                 for number, (name, function) in enumerate(_functions(module), 1)]
        found = [test for test in found if not wanted or any(word in test.name for word in wanted)]
        tests += found
        modules += [module] if found else []
    return tests, modules


def run_all(world, tests, modules):
    """Whether all tests passed."""
    try:
        world.begin(modules)
    except Exception as error:  # without a bridge there is nothing to test
        _say(f"not ok the_bridge_starts: {_first_line(error)}", world.bridge.log_tail())
        return False
    outcomes = []
    for group in _groups(tests):
        with ThreadPoolExecutor(AT_ONCE) as pool:
            running = [pool.submit(_run, world, test) for test in group]
            try:
                outcomes += [one.result() for one in running]
            except KeyboardInterrupt:
                abandon()
                for one in running:
                    one.cancel()
                raise
    return all(outcomes)


def check_audit_logs(world):
    """Whether the audit logs of this run pass all checks."""
    found = world.check_audit_logs()
    for verdict in found:
        _say(verdict.line, verdict.details)
    return all(verdict.held for verdict in found)


def _chapter(name):
    """t01 of t0150_pod_sync.name."""
    return name[:len("t01")]


def _functions(module):
    """The module's own public functions, in the order of its lines."""
    found = [(name, thing) for name, thing in vars(module).items()
             if inspect.isfunction(thing) and inspect.getmodule(thing) is module and not name.startswith("_")
             and name != "before_the_bridge"]
    return sorted(found, key=lambda item: inspect.getsourcelines(item[1])[1])


def _groups(tests):
    """Tests that may run in parallel are in one group."""
    for _, found in itertools.groupby(tests, key=lambda test: _chapter(test.name)):
        chapter = list(found)
        yield [test for test in chapter if not test.alone]
        yield from ([test] for test in chapter if test.alone)


def _run(world, test):
    here, began = Here(world, test), time.monotonic()
    try:
        world.assert_bridge_runs()
        test.run(here)
        assert not world.bridge.died, world.bridge.died
        world.assert_bridge_runs()
        here.tidy()
        if test.alone:
            eventually(lambda: not world.slurm.nodes_not_responding(), TIMEOUT,
                       lambda: f"Slurm reaches all nodes after the test; not {world.slurm.nodes_not_responding()}")
    except Skip as skip:
        _say(f"skipped {test.name}: {skip}")
        return True
    except Abandoned:
        return False
    except Exception as error:  # the other tests continue after any error
        _say(f"not ok {test.name}: {_first_line(error)} ({time.monotonic() - began:.1f} s)", _details(here, error))
        if test.alone:  # the next test needs what this one killed
            world.repair()
        here.sweep()
        return False
    _say(f"ok {test.name} ({time.monotonic() - began:.1f} s)")
    return True


def _first_line(error):
    if isinstance(error, AssertionError):
        return (str(error) or "an assertion without a message").splitlines()[0]
    return f"{type(error).__name__}: {error}".splitlines()[0]


def _details(here, error):
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).parent == FOLDER]
    lines = [f"{Path(frame.filename).name}:{frame.lineno}: {frame.line}" for frame in frames]
    if not isinstance(error, AssertionError):
        lines += traceback.format_exception(type(error), error, error.__traceback__)[-3:]
    lines += str(error).splitlines()[1:]
    if error.__context__ is not None:  # it may be the original error, and `error` only a consequence
        lines.append(f"while handling: {_first_line(error.__context__)}")
    try:
        lines += here.diagnosis(str(error))
    except Exception as trouble:  # the diagnosis must not hide the failure
        lines.append(f"(no further details: {trouble!r})")
    return [part for line in lines for part in line.splitlines()]


_speaking = threading.Lock()


def _say(line, details=()):
    with _speaking:
        print("\n".join([line, *(f"    {detail[:400]}" for detail in details)]), flush=True)
