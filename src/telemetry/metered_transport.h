// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/async/fwd.h"
#include "net/http_wire/http.h"
#include "telemetry/metrics.h"

#include <functional>
#include <string>

namespace telemetry {

// Metrics of the calls to one other system: count by endpoint and outcome, and duration.
struct CallMetrics {
  Family<Counter>& calls;      // endpoint, outcome
  Family<Histogram>& seconds;  // endpoint

  // PREFIX_calls_total and PREFIX_call_duration_seconds, about `system` ("Slurm").
  static CallMetrics add_to(Metrics& metrics, const std::string& prefix, const std::string& system);
};

// Measures the calls of a transport and changes nothing. The outcome of a call is the status of its
// answer, or the kind of the error if there was none. A streamed answer counts when its header has
// arrived.
//
// Expects     that loop, transport and metrics outlive it; few different endpoint names: no ids, no
//             object names.
class MeteredTransport final : public net::http::Transport {
 public:
  using NameOf = std::function<std::string(const net::http::Request&)>;

  MeteredTransport(net::Loop& loop,
                   net::http::Transport& transport,
                   CallMetrics metrics,
                   NameOf name_of);

  net::Task<base::Result<net::http::Response>> send(net::http::Request request,
                                                    base::Instant deadline) override;
  net::Task<base::Result<net::http::StreamingResponse>> open(net::http::Request request,
                                                             base::Instant deadline) override;

 private:
  template <class Answer>
  void note(const std::string& endpoint, base::Instant asked, const base::Result<Answer>& answer);

  net::Loop& loop_;
  net::http::Transport& transport_;
  CallMetrics metrics_;
  NameOf name_of_;
};

}  // namespace telemetry
