// SPDX-License-Identifier: Apache-2.0
#include "kube/api/self_subject_review.h"

#include "kube/api/describe.h"

namespace kube::inline api {

BOOST_DESCRIBE_STRUCT(UserInfo, (), (username, uid, groups))
BOOST_DESCRIBE_STRUCT(SelfSubjectReviewStatus, (), (userInfo))
BOOST_DESCRIBE_STRUCT(SelfSubjectReview, (), (metadata, status))

template <>
base::Result<SelfSubjectReview> decode_object<SelfSubjectReview>(const json::Node& node) {
  return json::decode<SelfSubjectReview>(node);
}

}  // namespace kube::inline api
