# SPDX-License-Identifier: Apache-2.0
"""Verification of the models: a history (tests/sim/histories) has the same result on the models and on the real servers.

One test per file; histories that disturb other tests run alone.
"""

from pathlib import Path

from lib.cluster import TOP
from lib.history import Stage, must_be_alone
from lib.runner import alone

HISTORIES = sorted(Path(TOP / "tests/sim/histories").glob("*.history"))


def _test_of(path):
    text = path.read_text()

    def test(here):
        stage = Stage(here)
        try:
            difference = stage.play(text)
            assert not difference, f"models and real servers differ, {difference[0]}\n" + \
                "\n".join(difference[1:])
        finally:
            stage.undo()

    return alone(test) if must_be_alone(text) else test


globals().update({f"the_models_tell_the_truth_of_{path.stem}": _test_of(path) for path in HISTORIES})
