// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "json/value.h"
#include "models/kube/resource.h"

#include <string>
#include <string_view>

namespace models::kubectl {

struct TableStyle {
  const kube::KubeResource& resource;
  std::string_view includes;  // "None", "Object", or by default the metadata
  base::WallTime now;
};

// A list or a single object in the table form of `kubectl get`.
json::Value table_of(const json::Value& list_or_object, const TableStyle& style);

// An age in the format of kubectl: "45s", "3m12s", "5h", "3d4h". "<unknown>" without a time.
std::string age(std::string_view rfc3339, base::WallTime now);

// The columns after the name of a pod: READY, STATUS, RESTARTS, AGE, IP, NODE, ...
json::Array pod_cells(const json::Value& pod, base::WallTime now);

}  // namespace models::kubectl
