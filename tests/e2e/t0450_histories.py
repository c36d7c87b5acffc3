# SPDX-License-Identifier: Apache-2.0
"""The models tell the truth: what the simulation shows of a written history (tests/sim/histories), the real parts show.

A test for each of the files; those that disturb others run alone.
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
            assert not difference, f"the models show something else than the real parts, {difference[0]}\n" + \
                "\n".join(difference[1:])
        finally:
            stage.undo()

    return alone(test) if must_be_alone(text) else test


globals().update({f"the_models_tell_the_truth_of_{path.stem}": _test_of(path) for path in HISTORIES})
