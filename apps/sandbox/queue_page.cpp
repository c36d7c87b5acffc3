// SPDX-License-Identifier: Apache-2.0
#include "queue_page.h"

#include <fmt/format.h>

#include <iterator>
#include <string_view>

namespace sandbox {
namespace {

constexpr std::string_view kRow = "{:>6} {:<13} {:<24} {:<9} {:<10} {}\n";

// The nodes on which it runs or ran, else why it does not run.
std::string place_or_reason(const models::slurm::SlurmJob& job) {
  return job.nodes.empty() ? fmt::format("({})", job.reason)
                           : fmt::format("{}", fmt::join(job.nodes, ","));
}

}  // namespace

std::string queue_page(const models::slurm::SlurmCluster& cluster) {
  std::string page = "SANDBOX: the queue of a model, not of a real Slurm\n";
  fmt::format_to(std::back_inserter(page),
                 kRow,
                 "JOBID",
                 "PARTITION",
                 "NAME",
                 "ACCOUNT",
                 "STATE",
                 "NODELIST(REASON)");
  for (const auto& [id, job] : cluster.jobs()) {
    fmt::format_to(std::back_inserter(page),
                   kRow,
                   id,
                   job.partition,
                   job.name.substr(0, 24),
                   job.account,
                   job.state,
                   place_or_reason(job));
  }
  return page;
}

}  // namespace sandbox
