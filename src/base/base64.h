// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <string>
#include <string_view>

namespace base {

// The forms of RFC 4648: the last two characters of the alphabet ("+/", or "-_" for URLs and JWTs),
// and whether "=" pads the text to a multiple of four.
enum class Base64 { standard, standard_unpadded, url, url_unpadded };

std::string encode_base64(std::string_view bytes, Base64 form = Base64::standard);

// Accepts exactly what encode_base64 writes in that form: no line breaks, no missing or additional
// padding, no nonzero unused bits, so that each value has one text. Error messages contain a
// position, never the text, which may be a secret.
Result<std::string> decode_base64(std::string_view text, Base64 form = Base64::standard);

}  // namespace base
