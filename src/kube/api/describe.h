// SPDX-License-Identifier: Apache-2.0
#pragma once

// Only for the .cpp of a kind: decoding of the shared parts.
#include "json/decode.h"
#include "kube/api/meta.h"

namespace kube::inline api {

BOOST_DESCRIBE_STRUCT(OwnerReference,
                      (),
                      (apiVersion, kind, name, uid, controller, blockOwnerDeletion))
BOOST_DESCRIBE_STRUCT(ObjectMeta,
                      (),
                      (name,
                       namespace_,
                       uid,
                       resourceVersion,
                       generation,
                       creationTimestamp,
                       deletionTimestamp,
                       labels,
                       annotations,
                       finalizers,
                       ownerReferences))
BOOST_DESCRIBE_STRUCT(Condition,
                      (),
                      (type, status, reason, message, lastTransitionTime, observedGeneration))

}  // namespace kube::inline api
