// SPDX-License-Identifier: Apache-2.0
#include "operator/workers/out_of_service.h"

#include "operator/workers/plan_workers.h"

#include <algorithm>
#include <array>

namespace slurmop::workers {
namespace {

// What slurmctld writes itself when a slurmd does not answer for SlurmdTimeout, or registers with a
// later boot time (slurmd -b). Measured with 26.05.5 and ReturnToService=1: a reason that exists is
// kept ("fan") or continued ("fan : Not responding"), so the beginning shows who took the node out of
// service.
// A drained node without jobs is not set down when its slurmd is replaced.
constexpr std::array<std::string_view, 2> kLostSlurmd = {"Not responding",
                                                         "Node unexpectedly rebooted"};

bool is_lost_slurmd(const slurm::Node& node) {
  const auto begins = [&](std::string_view reason) { return node.reason.starts_with(reason); };
  return std::ranges::any_of(kLostSlurmd, begins);
}

}  // namespace

OutOfService out_of_service(const slurm::Node& node) {
  if (!node.draining() && !node.down()) return OutOfService::no;
  if (node.reason.starts_with(kReasonPrefix)) return OutOfService::by_us;
  if (node.down() && !node.draining() && is_lost_slurmd(node)) return OutOfService::by_slurmctld;
  return OutOfService::by_others;
}

bool drained_by_us(const slurm::Node& node) {
  return node.draining() && out_of_service(node) == OutOfService::by_us;
}

std::string down_reason(const slurm::Node& node) {
  if (out_of_service(node) != OutOfService::by_others) return std::string(kPodReplaced);
  return node.reason.empty() ? "no reason given" : node.reason;
}

}  // namespace slurmop::workers
