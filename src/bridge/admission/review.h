// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "json/node.h"
#include "kube/admission/review.h"

#include <optional>
#include <string>

// What the API server asks about pods.
namespace bridge::admission {

using Denial = kube::AdmissionDenial;
using Verdict = kube::AdmissionVerdict;
using kube::review_answer;
using kube::review_uid;

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

// The error is a denial's: this is no question about a pod that we could answer.
base::Result<Review> read_review(const json::Node& document);

}  // namespace bridge::admission
