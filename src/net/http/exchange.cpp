// SPDX-License-Identifier: Apache-2.0
#include "net/http/exchange.h"

#include <utility>

namespace net::http {
namespace {

using base::Result;

constexpr std::size_t kPiece = 32UL << 10U;

}  // namespace

Exchange::Exchange(std::unique_ptr<Stream> stream,
                   std::string_view method,
                   ResponseParser::Limits limits)
    : stream_(std::move(stream)),
      parser_(method, limits),
      buffer_(std::make_unique_for_overwrite<char[]>(kPiece)) {}

Task<Result<void>> Exchange::begin(const std::string& request, std::string& body) {
  CO_TRY_VOID(co_await stream_->write(asio::buffer(request)));
  while (!parser_.header_complete()) {
    CO_TRY_VOID(co_await read_more(body));
  }
  co_return Result<void>();
}

Task<Result<void>> Exchange::read_more(std::string& body) {
  CO_TRY(const std::size_t n, co_await stream_->read_some(asio::buffer(buffer_.get(), kPiece)));
  if (n == 0) co_return parser_.end();
  answer_begun_ = true;
  co_return parser_.feed(std::string_view(buffer_.get(), n), body);
}

std::unique_ptr<Stream> Exchange::finish() {
  return parser_.reusable() ? std::move(stream_) : nullptr;
}

}  // namespace net::http
