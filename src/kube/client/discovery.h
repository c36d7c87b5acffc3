// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "kube/api/resource.h"
#include "kube/client/client.h"

#include <string>
#include <string_view>

namespace kube::inline client {

// Returns the resource of a kind, as the server serves it now.
//
// Errors      not_found  the server does not serve that kind: the CustomResourceDefinition does not
//                        exist yet. Retry later, or watch kCustomResourceDefinitions.
net::Task<base::Result<Resource>> discover(Client& client,
                                           std::string api_version,
                                           std::string kind,
                                           base::Instant deadline);

// The pure part: parses the body of GET /apis/GROUP/VERSION (an APIResourceList).
base::Result<Resource> resource_in(std::string_view body,
                                   std::string_view api_version,
                                   std::string_view kind);

}  // namespace kube::inline client
