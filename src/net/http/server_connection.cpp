// SPDX-License-Identifier: Apache-2.0
#include "net/http/server_connection.h"

#include "net/async/loop.h"
#include "net/transport/deadline.h"

#include <fmt/format.h>

#include <utility>

namespace net {

using base::Error;
using base::Instant;
using base::Kind;
using base::Result;
using http::Framing;

namespace {

http::Response plain(int status, std::string_view why) {
  return {status, {{"Content-Type", "text/plain; charset=utf-8"}}, fmt::format("{}\n", why)};
}

Error gone() {
  return Error(Kind::lost, "the client ended the connection");
}

}  // namespace

class ServerConnection::Writer final : public http::BodyWriter {
 public:
  Writer(ServerConnection& connection, bool chunked) : connection_(connection), chunked_(chunked) {}

  Task<Result<void>> write(std::string_view piece) override {
    if (is_cancelled(co_await asio::this_coro::cancellation_state)) co_return cancelled();
    if (piece.empty()) co_return Result<void>();
    if (!chunked_) co_return co_await connection_.write(piece);
    const std::string bytes = http::chunk(piece);
    co_return co_await connection_.write(bytes);
  }

 private:
  ServerConnection& connection_;
  bool chunked_;
};

ServerConnection::ServerConnection(Shared shared, std::unique_ptr<Stream> stream, Purpose purpose)
    : shared_(std::move(shared)),
      stream_(std::move(stream)),
      purpose_(purpose),
      news_(shared_.loop),
      ahead_(shared_.loop, *stream_, news_),
      parser_({shared_.limits.header_bytes, shared_.limits.body_bytes}),
      reading_(shared_.loop) {
  wait_for(Waiting::first_request);
  waiting_since_ = request_began_ = shared_.loop.now();
}

Task<void> ServerConnection::run() {
  reading_.spawn("reader", ahead_.run());
  co_await converse();
  close();
  reading_.cancel();
  co_await reading_.join();
}

Task<void> ServerConnection::converse() {
  for (bool keep_open = true; keep_open;) {
    auto received = co_await receive();
    if (!received.ok()) {
      if (received.error().status() != 0) co_await refuse(std::move(received).error());
      co_return;
    }
    Asked asked{parser_.method() == "HEAD", parser_.is_http11(), parser_.keep_alive()};
    waiting_.reset();
    http::Answer answer = co_await shared_.handler(parser_.take());
    asked.keep_alive = asked.keep_alive && !winding_down_;

    auto answered = co_await respond(asked, std::move(answer));
    if (!answered.ok()) co_return;
    keep_open = *answered && !winding_down_;
    served_one_ = true;
    waiting_since_ = shared_.loop.now();
    wait_for(Waiting::next_request);
  }
}

// Returns when the parser has a complete request. An error with a status is sent to the client.
Task<Result<void>> ServerConnection::receive() {
  CO_TRY_VOID(parser_.feed({}));  // bytes that were sent ahead
  if (served_one_) request_began_ = waiting_since_;
  for (bool continue_sent = false;;) {
    if (parser_.header_complete() && purpose_ == Purpose::reject)
      co_return Error(Kind::unavailable, "too many connections; try again").with_status(503);
    if (parser_.complete()) co_return Result<void>();
    if (waiting_->what == Waiting::next_request && parser_.started())
      wait_for(Waiting::rest_of_request);
    if (parser_.expects_continue() && !std::exchange(continue_sent, true))
      CO_TRY_VOID(co_await write("HTTP/1.1 100 Continue\r\n\r\n"));
    CO_TRY_VOID(co_await receive_more(deadline()));
  }
}

Instant ServerConnection::deadline() const {
  const HttpServerLimits& limits = shared_.limits;
  if (parser_.header_complete()) return request_began_ + limits.request_time;
  if (parser_.started() || !served_one_) return request_began_ + limits.header_time;
  return waiting_since_ + limits.idle_time;
}

Task<Result<void>> ServerConnection::receive_more(Instant deadline) {
  const bool had_started = parser_.started();
  CO_TRY_VOID(co_await news_.wait_until(deadline));
  const std::string bytes = ahead_.take();
  if (bytes.empty() && ahead_.ended()) co_return gone();
  // Checked by the clock: a client that sends single bytes always has news.
  if (shared_.loop.now() >= deadline) {
    if (!had_started) co_return Error(Kind::lost, "the client sent no request");
    co_return Error(Kind::lost, "the request did not arrive in time").with_status(408);
  }
  if (!had_started && served_one_) request_began_ = shared_.loop.now();
  auto fed = parser_.feed(bytes);
  hold(parser_.complete() ? 0 : parser_.held());
  co_return fed;
}

// Returns whether the connection can carry another request.
Task<Result<bool>> ServerConnection::respond(Asked asked, http::Answer answer) {
  if (answer.stream) {
    CO_TRY_VOID(co_await send_stream(asked, std::move(answer)));
    co_return false;
  }
  CO_TRY_VOID(co_await send_whole(asked, answer.response));
  co_return asked.keep_alive;
}

Task<Result<void>> ServerConnection::send_whole(Asked asked, const http::Response& response) {
  const Framing framing{
      Framing::Body::counted, response.body.size(), asked.keep_alive, shared_.loop.clock().wall()};
  auto header = http::encode_header(response.status, response.headers, framing);
  if (!header.ok()) {
    shared_.log.error("an answer could not be sent", {{"error", header.error()}});
    co_return co_await send_whole(asked, plain(500, "the answer could not be sent"));
  }
  std::string bytes = std::move(*header);
  if (!asked.head && http::may_have_body(response.status)) bytes += response.body;
  co_return co_await write(bytes);
}

// A stream is the last answer on its connection: a disconnect of the client must be noticed
// meanwhile, and what the client sends is discarded.
Task<Result<void>> ServerConnection::send_stream(Asked asked, http::Answer answer) {
  const bool chunked = asked.http11;
  const Framing framing{chunked ? Framing::Body::chunked : Framing::Body::until_close,
                        0,
                        false,
                        shared_.loop.clock().wall()};
  auto header = http::encode_header(answer.response.status, answer.response.headers, framing);
  if (!header.ok()) {
    shared_.log.error("an answer could not be sent", {{"error", header.error()}});
    asked.keep_alive = false;
    co_return co_await send_whole(asked, plain(500, "the answer could not be sent"));
  }
  CO_TRY_VOID(co_await write(*header));
  if (asked.head || !http::may_have_body(answer.response.status)) co_return Result<void>();
  CO_TRY_VOID(co_await produce(std::move(answer.stream), chunked));
  if (chunked) CO_TRY_VOID(co_await write(http::kLastChunk));
  co_return Result<void>();
}

Task<Result<void>> ServerConnection::produce(http::StreamBody body, bool chunked) {
  Writer writer(*this, chunked);
  std::optional<Result<void>> outcome;
  TaskGroup producing(shared_.loop);
  producing.spawn("stream", [&]() -> Task<void> {
    outcome.emplace(co_await body(writer));
    news_.notify();
  });
  producing_ = &producing;
  if (winding_down_) producing.cancel();
  while (!outcome && !ahead_.ended()) {
    if (!(co_await news_.wait()).ok()) break;
    (void)ahead_.take();
  }
  producing_ = nullptr;
  producing.cancel();
  co_await producing.join();
  if (ahead_.ended()) co_return gone();
  co_return std::move(*outcome);
}

Task<void> ServerConnection::refuse(Error why) {
  const Asked asked{parser_.header_complete() && parser_.method() == "HEAD", true, false};
  const auto sent = co_await send_whole(asked, plain(why.status(), why.message()));
  if (sent.ok()) co_await linger();
}

Task<void> ServerConnection::linger() {
  wait_for(Waiting::first_request);  // it may be closed before all others
  const Instant until = shared_.loop.in(shared_.limits.linger_time);
  while (!ahead_.ended() && shared_.loop.now() < until) {
    (void)ahead_.take();
    if (!(co_await news_.wait_until(until)).ok()) co_return;
  }
}

Task<Result<void>> ServerConnection::write(std::string_view bytes) {
  const auto before = waiting_;
  const bool streaming = producing_ != nullptr;
  if (!streaming) wait_for(Waiting::reading_the_answer);
  const Instant now = shared_.loop.now();
  const Deadline guard(shared_.loop, now, now + shared_.limits.write_time, *stream_);
  auto written = co_await stream_->write(asio::buffer(bytes));
  if (!streaming) waiting_ = before;
  co_return written;
}

void ServerConnection::wait_for(Waiting what) {
  waiting_.emplace(what, shared_.loop.now());
}

void ServerConnection::close() {
  hold(0);
  closed_ = true;
  stream_->close();
}

void ServerConnection::hold(std::size_t bytes) {
  if (closed_) return;  // the rest is released shortly
  const auto change = static_cast<std::ptrdiff_t>(bytes) - static_cast<std::ptrdiff_t>(held_);
  held_ = bytes;
  if (change != 0) shared_.held_changed(change);
}

void ServerConnection::wind_down() {
  winding_down_ = true;
  if (producing_ != nullptr) producing_->cancel();
  const bool idle =
      waiting_ && !parser_.started() &&
      (waiting_->what == Waiting::first_request || waiting_->what == Waiting::next_request);
  if (idle) close();
}

}  // namespace net
