// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "kube/api/resource.h"
#include "kube/client/client.h"

#include <string>
#include <string_view>
#include <vector>

namespace kube::inline client {

// Returns the resource of a kind, as the server serves it now.
//
// Errors      not_found  the server does not serve that kind: the CustomResourceDefinition does not
//                        exist yet. Retry later, or watch kCustomResourceDefinitions.
net::Task<base::Result<Resource>> discover(Client& client,
                                           std::string api_version,
                                           std::string kind,
                                           base::Instant deadline);

// All resources of one group and version ("batch/v1"), without subresources. Errors as above, and
// invalid for text that is no apiVersion; no request is sent then.
net::Task<base::Result<std::vector<Resource>>> discover_all(Client& client,
                                                            std::string api_version,
                                                            base::Instant deadline);

// The pure parts: parse the body of GET /apis/GROUP/VERSION (an APIResourceList).
base::Result<Resource> resource_in(std::string_view body,
                                   std::string_view api_version,
                                   std::string_view kind);
base::Result<std::vector<Resource>> resources_in(std::string_view body,
                                                 std::string_view api_version);

}  // namespace kube::inline client
