// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "operator/plan/plan.h"
#include "operator/process/endpoint_transport.h"
#include "operator/process/link_context.h"

#include <chrono>
#include <functional>
#include <optional>

namespace slurmop::process {

struct AgentWatchTiming {
  base::Duration interval = std::chrono::seconds(5);
  base::Duration soon = std::chrono::seconds(1);  // while the agent has not seen the newest files
  base::Duration stale_after = std::chrono::seconds(15);
  base::Duration call = std::chrono::seconds(3);
};

// Reads the report of the configuration agent in the controller pod of one cluster.
//
// Expects     run() in a task; everything given outlives it.
// Guarantees  report() is empty before the first answer, after `stale_after` without an answer, and as
//             soon as the controller pod has another address. `changed` is called after each change
//             of report().
class AgentWatch {
 public:
  AgentWatch(const LinkContext& context, kube::ObjectKey cluster, AgentWatchTiming timing = {});
  AgentWatch(const AgentWatch&) = delete;
  AgentWatch& operator=(const AgentWatch&) = delete;

  net::Task<void> run();
  void on_change(std::function<void()> call) { changed_ = std::move(call); }

  const std::optional<plan::ConfigReport>& report() const { return report_; }
  // Whether the first attempt to read the report has ended, well or not.
  bool has_tried() const { return has_tried_; }

 private:
  net::Task<void> ask();
  net::Task<base::Result<plan::ConfigReport>> read();
  void set(std::optional<plan::ConfigReport> report);
  base::Duration pause() const;

  net::Loop& loop_;
  const Stores& stores_;
  Endpoints& endpoints_;
  kube::ObjectKey cluster_;
  AgentWatchTiming timing_;
  EndpointTransport transport_;
  std::function<void()> changed_;
  std::optional<Address> address_;  // of the agent that reported
  std::optional<plan::ConfigReport> report_;
  base::Instant as_of_ = base::Instant::min();
  bool has_tried_ = false;
};

}  // namespace slurmop::process
