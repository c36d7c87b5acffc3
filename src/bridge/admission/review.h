// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "json/node.h"
#include "json/value.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// AdmissionReview of admission.k8s.io/v1: what the API server asks and what it is told.
namespace bridge::admission {

enum class Operation { create, update, other };

// One question. Valid as long as the document that it was read from.
struct Review {
  Operation operation = Operation::other;
  std::string ns;
  std::string subresource;  // empty: the pod itself
  std::string user;         // who asks the API server for it
  std::optional<json::Node> object;
  std::optional<json::Node> old_object;  // there if and only if it is an update
};

// request.uid, by which the API server knows our answer again. An error, for the one who sent
// this, if the document is no AdmissionReview v1 or carries no uid: then there is nothing that
// could be answered with a review.
base::Result<std::string> review_uid(const json::Node& document);

// The error is a denial's: this is no question about a pod that we could answer.
base::Result<Review> read_review(const json::Node& document);

struct Denial {
  int code = 403;
  std::string message;  // names the field and the fix

  friend bool operator==(const Denial&, const Denial&) = default;
};

struct Verdict {
  std::optional<Denial> denial;
  json::Array patch;  // JSON patch operations; none: as it is
  std::vector<std::string> warnings;
};

// The whole AdmissionReview to send back.
std::string review_answer(std::string_view uid, const Verdict& verdict);

}  // namespace bridge::admission
