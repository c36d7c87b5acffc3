// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"
#include "kube/api/node.h"
#include "kube/client/write_options.h"

#include <string>

// The patches that the bridge writes to Kubernetes nodes, as pure values. Each is valid only for
// the version of the node on which the decision was based.
namespace bridge::nodes {

// With the field manager by which our cordon is recognised.
kube::WriteOptions node_write_options();

// Merge patches.
json::Object cordon_patch(const kube::Node& node, const std::string& reason);
json::Object uncordon_patch(const kube::Node& node);
// Records that an administrator removed the cordon.
json::Object note_lifted_patch(const kube::Node& node, const std::string& reason);
// Removes only our annotation.
json::Object forget_cordon_patch(const kube::Node& node);

// JSON patches: a merge patch would drop unknown fields of taints.
json::Array add_taint_patch(const kube::Node& node, const kube::Taint& taint);
// Expects     the node has the taint.
json::Array remove_taint_patch(const kube::Node& node, const kube::Taint& taint);

}  // namespace bridge::nodes
