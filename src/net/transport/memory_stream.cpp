// SPDX-License-Identifier: Apache-2.0
#include "net/transport/memory_stream.h"

#include "net/async/signal.h"

#include <algorithm>
#include <string>

namespace net::inline transport {
namespace {

using base::Error;
using base::Kind;
using base::Result;

// One direction. A waiting side checks the state after every change, so one Signal per side is
// enough.
struct Pipe {
  Pipe(Loop& loop, std::size_t most) : capacity(most), reader(loop), writer(loop) {}

  void close_writer() {
    writer_closed = true;
    reader.notify();
    writer.notify();
  }
  void close_reader() {
    reader_closed = true;
    reader.notify();
    writer.notify();
  }

  std::size_t capacity;
  std::string bytes;
  bool writer_closed = false;
  bool reader_closed = false;
  Signal reader;
  Signal writer;
};

class MemoryStream final : public Stream {
 public:
  MemoryStream(std::shared_ptr<Pipe> in, std::shared_ptr<Pipe> out)
      : in_(std::move(in)), out_(std::move(out)) {}
  ~MemoryStream() override { close(); }

  Task<Result<std::size_t>> read_some(asio::mutable_buffer into) override {
    for (;;) {
      if (is_cancelled(co_await asio::this_coro::cancellation_state)) co_return cancelled();
      if (in_->reader_closed) co_return Error(Kind::lost, "the connection was closed");
      if (!in_->bytes.empty()) break;
      if (in_->writer_closed) co_return std::size_t{0};
      CO_TRY([[maybe_unused]] const bool notified, co_await in_->reader.wait());
    }
    const std::size_t n = std::min(into.size(), in_->bytes.size());
    std::copy_n(in_->bytes.data(), n, static_cast<char*>(into.data()));
    in_->bytes.erase(0, n);
    in_->writer.notify();
    co_return n;
  }

  Task<Result<void>> write(asio::const_buffer bytes) override {
    for (;;) {
      if (is_cancelled(co_await asio::this_coro::cancellation_state)) co_return cancelled();
      if (out_->writer_closed) co_return Error(Kind::lost, "the connection was closed");
      if (out_->reader_closed) co_return Error(Kind::lost, "the peer closed the connection");
      const std::size_t room = out_->capacity - std::min(out_->capacity, out_->bytes.size());
      const std::size_t n = std::min(room, bytes.size());
      if (n > 0) {
        out_->bytes.append(static_cast<const char*>(bytes.data()), n);
        bytes += n;
        out_->reader.notify();
      }
      if (bytes.size() == 0) co_return Result<void>();
      CO_TRY([[maybe_unused]] const bool notified, co_await out_->writer.wait());
    }
  }

  void close() noexcept override {
    in_->close_reader();
    out_->close_writer();
  }

  bool looks_alive() override {
    return !in_->reader_closed && !in_->writer_closed && in_->bytes.empty();
  }

 private:
  std::shared_ptr<Pipe> in_;
  std::shared_ptr<Pipe> out_;
};

}  // namespace

std::pair<std::unique_ptr<Stream>, std::unique_ptr<Stream>> memory_stream_pair(
    Loop& loop, std::size_t capacity) {
  auto there = std::make_shared<Pipe>(loop, capacity);
  auto back = std::make_shared<Pipe>(loop, capacity);
  return {std::make_unique<MemoryStream>(there, back), std::make_unique<MemoryStream>(back, there)};
}

}  // namespace net::inline transport
