// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"

#include <string>
#include <string_view>
#include <vector>

// Content of a resource that the operator passes on without knowing its schema: volume sources,
// claims, init containers, probes. The API server validates it.
namespace slurmop::objects {

// Returns the content as the API server stores it, so that kube::needs_apply finds no difference:
// without null members, and with the quantities of `requests`, `limits` and `sizeLimit` as the server
// prints them. A quantity that is not valid is kept; the server rejects it.
json::Value passed_on(const json::Value& content);
json::Array passed_on(const std::vector<json::Value>& contents);

// Returns the list without the elements whose member `key` equals that of a later element. A list
// with the same key twice cannot be applied.
json::Array last_of_each(json::Array list, std::string_view key);

}  // namespace slurmop::objects
