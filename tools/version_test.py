# SPDX-License-Identifier: Apache-2.0
"""Which version `slurm-bridge version` is built with (cmake/WriteVersion.cmake)."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[1] / "cmake/WriteVersion.cmake"
# Without the caller's settings: neither the git configuration nor, in a hook, the tree that is being committed.
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | {
    "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b",
    "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"}


class Version(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = Path(folder.name, "tree")
        self.tree.mkdir()
        self.template = Path(folder.name, "version.in")
        self.template.write_text("@VERSION@", encoding="utf-8")
        self.output = Path(folder.name, "version.out")

    def git(self, *words):
        done = subprocess.run(["git", "-C", self.tree, *words], env=ENVIRONMENT, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def commit(self, text):
        if not (self.tree / ".git").exists():
            self.git("init", "--quiet")
        (self.tree / "file").write_text(text, encoding="utf-8")
        self.git("add", "file")
        self.git("commit", "--quiet", "--message", text)

    def version(self, tree=None):
        subprocess.run(["cmake", "-D", f"SOURCE={tree or self.tree}", "-D", "FALLBACK=0.1.0", "-D", f"TEMPLATE={self.template}",
                        "-D", f"OUTPUT={self.output}", "-P", SCRIPT], env=ENVIRONMENT, check=True, capture_output=True)
        return self.output.read_text(encoding="utf-8").strip()

    def test_is_the_tag(self):
        self.commit("one")
        self.git("tag", "v1.2.3")
        self.assertEqual(self.version(), "1.2.3")

    def test_names_the_commit_after_the_tag(self):
        self.commit("one")
        self.git("tag", "--annotate", "v1.2.3", "--message", "release")
        self.commit("two")
        self.assertEqual(self.version(), f"1.2.3-1-g{self.git('rev-parse', '--short', 'HEAD')}")

    def test_marks_uncommitted_changes(self):
        self.commit("one")
        self.git("tag", "v1.2.3")
        (self.tree / "file").write_text("changed", encoding="utf-8")
        self.assertEqual(self.version(), "1.2.3-dirty")

    def test_is_the_project_version_and_the_commit_if_no_tag_is_a_version(self):
        self.commit("one")
        self.git("tag", "nightly")
        self.assertEqual(self.version(), f"0.1.0-dev-g{self.git('rev-parse', '--short', 'HEAD')}")

    def test_is_the_project_version_outside_of_git(self):
        self.assertEqual(self.version(), "0.1.0")

    def test_ignores_a_git_tree_that_contains_the_sources(self):
        self.commit("one")
        self.git("tag", "v9.9.9")
        inside = self.tree / "vendor/slurm-bridge"
        inside.mkdir(parents=True)
        self.assertEqual(self.version(inside), "0.1.0")

    def test_does_not_rewrite_the_file_if_the_version_is_unchanged(self):
        self.version()
        os.utime(self.output, (1, 1))
        self.version()
        self.assertEqual(self.output.stat().st_mtime, 1)


if __name__ == "__main__":
    unittest.main()
