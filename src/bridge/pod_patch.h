// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/links.h"
#include "bridge/picture.h"
#include "json/value.h"
#include "kube/client.h"

#include <memory>
#include <string_view>

namespace bridge {

struct PodPatch {
  kube::PatchType type = kube::PatchType::merge;
  json::Value body;
  std::string_view subresource = {};  // a literal: "status"
};

// Writes a patch to the pod and takes the answer into the picture, so that the next step does not
// wait for the watch.
net::Task<base::Result<void>> patch_pod(const Links& links,
                                        Picture& picture,
                                        std::shared_ptr<const kube::Pod> pod,
                                        PodPatch patch);

}  // namespace bridge
