// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/http_wire/http.h"

#include <boost/beast/http/basic_parser.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace net::http::inline wire {

// One request or answer while it is parsed: Beast parses, this class keeps the results. Only for
// the .cpp files of the two parsers, because its includes are heavy.
template <bool kRequest>
class Message final : public boost::beast::http::basic_parser<kRequest> {
 public:
  Message(std::size_t header_limit, std::optional<std::uint64_t> body_limit) {
    this->eager(true);
    this->header_limit(static_cast<std::uint32_t>(
        std::min<std::size_t>(header_limit, std::numeric_limits<std::uint32_t>::max())));
    if (body_limit) {
      this->body_limit(*body_limit);
    } else {
      this->body_limit(boost::none);
    }
  }

  int status() const { return status_; }
  int version() const { return version_; }  // 10 or 11
  std::string& method() { return method_; }
  std::string& target() { return target_; }
  std::vector<Header>& headers() { return headers_; }
  const std::vector<Header>& headers() const { return headers_; }
  void set_body(std::string* body) { body_ = body; }

  // Beast 345 asserts that at least five bytes are present when it looks a second time at a chunked
  // body that begins with its last chunk. No chunked body is shorter than "0\r\n\r\n", so waiting
  // for five bytes is safe.
  bool must_wait(std::string_view bytes) const {
    constexpr std::size_t kShortestChunkedBody = 5;
    return this->is_header_done() && this->chunked() && !chunk_seen_ &&
           bytes.size() < kShortestChunkedBody;
  }

 private:
  using View = boost::beast::string_view;
  using ErrorCode = boost::system::error_code;

  void on_request_impl(
      boost::beast::http::verb, View method, View target, int version, ErrorCode&) override {
    method_ = method;
    target_ = target;
    version_ = version;
  }
  void on_response_impl(int code, View, int version, ErrorCode&) override {
    status_ = code;
    version_ = version;
  }
  void on_field_impl(boost::beast::http::field, View name, View value, ErrorCode&) override {
    if (this->is_header_done()) return;  // a trailer
    headers_.emplace_back(std::string(name), std::string(value));
  }
  void on_header_impl(ErrorCode&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>& length, ErrorCode&) override {
    // An announced length is trusted more for an answer, which this process asked for, than for a
    // request of any client.
    constexpr std::uint64_t kMaxReserve = kRequest ? 64ULL << 10U : 16ULL << 20U;
    if (length) body_->reserve(body_->size() + std::min(*length, kMaxReserve));
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
  int version_ = 11;
  std::string method_;
  std::string target_;
  std::vector<Header> headers_;
  bool chunk_seen_ = false;
  std::string* body_ = nullptr;
};

}  // namespace net::http::inline wire
