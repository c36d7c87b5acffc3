// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/meta.h"

namespace kube::inline api {

struct UserInfo {
  std::string username;
  std::string uid;
  std::vector<std::string> groups;
};

struct SelfSubjectReviewStatus {
  UserInfo userInfo;
};

// authentication.k8s.io/v1: the user name that the server assigns to the sender. Create one without
// content; the answer has the status, and nothing is stored.
struct SelfSubjectReview {
  ObjectMeta metadata;
  SelfSubjectReviewStatus status;
};

template <>
base::Result<SelfSubjectReview> decode_object<SelfSubjectReview>(const json::Node& node);

template <>
inline const Resource& resource_of<SelfSubjectReview>() {
  return kSelfSubjectReviews;
}

}  // namespace kube::inline api
