// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "json/value.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace json {

// A place in a document (RFC 6901): the member names and indices on the way from the root, as they
// are (not escaped). Empty: the whole document.
using Pointer = std::vector<std::string>;

// "/metadata/labels/a~1b". Kind::invalid for a text that neither is empty nor begins with a slash,
// and for a "~" that stands for nothing.
base::Result<Pointer> parse_pointer(std::string_view text);

// The text of a pointer: pointer_text({"metadata", "labels", "a/b"}).
std::string pointer_text(std::initializer_list<std::string_view> way);

// nullptr if there is no such place.
const Value* find(const Value& document, const Pointer& place);
Value* find(Value& document, const Pointer& place);

}  // namespace json
