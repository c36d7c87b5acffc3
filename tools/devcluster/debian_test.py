# SPDX-License-Identifier: Apache-2.0
"""The choice of a mirror, and that a folder is complete or absent."""

import tempfile
import unittest
from pathlib import Path

import debian

DEB822 = """Types: deb
# a comment between the fields
URIs: http://mirror.example/debian
Suites: bookworm bookworm-updates
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb deb-src
URIs: http://mirror.example/debian-security
Suites: bookworm-security
Components: main contrib

Types: deb
Enabled: no
URIs: http://disabled.example/debian
Suites: bookworm
Components: main
"""

ONE_LINE = """# deb http://commented.example/debian bookworm main
deb [arch=amd64 signed-by=/x.gpg] https://vendor.example/debian/12/prod bookworm main
deb http://mirror.example/debian/ bookworm main contrib
deb-src http://source.example/debian bookworm main
deb https://other.example/linux bookworm stable
"""


class MirrorTest(unittest.TestCase):
    def test_a_deb822_file_gives_its_enabled_binary_sources(self):
        self.assertEqual(debian.parse_deb822(DEB822), [
            ("http://mirror.example/debian", {"bookworm", "bookworm-updates"}),
            ("http://mirror.example/debian-security", {"bookworm-security"})])

    def test_a_one_line_file_gives_its_binary_sources_with_main(self):
        self.assertEqual(debian.parse_one_line(ONE_LINE), [
            ("https://vendor.example/debian/12/prod", {"bookworm"}),
            ("http://mirror.example/debian/", {"bookworm"})])

    def test_debians_own_mirror_is_chosen_before_a_vendors(self):
        self.assertEqual(debian.choose_mirror(debian.parse_one_line(ONE_LINE), {"bookworm"}),
                         "http://mirror.example/debian/")

    def test_without_a_known_mirror_another_one_is_used(self):
        self.assertEqual(debian.choose_mirror([("mirror+file:/etc/apt/mirrors/list", {"bookworm"})], {"bookworm"}),
                         "mirror+file:/etc/apt/mirrors/list")
        self.assertIsNone(debian.choose_mirror([("http://x.example/debian", {"jammy"})], {"bookworm"}))


class MadeOnceTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.destination = Path(self.folder.name) / "made"

    def test_a_failed_attempt_leaves_nothing_and_can_be_repeated(self):
        def fail(folder):
            (folder / "half").write_text("")
            raise OSError("interrupted")

        with self.assertRaises(OSError):
            debian.made_once(self.destination, fail)
        self.assertFalse(self.destination.exists())
        debian.made_once(self.destination, lambda folder: (folder / "whole").write_text(""))
        self.assertEqual([path.name for path in self.destination.iterdir()], ["whole"])

    def test_an_existing_folder_is_not_created_again(self):
        self.destination.mkdir()
        self.assertEqual(debian.made_once(self.destination, lambda folder: self.fail("made again")), self.destination)


if __name__ == "__main__":
    unittest.main()
