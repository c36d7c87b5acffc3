// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "net/transport/stream.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace net {

// Connections that are not in use.
//
// Guarantees  returns the most recently used connection, which is most likely still open; never one
//             that is known to be closed or was idle too long; keeps at most `most`.
class IdleConnections {
 public:
  IdleConnections(const base::Clock& clock, std::size_t most, base::Duration longest)
      : clock_(clock), most_(most), longest_(longest) {}

  // Null if there is none.
  std::unique_ptr<Stream> take();
  void put(std::unique_ptr<Stream> stream);
  std::size_t size() const { return idle_.size(); }

 private:
  struct Idle {
    std::unique_ptr<Stream> stream;
    base::Instant since;
  };

  const base::Clock& clock_;
  std::size_t most_;
  base::Duration longest_;
  std::vector<Idle> idle_;  // longest idle first
};

}  // namespace net
