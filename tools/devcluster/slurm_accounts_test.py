# SPDX-License-Identifier: Apache-2.0
"""The accounts as sacctmgr commands."""

import unittest

from slurm_accounts import QOS, commands


class CommandsTest(unittest.TestCase):
    def setUp(self):
        self.lines = [" ".join(command) for command in commands()]

    def test_the_tokens_own_user_has_an_association(self):
        self.assertIn("add user slurm Account=physics,biology DefaultAccount=physics", self.lines)

    def test_one_qos_preempts_the_others(self):
        self.assertEqual([qos.name for qos in QOS if qos.preempts], ["urgent"])
        self.assertIn("add qos urgent Priority=1000 GraceTime=0 Preempt=low,normal", self.lines)

    def test_an_object_is_created_before_it_is_referenced(self):
        order = [line.split()[1] for line in self.lines]
        self.assertEqual(order, sorted(order, key=["qos", "cluster", "account", "user"].index))


if __name__ == "__main__":
    unittest.main()
