// SPDX-License-Identifier: Apache-2.0
#include "models/slurm/job_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace models::slurm {

std::string gres_text(const std::map<std::string, std::uint32_t>& gres) {
  std::string text;
  for (const auto& [name, count] : gres) {
    fmt::format_to(std::back_inserter(text), "{}{}:{}", text.empty() ? "" : ",", name, count);
  }
  return text;
}

std::string ranges(const std::vector<std::uint32_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i;
    while (end + 1 < numbers.size() && numbers[end + 1] == numbers[end] + 1) ++end;
    if (!text.empty()) text += ',';
    fmt::format_to(std::back_inserter(text), "{}", numbers[i]);
    if (end > i) fmt::format_to(std::back_inserter(text), "-{}", numbers[end]);
    i = end + 1;
  }
  return text;
}

std::string memory_text(std::uint64_t megabytes) {
  if (megabytes > 0 && megabytes % (1024 * 1024) == 0) {
    return fmt::format("{}T", megabytes / 1024 / 1024);
  }
  if (megabytes > 0 && megabytes % 1024 == 0) return fmt::format("{}G", megabytes / 1024);
  return fmt::format("{}M", megabytes);
}

std::string tres_text(const Tres& tres) {
  std::string text;
  auto out = std::back_inserter(text);
  fmt::format_to(out, "cpu={},mem={}", tres.cpus, memory_text(tres.memory_mb));
  if (tres.nodes > 0) fmt::format_to(out, ",node={}", tres.nodes);
  if (tres.billing) fmt::format_to(out, ",billing={}", tres.cpus);
  std::map<std::string, std::uint32_t> kinds;
  for (const auto& [name, count] : tres.gres) {
    kinds[name.substr(0, name.find(':'))] += count;
    if (name.contains(':')) kinds[name] += count;
  }
  for (const auto& [name, count] : kinds) {
    if (count > 0) fmt::format_to(out, ",gres/{}={}", name, count);
  }
  return text;
}

}  // namespace models::slurm
