// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/kube/refusal.h"
#include "models/kube/target.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace models::kube {

// The version and the part of a collection that a list requests.
struct ListOptions {
  std::uint64_t version = 0;
  std::size_t limit = 0;   // 0: no limit
  std::string after = {};  // the last key of the previous page
};

Refused read_list_options(const KubeTarget& target, std::uint64_t now, ListOptions& options);
// The combinations of watch options that the API server rejects.
Refused check_watch_options(const Query& query);

std::string continue_token(std::uint64_t version, std::string_view after);

Refusal version_too_large(std::uint64_t wanted, std::uint64_t now);

}  // namespace models::kube
