// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "telemetry/metrics.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace telemetry {

// Registers the usual process_* metrics: memory, file descriptors, CPU time, start. Updated when
// the metrics are read. A value that the system does not report keeps its last state.
void add_process_metrics(Metrics& metrics);

// Pure parsers of the texts of /proc. Empty if the format is unknown.

struct Memory {
  std::uint64_t virtual_bytes;
  std::uint64_t resident_bytes;
};
std::optional<Memory> memory_of(std::string_view proc_self_statm, std::uint64_t page_size);

// Ticks between the start of the machine and that of the process. The program name is in the middle
// and may contain any character.
std::optional<std::uint64_t> start_ticks_of(std::string_view proc_self_stat);

// Seconds since 1970 when the machine started.
std::optional<std::uint64_t> boot_time_of(std::string_view proc_stat);

}  // namespace telemetry
