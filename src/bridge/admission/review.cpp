// SPDX-License-Identifier: Apache-2.0
#include "bridge/admission/review.h"

#include "base/quote.h"

#include <fmt/format.h>

namespace bridge::admission {
namespace {

using base::Error;
using base::Kind;
using base::Result;

Operation operation_of(const kube::AdmissionRequest& request) {
  switch (request.operation) {
    case kube::AdmissionOperation::create: return Operation::create;
    case kube::AdmissionOperation::update: return Operation::update;
    default: return Operation::other;
  }
}

Result<void> check_resource(const kube::AdmissionRequest& request) {
  if (request.group.empty() && request.version == "v1" && request.resource == "pods") return {};
  return Error(Kind::invalid,
               fmt::format("this webhook is for v1 pods and got {} of group {}; correct the "
                           "rules of the webhook configuration",
                           base::quoted(request.resource),
                           base::quoted(request.group)));
}

}  // namespace

Result<Review> read_review(const json::Node& document) {
  TRY(const kube::AdmissionRequest request, kube::read_admission_request(document));
  TRY_VOID(check_resource(request));
  Review review{operation_of(request),
                request.ns,
                request.subresource,
                request.user,
                request.object,
                request.old_object};
  if (review.operation != Operation::other && review.ns.empty())
    return Error(Kind::invalid, "request.namespace is missing");
  return review;
}

}  // namespace bridge::admission
