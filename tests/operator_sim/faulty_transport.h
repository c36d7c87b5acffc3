// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/async/loop.h"
#include "net/http_wire/http.h"
#include "sim/chance.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

namespace opsim {

// What happens to the requests of one operator process.
struct Faults {
  std::uint64_t one_lost_in = 0;   // a write of this many gets no answer, with or without effect
  std::uint64_t kill_at = 0;       // the number of the request at which the process is killed
  bool kill_after_effect = false;  // the request arrives first
  std::uint64_t requests = 0;      // so far
  bool severed = false;            // the process is dead: nothing is sent any more
  std::function<void()> kill = [] {};  // ends the process soon
};

// A transport that loses answers, and kills the process before or after a chosen request.
class FaultyTransport final : public net::http::Transport {
 public:
  FaultyTransport(net::Loop& loop,
                  net::http::Transport& to,
                  std::shared_ptr<Faults> faults,
                  sim::Chance& chance)
      : loop_(loop), to_(to), faults_(std::move(faults)), chance_(chance) {}

  net::Task<base::Result<net::http::Response>> send(net::http::Request request,
                                                    base::Instant deadline) override;
  net::Task<base::Result<net::http::StreamingResponse>> open(net::http::Request request,
                                                             base::Instant deadline) override;

 private:
  net::Task<base::Result<net::http::Response>> lost(base::Instant deadline);

  net::Loop& loop_;
  net::http::Transport& to_;
  std::shared_ptr<Faults> faults_;
  sim::Chance& chance_;
};

}  // namespace opsim
