# SPDX-License-Identifier: Apache-2.0
"""Output of a demo: one line per event with the seconds since the start, and a table of steps with their result at the end."""

import contextlib
import time
from dataclasses import dataclass


@dataclass
class Step:
    name: str
    seconds: float = 0.0
    good: bool = False
    detail: str = ""


class Steps:
    """The steps of one run, in order."""

    def __init__(self, clock=time.monotonic, out=print):
        self._clock, self._out, self._began = clock, out, clock()
        self.done = []

    def say(self, text):
        for line in text.splitlines() or [""]:
            self._out(f"{self._clock() - self._began:6.1f} s  {line}", flush=True)

    @contextlib.contextmanager
    def step(self, name):
        """A step is good if its block ends without an exception; the block may set `detail`."""
        step, began = Step(name), self._clock()
        self.done.append(step)
        try:
            yield step
            step.good = True
        finally:
            step.seconds = self._clock() - began
            if step.good:
                self.say(f"{name}: {step.detail}" if step.detail else name)

    @property
    def good(self):
        return bool(self.done) and all(step.good for step in self.done)

    def table(self):
        """One line per step."""
        width = max((len(step.name) for step in self.done), default=0)
        return [f"  {'ok  ' if step.good else 'FAIL'}  {step.name.ljust(width)}  {step.seconds:6.1f} s"
                f"{'  ' + step.detail if step.detail else ''}".rstrip() for step in self.done]

    def verdict(self):
        """The last line of the run."""
        total = self._clock() - self._began
        if self.good:
            return f"all {len(self.done)} steps succeeded in {total:.0f} s"
        bad = [step.name for step in self.done if not step.good]
        return f"failed after {total:.0f} s: {', '.join(bad) or 'nothing ran'}"
