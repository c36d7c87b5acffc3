// SPDX-License-Identifier: Apache-2.0
#include "kube/runner/runner.h"

#include "telemetry/endpoints.h"
#include "telemetry/loop_lag.h"
#include "telemetry/process_metrics.h"

#include <utility>

namespace kube::inline runner {
namespace {

using base::Result;

}  // namespace

struct Runner::ControllerMetrics {
  explicit ControllerMetrics(telemetry::Metrics& metrics)
      : runs(metrics.counters(
            {"controller_reconcile_total", "Reconciles that ran.", {"controller"}})),
        failures(metrics.counters(
            {"controller_reconcile_errors_total", "Reconciles that failed.", {"controller"}})),
        queued(metrics.gauges(
            {"controller_queued", "Keys that wait for their turn.", {"controller"}})) {}

  telemetry::Family<telemetry::Counter>& runs;
  telemetry::Family<telemetry::Counter>& failures;
  telemetry::Family<telemetry::Gauge>& queued;
};

Runner::Runner(Access access,
               Client& lease_client,
               telemetry::Metrics& metrics,
               RunnerOptions options)
    : access_(std::move(access)),
      options_(std::move(options)),
      metrics_(metrics),
      controller_metrics_(std::make_unique<ControllerMetrics>(metrics_)),
      listeners_(access_.loop, access_.log),
      over_(access_.loop) {
  telemetry::add_process_metrics(metrics_);
  telemetry::Gauge& leads = metrics_.gauge({"leading", "1 while this process leads."});
  metrics_.before_reading([this, &leads] { leads.set(leading() ? 1 : 0); });
  telemetry::Histogram& lag = telemetry::loop_lag_histogram(metrics_);
  add_everywhere("loop lag",
                 [this, &lag] { return telemetry::measure_loop_lag(access_.loop, lag); });
  if (options_.election) {
    election_ =
        std::make_unique<Election>(access_.loop, lease_client, *options_.election, access_.log);
  }
}

Runner::~Runner() = default;

Result<void> Runner::listen() {
  if (auto opened = listeners_.open("probes",
                                    options_.probe_address,
                                    telemetry::serve({telemetry::health_endpoint(health_)}));
      !opened.ok()) {
    return std::move(opened).error().in("the address for probes");
  }
  if (auto opened = listeners_.open("metrics",
                                    options_.metrics_address,
                                    telemetry::serve({telemetry::metrics_endpoint(metrics_)}),
                                    options_.metrics_tls);
      !opened.ok()) {
    return std::move(opened).error().in("the address for metrics");
  }
  return {};
}

void Runner::add_everywhere(std::string name, Part part) {
  everywhere_.push_back({std::move(name), std::move(part)});
}

void Runner::add_leading(std::string name, Part part) {
  leading_.push_back({std::move(name), std::move(part)});
}

void Runner::add_metrics(std::string controller, std::function<ControllerNumbers()> numbers) {
  metrics_.before_reading([this, controller = std::move(controller), numbers = std::move(numbers)] {
    const ControllerNumbers now = numbers();
    controller_metrics_->runs.with({controller}).raise_to(static_cast<double>(now.runs));
    controller_metrics_->failures.with({controller}).raise_to(static_cast<double>(now.failures));
    controller_metrics_->queued.with({controller}).set(static_cast<double>(now.queued));
  });
}

bool Runner::leading() const {
  return !stop_requested_ && !lost_ && (!election_ || election_->leading());
}

void Runner::stop() {
  stop_requested_ = true;
  over_.notify();
}

net::Task<void> Runner::hold() {
  auto outcome = co_await election_->hold();
  if (outcome.ok() || outcome.error().is(base::Kind::cancelled)) co_return;
  access_.log.warn("no longer the leader", {{"error", outcome.error()}});
  lost_ = std::move(outcome).error();
  over_.notify();
}

net::Task<void> Runner::lead(net::TaskGroup& acting, net::TaskGroup& renewing) {
  if (election_) {
    if (!(co_await election_->acquire()).ok()) co_return;
    access_.log.info("leading", {{"lease", options_.election->lease.to_string()}});
    renewing.spawn("lease", hold());
  }
  for (const Named& one : leading_) acting.spawn(one.name, one.part());
}

net::Task<Result<void>> Runner::run() {
  net::TaskGroup probing(access_.loop);
  net::TaskGroup everywhere(access_.loop);
  net::TaskGroup acting(access_.loop);
  net::TaskGroup renewing(access_.loop);
  probing.spawn("listeners", listeners_.run());
  for (const Named& one : everywhere_) everywhere.spawn(one.name, one.part());
  acting.spawn("leader election", lead(acting, renewing));
  (void)co_await over_.wait();

  acting.cancel();
  co_await acting.join();
  renewing.cancel();
  co_await renewing.join();
  if (election_ && !lost_) {
    const auto released = co_await election_->release();
    if (!released.ok()) access_.log.warn("cannot release the lease", {{"error", released.error()}});
  }
  everywhere.cancel();
  co_await everywhere.join();
  probing.cancel();
  co_await probing.join();
  co_return lost_ ? Result<void>(*lost_) : Result<void>();
}

}  // namespace kube::inline runner
