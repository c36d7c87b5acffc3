// SPDX-License-Identifier: Apache-2.0
#include "bridge/marks/named_job.h"

#include "workload/wellknown.h"

#include <charconv>

namespace bridge::marks {

std::optional<slurm::JobId> named_job(const kube::Pod& pod) {
  const std::string& text = pod.metadata.label(workload::kJobIdLabel);
  std::uint32_t id = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, failed] = std::from_chars(text.data(), end, id);
  if (text.empty() || failed != std::errc() || stopped != end || id == 0) return std::nullopt;
  return slurm::JobId(id);
}

bool names_identified_job(const kube::Pod& pod) {
  const std::string& named = pod.metadata.label(workload::kJobIdLabel);
  return !named.empty() && pod.metadata.annotation(workload::kIdentifiedJobAnnotation) == named;
}

bool asks_to_reserve_again(const kube::Pod& pod) {
  return pod.metadata.annotation(workload::kReserveAgainAnnotation) == "true";
}

}  // namespace bridge::marks
