// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <string>
#include <string_view>

namespace base {

// RFC 4648: which two characters follow the digits ("+/" or, for URLs and JWTs, "-_"), and whether
// the text is filled up with "=" to a multiple of four.
enum class Base64 { standard, standard_unpadded, url, url_unpadded };

std::string encode_base64(std::string_view bytes, Base64 form = Base64::standard);

// Accepts exactly what encode_base64 writes in that form: no line breaks, no missing or additional
// padding, no stray bits at the end, so that one value has one text. Messages name a position and
// never the text, which may be a secret.
Result<std::string> decode_base64(std::string_view text, Base64 form = Base64::standard);

}  // namespace base
