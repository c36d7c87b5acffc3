// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "kube/api/label_selector.h"

#include <string>
#include <string_view>

namespace kube::inline api {

// Parses the text form of kubectl: "team in (a,b),!legacy,tier=gpu"; also ==, !=, notin and a bare
// key for "exists". The error names the position, from 1, and what was expected there.
//
// Guarantees  a selector that passes check().
// Does not    support < and >: a LabelSelector cannot express them.
base::Result<LabelSelector> parse_label_selector(std::string_view text);

// Formats a selector in the same form; parsing it returns the same requirements. Empty for an empty
// selector.
//
// Expects     a selector that passed check().
std::string to_text(const LabelSelector& selector);

}  // namespace kube::inline api
