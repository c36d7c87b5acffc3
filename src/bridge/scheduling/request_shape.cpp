// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/request_shape.h"

#include <functional>
#include <string>

namespace bridge::scheduling {

RequestShape shape_of(slurm::JobRequest request) {
  request.admin_comment.clear();
  request.name.clear();
  const std::size_t value = std::hash<std::string>()(slurm::submit_body(request));
  return {value == 0 ? 1 : value};
}

}  // namespace bridge::scheduling
