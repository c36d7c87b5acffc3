// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/api/generated/common.h"

#include <string>
#include <string_view>

namespace slurmop::settle {

// Returns the image of a reference. Parts that the reference leaves out come from `fallback`; a
// repository that has a tag or digest of its own is used as it is.
std::string image_of(const api::ImageReference& reference, std::string_view fallback);

}  // namespace slurmop::settle
