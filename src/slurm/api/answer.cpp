// SPDX-License-Identifier: Apache-2.0
#include "slurm/api/answer.h"

#include "base/quote.h"
#include "slurm/api/error_number.h"

#include <fmt/format.h>

namespace slurm::inline api {
namespace {

using base::Error;
using base::Kind;

constexpr std::size_t kMaxForeignText = 2000;  // of foreign text, in one message

std::string text(const json::Node& object, std::string_view key) {
  const auto member = object.find(key);
  return std::string(member ? member->as_string().value_or("") : "");
}

int number(const json::Node& object, std::string_view key) {
  const auto member = object.find(key);
  const std::int64_t value = member ? member->as_int().value_or(0) : 0;
  return std::in_range<int>(value) ? static_cast<int>(value) : kUnspecified;
}

// "Batch job submission failed: Invalid qos specification [Slurm error 2066]"
std::string complaint_text(const Complaint& complaint) {
  std::string all = complaint.description;
  if (!complaint.error.empty() && complaint.error != complaint.description) {
    if (!all.empty()) all += ": ";
    all += complaint.error;
  }
  return fmt::format("{} [Slurm error {}]", all, complaint.number);
}

void append(std::string& message, std::string_view more) {
  if (more.empty()) return;
  if (!message.empty()) message += "; ";
  base::append_escaped(message, base::cut(more, kMaxForeignText));
}

// The sender is a proxy, or slurmrestd before it read the request. No kind that stands for a
// verdict on the request: a proxy uses these statuses without knowing Slurm's answer. slurmrestd
// answers 511 to a request without a usable token.
Kind kind_of_text(int status) {
  switch (status) {
    case 401:
    case 511: return Kind::unauthorized;
    case 429: return Kind::too_many;
    default: return status >= 400 ? Kind::unavailable : Kind::protocol;
  }
}

// The same error for a request that may have taken effect.
Error as_lost(const Error& error) {
  return Error(Kind::lost, "the answer leaves open whether it was done: " + error.message())
      .with_status(error.status())
      .with_code(error.code());
}

std::optional<JobId> job_id(const json::Node& root) {
  const auto member = root.find("job_id");
  const auto id = member ? member->as_int() : std::nullopt;
  if (!id || *id <= 0 || !std::in_range<std::uint32_t>(*id)) return std::nullopt;
  return JobId(static_cast<std::uint32_t>(*id));
}

// slurmrestd and proxies reject with these statuses before slurmctld gets the request.
bool refused_at_the_door(int status) {
  switch (status) {
    case 400:
    case 401:
    case 403:
    case 404:
    case 405:
    case 411:
    case 413:
    case 414:
    case 415:
    case 417:
    case 421:
    case 429:
    case 431:
    case 511: return true;
    default: return false;
  }
}

// No job id and no errors: Slurm created no job, and only its warnings give the reason.
Error nothing_made(const Envelope& envelope, int status) {
  std::string message;
  append(message, envelope.user_message);
  for (const std::string& warning : envelope.warnings) append(message, warning);
  if (message.empty()) message = "Slurm created no job and gave no reason";
  return Error(Kind::refused, std::move(message)).with_status(status);
}

base::Result<void> cancel_status(const json::Node& status) {
  const auto error = status.find("error");
  if (!error) return {};
  const int code = number(*error, "code");
  if (code == 0 || code == kAlreadyDone) return {};
  std::string message;
  append(message, text(*error, "message"));
  message += fmt::format(" [Slurm error {}]", code);
  return Error(meaning(code).kind, std::move(message)).with_code(code);
}

}  // namespace

std::optional<Envelope> envelope(const json::Node& root) {
  const auto errors = root.find("errors");
  const auto warnings = root.find("warnings");
  if (!errors && !warnings && !root.find("meta")) return std::nullopt;
  Envelope found;
  if (errors) {
    errors->each_element([&](json::Node entry) {
      found.errors.push_back(
          {number(entry, "error_number"), text(entry, "error"), text(entry, "description")});
      return true;
    });
  }
  if (warnings) {
    warnings->each_element([&](json::Node entry) {
      found.warnings.push_back(text(entry, "description"));
      return true;
    });
  }
  found.user_message = text(root, "job_submit_user_msg");
  return found;
}

Error error_of(const Envelope& envelope, int status) {
  if (envelope.errors.empty()) {
    return Error(Kind::protocol, fmt::format("status {} without an error", status))
        .with_status(status);
  }
  const int code = envelope.errors.front().number;
  const auto [kind, fix] = meaning(code);
  std::string message;
  for (const Complaint& complaint : envelope.errors) append(message, complaint_text(complaint));
  append(message, envelope.user_message);
  for (const std::string& warning : envelope.warnings) append(message, warning);
  if (!fix.empty()) append(message, fmt::format("to change: {}", fix));
  return Error(kind, std::move(message)).with_status(status).with_code(code);
}

Error error_of_text(const net::http::Response& answer) {
  const std::string body = answer.body.empty() ? "" : ": " + base::quoted(answer.body, 200);
  return Error(kind_of_text(answer.status),
               fmt::format("slurmrestd, or a proxy in front of it, answered status {}{}",
                           answer.status,
                           body))
      .with_status(answer.status);
}

base::Result<json::Node> read(const net::http::Response& answer, json::Parser& parser) {
  const auto root = parser.parse(answer.body);
  const auto found = root.ok() ? envelope(*root) : std::nullopt;
  if (!found) return error_of_text(answer);
  if (!found->errors.empty() || answer.status != 200) return error_of(*found, answer.status);
  return *root;
}

Submitted submitted(const net::http::Response& answer) {
  json::Parser parser;
  const auto root = parser.parse(answer.body);
  const auto found = root.ok() ? envelope(*root) : std::nullopt;
  if (!found) {
    Error error = error_of_text(answer);
    return {std::nullopt, refused_at_the_door(answer.status) ? std::move(error) : as_lost(error)};
  }
  const auto id = job_id(*root);
  if (found->errors.empty()) {
    if (answer.status == 200 && id) return {id, std::nullopt};
    if (answer.status == 200) return {std::nullopt, nothing_made(*found, answer.status)};
    return {id, as_lost(error_of(*found, answer.status))};
  }
  Error error = error_of(*found, answer.status);
  if (id) {
    Error refused(Kind::refused, error.message());
    return {id, std::move(refused).with_status(answer.status).with_code(error.code())};
  }
  for (const Complaint& complaint : found->errors) {
    if (!proves_no_effect(complaint.number)) return {std::nullopt, as_lost(error)};
  }
  return {std::nullopt, std::move(error)};
}

base::Result<void> done(const net::http::Response& answer) {
  json::Parser parser;
  TRY_VOID(read(answer, parser));
  return {};
}

base::Result<void> cancelled(const net::http::Response& answer) {
  json::Parser parser;
  const auto root = read(answer, parser);
  if (!root.ok()) {
    if (root.error().code() == kAlreadyDone) return {};
    return root.error();
  }
  base::Result<void> outcome;
  if (const auto status = root->find("status")) {
    status->each_element([&](json::Node entry) {
      outcome = cancel_status(entry);
      return outcome.ok();
    });
  }
  return outcome;
}

}  // namespace slurm::inline api
