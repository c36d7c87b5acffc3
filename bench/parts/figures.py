# SPDX-License-Identifier: Apache-2.0
"""What was measured, what is wanted, and what the Go bridge needed. Pure."""

from dataclasses import dataclass


def percentile(values, share):
    """The smallest value that at least this share of the values does not exceed; None of nothing."""
    ordered = sorted(values)
    return ordered[max(0, -(-int(share * len(ordered) * 1000) // 1000) - 1)] if ordered else None


@dataclass(frozen=True)
class Floor:
    """What must hold: a figure is at least, or at most, so much."""
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
    Floor("burst_of_ceiling", ">=", 0.4),
    Floor("running_to_bound_p99_ms", "<=", 1000),
    Floor("waiting_2000_over_200_calls", "<=", 1.3),
    Floor("rss_10000_foreign_mb", "<=", 80),
    Floor("rss_peak_10000_foreign_mb", "<=", 80),
    Floor("admission_p99_ms", "<=", 5),
)

# Measured elsewhere on another day: the Go project on the same work, 2 cores, 64 nodes. For the order of magnitude.
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

# Which figure of the same run limits another.
CEILINGS = {
    "burst_pods_per_s": "api_ceiling_pods_per_s",
    "running_to_bound_p50_ms": "api_patch_p50_ms",
    "running_to_bound_p99_ms": "api_patch_p99_ms",
    "gone_p50_ms": "api_patch_p50_ms",
    "gone_p99_ms": "api_patch_p99_ms",
    "released_p50_ms": "slurm_call_p50_ms",
    "released_p99_ms": "slurm_call_p99_ms",
    "waiting_2000_slurm_calls_per_s": "waiting_200_slurm_calls_per_s",
    "runnable_behind_2000_ms": "runnable_behind_0_ms",
}


def table(figures):
    """Lines for a person."""
    head = ("figure", "value", "beside it", "floor", "Go bridge (measured elsewhere on another day)")
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


def missed(figures):
    return [floor for floor in FLOORS if floor.met(figures) is False]
