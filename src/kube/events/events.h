// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/log.h"
#include "kube/client/client.h"
#include "kube/events/event_book.h"
#include "net/async/loop.h"
#include "net/async/signal.h"

#include <cstdint>
#include <string>

namespace kube::inline events {

// Writes Events (core/v1, which kubectl describe shows) about pods and nodes.
//
// Expects     create and patch on events.
// Guarantees  best effort: record() never waits and never fails its caller. A repeat raises the
//             count of the Event that is there. What the server does not take after a few tries,
//             and what is more than EventLimits allow, is dropped and counted.
// Does not    write anything unless run() is running, nor what still waits when that is cancelled.
class Events {
 public:
  // `component` is who speaks ("slurm-bridge-scheduler"), `instance` which of them (a pod's name).
  struct Options {
    std::string component;
    std::string instance;
    EventLimits limits{};
  };

  Events(net::Loop& loop, Client& client, Options options, base::Log log);

  void record(Happening happening);

  // Writes until its task is cancelled.
  net::Task<void> run();

  std::uint64_t written() const { return written_; }
  // Too much at a time, or too much about one object.
  std::uint64_t dropped() const { return dropped_; }
  // Not taken by the server.
  std::uint64_t failed() const { return failed_; }
  std::size_t waiting() const { return book_.waiting(); }

 private:
  net::Task<base::Result<void>> write(EventWrite write);
  net::Task<base::Result<void>> write_once(EventWrite write);

  net::Loop& loop_;
  Client& client_;
  base::Log log_;
  EventBook book_;
  net::Signal changed_;
  std::uint64_t written_ = 0;
  std::uint64_t dropped_ = 0;
  std::uint64_t failed_ = 0;
};

}  // namespace kube::inline events
