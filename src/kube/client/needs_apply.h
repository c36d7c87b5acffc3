// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"

#include <string_view>

namespace kube::inline client {

// Whether a server-side apply of `desired` by `manager` would change the live object or the fields
// that the manager owns. A controller that asks first writes nothing while nothing differs.
//
// Expects     the live object with its managedFields; the manager's name as it is used to apply;
//             the subresource that would be applied to ("status"), empty for the object itself.
// Guarantees  false only if the live object has every desired value and the manager owns exactly
//             the desired fields: what the server added by defaults does not count.
// Does not    know that two texts mean the same ("1000m" and "1"): write quantities as the server
//             shows them, else this says true each time, which costs a call and changes nothing.
bool needs_apply(const json::Value& live,
                 const json::Object& desired,
                 std::string_view manager,
                 std::string_view subresource = "");

}  // namespace kube::inline client
