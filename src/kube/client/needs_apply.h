// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"

#include <string_view>

namespace kube::inline client {

// Returns whether a server-side apply of `desired` by `manager` would change the live object or the
// fields that the manager owns. A controller that checks first writes nothing while nothing
// differs.
//
// Expects     the live object with its managedFields; the name of the manager as used to apply; the
//             subresource to apply to ("status"), empty for the object itself.
// Guarantees  false only if the live object has every desired value and the manager owns exactly
//             the desired fields; defaults that the server added do not count.
// Does not    recognise equal quantities with different texts ("1000m" and "1"), nor empty values
//             that the server does not store ("value": "" of an environment variable): write
//             quantities as the server shows them and leave empty values out, else the result is
//             always true, which costs a call and changes nothing.
bool needs_apply(const json::Value& live,
                 const json::Object& desired,
                 std::string_view manager,
                 std::string_view subresource = "");

}  // namespace kube::inline client
