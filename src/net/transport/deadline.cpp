// SPDX-License-Identifier: Apache-2.0
#include "net/transport/deadline.h"

#include "net/async/loop.h"
#include "net/transport/stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace net::inline transport {

std::string duration_text(base::Duration duration) {
  duration = std::max(duration, base::Duration::zero());
  const auto ms = std::chrono::round<std::chrono::milliseconds>(duration).count();
  if (ms < 1000) return fmt::format("{} ms", ms);
  return fmt::format("{} s", static_cast<double>(ms) / 1000);
}

Deadline::Deadline(Loop& loop, base::Instant since, base::Instant when, std::function<void()> close)
    : allowed_(std::max(base::Duration::zero(), when - since)),
      timer_(loop.timers().arm(when, [this, close = std::move(close)] {
        passed_ = true;
        close();
      })) {}

Deadline::Deadline(Loop& loop, base::Instant since, base::Instant when, Stream& stream)
    : Deadline(loop, since, when, [&stream] { stream.close(); }) {}

base::Error Deadline::explain(base::Error error, std::string_view host) const {
  if (!passed_ || error.is(base::Kind::cancelled)) return error;
  return base::Error(error.kind(),
                     fmt::format("no answer from {} within {}", host, duration_text(allowed_)));
}

}  // namespace net::inline transport
