// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"

#include <string>

namespace slurmop::parts {

// Returns the compact text of the value with the members of each object by name: equal values have
// equal texts.
std::string canonical_text(const json::Value& value);

}  // namespace slurmop::parts
