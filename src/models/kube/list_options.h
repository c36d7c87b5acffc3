// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/kube/refusal.h"
#include "models/kube/target.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace models::kube {

// Which moment and which part of a collection a list asks for.
struct ListOptions {
  std::uint64_t version = 0;
  std::size_t limit = 0;   // 0: no limit
  std::string after = {};  // the last key of the page before
};

Refused read_list_options(const KubeTarget& target, std::uint64_t now, ListOptions& options);
// The combinations of a watch's options that the API server refuses.
Refused check_watch_options(const Query& query);

std::string continue_token(std::uint64_t version, std::string_view after);

Refusal version_too_large(std::uint64_t wanted, std::uint64_t now);

}  // namespace models::kube
