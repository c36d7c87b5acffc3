// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/log.h"
#include "kube/cache/cache.h"
#include "kube/client/access.h"
#include "kube/election/election.h"
#include "kube/runner/controller.h"
#include "net/async/signal.h"
#include "net/async/task_group.h"
#include "telemetry/health.h"
#include "telemetry/listeners.h"
#include "telemetry/metrics.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kube::inline runner {

struct RunnerOptions {
  std::optional<Election::Options> election = {};          // empty: no leader election, always acts
  std::string probe_address = {};                          // ":8081"; empty or "0": no probes
  std::string metrics_address = {};                        // ":8080"; empty or "0": no metrics
  std::optional<telemetry::ListenerTls> metrics_tls = {};  // empty: metrics without TLS
};

// The parts of a controller process: caches and servers that run in every replica, controllers that
// run only in the leader, probes and metrics.
//
//   kube::Runner runner(access, lease_client, metrics, options);
//   runner.add(config_maps);          // in every replica, so that the next leader has full caches
//   runner.add(controller);           // only the leader acts
//   co_await runner.run();            // until stop(), or until another process leads
//
// Expects     that everything given and added outlives run(); a client for the Lease whose
//             connections are not shared with other work.
// Guarantees  a controller runs only while this process leads; at the end controllers stop first,
//             then the Lease is released, then the rest stops. /readyz is 200 when every cache is
//             synced and every further check is ok; a candidate that does not lead is ready. A loss
//             of leadership ends run() with an error: the process should exit and restart, so that
//             no partial work survives.
class Runner {
 public:
  using Part = std::function<net::Task<void>()>;

  Runner(Access access, Client& lease_client, telemetry::Metrics& metrics, RunnerOptions options);
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;
  ~Runner();

  // Opens the addresses of probes and metrics. They are answered from run() on.
  base::Result<void> listen();

  void add_everywhere(std::string name, Part part);
  void add_leading(std::string name, Part part);

  template <class T>
  void add(Cache<T>& cache) {
    const std::string name = "cache/" + cache.resource().plural;
    add_everywhere(name, [&cache] { return cache.run(); });
    health_.add(name, [&cache, name]() -> base::Result<void> {
      if (cache.synced()) return {};
      return base::Error(base::Kind::unavailable, "not listed yet");
    });
  }
  template <class Key>
  void add(Controller<Key>& controller) {
    add_leading("controller/" + controller.name(), [&controller] { return controller.run(); });
    add_metrics(controller.name(), [&controller] {
      return ControllerNumbers{controller.runs(), controller.failures(), controller.queued()};
    });
  }

  net::Task<base::Result<void>> run();
  void stop();

  // Check right before a write that only the leader may make.
  bool leading() const;
  telemetry::Health& health() { return health_; }
  telemetry::Metrics& metrics() { return metrics_; }

 private:
  struct Named {
    std::string name;
    Part part;
  };
  struct ControllerNumbers {
    std::uint64_t runs;
    std::uint64_t failures;
    std::size_t queued;
  };
  struct ControllerMetrics;

  void add_metrics(std::string controller, std::function<ControllerNumbers()> numbers);
  net::Task<void> lead(net::TaskGroup& acting, net::TaskGroup& renewing);
  net::Task<void> hold();

  Access access_;
  RunnerOptions options_;
  telemetry::Health health_;
  telemetry::Metrics& metrics_;
  std::unique_ptr<ControllerMetrics> controller_metrics_;
  std::unique_ptr<Election> election_;
  std::vector<Named> everywhere_;
  std::vector<Named> leading_;
  telemetry::Listeners listeners_;
  bool stop_requested_ = false;
  std::optional<base::Error> lost_;  // why it no longer leads
  net::Signal over_;                 // stop() was called or lost_ was set
};

}  // namespace kube::inline runner
