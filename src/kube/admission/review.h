// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "json/node.h"
#include "json/value.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// AdmissionReview of admission.k8s.io/v1, for any kind: what the API server asks a webhook, and
// what it is told.
namespace kube::inline admission {

enum class AdmissionOperation { create, update, remove, connect, unknown };

// One question. Valid as long as the document that it was read from.
struct AdmissionRequest {
  AdmissionOperation operation = AdmissionOperation::unknown;
  std::string group;  // of the resource; empty for core
  std::string version;
  std::string resource;                  // "pods"
  std::string subresource;               // empty: the object itself
  std::string ns;                        // empty for objects of the cluster
  std::string name;                      // may be empty for a create
  std::string user;                      // who asks the API server for it
  bool dry_run = false;                  // nothing outside the review may be changed
  std::optional<json::Node> object;      // not for a delete
  std::optional<json::Node> old_object;  // for an update and a delete
};

// request.uid, by which the API server knows our answer again. An error, for the one who sent
// this, if the document is no AdmissionReview v1 or carries no uid: then there is nothing that
// could be answered with a review.
base::Result<std::string> review_uid(const json::Node& document);

// Kind::invalid if something is missing that the operation has.
base::Result<AdmissionRequest> read_admission_request(const json::Node& document);

struct AdmissionDenial {
  int code = 403;
  std::string message;  // names the field and the fix

  friend bool operator==(const AdmissionDenial&, const AdmissionDenial&) = default;
};

struct AdmissionVerdict {
  std::optional<AdmissionDenial> denial;
  json::Array patch;  // JSON patch operations; none: as it is
  std::vector<std::string> warnings;
};

inline AdmissionVerdict allowed() {
  return {};
}
inline AdmissionVerdict denied(int code, std::string message) {
  return {AdmissionDenial{code, std::move(message)}, {}, {}};
}

// The whole AdmissionReview to send back.
std::string review_answer(std::string_view uid, const AdmissionVerdict& verdict);

}  // namespace kube::inline admission
