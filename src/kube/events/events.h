// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/log.h"
#include "kube/client/object_calls.h"
#include "kube/events/event_aggregator.h"
#include "net/async/loop.h"
#include "net/async/signal.h"

#include <cstdint>
#include <string>

namespace kube::inline events {

// Writes Events (core/v1, which kubectl describe shows) about pods and nodes.
//
// Expects     create and patch on events.
// Guarantees  best effort: record() never waits and never fails. A repeat increases the count of
//             the existing Event. An event that the server rejects, that fails five times, or that
//             exceeds EventLimits is dropped and counted.
// Does not    write unless run() is running; events that wait when run() is cancelled are lost.
class Events {
 public:
  // `component` is the program ("slurm-bridge-scheduler"), `instance` the process (its pod).
  struct Options {
    std::string component;
    std::string instance;
    EventLimits limits{};
  };

  Events(net::Loop& loop, Client& client, Options options, base::Log log);

  void record(EventRecord event);

  // Writes until its task is cancelled.
  net::Task<void> run();

  std::uint64_t written() const { return written_; }
  // Dropped by EventLimits.
  std::uint64_t dropped() const { return dropped_; }
  // Not accepted by the server.
  std::uint64_t failed() const { return failed_; }
  std::size_t waiting() const { return aggregator_.waiting(); }

 private:
  net::Task<base::Result<void>> write(EventWrite write);
  net::Task<base::Result<void>> write_once(EventWrite write);

  net::Loop& loop_;
  ObjectCalls calls_;
  base::Log log_;
  EventAggregator aggregator_;
  net::Signal changed_;
  std::uint64_t written_ = 0;
  std::uint64_t dropped_ = 0;
  std::uint64_t failed_ = 0;
};

}  // namespace kube::inline events
