# SPDX-License-Identifier: Apache-2.0
"""The texts of Slurm's configuration, as pure functions of the settings."""

import dataclasses
import unittest

import slurm_config
from slurm_config import NodeShape, Settings

SETTINGS = Settings(controller_port=20001, database_port=20002, slurmd_ports=(20003, 20004), external_port=20003,
                    nodes=("k001", "k002", "k003"))


def lines(settings, key):
    """The lines of slurm.conf that begin with that key, each as {key: value}."""
    found = [line for line in slurm_config.slurm_conf(settings).splitlines() if line.startswith(key + "=")]
    return [dict(word.split("=", 1) for word in line.split()) for line in found]


def with_changes(**changes):
    return dataclasses.replace(SETTINGS, **changes)


class NodesTest(unittest.TestCase):
    def test_kubernetes_nodes_are_external_and_have_the_address_of_a_real_slurmd(self):
        node = lines(SETTINGS, "NodeName")[0]
        self.assertEqual(node, {
            "NodeName": "k001,k002,k003", "CPUs": "32", "Sockets": "2", "CoresPerSocket": "16", "ThreadsPerCore": "1",
            "RealMemory": "131072", "Gres": "gpu:a100:8", "Feature": "k8s", "NodeAddr": "127.0.0.1", "Port": "20003",
            "State": "EXTERNAL"})

    def test_each_real_node_has_its_own_port(self):
        real = lines(SETTINGS, "NodeName")[1:]
        self.assertEqual([(node["NodeName"], node["Port"]) for node in real], [("r1", "20003"), ("r2", "20004")])
        self.assertTrue(all("State" not in node and node["Feature"] == "real" for node in real))

    def test_nodes_without_gpus_have_no_gres(self):
        self.assertNotIn("Gres", lines(with_changes(shape=NodeShape(gpus=0)), "NodeName")[0])
        self.assertNotIn("Gres", slurm_config.dynamic_node(with_changes(shape=NodeShape(gpus=0)), "d001"))

    def test_a_dynamic_node_has_numbered_gpus_and_joins_partitions_by_its_feature(self):
        text = slurm_config.dynamic_node(SETTINGS, "d001")
        self.assertIn('GresConf="count=8,name=gpu,type=a100,file=/dev/nvidia[0-7]"', text)
        for word in ("NodeName=d001", "Gres=gpu:a100:8", "Feature=k8s", "State=EXTERNAL", "Port=20003"):
            self.assertIn(word, text.split())
        self.assertEqual(lines(SETTINGS, "NodeSet"), [{"NodeSet": "k8s", "Feature": "k8s"}])


class PartitionsTest(unittest.TestCase):
    def test_the_partitions(self):
        table = {line["PartitionName"]: line for line in lines(SETTINGS, "PartitionName")}
        self.assertEqual(list(table), ["slurm-bridge", "small", "preemptable", "short", "real"])
        self.assertEqual([name for name, line in table.items() if line.get("Default") == "YES"], ["slurm-bridge"])
        self.assertEqual(table["slurm-bridge"]["Nodes"], "k8s")
        self.assertEqual(table["small"]["Nodes"], "k001,k002")
        self.assertEqual(table["preemptable"]["GraceTime"], "15")
        self.assertEqual(table["short"]["MaxTime"], "1")
        self.assertEqual(table["real"]["Nodes"], "r1,r2")

    def test_a_cluster_of_one_node_and_no_slurmd(self):
        tiny = with_changes(nodes=("k001",), slurmd_ports=())
        table = {line["PartitionName"]: line for line in lines(tiny, "PartitionName")}
        self.assertNotIn("real", table)
        self.assertEqual(table["small"]["Nodes"], "k001")


class GlobalsTest(unittest.TestCase):
    def test_the_profiles_differ_only_in_the_scheduling_parameters(self):
        fast = slurm_config.slurm_conf(SETTINGS).splitlines()
        defaults = slurm_config.slurm_conf(with_changes(profile="defaults")).splitlines()
        extra = [line for line in fast if line not in defaults]
        self.assertEqual(len(extra), 1)
        self.assertTrue(extra[0].startswith("SchedulerParameters=batch_sched_delay=0,bf_interval=1,"))
        self.assertEqual([line for line in defaults if line not in fast], [])

    def test_an_unknown_profile_is_refused(self):
        with self.assertRaisesRegex(ValueError, "unknown profile 'slow'.*fast, defaults"):
            slurm_config.slurm_conf(with_changes(profile="slow"))

    def test_ports_and_min_job_age_are_settings_of_the_cluster(self):
        text = slurm_config.slurm_conf(with_changes(min_job_age=10)).splitlines()
        for line in ("SlurmctldPort=20001", "AccountingStoragePort=20002", "MinJobAge=10"):
            self.assertIn(line, text)
        self.assertIn("DbdPort=20002", slurm_config.slurmdbd_conf(SETTINGS).splitlines())

    def test_each_key_occurs_once(self):
        keys = [line.split("=")[0] for line in slurm_config.slurm_conf(SETTINGS).splitlines()
                if not line.startswith(("NodeName", "PartitionName"))]
        self.assertEqual(sorted(keys), sorted(set(keys)))


class RefusedTest(unittest.TestCase):
    def test_no_name_can_start_a_line_a_key_or_a_comment(self):
        for name in ("k001\nSlurmUser=root", "k001 State=DOWN", "k001#", "k001\r", "", 'k"', "k[1-9]", "a=b", "a,b"):
            with self.subTest(name=name), self.assertRaises(ValueError):
                slurm_config.slurm_conf(with_changes(nodes=(name,)))

    def test_no_other_value_can_start_a_line_a_key_or_a_comment(self):
        for shape in (NodeShape(gpu_type="a100\nSlurmUser=root"), NodeShape(gpu_type='a100"')):
            with self.subTest(shape=shape):
                self.assertRaises(ValueError, slurm_config.slurm_conf, with_changes(shape=shape))
                self.assertRaises(ValueError, slurm_config.dynamic_node, with_changes(shape=shape), "d001")
        with self.assertRaises(ValueError):
            slurm_config.dynamic_node(SETTINGS, "d001 State=DOWN")
        with self.assertRaises(ValueError):
            slurm_config.slurmdbd_conf(with_changes(database_port="1\nx"))


if __name__ == "__main__":
    unittest.main()
