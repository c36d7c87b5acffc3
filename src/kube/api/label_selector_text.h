// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "kube/api/label_selector.h"

#include <string>
#include <string_view>

namespace kube::inline api {

// The text form that kubectl takes: "team in (a,b),!legacy,tier=gpu"; also ==, !=, notin and a bare
// key for "has it". The error says at which character, from 1, something else was expected.
//
// Guarantees  a selector that passes check().
// Does not    know < and >: a LabelSelector cannot say them.
base::Result<LabelSelector> parse_label_selector(std::string_view text);

// The same form; what it gives is read back as the same requirements. Empty for an empty selector.
//
// Expects     a selector that passed check().
std::string to_text(const LabelSelector& selector);

}  // namespace kube::inline api
