// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "json/node.h"
#include "kube/admission/review.h"

#include <optional>
#include <string>

// Admission reviews of pods.
namespace bridge::admission {

using Denial = kube::AdmissionDenial;
using Verdict = kube::AdmissionVerdict;
using kube::review_answer;
using kube::review_uid;

enum class Operation { create, update, other };

// One review. Valid as long as the document from which it was read.
struct Review {
  Operation operation = Operation::other;
  std::string ns;
  std::string subresource;  // empty: the pod itself
  std::string user;         // the user of the request
  std::optional<json::Node> object;
  std::optional<json::Node> old_object;  // set if and only if it is an update
};

// The error is the text of a denial: the request is not a valid review of a pod.
base::Result<Review> read_review(const json::Node& document);

}  // namespace bridge::admission
