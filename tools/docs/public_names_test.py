# SPDX-License-Identifier: Apache-2.0
import collections
import tempfile
import unittest
from pathlib import Path

import public_names


class PublicNames(unittest.TestCase):
    def setUp(self):
        self.code = public_names.names_in_code()
        self.page = public_names.names_in_page(public_names.PAGE.read_text(encoding="utf-8"))

    def test_every_name_in_the_code_is_in_the_document(self):
        for section, names in self.code.items():
            missing = sorted(names - set(self.page[section]))
            self.assertEqual(missing, [], f"add to docs/public-names.md, section {section!r} (or, if it is a name of Kubernetes or "
                                          "Slurm, to FOREIGN in tools/docs/public_names.py)")

    def test_every_name_in_the_document_is_in_the_code(self):
        for section, names in self.code.items():
            gone = sorted(set(self.page[section]) - names)
            self.assertEqual(gone, [], "a public name was changed or removed: add it to CHANGELOG.md, then correct "
                                       f"docs/public-names.md, section {section!r}")

    def test_every_name_is_listed_once(self):
        counts = collections.Counter(name for names in self.page.values() for name in names)
        self.assertEqual([name for name, count in counts.items() if count > 1], [])

    def test_each_section_has_names(self):
        for section, names in self.code.items():
            self.assertGreater(len(names), 5, section)


class Scanning(unittest.TestCase):
    def names(self, text, path="src/bridge/x.cpp"):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, path)
            file.parent.mkdir(parents=True)
            file.write_text(text, encoding="utf-8")
            return {name for names in public_names.names_in_code(Path(folder)).values() for name in names}

    def test_finds_each_kind_of_name(self):
        self.assertEqual(self.names('g = metrics.gauge(\n  {"slurm_bridge_new", "Help."});'), {"slurm_bridge_new"})
        self.assertEqual(self.names('CallMetrics::add_to(metrics, "x", "Y"); c({prefix + "_total"});'), {"x_total"})
        self.assertEqual(self.names('k = "slinky.slurm.net/new-key";'), {"slinky.slurm.net/new-key"})
        self.assertEqual(self.names('record({"SomethingNew", text});'), {"SomethingNew"})

    def test_leaves_out_comments_tests_and_names_of_kubernetes(self):
        self.assertEqual(self.names('  // "SomethingNew"\n'), set())
        self.assertEqual(self.names('"SomethingNew"', "src/bridge/x_test.cpp"), set())
        self.assertEqual(self.names('"NoExecute"'), set())


if __name__ == "__main__":
    unittest.main()
