// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/fresh.h"

namespace bridge::scheduling {

bool is_fresh(const slurm::JobView& view, base::Instant now) {
  return view.read_as_of >= now - kFreshRead;
}

}  // namespace bridge::scheduling
