# SPDX-License-Identifier: Apache-2.0
"""Memory of the bridge at its start, and in a cluster where 10,000 pods are none of its business.

They have nodes, because what takes room there concerns a scheduler whosever it is; pods without one need not even be
watched. It is started once more when they are all there: the first list is what costs most. Under another scheduler
name, so that pods which an earlier part left behind are foreign to it too.
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
