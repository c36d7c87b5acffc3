// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace base {

// What went wrong, as far as a caller's next step depends on it. The set is closed: a caller may
// switch over it, and nobody ever looks at a message's text to decide.
enum class Kind {
  cancelled,     // we were asked to stop
  unreachable,   // nothing was sent: the request certainly had no effect
  lost,          // sent, but no complete answer: it may or may not have had its effect
  unavailable,   // the server answered that it cannot serve now; trying again later is right
  not_found,     // an authoritative "there is no such thing"
  conflict,      // the object changed under us, exists already, or a precondition failed
  gone,          // the position in a list or watch is too old: list again
  too_many,      // slow down
  unauthorized,  // who are you: token missing, expired or wrong
  forbidden,     // we know you and you may not
  invalid,       // malformed or out of range: the same request can never succeed
  refused,       // well formed, but policy or configuration of the other side says no
  protocol,      // the answer makes no sense
  internal,      // a bug or an exhausted local resource
};

std::string_view name(Kind kind);

// Whether the same request may succeed later although nobody changes anything.
bool passes_by_itself(Kind kind);

// An error value: which kind, and a sentence for a person. Passed on or handled, never both logged
// and returned. Each layer may put its context in front once: "bind pod a/b: conflict: ...".
class Error {
 public:
  Error(Kind kind, std::string message) : kind_(kind), message_(std::move(message)) {}

  Kind kind() const { return kind_; }
  const std::string& message() const { return message_; }
  bool is(Kind kind) const { return kind_ == kind; }

  // HTTP status of the answer, 0 if there was none.
  int status() const { return status_; }
  // The other system's own number for the error (Slurm's error_number), 0 if it gave none.
  int code() const { return code_; }
  // How long the other side asked us to wait.
  std::optional<std::chrono::milliseconds> retry_after() const { return retry_after_; }

  Error with_status(int status) &&;
  Error with_code(int code) &&;
  Error with_retry_after(std::chrono::milliseconds wait) &&;
  // "what: message"
  Error in(std::string_view what) &&;

  // "conflict: pods "a" already exists"
  std::string to_string() const;

 private:
  Kind kind_;
  int status_ = 0;
  int code_ = 0;
  std::optional<std::chrono::milliseconds> retry_after_;
  std::string message_;
};

}  // namespace base
