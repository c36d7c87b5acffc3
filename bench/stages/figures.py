# SPDX-License-Identifier: Apache-2.0
"""The measured figures, their limits, and the figures of the Go bridge. Pure."""

from dataclasses import dataclass


def percentile(values, share):
    """The smallest value that at least this share of the values does not exceed; None without values."""
    ordered = sorted(values)
    return ordered[max(0, -(-int(share * len(ordered) * 1000) // 1000) - 1)] if ordered else None


@dataclass(frozen=True)
class Floor:
    """A limit: a figure must be at least, or at most, this value."""
    stage: str  # of the benchmark that measures the figure
    figure: str
    sign: str  # ">=" or "<="
    limit: float

    def met(self, figures):
        """None if the figure was not measured."""
        value = figures.get(self.figure)
        if value is None:
            return None
        return value >= self.limit if self.sign == ">=" else value <= self.limit

    def __str__(self):
        return f"{self.sign} {self.limit:g}"


FLOORS = (
    Floor("burst", "burst_of_ceiling", ">=", 0.4),
    Floor("latency", "running_to_bound_p99_ms", "<=", 1000),
    Floor("waiting", "waiting_2000_over_200_calls", "<=", 1.3),
    Floor("memory", "rss_10000_foreign_mb", "<=", 80),
    Floor("memory", "rss_peak_10000_foreign_mb", "<=", 80),
    Floor("admission", "admission_p99_ms", "<=", 5),
)

# Measured on another machine on another day: the Go project with the same workload, 2 cores, 64 nodes. For orders of magnitude.
GO = {
    "burst_pods_per_s": "3.1 (200 pods; of 1000, 52 after 330 s)",
    "gone_p50_ms": "19800",
    "released_p50_ms": "16200",
    "waiting_200_slurm_calls_per_s": "31",
    "waiting_200_slurm_bytes_per_s": "9000000",
    "waiting_200_bridge_cpu": "0.36",
    "waiting_200_slurm_cpu": "0.52",
    "runnable_behind_0_ms": "1430",
    "runnable_behind_2000_ms": "75200 (behind 200)",
    "rss_start_mb": "146 (its three processes)",
    "rss_10000_foreign_mb": "212 (with 5000)",
}

# The reference value of a figure in the same run: its upper limit, or the same figure with less load.
CEILINGS = {
    "burst_pods_per_s": "api_ceiling_pods_per_s",
    "running_to_bound_p50_ms": "api_patch_p50_ms",
    "running_to_bound_p99_ms": "api_patch_p99_ms",
    "gone_p50_ms": "api_patch_p50_ms",
    "gone_p99_ms": "api_patch_p99_ms",
    "released_p50_ms": "slurm_call_p50_ms",
    "released_p99_ms": "slurm_call_p99_ms",
    "gone_quiet_max_ms": "api_patch_p99_ms",
    **{f"waiting_2000_{what}": f"waiting_200_{what}" for what in
       ("slurm_calls_per_s", "slurm_bytes_per_s", "bridge_cpu", "slurm_cpu", "all_say_why_s")},
    **{f"waiting_200_{what}": f"waiting_0_{what}" for what in
       ("slurm_calls_per_s", "slurm_bytes_per_s", "bridge_cpu", "slurm_cpu")},
    "runnable_behind_2000_ms": "runnable_behind_0_ms",
    "runnable_behind_2000_submitted_ms": "runnable_behind_0_submitted_ms",
    "rss_after_burst_mb": "rss_start_mb",
    "rss_2000_waiting_mb": "rss_start_mb",
    "rss_10000_foreign_mb": "rss_start_mb",
    "rss_peak_10000_foreign_mb": "rss_start_mb",
    "admission_p50_ms": "admission_ceiling_p50_ms",
    "admission_p99_ms": "admission_ceiling_p99_ms",
}


def table(figures):
    """Lines of the printed table."""
    head = ("figure", "value", "reference value", "limit", "Go bridge (another machine, another day)")
    rows = [head] + [_row(name, value, figures) for name, value in figures.items()]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    return ["  ".join((row[0].ljust(widths[0]), row[1].rjust(widths[1]), row[2].ljust(widths[2]),
                       row[3].ljust(widths[3]), row[4])).rstrip() for row in rows]


def _row(name, value, figures):
    beside = CEILINGS.get(name)
    shown = f"{figures[beside]:.6g} {beside}" if beside in figures else ""
    floors = [floor for floor in FLOORS if floor.figure == name]
    verdicts = ", ".join(f"{floor} {'ok' if floor.met(figures) else 'MISSED'}" for floor in floors)
    return (name, f"{value:.6g}", shown, verdicts, GO.get(name, ""))


def missed(figures, stages):
    """Missed limits of these stages; a figure that was not measured is missed too."""
    return [floor for floor in FLOORS if floor.stage in stages and not floor.met(figures)]
