// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "json/node.h"
#include "json/value.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// AdmissionReview of admission.k8s.io/v1, for any kind: the request of the API server to a webhook,
// and the answer.
namespace kube::inline admission {

enum class AdmissionOperation { create, update, remove, connect, unknown };

// One request. Valid as long as the document from which it was decoded.
struct AdmissionRequest {
  AdmissionOperation operation = AdmissionOperation::unknown;
  std::string group;  // of the resource; empty for core
  std::string version;
  std::string resource;                  // "pods"
  std::string subresource;               // empty: the object itself
  std::string ns;                        // empty for cluster-scoped objects
  std::string name;                      // may be empty for a create
  std::string user;                      // the user of the request to the API server
  bool dry_run = false;                  // the webhook must have no side effects
  std::optional<json::Node> object;      // not for a delete
  std::optional<json::Node> old_object;  // for an update and a delete
};

// Returns request.uid, which the answer must repeat. An error if the document is not an
// AdmissionReview v1 or has no uid: then no review can be sent in answer.
base::Result<std::string> review_uid(const json::Node& document);

// Kind::invalid if a field that the operation requires is missing.
base::Result<AdmissionRequest> read_admission_request(const json::Node& document);

struct AdmissionDenial {
  int code = 403;
  std::string message;  // names the field and the fix

  friend bool operator==(const AdmissionDenial&, const AdmissionDenial&) = default;
};

struct AdmissionVerdict {
  std::optional<AdmissionDenial> denial;
  json::Array patch;  // JSON patch operations; empty: unchanged
  std::vector<std::string> warnings;
};

inline AdmissionVerdict allowed() {
  return {};
}
inline AdmissionVerdict denied(int code, std::string message) {
  return {AdmissionDenial{code, std::move(message)}, {}, {}};
}

// Returns the complete AdmissionReview to send.
std::string review_answer(std::string_view uid, const AdmissionVerdict& verdict);

}  // namespace kube::inline admission
