// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"
#include "models/kube/resource.h"
#include "net/http_wire/http.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace models::kube {

// Why a request is rejected; becomes a Status object.
struct Refusal {
  int code = 500;
  std::string reason;  // may be empty, as in some answers 500 of the real server
  std::string message;
  json::Object details;
  std::string continue_token = {};  // of an expired list
};
using Refused = std::optional<Refusal>;  // empty: no error

// One invalid field.
struct Cause {
  std::string field;
  std::string message;  // "Required value", "Invalid value: \"x\": ..."
  std::string_view reason = "FieldValueInvalid";
};

Refusal bad_request(std::string message);
Refusal internal_error(std::string message);
Refusal no_such_path();
Refusal method_not_allowed();
Refusal unsupported_media_type();
Refusal not_found(const KubeResource& resource, std::string_view name);
Refusal already_exists(const KubeResource& resource, std::string_view name);
// `what` is "pods", "pods/binding" or "Pod": the real server is not consistent.
Refusal conflict(std::string_view what, std::string_view name, std::string_view why);
Refusal modified(const KubeResource& resource, std::string_view name);
Refusal invalid(const KubeResource& resource, std::string_view name, std::vector<Cause> causes);
// For the options of a request: kind "ListOptions", "PatchOptions".
Refusal invalid_options(std::string_view kind, std::vector<Cause> causes);
Refusal expired(std::string message);

json::Object status_object(const Refusal& refusal);
net::http::Response answer(const Refusal& refusal);
net::http::Response answer(int code, std::string body);

}  // namespace models::kube
