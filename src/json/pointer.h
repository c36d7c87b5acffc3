// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "json/value.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace json {

// A path in a document (RFC 6901): the member names and indices from the root, not escaped. Empty:
// the whole document.
using Pointer = std::vector<std::string>;

// Parses "/metadata/labels/a~1b". Kind::invalid for a text that is neither empty nor begins with a
// slash, and for a "~" that is not an escape.
base::Result<Pointer> parse_pointer(std::string_view text);

// Returns the text of a pointer: pointer_text({"metadata", "labels", "a/b"}).
std::string pointer_text(std::initializer_list<std::string_view> way);

// Returns nullptr if the path does not exist.
const Value* find(const Value& document, const Pointer& place);
Value* find(Value& document, const Pointer& place);

}  // namespace json
