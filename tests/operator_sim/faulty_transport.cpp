// SPDX-License-Identifier: Apache-2.0
#include "faulty_transport.h"

namespace opsim {

using base::Result;
using net::http::Request;
using net::http::Response;
using net::http::StreamingResponse;

net::Task<Result<Response>> FaultyTransport::lost(base::Instant deadline) {
  CO_TRY_VOID(co_await loop_.sleep_until(std::min(deadline, loop_.in(std::chrono::seconds(5)))));
  co_return base::Error(base::Kind::lost, "the connection broke before the answer");
}

net::Task<Result<Response>> FaultyTransport::send(Request request, base::Instant deadline) {
  const auto faults = faults_;
  if (faults->severed) co_return co_await lost(deadline);
  const bool fatal = ++faults->requests == faults->kill_at;
  if (fatal && !faults->kill_after_effect) {
    faults->severed = true;
    faults->kill();
    co_return co_await lost(deadline);
  }
  const bool is_write = request.method != "GET";
  const bool loses = is_write && faults->one_lost_in != 0 && chance_.one_in(faults->one_lost_in);
  if (loses && chance_.one_in(2)) co_return co_await lost(deadline);
  auto answer = co_await to_.send(std::move(request), deadline);
  if (fatal) {
    faults->severed = true;
    faults->kill();
  }
  if (fatal || loses || faults->severed) co_return co_await lost(deadline);
  co_return answer;
}

net::Task<Result<StreamingResponse>> FaultyTransport::open(Request request,
                                                           base::Instant deadline) {
  if (faults_->severed) co_return base::Error(base::Kind::lost, "the process is dead");
  co_return co_await to_.open(std::move(request), deadline);
}

}  // namespace opsim
