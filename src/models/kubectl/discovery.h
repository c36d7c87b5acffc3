// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"
#include "models/kube/target.h"

#include <optional>
#include <string_view>
#include <vector>

namespace models::kubectl {

// Discovery: /version, /api, /apis, /api/v1, /apis/GROUP[/VERSION], /openapi/v3[/...]. Empty for
// any other path.
std::optional<json::Value> discovered(std::string_view path,
                                      const std::vector<kube::ServedResource>& served);

}  // namespace models::kubectl
