// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"

namespace base {

Instant RealClock::now() const {
  return Instant(std::chrono::steady_clock::now().time_since_epoch());
}

WallTime RealClock::wall() const {
  return std::chrono::system_clock::now();
}

void VirtualClock::advance_to(Instant when) {
  if (when <= now_) return;
  wall_ += std::chrono::duration_cast<WallTime::duration>(when - now_);
  now_ = when;
}

}  // namespace base
