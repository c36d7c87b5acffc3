// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/error.h"
#include "net/async/fwd.h"
#include "net/async/timers.h"

#include <functional>
#include <string>
#include <string_view>

namespace net::inline transport {

class Stream;

// Formats a duration for people: "5 s", "1.5 s", "250 ms"; negative durations are "0 ms".
std::string duration_text(base::Duration duration);

// Closes a connection at the deadline, as long as this object lives. A pending operation then
// fails, and explain() gives the reason.
class Deadline {
 public:
  // `since` is the start of the wait, for the message of explain().
  Deadline(Loop& loop, base::Instant since, base::Instant when, std::function<void()> close);
  Deadline(Loop& loop, base::Instant since, base::Instant when, Stream& stream);
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  bool passed() const { return passed_; }
  // Returns the error itself, or "no answer from HOST within 5 s" of the same kind if the deadline
  // caused it.
  base::Error explain(base::Error error, std::string_view host) const;

 private:
  base::Duration allowed_;
  bool passed_ = false;
  Timer timer_;
};

}  // namespace net::inline transport
