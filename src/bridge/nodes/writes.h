// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"
#include "kube/api/node.h"

#include <string>

// The patches that the bridge writes to Kubernetes nodes, as pure values. Each is for the node as
// it was when the decision was taken: whoever was faster wins.
namespace bridge::nodes {

// To a node, under the name by which whose a cordon is can be told.
std::string node_write_path(const kube::Node& node);

// Merge patches.
json::Object cordon_patch(const kube::Node& node, const std::string& reason);
json::Object uncordon_patch(const kube::Node& node);
// Somebody else lifted it.
json::Object note_lifted_patch(const kube::Node& node, const std::string& reason);
// Only our note goes.
json::Object forget_cordon_patch(const kube::Node& node);

// JSON patches: a merge would replace taints with fields that we do not know.
json::Array add_taint_patch(const kube::Node& node, const kube::Taint& taint);
// Expects that the node has it.
json::Array remove_taint_patch(const kube::Node& node, const kube::Taint& taint);

}  // namespace bridge::nodes
