// SPDX-License-Identifier: Apache-2.0
#include "telemetry/metered_transport.h"

#include "net/async/loop.h"

#include <fmt/format.h>

#include <utility>

namespace telemetry {

using base::Result;
using net::http::Request;
using net::http::Response;
using net::http::StreamingResponse;

CallMetrics CallMetrics::add_to(Metrics& metrics,
                                const std::string& prefix,
                                const std::string& system) {
  return {metrics.counters({prefix + "_calls_total",
                            fmt::format("Calls to {}, by the status of the answer or what went "
                                        "wrong.",
                                        system),
                            {"endpoint", "outcome"}}),
          metrics.histograms({prefix + "_call_duration_seconds",
                              fmt::format("How long calls to {} took, answered or not.", system),
                              {"endpoint"},
                              50})};
}

MeteredTransport::MeteredTransport(net::Loop& loop,
                                   net::http::Transport& transport,
                                   CallMetrics metrics,
                                   NameOf name_of)
    : loop_(loop), transport_(transport), metrics_(metrics), name_of_(std::move(name_of)) {}

net::Task<Result<Response>> MeteredTransport::send(Request request, base::Instant deadline) {
  const std::string endpoint = name_of_(request);
  const base::Instant asked = loop_.now();
  auto answer = co_await transport_.send(std::move(request), deadline);
  note(endpoint, asked, answer);
  co_return answer;
}

net::Task<Result<StreamingResponse>> MeteredTransport::open(Request request,
                                                            base::Instant deadline) {
  const std::string endpoint = name_of_(request);
  const base::Instant asked = loop_.now();
  auto answer = co_await transport_.open(std::move(request), deadline);
  note(endpoint, asked, answer);
  co_return answer;
}

template <class Answer>
void MeteredTransport::note(const std::string& endpoint,
                            base::Instant asked,
                            const Result<Answer>& answer) {
  const std::string outcome =
      answer.ok() ? std::to_string(answer->status) : std::string(name(answer.error().kind()));
  metrics_.calls.with({endpoint, outcome}).add();
  metrics_.seconds.with({endpoint})
      .observe(std::chrono::duration<double>(loop_.now() - asked).count());
}

}  // namespace telemetry
