// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "net/async/loop.h"
#include "net/async/task_group.h"
#include "net/http_wire/http.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// For tests only.
namespace slurm::testing {

// A transport that calls the test for each answer, delays the answer and records the request.
class ScriptedTransport final : public net::http::Transport {
 public:
  struct Reply {
    base::Result<net::http::Response> answer;
    base::Duration after = base::Duration::zero();
  };
  using Script = std::function<Reply(const net::http::Request&)>;

  ScriptedTransport(net::Loop& loop, Script script) : loop_(loop), script_(std::move(script)) {}

  net::Task<base::Result<net::http::Response>> send(net::http::Request request,
                                                    base::Instant deadline) override {
    calls.push_back({loop_.now(), request});
    Reply reply = script_(request);
    const base::Instant done = std::min(loop_.in(reply.after), deadline);
    const bool late = loop_.in(reply.after) > deadline;
    CO_TRY_VOID(co_await loop_.sleep_until(done));
    if (late) co_return base::Error(base::Kind::lost, "no answer in time");
    co_return std::move(reply.answer);
  }

  // A watch without events, or what the test returns for watches.
  net::Task<base::Result<net::http::StreamingResponse>> open(net::http::Request request,
                                                             base::Instant) override {
    const int status = watch_status(request);
    co_return net::http::StreamingResponse(status, {}, std::make_unique<Silence>(loop_, status));
  }
  std::function<int(const net::http::Request&)> watch_status = [](const net::http::Request&) {
    return 200;
  };

  // The number of calls whose target contains this text.
  std::size_t count(std::string_view part) const {
    std::size_t n = 0;
    for (const Call& call : calls) n += call.request.target.contains(part) ? 1U : 0U;
    return n;
  }

  struct Call {
    base::Instant at;
    net::http::Request request;
  };
  std::vector<Call> calls;

 private:
  class Silence final : public net::http::Body {
   public:
    Silence(net::Loop& loop, int status) : loop_(loop), status_(status) {}
    net::Task<base::Result<std::size_t>> read(std::string&, base::Instant deadline) override {
      if (status_ != 200) co_return 0U;
      CO_TRY_VOID(co_await loop_.sleep_until(deadline));
      co_return base::Error(base::Kind::lost, "nothing came");
    }

   private:
    net::Loop& loop_;
    int status_;
  };

  net::Loop& loop_;
  Script script_;
};

// Runs one task to its end on virtual time and returns its result.
template <class T>
T finish(net::Loop& loop, base::VirtualClock& clock, net::Task<T> task) {
  std::optional<T> outcome;
  net::TaskGroup group(loop);
  group.spawn("test", [&outcome, task = std::move(task)]() mutable -> net::Task<void> {
    outcome.emplace(co_await std::move(task));
  });
  loop.run_virtual(clock);
  if (!outcome) {
    fmt::print(stderr, "the task did not end\n");
    std::abort();
  }
  return std::move(*outcome);
}

}  // namespace slurm::testing
