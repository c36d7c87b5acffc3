// SPDX-License-Identifier: Apache-2.0
#include "net/http_parser.h"

#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <fmt/format.h>

#include <limits>
#include <utility>

namespace net::http {
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

// Beast does the parsing; this keeps what it finds.
class ResponseParser::Message final : public beast::http::basic_parser<false> {
 public:
  Message(bool head, const Limits& limits) {
    skip(head);
    eager(true);
    header_limit(static_cast<std::uint32_t>(
        std::min<std::size_t>(limits.header, std::numeric_limits<std::uint32_t>::max())));
    if (limits.body) {
      body_limit(*limits.body);
    } else {
      body_limit(boost::none);
    }
  }

  int status() const { return status_; }
  std::vector<Header>& headers() { return headers_; }
  bool is_interim() const { return is_done() && status_ >= 100 && status_ < 200; }
  bool before_first_chunk() const { return is_header_done() && chunked() && !chunk_seen_; }
  void body_goes_to(std::string* body) { body_ = body; }

 private:
  using View = beast::string_view;

  void on_request_impl(beast::http::verb, View, View, int, ErrorCode&) override {}
  void on_response_impl(int code, View, int, ErrorCode&) override { status_ = code; }
  void on_field_impl(beast::http::field, View name, View value, ErrorCode&) override {
    if (is_header_done()) return;  // a trailer
    headers_.emplace_back(std::string(name), std::string(value));
  }
  void on_header_impl(ErrorCode&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>& length, ErrorCode&) override {
    constexpr std::uint64_t kBelieved = 16ULL << 20U;
    if (length) body_->reserve(body_->size() + std::min(*length, kBelieved));
  }
  std::size_t on_body_impl(View bytes, ErrorCode&) override {
    body_->append(bytes.data(), bytes.size());
    return bytes.size();
  }
  void on_chunk_header_impl(std::uint64_t, View, ErrorCode&) override { chunk_seen_ = true; }
  std::size_t on_chunk_body_impl(std::uint64_t, View bytes, ErrorCode&) override {
    body_->append(bytes.data(), bytes.size());
    return bytes.size();
  }
  void on_finish_impl(ErrorCode&) override {}

  int status_ = 0;
  std::vector<Header> headers_;
  bool chunk_seen_ = false;
  std::string* body_ = nullptr;
};

ResponseParser::ResponseParser(std::string_view request_method, Limits limits)
    : head_(request_method == "HEAD"),
      limits_(limits),
      message_(std::make_unique<Message>(head_, limits_)) {}

ResponseParser::~ResponseParser() = default;

Result<void> ResponseParser::feed(std::string_view bytes, std::string& body) {
  if (pending_.empty()) return parse(bytes, body);
  std::string all = std::exchange(pending_, {});
  all += bytes;
  return parse(all, body);
}

// Beast 345 asserts that at least five bytes are there when it looks a second time at a chunked
// body that begins with its last chunk. No chunked body is shorter than "0\r\n\r\n", so waiting for
// five loses nothing.
bool ResponseParser::must_wait(std::string_view bytes) const {
  constexpr std::size_t kShortestChunkedBody = 5;
  return message_->before_first_chunk() && bytes.size() < kShortestChunkedBody;
}

Result<void> ResponseParser::parse(std::string_view bytes, std::string& body) {
  while (!bytes.empty()) {
    if (complete()) {
      too_much_ = true;
      return {};
    }
    if (must_wait(bytes)) break;

    ErrorCode problem;
    const bool in_header = !header_complete();
    message_->body_goes_to(&body);
    const std::size_t used = message_->put(asio::buffer(bytes.data(), bytes.size()), problem);
    bytes.remove_prefix(used);

    if (in_header && (!header_complete() || message_->is_interim())) header_bytes_ += used;
    if (problem == beast::http::error::header_limit || header_bytes_ > limits_.header)
      return too_large("header", limits_.header);
    if (problem == beast::http::error::body_limit) return too_large("body", *limits_.body);
    if (problem && problem != beast::http::error::need_more)
      return Error(Kind::protocol,
                   fmt::format("the answer is not valid HTTP: {}", problem.message()));

    if (message_->is_interim()) {
      if (status() == kSwitchingProtocols)
        return Error(Kind::protocol, "the server switched to another protocol unasked");
      message_ = std::make_unique<Message>(head_, limits_);
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
  const Error broken_off(Kind::lost,
                         header_complete() ? "the connection ended in the middle of the answer"
                                           : "the connection ended before an answer");
  if (!message_->got_some() || !pending_.empty()) return broken_off;
  ErrorCode problem;
  message_->put_eof(problem);
  if (problem) return broken_off;
  return {};
}

bool ResponseParser::header_complete() const {
  return message_->is_header_done();
}

bool ResponseParser::complete() const {
  return message_->is_done();
}

bool ResponseParser::reusable() const {
  return complete() && !too_much_ && message_->keep_alive();
}

int ResponseParser::status() const {
  return message_->status();
}

std::vector<Header>& ResponseParser::headers() {
  return message_->headers();
}

}  // namespace net::http
