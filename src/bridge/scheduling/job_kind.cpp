// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/job_kind.h"

#include <functional>
#include <string>

namespace bridge::scheduling {

JobKind kind_of(slurm::JobRequest request) {
  request.admin_comment.clear();
  request.name.clear();
  const std::size_t value = std::hash<std::string>()(slurm::submit_body(request));
  return {value == 0 ? 1 : value};
}

}  // namespace bridge::scheduling
