# SPDX-License-Identifier: Apache-2.0
"""tools/hooks/pre-commit, in a temporary repository."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
HEAD = "// SPDX-License-Identifier: Apache-2.0\n"
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | {
    "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}


@unittest.skipUnless(shutil.which("clang-format-19"), "needs clang-format-19")
class PreCommit(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = Path(folder.name)
        shutil.copy(TOP / ".clang-format", self.tree)
        subprocess.run(["git", "init", "--quiet", self.tree], env=ENVIRONMENT, check=True)

    def hook(self, **files):
        for name, text in files.items():
            path = self.tree / name.replace("__", ".")
            path.write_text(text, encoding="utf-8")
            subprocess.run(["git", "-C", self.tree, "add", path], env=ENVIRONMENT, check=True)
        return subprocess.run([TOP / "tools/hooks/pre-commit"], cwd=self.tree, env=ENVIRONMENT, capture_output=True, text=True,
                              check=False)

    def test_accepts_clean_files(self):
        done = self.hook(a__cpp=HEAD + "int a = 1;\n", b__py="# SPDX-License-Identifier: Apache-2.0\nb = 1\n", c__md="text\n")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_names_a_file_that_is_not_formatted(self):
        done = self.hook(a__cpp=HEAD + "int  a=1 ;\n")
        self.assertEqual(done.returncode, 1)
        self.assertIn("a.cpp is not formatted", done.stderr)

    def test_checks_the_staged_content(self):
        self.assertEqual(self.hook(a__cpp=HEAD + "int a = 1;\n").returncode, 0)
        (self.tree / "a.cpp").write_text("int  a=1 ;", encoding="utf-8")
        self.assertEqual(self.hook().returncode, 0)

    def test_requires_the_licence_and_no_trailing_white_space(self):
        self.assertIn("SPDX", self.hook(a__cpp="int a = 1;\n").stderr)
        self.assertIn("white space", self.hook(c__md="text \n").stderr)

    def test_refuses_invalid_python(self):
        self.assertIn("not valid Python", self.hook(b__py="# SPDX-License-Identifier: Apache-2.0\nb = (\n").stderr)


if __name__ == "__main__":
    unittest.main()
