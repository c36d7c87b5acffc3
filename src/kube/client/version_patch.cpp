// SPDX-License-Identifier: Apache-2.0
#include "kube/client/version_patch.h"

namespace kube::inline client {

json::JsonPatch patch_of_version(const ObjectMeta& object) {
  json::JsonPatch patch;
  patch.test(json::pointer_text({"metadata", "uid"}), object.uid.value())
      .test(json::pointer_text({"metadata", "resourceVersion"}), object.resourceVersion);
  return patch;
}

}  // namespace kube::inline client
