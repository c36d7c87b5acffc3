// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "net/async/signal.h"
#include "net/transport/stream.h"

#include <string>
#include <utility>

namespace net::inline transport {

// Reads a connection in a separate task, so that the server of the connection can wait for bytes
// with a deadline and notices a disconnect while it does other work.
//
// Expects     run() is ended (by closing the stream) and joined before the stream is destroyed.
// Guarantees  holds about 64 KiB at most; then reading pauses.
class ReadAhead {
 public:
  // `news` is notified when bytes or the end have arrived.
  ReadAhead(Loop& loop, Stream& stream, Signal& news) : stream_(stream), news_(news), room_(loop) {}

  Task<void> run();

  // Takes the bytes that have arrived since the last call.
  std::string take();
  // Whether the connection ended, for any reason.
  bool ended() const { return ended_; }

 private:
  Stream& stream_;
  Signal& news_;
  Signal room_;
  std::string bytes_;
  bool ended_ = false;
};

}  // namespace net::inline transport
