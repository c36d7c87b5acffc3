# SPDX-License-Identifier: Apache-2.0
"""Memory of the bridge at its start, and in a cluster with 10,000 foreign pods.

These pods are bound, because the resources of bound pods matter to every scheduler; unbound foreign pods are not even
watched. The bridge is started again when all of them exist: the first list needs the most memory. It runs with another
scheduler name, so that pods of an earlier stage are foreign too.
"""

FOREIGN = 10000
NAME = "bench-memory"


def at_start(ground, figures):
    ground.start_bridge()
    figures["rss_start_mb"] = ground.bridge_memory_mb()


def measure(ground, figures, _options):
    if "rss_start_mb" not in figures:
        at_start(ground, figures)
    ground.start_bridge(scheduler=NAME)
    ground.load("create", scheduler="somebody-else", namespace="default", prefix="foreign-", pods=FOREIGN,
                connections=32, until="created", placed="true")
    watched, peak = ground.bridge_memory_mb(), ground.bridge_memory_mb("VmHWM")
    ground.start_bridge(scheduler=NAME)
    figures["rss_10000_foreign_mb"] = max(watched, ground.bridge_memory_mb())
    figures["rss_peak_10000_foreign_mb"] = max(peak, ground.bridge_memory_mb("VmHWM"))
    ground.stop_bridge()
