// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "net/async/signal.h"
#include "net/transport/stream.h"

#include <string>
#include <utility>

namespace net::inline transport {

// Reads a connection in a task of its own, so that whoever serves it can wait for bytes until a
// moment and can notice that the peer is gone while it does something else.
//
// Guarantees  keeps about 64 KiB at most; then the peer waits.
// Does not    outlive its stream; run() has to be ended (by closing the stream) and joined first.
class ReadAhead {
 public:
  // `news` is notified when bytes or the end have come.
  ReadAhead(Loop& loop, Stream& stream, Signal& news) : stream_(stream), news_(news), room_(loop) {}

  Task<void> run();

  // What has come since the last time.
  std::string take();
  // Nothing more will come, whatever the reason.
  bool ended() const { return ended_; }

 private:
  Stream& stream_;
  Signal& news_;
  Signal room_;
  std::string bytes_;
  bool ended_ = false;
};

}  // namespace net::inline transport
