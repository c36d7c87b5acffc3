// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace base {

// Classifies an error by what the caller has to do next. The set is closed: callers switch over it
// and never decide by the text of a message.
enum class Kind {
  cancelled,     // the task was cancelled
  unreachable,   // nothing was sent: the request had no effect
  lost,          // sent, but no complete answer: the request may or may not have taken effect
  unavailable,   // the server cannot serve now; retry later
  not_found,     // authoritative: the object does not exist
  conflict,      // the object changed, already exists, or a precondition failed
  gone,          // the position in a list or watch is too old: list again
  too_many,      // rate limit of the server
  unauthorized,  // credentials are missing, expired or wrong
  forbidden,     // the user is known and has no permission
  invalid,       // malformed or out of range: the same request can never succeed
  refused,       // well formed, but rejected by policy or configuration of the server
  protocol,      // the answer is malformed
  internal,      // a bug or an exhausted local resource
};

std::string_view name(Kind kind);

// Whether the same request may succeed later without any change by a person.
bool passes_by_itself(Kind kind);

// An error value: a kind, and a message for people. It is handled or returned, never both logged
// and returned. Each layer may prefix its context once: "bind pod a/b: conflict: ...".
class Error {
 public:
  Error(Kind kind, std::string message) : kind_(kind), message_(std::move(message)) {}

  Kind kind() const { return kind_; }
  const std::string& message() const { return message_; }
  bool is(Kind kind) const { return kind_ == kind; }

  // HTTP status of the answer, 0 if there was none.
  int status() const { return status_; }
  // Error number of the other system (Slurm's error_number), 0 if there was none.
  int code() const { return code_; }
  // How long the server asked the client to wait.
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
