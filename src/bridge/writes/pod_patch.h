// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/runtime/links.h"
#include "bridge/state/picture.h"
#include "json/value.h"
#include "kube/client/client.h"

#include <memory>
#include <string_view>

namespace bridge::writes {

struct PodPatch {
  kube::PatchType type = kube::PatchType::merge;
  json::Value body;
  std::string_view subresource = {};  // a literal: "status"
};

// Writes a patch to the pod and takes the answer into the picture, so that the next step does not
// wait for the watch.
net::Task<base::Result<void>> patch_pod(const runtime::Links& links,
                                        state::Picture& picture,
                                        std::shared_ptr<const kube::Pod> pod,
                                        PodPatch patch);

}  // namespace bridge::writes
