# SPDX-License-Identifier: Apache-2.0
"""A module sees the headers of the modules that it links, and no others (cmake/Modules.cmake).

Expects     SB_BUILD in the environment: a configured build tree, whose precompiled headers are built.
Guarantees  each check compiles one include with the compile command of a real source file of the module, so that it fails if
            the include paths of targets are widened.
"""

import json
import os
import shlex
import subprocess
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("SB_BUILD", TOP / "build/asan"))

# (a source file of the module, a header, whether the module links that header's module)
ROWS = (
    ("src/kube/cache/store.cpp", "kube/client/request.h", True),
    ("src/kube/cache/store.cpp", "net/async/loop.h", True),
    ("src/kube/cache/store.cpp", "slurm/api/ids.h", False),
    ("src/kube/cache/store.cpp", "kube/election/election.h", False),
    ("src/net/async/loop.cpp", "kube/api/pod.h", False),
    ("src/net/async/loop.cpp", "net/http/client.h", False),
    ("src/slurm/api/model.cpp", "slurm/mirror/mirror.h", False),
    ("src/bridge/state/job_end.cpp", "bridge/scheduling/decision.h", False),
    ("src/bridge/nodes/sync.cpp", "bridge/pods/sync.h", False),
    ("src/bridge/nodes/sync.cpp", "bridge/state/job_end.h", True),
    ("src/bridge/process/instance.cpp", "models/kube/server.h", False),
    ("src/models/slurm/hosts.cpp", "slurm/api/hostlist.h", False),
)


def compile_commands():
    entries = json.loads((BUILD / "compile_commands.json").read_text())
    return {os.path.relpath(entry["file"], TOP): entry for entry in entries}


def include_with(entry, header):
    """The compiler's exit code and messages for a file of that target with this include only."""
    words = shlex.split(entry["command"])
    words = words[next(i for i, word in enumerate(words) if "clang++" in Path(word).name):]
    for option in ("-o", "-MF", "-MT"):
        if option in words:
            at = words.index(option)
            del words[at:at + 2]
    at = words.index("-c")
    del words[at:at + 2]
    with tempfile.NamedTemporaryFile("w", suffix=".cpp") as source:
        source.write(f'#include "{header}"\n')
        source.flush()
        done = subprocess.run([*words, "-fsyntax-only", source.name], cwd=entry["directory"], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout


class Includes(unittest.TestCase):
    def test_a_header_of_a_module_that_is_not_linked_is_not_found(self):
        commands = compile_commands()
        for source, header, linked in ROWS:
            with self.subTest(source=source, header=header):
                code, output = include_with(commands[source], header)
                if linked:
                    self.assertEqual(code, 0, output)
                else:
                    self.assertNotEqual(code, 0, f"{source} can include {header}")
                    self.assertIn(f"'{header}' file not found", output)

    def test_no_target_has_the_whole_source_folder_in_its_path(self):
        for source, entry in compile_commands().items():
            self.assertNotIn(f"-I{TOP}/src ", entry["command"] + " ", source)


if __name__ == "__main__":
    unittest.main()
