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

// "5 s", "1.5 s", "250 ms", for people; what is negative is "0 ms".
std::string in_words(base::Duration duration);

// Closes a connection when its time comes, for as long as this object lives. The operation that was
// pending fails, and explain() says why.
class Deadline {
 public:
  // `since` is when the waiting began, for the words of explain().
  Deadline(Loop& loop, base::Instant since, base::Instant when, std::function<void()> close);
  Deadline(Loop& loop, base::Instant since, base::Instant when, Stream& stream);
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  bool passed() const { return passed_; }
  // The error itself, or "no answer from HOST within 5 s" of the same kind if the deadline was the
  // cause of it.
  base::Error explain(base::Error error, std::string_view host) const;

 private:
  base::Duration allowed_;
  bool passed_ = false;
  Timer timer_;
};

}  // namespace net::inline transport
