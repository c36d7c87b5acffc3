# SPDX-License-Identifier: Apache-2.0
"""The computations of the benchmark, and its relay."""

import json
import socket
import tempfile
import threading
import unittest
from pathlib import Path

from stages.figures import FLOORS, missed, percentile, table
from stages.relay import Relay
from stages.slurm_log import SlurmLog


class FiguresTest(unittest.TestCase):
    def test_a_percentile_is_one_of_the_values(self):
        self.assertEqual(percentile([4, 1, 3, 2], 0.5), 2)
        self.assertEqual(percentile(range(1, 101), 0.99), 99)
        self.assertEqual(percentile(range(1, 181), 0.99), 179)
        self.assertEqual(percentile([7], 0.99), 7)
        self.assertIsNone(percentile([], 0.5))

    def test_a_limit_is_met_at_its_value_and_unknown_without_a_figure(self):
        share = FLOORS[0]
        self.assertEqual((share.figure, str(share)), ("burst_of_ceiling", ">= 0.4"))
        self.assertTrue(share.met({"burst_of_ceiling": 0.4}))
        self.assertFalse(share.met({"burst_of_ceiling": 0.39}))
        self.assertIsNone(share.met({}))
        self.assertEqual(missed({"burst_of_ceiling": 0.1, "running_to_bound_p99_ms": 5}, ["burst", "latency"]), [share])
        self.assertEqual(missed({}, ["burst"]), [share], "what was not measured is not met")
        self.assertEqual(missed({}, ["micro"]), [])

    def test_a_figure_is_listed_with_its_reference_value_and_its_limit(self):
        lines = table({"burst_pods_per_s": 50.0, "api_ceiling_pods_per_s": 100.0, "burst_of_ceiling": 0.5})
        self.assertIn("100 api_ceiling_pods_per_s", lines[1])
        self.assertIn(">= 0.4 ok", lines[3])


class SlurmLogTest(unittest.TestCase):
    def test_only_new_lines_are_read_and_the_first_of_each_job_is_used(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "log"
            path.write_text("[2026-11-16T05:40:28.000] sched: Allocate JobId=1 NodeList=k001 #CPUs=1 Partition=p\n")
            log = SlurmLog(path)
            with open(path, "a") as more:
                more.write("[2026-11-16T05:40:28.368] _slurm_rpc_submit_batch_job: JobId=2 SLUID=s InitPrio=1 usec=4\n"
                           "[2026-11-16T05:40:29.001] sched: Allocate JobId=2 NodeList=k001 #CPUs=1 Partition=p\n"
                           "[2026-11-16T05:40:30.001] sched: Allocate JobId=2 NodeList=k001 #CPUs=1 Partition=p\n"
                           "[2026-11-16T05:40:30.002] something else\n")
            log.read()
            self.assertEqual(set(log.started), {"2"})
            self.assertAlmostEqual(log.started["2"] - log.submitted["2"], 0.633, places=3)


class RelayTest(unittest.TestCase):
    def test_the_relay_forwards_bytes_unchanged_and_counts_them(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            echo = threading.Thread(target=self._echo_once, args=(server,))
            echo.start()
            relay = Relay("127.0.0.1", server.getsockname()[1])
            with socket.create_connection(("127.0.0.1", relay.port), timeout=10) as client:
                client.sendall(json.dumps("hello").encode())
                self.assertEqual(client.recv(100), b'"hello"')
            echo.join(10)
            self.assertEqual(relay.bytes, 14)
            relay.close()

    @staticmethod
    def _echo_once(server):
        connection, _ = server.accept()
        with connection:
            connection.sendall(connection.recv(100))


if __name__ == "__main__":
    unittest.main()
