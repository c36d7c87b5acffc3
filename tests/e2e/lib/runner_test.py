# SPDX-License-Identifier: Apache-2.0
"""How tests are shared out to several clusters."""

import unittest

from lib import runner


class PartsTest(unittest.TestCase):
    def test_the_parts_of_a_run_have_each_test_once_but_those_that_judge_the_whole(self):
        every = [test.name for test in runner.find([])[0]]
        parts = [[test.name for test in runner.find([], (number, 4))[0]] for number in (1, 2, 3, 4)]
        in_all = {name for name in every if all(name in part for part in parts)}
        self.assertTrue(in_all and all(name.startswith("t0900_") for name in in_all), in_all)
        self.assertEqual(sorted(name for part in parts for name in part if name not in in_all),
                         sorted(name for name in every if name not in in_all))
        for part in parts:
            self.assertEqual(part, sorted(part, key=every.index), "in the order of the whole")

    def test_words_choose_within_a_part(self):
        self.assertEqual([test.name[:5] for test in runner.find(["t0100", "t0200"], (2, 4))[0]], ["t0100"] * len(
            runner.find(["t0100"])[0]))


if __name__ == "__main__":
    unittest.main()
