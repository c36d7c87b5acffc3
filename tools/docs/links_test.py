# SPDX-License-Identifier: Apache-2.0
"""The targets of relative links between the documents exist."""

import re
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
LINK = re.compile(r"(?<!\!)\[[^\]\n]*\]\(([^)\s]+)\)")


def documents():
    return sorted(path for path in TOP.rglob("*.md") if not {"build", ".git"} & set(path.relative_to(TOP).parts))


def text_of(path):
    """Without code blocks, whose links are examples."""
    return re.sub(r"(?ms)^```.*?^```$", "", path.read_text(encoding="utf-8"))


def anchors(path):
    """As GitHub generates them from headings."""
    titles = re.findall(r"(?m)^#+ (.*)$", text_of(path))
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}


class Links(unittest.TestCase):
    def test_every_relative_link_has_a_target(self):
        checked = 0
        for document in documents():
            for target in LINK.findall(text_of(document)):
                if re.match(r"[a-z]+:", target) or target.startswith("../../"):
                    continue  # another site, or a page of the hosting site
                with self.subTest(document=str(document.relative_to(TOP)), target=target):
                    name, _, anchor = target.partition("#")
                    file = (document.parent / name).resolve() if name else document
                    self.assertTrue(file.exists())
                    if anchor:
                        self.assertIn(anchor, anchors(file))
                    checked += 1
        self.assertGreater(checked, 30)

    def test_every_document_is_linked(self):
        linked = {(document.parent / target.partition("#")[0]).resolve()
                  for document in documents() for target in LINK.findall(text_of(document))}
        for document in sorted((TOP / "docs").rglob("*.md")):
            with self.subTest(document=str(document.relative_to(TOP))):
                self.assertTrue(document in linked or document.parent in linked)


if __name__ == "__main__":
    unittest.main()
