// SPDX-License-Identifier: Apache-2.0
#include "net/http_wire/parser.h"

#include "net/http_wire/message.h"

#include <boost/beast/http/error.hpp>
#include <fmt/format.h>

#include <utility>

namespace net::http::inline wire {
namespace {

namespace beast = boost::beast;

using base::Error;
using base::Kind;
using base::Result;
using ErrorCode = boost::system::error_code;

constexpr int kSwitchingProtocols = 101;

Error too_large(std::string_view what, std::uint64_t limit) {
  return Error(Kind::protocol,
               fmt::format("the answer's {} is larger than {} KiB", what, limit >> 10U));
}

}  // namespace

class ResponseParser::Answer {
 public:
  Answer(bool head, const Limits& limits) : message(limits.header, limits.body) {
    message.skip(head);
  }

  bool is_interim() const {
    return message.is_done() && message.status() >= 100 && message.status() < 200;
  }

  Message<false> message;
};

ResponseParser::ResponseParser(std::string_view request_method, Limits limits)
    : head_(request_method == "HEAD"),
      limits_(limits),
      answer_(std::make_unique<Answer>(head_, limits_)) {}

ResponseParser::~ResponseParser() = default;

Result<void> ResponseParser::feed(std::string_view bytes, std::string& body) {
  if (pending_.empty()) return parse(bytes, body);
  std::string all = std::exchange(pending_, {});
  all += bytes;
  return parse(all, body);
}

Result<void> ResponseParser::parse(std::string_view bytes, std::string& body) {
  while (!bytes.empty()) {
    if (complete()) {
      too_much_ = true;
      return {};
    }
    if (answer_->message.must_wait(bytes)) break;

    ErrorCode problem;
    const bool in_header = !header_complete();
    answer_->message.set_body(&body);
    const std::size_t used =
        answer_->message.put(asio::buffer(bytes.data(), bytes.size()), problem);
    bytes.remove_prefix(used);

    if (in_header && (!header_complete() || answer_->is_interim())) header_bytes_ += used;
    if (problem == beast::http::error::header_limit || header_bytes_ > limits_.header)
      return too_large("header", limits_.header);
    if (problem == beast::http::error::body_limit) return too_large("body", *limits_.body);
    if (problem && problem != beast::http::error::need_more)
      return Error(Kind::protocol,
                   fmt::format("the answer is not valid HTTP: {}", problem.message()));

    if (answer_->is_interim()) {
      if (status() == kSwitchingProtocols)
        return Error(Kind::protocol, "the server switched to another protocol without a request");
      answer_ = std::make_unique<Answer>(head_, limits_);
    } else if (used == 0 || problem) {
      break;
    }
  }
  if (bytes.size() + header_bytes_ > limits_.header) return too_large("header", limits_.header);
  pending_ = bytes;
  return {};
}

Result<void> ResponseParser::end() {
  if (complete()) return {};
  const Error interrupted(Kind::lost,
                          header_complete() ? "the connection ended in the middle of the answer"
                                            : "the connection ended before an answer");
  if (!answer_->message.got_some() || !pending_.empty()) return interrupted;
  ErrorCode problem;
  answer_->message.put_eof(problem);
  if (problem) return interrupted;
  return {};
}

bool ResponseParser::header_complete() const {
  return answer_->message.is_header_done();
}

bool ResponseParser::complete() const {
  return answer_->message.is_done();
}

bool ResponseParser::reusable() const {
  return complete() && !too_much_ && answer_->message.keep_alive();
}

int ResponseParser::status() const {
  return answer_->message.status();
}

std::vector<Header>& ResponseParser::headers() {
  return answer_->message.headers();
}

}  // namespace net::http::inline wire
