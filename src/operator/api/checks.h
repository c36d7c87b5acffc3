// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/api/generated/field_table.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace slurmop::api {

// Returns what is wrong with one string of a resource, with the remedy; nothing if it is allowed.
//
// Guarantees  an allowed value of a configuration file can neither end its line nor start another
//             key: a value is one word of printable ASCII without quotes, backslash and '#'.
//             The message does not contain the value itself, except for short quoted parts.
// Does not    check references to other fields (Check::node_filter, volume_source): validate.h.
//
// The API server checks most of this with the rules of the CustomResourceDefinition; this function
// is for resources that were stored before a rule existed, and for parts that need a parser.
std::optional<std::string> problem_of(Check check, std::string_view value);

// Whether the text is a DNS label (RFC 1035): lower-case letters, digits and '-', beginning with a
// letter. Does not limit the length.
bool is_dns_label(std::string_view text);

}  // namespace slurmop::api
